public import struct Foundation.Decimal
public import LarderKernel

/// A number that a filter calculates for each item from its attributes.
///
///     Order.where(\.price * \.count > 100)
///     Order.where(\.price * \.count - \.discount >= \.minimum)
///
/// Made with `+`, `-`, `*`, `/`, `%` and the minus sign from numbers, from attributes that hold numbers,
/// including optional ones and attributes of references, and from other calculations. Both sides have one
/// type of numbers.
///
/// Integers are calculated with 64 bits, whatever their width. A result is nil if an attribute is nil, if
/// an integer does not fit (`UInt64` and `UInt` have no negative ones), if the divisor of an integer or
/// `Decimal` is 0, and if the result is not a number. A nil passes no comparison but `!=`, and `==` with
/// another nil, as everywhere in filters. Floating-point numbers are calculated as in Swift, so that a division
/// by 0 is infinite. `Decimal` is rounded to 38 digits, and has no `%`.
///
/// *Rule:* a value; may be kept and sent anywhere. Operators nest up to 200 levels deep. *Cost:* every item that
/// passes the other conditions is read; no index helps.
public struct Calculation<Item: DataStoreItem, Number: CalculableValue>: Sendable, Hashable {
    let node: ValueNode
    private let depth: Int

    init(_ operand: FilterOperand) {
        node = ValueNode(operand)
        depth = 0
    }

    init<Compared: FilterableAttribute>(_ attribute: KeyPath<Item.Attributes, Compared>)
    where Compared.Item == Item {
        self.init(Item.attributes[keyPath: attribute].operand)
    }

    init(_ value: Number) {
        node = ValueNode(value)
        depth = 0
    }

    init(negative other: Calculation) {
        self.init(other.depth) { .negative(other.node) }
    }

    init(_ left: Calculation, _ sign: ArithmeticOperator, _ right: Calculation) {
        self.init(max(left.depth, right.depth)) { .arithmetic(sign, left.node, right.node) }
    }

    private init(_ innerDepth: Int, _ node: () -> ValueNode) {
        depth = innerDepth + 1
        self.node =
            depth > FilterNode.maximumDepth
            ? .mistake(RequestMistake(ValueNode.tooDeepMessage)) : node()
    }
}

/// A number that filters calculate with: integers, `Float`, `Double`, `Decimal`, and their optionals.
public protocol CalculableValue: AttributeValue, Hashable {
    /// The type without its optional.
    associatedtype Number: CalculableValue
}

extension Int: CalculableValue { public typealias Number = Int }
extension Int8: CalculableValue { public typealias Number = Int8 }
extension Int16: CalculableValue { public typealias Number = Int16 }
extension Int32: CalculableValue { public typealias Number = Int32 }
extension Int64: CalculableValue { public typealias Number = Int64 }
extension UInt: CalculableValue { public typealias Number = UInt }
extension UInt8: CalculableValue { public typealias Number = UInt8 }
extension UInt16: CalculableValue { public typealias Number = UInt16 }
extension UInt32: CalculableValue { public typealias Number = UInt32 }
extension UInt64: CalculableValue { public typealias Number = UInt64 }
extension Float: CalculableValue { public typealias Number = Float }
extension Double: CalculableValue { public typealias Number = Double }
extension Decimal: CalculableValue { public typealias Number = Decimal }
extension Optional: CalculableValue where Wrapped: CalculableValue {
    public typealias Number = Wrapped.Number
}

extension Filter {
    init<Left, Right>(
        _ left: Calculation<Item, Left>, _ comparison: Comparison, _ right: Calculation<Item, Right>
    ) {
        self.init(.calculated(left.node, comparison, right.node))
    }

    /// A comparison of two attributes.
    init<Left: FilterableAttribute, Right: FilterableAttribute>(
        _ left: KeyPath<Item.Attributes, Left>, _ comparison: Comparison,
        _ right: KeyPath<Item.Attributes, Right>
    ) where Left.Item == Item, Right.Item == Item {
        let left = ValueNode(Item.attributes[keyPath: left].operand)
        let right = ValueNode(Item.attributes[keyPath: right].operand)
        self.init(.calculated(left, comparison, right))
    }
}
