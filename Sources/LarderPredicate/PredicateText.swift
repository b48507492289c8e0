import Foundation
import LarderKernel

/// The text of a part of a predicate, for errors.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
enum PredicateText {
    static func text(of expression: any PredicateExpression) -> String {
        if let expression = expression as? any ReadableExpression { return expression.text }
        // As `StringContainsRegex<KeyPath<…>, …>`, without what it is made of.
        let name = String(describing: type(of: expression)).prefix { $0 != "<" }
        return "\(name)(…)"
    }

    static func text(captured value: Any) -> String {
        let text = String(reflecting: value)
        return text.count > 60 ? text.prefix(60) + "…" : text
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
private protocol ReadableExpression {
    var text: String { get }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
private func words(_ expression: any PredicateExpression) -> String { PredicateText.text(of: expression) }

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Value: ReadableExpression {
    fileprivate var text: String { PredicateText.text(captured: value) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.NilLiteral: ReadableExpression {
    fileprivate var text: String { "nil" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Variable: ReadableExpression {
    fileprivate var text: String { "$0" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.KeyPath: ReadableExpression {
    fileprivate var text: String {
        let name =
            switch kind {
            case .collectionCount: "count"
            case .collectionIsEmpty: "isEmpty"
            case .collectionFirst: "first"
            case .bidirectionalCollectionLast: "last"
            default: keyPath.lastName ?? "(computed \(Output.self))"
            }
        return "\(words(root)).\(name)"
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Conjunction: ReadableExpression {
    fileprivate var text: String { "(\(words(lhs)) && \(words(rhs)))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Disjunction: ReadableExpression {
    fileprivate var text: String { "(\(words(lhs)) || \(words(rhs)))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Negation: ReadableExpression {
    fileprivate var text: String { "!\(words(wrapped))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Equal: ReadableExpression {
    fileprivate var text: String { "\(words(lhs)) == \(words(rhs))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.NotEqual: ReadableExpression {
    fileprivate var text: String { "\(words(lhs)) != \(words(rhs))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Comparison: ReadableExpression {
    fileprivate var text: String { "\(words(lhs)) \(comparison?.rawValue ?? "?") \(words(rhs))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Arithmetic: ReadableExpression {
    fileprivate var text: String { "(\(words(lhs)) \(sign?.rawValue ?? "?") \(words(rhs)))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.IntDivision: ReadableExpression {
    fileprivate var text: String { "(\(words(lhs)) / \(words(rhs)))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.FloatDivision: ReadableExpression {
    fileprivate var text: String { "(\(words(lhs)) / \(words(rhs)))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.IntRemainder: ReadableExpression {
    fileprivate var text: String { "(\(words(lhs)) % \(words(rhs)))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.UnaryMinus: ReadableExpression {
    fileprivate var text: String { "-\(words(wrapped))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Conditional: ReadableExpression {
    fileprivate var text: String { "(\(words(test)) ? \(words(trueBranch)) : \(words(falseBranch)))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.OptionalFlatMap: ReadableExpression {
    fileprivate var text: String { "\(words(wrapped)).flatMap { \(words(transform)) }" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.NilCoalesce: ReadableExpression {
    fileprivate var text: String { "(\(words(lhs)) ?? \(words(rhs)))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.ForcedUnwrap: ReadableExpression {
    fileprivate var text: String { "\(words(inner))!" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.CollectionContainsCollection: ReadableExpression {
    fileprivate var text: String { "\(words(base)).contains(\(words(other)))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceStartsWith: ReadableExpression {
    fileprivate var text: String { "\(words(base)).starts(with: \(words(prefix)))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceContains: ReadableExpression {
    fileprivate var text: String { "\(words(sequence)).contains(\(words(element)))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceContainsWhere: ReadableExpression {
    fileprivate var text: String { "\(words(sequence)).contains { \(words(test)) }" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceAllSatisfy: ReadableExpression {
    fileprivate var text: String { "\(words(sequence)).allSatisfy { \(words(test)) }" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Filter: ReadableExpression {
    fileprivate var text: String { "\(words(sequence)).filter { \(words(filter)) }" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.RangeExpressionContains: ReadableExpression {
    fileprivate var text: String { "(\(words(range))).contains(\(words(element)))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Range: ReadableExpression {
    fileprivate var text: String { "\(words(lower))..<\(words(upper))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.ClosedRange: ReadableExpression {
    fileprivate var text: String { "\(words(lower))...\(words(upper))" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.StringContainsRegex: ReadableExpression {
    fileprivate var text: String { "\(words(subject)).contains(a regular expression)" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.ConditionalCast: ReadableExpression {
    fileprivate var text: String { "\(words(input)) as? \(Desired.self)" }
}
