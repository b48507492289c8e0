import struct Foundation.Decimal

/// The exact sum of decimal numbers, from their canonical text.
///
/// A fixed-point number in parts of nine digits, with room for every `Decimal` and for the carries of as many
/// as a store can hold.
package struct DecimalTotal: Sendable {
    /// The parts, the lowest first, each with a sign of its own; empty for zero.
    private var parts: [Int64] = []
    private var additions = 0

    /// The places after the point that a `Decimal` may have.
    package static let maximumPlaces = 127
    /// The significant digits that every number can have.
    private static let digits = 38
    private static let base: Int64 = 1_000_000_000
    /// The parts after the point; 128 digits need 15.
    private static let fractionParts = 15
    private static let integerParts = 23

    package init() {}

    /// Adds the number in a canonical text; false for any other text.
    package mutating func add(_ text: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        let end = text.count
        let isNegative = end > 0 && text[0] == UInt8(ascii: "-")
        if isNegative { start = 1 }
        var point = end
        for position in start..<end {
            let byte = text[position]
            if byte == UInt8(ascii: "."), point == end {
                point = position
            } else if byte &- UInt8(ascii: "0") > 9 {
                return false
            }
        }
        guard point > start, point != end - 1, point - start <= 9 * (Self.integerParts - 2),
            end - point - 1 <= 9 * Self.fractionParts
        else { return false }
        if parts.isEmpty {
            parts = Array(repeating: 0, count: Self.fractionParts + Self.integerParts)
        }
        additions += 1
        if additions >= 1 << 32 { carry() }
        var last = point
        var part = Self.fractionParts
        while last > start {
            let first = max(start, last - 9)
            add(Self.number(text, first, last), at: part, isNegative)
            (last, part) = (first, part + 1)
        }
        var first = point + 1
        part = Self.fractionParts - 1
        while first < end {
            let last = min(end, first + 9)
            var number = Self.number(text, first, last)
            for _ in (last - first)..<9 { number *= 10 }
            add(number, at: part, isNegative)
            (first, part) = (last, part - 1)
        }
        return true
    }

    @inline(__always)
    private mutating func add(_ number: Int64, at part: Int, _ isNegative: Bool) {
        parts[part] &+= isNegative ? -number : number
    }

    private static func number(_ text: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Int64 {
        var number: Int64 = 0
        for position in start..<end { number = number &* 10 &+ Int64(text[position] &- UInt8(ascii: "0")) }
        return number
    }

    private mutating func carry() {
        additions = 0
        for position in 0..<(parts.count - 1) {
            var carried = parts[position] / Self.base
            if parts[position] % Self.base < 0 { carried -= 1 }
            parts[position] -= carried * Self.base
            parts[position + 1] += carried
        }
    }

    /// The sum as canonical text; nil if a `Decimal` cannot hold it.
    package var sum: String? {
        let (digits, isNegative) = allDigits
        return Self.text(digits, places: 9 * Self.fractionParts, isNegative)
    }

    /// The sum divided by a number, as canonical text: exact if a `Decimal` can hold that, otherwise rounded
    /// once to 38 digits and a number of places, ties to even; nil if it is too large.
    package func quotient(by divisor: UInt64, places: Int) -> String? {
        let (dividend, isNegative) = allDigits
        var digits: [UInt8] = []
        var remainder: UInt64 = 0
        var place = 9 * Self.fractionParts
        func divide(_ digit: UInt8) {
            let (quotient, rest) = (remainder * 10 + UInt64(digit)).quotientAndRemainder(dividingBy: divisor)
            if quotient > 0 || !digits.isEmpty { digits.append(UInt8(quotient)) }
            remainder = rest
        }
        for digit in dividend { divide(digit) }
        // Far enough to round, whatever the number of digits; what comes after them only counts as not zero.
        while remainder != 0, place < Self.furthestPlace {
            divide(0)
            place += 1
        }
        let isExact = remainder == 0
        if isExact, let text = Self.text(digits, places: place, isNegative),
            Self.places(of: text) <= places
        {
            return text
        }
        let kept = min(Self.digits, digits.count - place + places)
        Self.round(&digits, dropping: digits.count - kept, isExact: isExact)
        return Self.text(digits, places: place, isNegative)
    }

    private static let furthestPlace = 9 * fractionParts + 45

    /// Sets the last digits to zero, and rounds the one before them, ties to even.
    private static func round(_ digits: inout [UInt8], dropping count: Int, isExact: Bool) {
        if count <= 0 { return }
        if count > digits.count { return digits = [] }
        let first = digits.count - count
        let rest = digits[(first + 1)...].contains { $0 != 0 } || !isExact
        let isOdd = first > 0 && digits[first - 1] % 2 == 1
        let roundsUp = digits[first] > 5 || digits[first] == 5 && (rest || isOdd)
        for position in first..<digits.count { digits[position] = 0 }
        guard roundsUp else { return }
        var position = first - 1
        while position >= 0, digits[position] == 9 {
            digits[position] = 0
            position -= 1
        }
        if position >= 0 { digits[position] += 1 } else { digits.insert(1, at: 0) }
    }

    /// The digits without sign and point, none for zero, with those after the point at the end.
    private var allDigits: (digits: [UInt8], isNegative: Bool) {
        if parts.isEmpty { return ([], false) }
        var whole = self
        whole.carry()
        let isNegative = (whole.parts.last ?? 0) < 0
        if isNegative {
            for position in whole.parts.indices { whole.parts[position].negate() }
            whole.carry()
        }
        var digits: [UInt8] = []
        for part in whole.parts.reversed() {
            var divisor = Self.base / 10
            while divisor > 0 {
                let digit = UInt8(part / divisor % 10)
                if digit > 0 || !digits.isEmpty { digits.append(digit) }
                divisor /= 10
            }
        }
        return (digits, isNegative)
    }

    /// The canonical text of a number; nil if a `Decimal` cannot hold it.
    private static func text(_ digits: [UInt8], places: Int, _ isNegative: Bool) -> String? {
        if digits.allSatisfy({ $0 == 0 }) { return "0" }
        let padded = Array(repeating: 0, count: max(0, places + 1 - digits.count)) + digits
        var text = isNegative ? "-" : ""
        let integer = padded.dropLast(places).drop { $0 == 0 }
        text += integer.isEmpty ? "0" : integer.map(String.init).joined()
        var fraction = padded.suffix(places)
        while fraction.last == 0 { fraction.removeLast() }
        if !fraction.isEmpty { text += "." + fraction.map(String.init).joined() }
        guard let decimal = DecimalText.decimal(text), DecimalText.canonical(decimal) == text else {
            return nil
        }
        return text
    }

    private static func places(of text: String) -> Int {
        text.utf8.firstIndex(of: UInt8(ascii: ".")).map {
            text.utf8.distance(from: $0, to: text.utf8.endIndex) - 1
        } ?? 0
    }
}
