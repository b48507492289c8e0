import struct Foundation.Decimal
import LarderKernel
import LarderValues

/// A number as it was written, without loss: the digits, times a power of ten.
package struct NumberText: Hashable, Sendable {
    let isNegative: Bool
    /// The digits without zeros at either end; empty for zero.
    let digits: String
    let exponent: Int

    /// Reads `4`, `-4.5`, `.5`, `+1e3`; nil for anything else.
    package init?(_ spelling: String) {
        var rest = spelling[...]
        isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest.removeFirst() }
        let parts = rest.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        let halves = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = halves.count == 2 ? halves[1] : ""
        let written = halves[0] + fraction
        guard Self.areDigits(written), halves.last?.isEmpty == false else { return nil }
        guard let power = parts.count == 2 ? Self.power(parts[1]) : 0 else { return nil }
        let leading = written.drop { $0 == "0" }
        let trailingZeros = leading.reversed().prefix { $0 == "0" }.count
        digits = String(leading.dropLast(trailingZeros))
        exponent = digits.isEmpty ? 0 : power - fraction.count + trailingZeros
    }

    private static func areDigits(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The number after the `e`; any number beyond the range of all types gives the same result.
    private static func power(_ text: Substring) -> Int? {
        let isNegative = text.first == "-"
        let digits = isNegative || text.first == "+" ? text.dropFirst() : text
        guard areDigits(digits) else { return nil }
        let limit = Int(Int32.max)
        return (isNegative ? -1 : 1) * min(Int(digits) ?? limit, limit)
    }

    /// The number as text that every type reads alike.
    private var plain: String {
        "\(isNegative ? "-" : "")\(digits.isEmpty ? "0" : digits)e\(exponent)"
    }

    /// The integer; nil when it is a fraction or out of range.
    package func exactly<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
        if digits.isEmpty { return 0 }
        guard exponent >= 0, digits.utf8.count + exponent <= 20 else { return nil }
        return Value((isNegative ? "-" : "") + digits + String(repeating: "0", count: exponent))
    }

    /// The floating-point number next to it; nil when it is out of range.
    package func nearest<Value: BinaryFloatingPoint & LosslessStringConvertible>(_ type: Value.Type) -> Value?
    {
        guard let value = Value(plain), value.isFinite else { return nil }
        return value
    }

    /// The canonical text of the decimal number; nil when `Decimal` cannot hold all its digits.
    package var decimal: String? {
        guard let value = Decimal(string: plain, locale: nil) else { return nil }
        let text = DecimalText.canonical(value)
        guard let kept = NumberText(text), kept.digits == digits, kept.exponent == exponent else {
            return nil
        }
        return text
    }
}
