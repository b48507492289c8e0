/// An integer of any length in decimal digits, for the years and seconds of dates that no `Int64` holds.
struct DecimalInteger {
    let isNegative: Bool
    /// The digits of the magnitude, least significant first, without needless zeros.
    let digits: [Int]

    init(isNegative: Bool, digits: some Sequence<Int>) {
        var digits = Array(digits)
        while digits.last == 0 { digits.removeLast() }
        self.digits = digits
        self.isNegative = isNegative && !digits.isEmpty
    }

    init(_ value: Int64) {
        self.init(isNegative: value < 0, digits: String(value.magnitude).utf8.reversed().map { Int($0) - 48 })
    }

    /// The digits of the magnitude, most significant first.
    var magnitudeText: String {
        digits.isEmpty ? "0" : String(decoding: digits.reversed().map { UInt8(48 + $0) }, as: UTF8.self)
    }

    /// The product with a factor that is not negative, plus a term.
    ///
    /// *Rule:* factor and term are below 10¹⁶.
    func timesPlus(_ factor: Int64, _ term: Int64) -> DecimalInteger {
        // With the sign of the product taken out of both.
        var carry = isNegative ? -term : term
        var result: [Int] = []
        for digit in digits {
            let (quotient, remainder) = (Int64(digit) * factor + carry).floorDivided(by: 10)
            result.append(Int(remainder))
            carry = quotient
        }
        while carry > 0 {
            result.append(Int(carry % 10))
            carry /= 10
        }
        if carry == 0 { return DecimalInteger(isNegative: isNegative, digits: result) }
        // The term was greater than the product, so all of it fits an Int64.
        let magnitude = result.reversed().reduce(carry) { $0 * 10 + Int64($1) }
        return DecimalInteger(isNegative ? -magnitude : magnitude)
    }

    /// Quotient and remainder, rounded down: the remainder is never negative.
    ///
    /// *Rule:* the divisor is from 1 to 10¹⁶.
    func floorDivided(by divisor: Int64) -> (quotient: DecimalInteger, remainder: Int64) {
        var remainder: Int64 = 0
        var quotient: [Int] = []
        for digit in digits.reversed() {
            remainder = remainder * 10 + Int64(digit)
            quotient.append(Int(remainder / divisor))
            remainder %= divisor
        }
        let whole = DecimalInteger(isNegative: isNegative, digits: quotient.reversed())
        guard isNegative, remainder > 0 else { return (whole, remainder) }
        let magnitude = DecimalInteger(isNegative: false, digits: whole.digits).timesPlus(1, 1)
        return (DecimalInteger(isNegative: true, digits: magnitude.digits), divisor - remainder)
    }
}

extension Int64 {
    /// Quotient and remainder, rounded down: the remainder is never negative.
    func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
