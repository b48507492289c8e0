import Foundation
import Larder

/// A value that the model compares by itself, without the library.
protocol ModelValue: AttributeValue {
    /// Negative, zero or positive as the left value comes before, with or after the right; nil comes first.
    static func order(_ left: Self, _ right: Self) -> Int

    var isMissing: Bool { get }
}

extension ModelValue {
    var isMissing: Bool { false }
}

extension ModelValue where Self: Comparable {
    static func order(_ left: Self, _ right: Self) -> Int {
        left < right ? -1 : (left == right ? 0 : 1)
    }
}

extension Int: ModelValue {}
extension Int64: ModelValue {}
extension UInt64: ModelValue {}
extension Double: ModelValue {}
extension Decimal: ModelValue {}

extension Bool: ModelValue {
    static func order(_ left: Bool, _ right: Bool) -> Int {
        (left ? 1 : 0) - (right ? 1 : 0)
    }
}

extension String: ModelValue {
    static func order(_ left: String, _ right: String) -> Int {
        var (left, right) = (left, right)
        // reason: valid inside the closures only; one byte after the other takes a debug build too long.
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard let start = left.baseAddress, let other = right.baseAddress else {
                    return left.count - right.count
                }
                let order = memcmp(start, other, Swift.min(left.count, right.count))
                return order == 0 ? left.count - right.count : Int(order)
            }
        }
    }
}

extension Data: ModelValue {
    static func order(_ left: Data, _ right: Data) -> Int {
        left == right ? 0 : (left.lexicographicallyPrecedes(right) ? -1 : 1)
    }
}

extension Optional: ModelValue where Wrapped: ModelValue {
    static func order(_ left: Wrapped?, _ right: Wrapped?) -> Int {
        switch (left, right) {
        case (nil, nil): 0
        case (nil, _): -1
        case (_, nil): 1
        case (let left?, let right?): Wrapped.order(left, right)
        }
    }

    var isMissing: Bool { self == nil }
}

/// Text, or none, as the tests of text see it.
protocol ModelText: ModelValue, TextAttributeValue {
    var text: String? { get }
}

extension String: ModelText {
    var text: String? { self }
}

extension Optional: ModelText where Wrapped: ModelText {
    var text: String? { self?.text }
}
