import Foundation
import LarderKernel

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Arithmetic: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        if let captured = translation.captured(self) { return captured }
        let left = try translation.term(lhs)
        let right = try translation.term(rhs)
        guard let sign else { throw translation.refused(self, "its operator is not known") }
        return try translation.calculating(left, sign, right, self)
    }

    var sign: ArithmeticOperator? {
        switch op {
        case .add: .plus
        case .subtract: .minus
        case .multiply: .times
        @unknown default: nil
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.IntDivision: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        let left = try translation.term(lhs)
        return try translation.calculating(left, .divided, try translation.term(rhs), self)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.FloatDivision: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        let left = try translation.term(lhs)
        return try translation.calculating(left, .divided, try translation.term(rhs), self)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.IntRemainder: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        let left = try translation.term(lhs)
        return try translation.calculating(left, .remainder, try translation.term(rhs), self)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.UnaryMinus: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        if let captured = translation.captured(self) { return captured }
        return try negative(try translation.term(wrapped), &translation)
    }

    private func negative(
        _ term: PredicateTerm, _ translation: inout PredicateTranslation
    ) throws(DataStoreError) -> PredicateTerm {
        switch term {
        case .choice(let test, let first, let second):
            return .choice(test, try negative(first, &translation), try negative(second, &translation))
        case .null: return .null
        case .captured(let value):
            if let zero = zero(like: value), let result = ArithmeticOperator.minus.result(zero, value) {
                return result
            }
            return .calculation(.negative(try translation.value(term, self)))
        case .item, .attribute, .window, .many, .count, .calculation, .truth, .range:
            return .calculation(.negative(try translation.value(term, self)))
        }
    }
}

private func zero(like value: Any) -> Any? { (value as? any BinaryInteger)?.ownZero }

extension BinaryInteger {
    fileprivate var ownZero: Any { Self.zero }
}

// MARK: Key paths

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.KeyPath: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        if let captured = translation.captured(self) { return captured }
        return try term(behind: try translation.term(root), &translation)
    }

    private func term(
        behind term: PredicateTerm, _ translation: inout PredicateTranslation
    ) throws(DataStoreError) -> PredicateTerm {
        switch term {
        case .item(let item):
            switch item.type.property(keyPath) {
            case .attribute(let column): return .attribute(item, column: column)
            case .relationship(let number): return .window(item, number: number)
            case nil:
                throw translation.refused(
                    self,
                    "the last name is not a stored property of \(item.type.schema.name), or has observers or a "
                        + "wrapper, which hide its name from a predicate")
            }
        case .attribute(let item, let column):
            if let reference = Root.Output.self as? any PredicateReference.Type {
                if reference.isPathToItem(keyPath) {
                    return .item(item.through(.column(column), to: reference.targetType))
                }
                if reference.isPathToIdentifier(keyPath) { return term }
            }
            if case .collectionIsEmpty = kind, Root.Output.self == String.self {
                return .truth(.through(item.path, .compare(column, .equal, with: "")))
            }
        case .window(let item, let number):
            guard let window = Root.Output.self as? any PredicateReference.Type,
                window.isPathToItem(keyPath)
            else { break }
            if window.isToMany {
                return .many(item, number: number, target: window.targetType, nil)
            }
            return .item(item.through(.number(number), to: window.targetType))
        case .many(let item, let number, _, let filter):
            switch kind {
            case .collectionIsEmpty:
                let condition = FilterNode.related(.number(number), .none, filter ?? .always(true))
                return .truth(.through(item.path, condition))
            case .collectionCount where filter == nil: return .count(item, number: number)
            default: break
            }
        case .choice(let test, let first, let second):
            let first = try self.term(behind: first, &translation)
            return .choice(test, first, try self.term(behind: second, &translation))
        case .null: return .null
        case .captured(let value):
            if let value = (value as? Root.Output)?[keyPath: keyPath] {
                return PredicateTerm(captured: value)
            }
        case .count, .calculation, .truth, .range: break
        }
        throw translation.refused(self, "it cannot be answered without running code for each item")
    }
}

extension DataStoreItem {
    fileprivate static func property(_ path: AnyKeyPath) -> ItemProperty? { ItemProperty(path, of: self) }
}

/// A property that leads to other items, and the paths through it that a predicate may follow.
private protocol PredicateReference {
    static var targetType: any DataStoreItem.Type { get }
    static var isToMany: Bool { get }

    static func isPathToItem(_ path: AnyKeyPath) -> Bool
    static func isPathToIdentifier(_ path: AnyKeyPath) -> Bool
}

extension ToOne: PredicateReference {
    fileprivate static var targetType: any DataStoreItem.Type { Target.self }
    fileprivate static var isToMany: Bool { false }
    fileprivate static func isPathToItem(_ path: AnyKeyPath) -> Bool { path == \ToOne.item }
    fileprivate static func isPathToIdentifier(_ path: AnyKeyPath) -> Bool { path == \ToOne.id }
}

extension ToOneInverse: PredicateReference {
    fileprivate static var targetType: any DataStoreItem.Type { Target.self }
    fileprivate static var isToMany: Bool { false }
    fileprivate static func isPathToItem(_ path: AnyKeyPath) -> Bool { path == \ToOneInverse.item }
    fileprivate static func isPathToIdentifier(_ path: AnyKeyPath) -> Bool { false }
}

extension ToMany: PredicateReference {
    fileprivate static var targetType: any DataStoreItem.Type { Target.self }
    fileprivate static var isToMany: Bool { true }
    fileprivate static func isPathToItem(_ path: AnyKeyPath) -> Bool { path == \ToMany.items }
    fileprivate static func isPathToIdentifier(_ path: AnyKeyPath) -> Bool { false }
}

extension OrderedToMany: PredicateReference {
    fileprivate static var targetType: any DataStoreItem.Type { Target.self }
    fileprivate static var isToMany: Bool { true }
    fileprivate static func isPathToItem(_ path: AnyKeyPath) -> Bool { path == \OrderedToMany.items }
    fileprivate static func isPathToIdentifier(_ path: AnyKeyPath) -> Bool { false }
}
