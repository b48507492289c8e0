/// The exact sum of floating-point numbers, rounded once when it is asked for.
///
/// Most numbers are added to a window of 128 bits over the exponents of the first ones; the others go to a
/// fixed-point number that is wide enough for every `Double`. So neither the order of the numbers nor the way
/// in which they are split among engines changes the result.
///
/// *Cost:* a shift and an addition of 128 bits for each number; some 600 bytes if the numbers differ by
/// more than a factor of 2^40.
@usableFromInline
package struct ExactSum: Sendable {
    /// The window: a signed number of 128 bits.
    @usableFromInline var high: Int64 = 0
    @usableFromInline var low: UInt64 = 0
    /// The exponent field of numbers whose lowest bit is the lowest of the window; 0 before the first number.
    @usableFromInline var exponent = 0
    /// Parts of 32 bits, the lowest first, each with room for carries; empty as long as the window is enough.
    private var wide: [Int64] = []
    private var additionsToWide = 0
    private var hasInfinity = false
    private var hasNegativeInfinity = false
    /// True if NaN was added, after which there is no sum.
    package private(set) var hasNaN = false

    /// The bits that a number may be shifted by in the window.
    @usableFromInline static let windowShift = 40
    /// The place of the first number, with room for smaller and for larger ones after it.
    private static let windowStart = 20
    /// Room for the largest number, shifted by the largest exponent, and for the window.
    private static let partCount = 72
    /// The exponent of the lowest bit of the parts.
    private static let lowestExponent = -1075

    package init() {}

    /// Adds a number.
    @inlinable
    @inline(__always)
    package mutating func add(_ value: Double) {
        let bits = value.bitPattern
        let field = Int(bits >> 52 & 0x7FF)
        let shift = field - exponent
        guard field > 0, field < 0x7FF, exponent > 0, shift >= 0, shift <= Self.windowShift else {
            return addToWide(value)
        }
        let mantissa = bits & (1 << 52 - 1) | 1 << 52
        let lowPart = mantissa &<< UInt64(shift)
        let highPart = Int64(bitPattern: shift > 11 ? mantissa &>> UInt64(64 - shift) : 0)
        if value > 0 {
            let (sum, carries) = low.addingReportingOverflow(lowPart)
            low = sum
            high = high &+ highPart &+ (carries ? 1 : 0)
        } else {
            let (difference, borrows) = low.subtractingReportingOverflow(lowPart)
            low = difference
            high = high &- highPart &- (borrows ? 1 : 0)
        }
        if (high ^ high &<< 1) < 0 { emptyWindow() }
    }

    @usableFromInline
    @inline(never)
    mutating func addToWide(_ value: Double) {
        if value.isNaN {
            hasNaN = true
            return
        }
        if value.isInfinite {
            if value > 0 { hasInfinity = true } else { hasNegativeInfinity = true }
            return
        }
        if value == 0 { return }
        let field = max(1, Int(value.exponentBitPattern))
        if exponent == 0 {
            exponent = max(1, field - Self.windowStart)
            if value.exponentBitPattern > 0 { return add(value) }
        }
        let mantissa = value.significandBitPattern | (value.isNormal ? 1 << 52 : 0)
        addToWide(high: 0, low: mantissa, at: field, isNegative: value < 0)
    }

    /// Moves what the window has to the wide number.
    @usableFromInline
    mutating func emptyWindow() {
        let isNegative = high < 0
        let (low, high) = windowMagnitude
        addToWide(high: high, low: low, at: exponent, isNegative: isNegative)
        (self.high, self.low) = (0, 0)
    }

    private var windowMagnitude: (low: UInt64, high: UInt64) {
        if high >= 0 { return (low, UInt64(bitPattern: high)) }
        let negated = ~low &+ 1
        return (negated, ~UInt64(bitPattern: high) &+ (negated == 0 ? 1 : 0))
    }

    private mutating func addToWide(high: UInt64, low: UInt64, at exponent: Int, isNegative: Bool) {
        if wide.isEmpty { wide = Array(repeating: 0, count: Self.partCount) }
        additionsToWide += 1
        if additionsToWide >= 1 << 29 { carry() }
        let shift = UInt64(exponent % 32)
        var position = exponent / 32
        var rest: UInt64 = 0
        for part in [low & 0xFFFF_FFFF, low >> 32, high & 0xFFFF_FFFF, high >> 32] {
            let shifted = part << shift | rest
            let digit = Int64(shifted & 0xFFFF_FFFF)
            wide[position] += isNegative ? -digit : digit
            rest = shifted >> 32
            position += 1
        }
        wide[position] += isNegative ? -Int64(rest) : Int64(rest)
    }

    /// Brings every part but the last into 0..<2^32.
    private mutating func carry() {
        additionsToWide = 0
        for position in 0..<(wide.count - 1) {
            let carried = wide[position] >> 32
            wide[position] &= 0xFFFF_FFFF
            wide[position + 1] += carried
        }
    }

    /// The exact sum divided by a number, rounded once to the nearest `Double`, ties to even.
    package func quotient(by divisor: UInt64) -> Double {
        if hasNaN || hasInfinity && hasNegativeInfinity { return .nan }
        if hasInfinity || hasNegativeInfinity { return hasInfinity ? .infinity : -.infinity }
        if wide.isEmpty {
            let magnitude = windowMagnitude
            return RoundedQuotient.double(
                [magnitude.low, magnitude.high], exponent: exponent + Self.lowestExponent, by: divisor,
                isNegative: high < 0)
        }
        var whole = self
        whole.emptyWindow()
        whole.carry()
        let isNegative = whole.wide[Self.partCount - 1] < 0
        if isNegative {
            for position in whole.wide.indices { whole.wide[position].negate() }
            whole.carry()
        }
        let limbs = stride(from: 0, to: Self.partCount, by: 2).map { position in
            UInt64(whole.wide[position]) | UInt64(whole.wide[position + 1]) << 32
        }
        return RoundedQuotient.double(
            limbs, exponent: Self.lowestExponent, by: divisor, isNegative: isNegative)
    }

    /// The sum, rounded once.
    package var rounded: Double { quotient(by: 1) }
}

/// The exact sum of integers.
@usableFromInline
package struct IntegerSum: Sendable {
    @usableFromInline var high: Int64 = 0
    @usableFromInline var low: UInt64 = 0

    package init() {}

    /// A sum of which the parts above and below a power of two were added up apart: `high` · 2^32 + `low`.
    package init(high: Int64, low: Int64) {
        let (upper, lower) = high.multipliedFullWidth(by: 1 << 32)
        self.high = upper
        self.low = lower
        add(low)
    }

    @inlinable
    @inline(__always)
    package mutating func add(_ value: Int64) {
        let (sum, carries) = low.addingReportingOverflow(UInt64(bitPattern: value))
        low = sum
        high = high &+ (value >> 63) &+ (carries ? 1 : 0)
    }

    @inlinable
    @inline(__always)
    package mutating func add(unsigned value: UInt64) {
        let (sum, carries) = low.addingReportingOverflow(value)
        low = sum
        high = high &+ (carries ? 1 : 0)
    }

    /// The sum; nil if it does not fit.
    package var value: Int64? {
        let value = Int64(bitPattern: low)
        return high == value >> 63 ? value : nil
    }

    /// The sum divided by a number, rounded once to the nearest `Double`.
    package func quotient(by divisor: UInt64) -> Double {
        let negated = ~low &+ 1
        let limbs =
            high >= 0
            ? [low, UInt64(bitPattern: high)]
            : [negated, ~UInt64(bitPattern: high) &+ (negated == 0 ? 1 : 0)]
        return RoundedQuotient.double(limbs, exponent: 0, by: divisor, isNegative: high < 0)
    }
}

/// The division of a large number by a small one, rounded once.
enum RoundedQuotient {
    /// The number nearest to `limbs` · 2^`exponent` / `divisor`, of two the even one.
    ///
    /// - Parameter limbs: The parts of 64 bits, the lowest first.
    static func double(_ limbs: [UInt64], exponent: Int, by divisor: UInt64, isNegative: Bool) -> Double {
        // Two parts more than the number has, so that the quotient has more bits than a Double.
        var quotient = [UInt64](repeating: 0, count: limbs.count + 2)
        var remainder: UInt64 = 0
        for position in stride(from: quotient.count - 1, through: 0, by: -1) {
            let part = position >= 2 ? limbs[position - 2] : 0
            let divided = divisor.dividingFullWidth((remainder, part))
            (quotient[position], remainder) = (divided.quotient, divided.remainder)
        }
        guard let top = quotient.lastIndex(where: { $0 != 0 }) else { return 0 }
        let length = top * 64 + 64 - quotient[top].leadingZeroBitCount
        let lowest = exponent - 128
        // The exponent of the result's lowest bit: 53 bits, or fewer for the smallest numbers.
        let unit = max(length - 1 + lowest - 52, -1074)
        let dropped = unit - lowest
        var mantissa = bits(of: quotient, from: dropped)
        let isHalf = dropped > 0 && bits(of: quotient, from: dropped - 1) & 1 == 1
        if isHalf {
            let isMore = remainder != 0 || hasBits(quotient, below: dropped - 1)
            if isMore || mantissa & 1 == 1 { mantissa += 1 }
        }
        let value = Double(sign: .plus, exponent: unit, significand: Double(mantissa))
        return isNegative ? -value : value
    }

    /// The 64 bits from a position on.
    private static func bits(of limbs: [UInt64], from position: Int) -> UInt64 {
        let (limb, shift) = (position / 64, UInt64(position % 64))
        guard limb < limbs.count else { return 0 }
        let low = limbs[limb] >> shift
        if shift == 0 || limb + 1 == limbs.count { return low }
        return low | limbs[limb + 1] << (64 - shift)
    }

    private static func hasBits(_ limbs: [UInt64], below position: Int) -> Bool {
        let (limb, shift) = (position / 64, UInt64(position % 64))
        if limbs.prefix(limb).contains(where: { $0 != 0 }) { return true }
        return limb < limbs.count && limbs[limb] & (1 << shift - 1) != 0
    }
}
