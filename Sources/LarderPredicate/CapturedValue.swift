import Foundation
import LarderKernel

/// A part of a predicate whose evaluation by Foundation stops the process for some values, such as the sum of `Int.max`
/// and 1.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
private protocol StoppingExpression {
    /// True if the types of its values are such that it may.
    var mayStop: Bool { get }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Arithmetic: StoppingExpression {
    fileprivate var mayStop: Bool { Output.self is any BinaryInteger.Type }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.UnaryMinus: StoppingExpression {
    fileprivate var mayStop: Bool { Output.self is any BinaryInteger.Type }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.IntDivision: StoppingExpression {
    fileprivate var mayStop: Bool { true }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.IntRemainder: StoppingExpression {
    fileprivate var mayStop: Bool { true }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Range: StoppingExpression {
    fileprivate var mayStop: Bool { true }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.ClosedRange: StoppingExpression {
    fileprivate var mayStop: Bool { true }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
enum CapturedValue {
    /// The value of an expression without variables; nil if it has any, and if Foundation cannot evaluate it
    /// without a risk for the process.
    static func of(_ expression: some PredicateExpression) -> PredicateTerm? {
        if mayStop(expression) { return nil }
        return (try? expression.evaluate(PredicateBindings())).map { PredicateTerm(captured: $0) }
    }

    /// True if an expression, or a part of it, may stop the process when it is evaluated.
    static func mayStop(_ expression: any PredicateExpression) -> Bool {
        if let stopping = expression as? any StoppingExpression, stopping.mayStop { return true }
        return Mirror(reflecting: expression).children.contains { child in
            if let part = child.value as? any PredicateExpression { return mayStop(part) }
            // A captured predicate, or expression, that is evaluated inside of this one.
            let inner = Mirror(reflecting: child.value)
            guard inner.displayStyle == .struct || inner.displayStyle == .tuple else { return false }
            return inner.children.contains { ($0.value as? any PredicateExpression).map(mayStop) ?? false }
        }
    }
}

extension ArithmeticOperator {
    /// The result of a calculation with two captured integers, with 64 bits as in every filter, and nil if it does
    /// not fit; nothing for other values.
    func result(_ left: Any, _ right: Any) -> PredicateTerm? {
        if let left = left as? any StoredUnsigned, let right = right as? any StoredUnsigned {
            return calculated(left.wide, right.wide)
        }
        guard let left = left as? any StoredSigned, let right = right as? any StoredSigned else { return nil }
        return calculated(left.wide, right.wide)
    }

    private func calculated<Wide: FixedWidthInteger>(_ left: Wide, _ right: Wide) -> PredicateTerm {
        let (value, isTooLarge) =
            switch self {
            case .plus: left.addingReportingOverflow(right)
            case .minus: left.subtractingReportingOverflow(right)
            case .times: left.multipliedReportingOverflow(by: right)
            case .divided: left.dividedReportingOverflow(by: right)
            // The remainder of the least number by -1 is 0, though the quotient does not fit.
            case .remainder where Wide.isSigned && right == 0 &- 1:
                (partialValue: Wide.zero, overflow: false)
            case .remainder: left.remainderReportingOverflow(dividingBy: right)
            }
        if isTooLarge { return .null }
        // As it may be compared with a number of items.
        if Wide.isSigned, let value = Int(exactly: value) { return .captured(value) }
        return .captured(value)
    }
}

/// An integer that filters calculate with as `UInt64`.
private protocol StoredUnsigned {
    var wide: UInt64 { get }
}

extension UInt64: StoredUnsigned {
    fileprivate var wide: UInt64 { self }
}

extension UInt: StoredUnsigned {
    fileprivate var wide: UInt64 { UInt64(self) }
}

/// An integer that filters calculate with as `Int64`.
private protocol StoredSigned {
    var wide: Int64 { get }
}

extension StoredSigned where Self: BinaryInteger {
    fileprivate var wide: Int64 { Int64(truncatingIfNeeded: self) }
}

extension Int: StoredSigned {}
extension Int8: StoredSigned {}
extension Int16: StoredSigned {}
extension Int32: StoredSigned {}
extension Int64: StoredSigned {}
extension UInt8: StoredSigned {}
extension UInt16: StoredSigned {}
extension UInt32: StoredSigned {}
