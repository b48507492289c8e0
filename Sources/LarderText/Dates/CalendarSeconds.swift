/// Seconds since 2001-01-01T00:00:00Z in decimal digits: a cycle of the calendar, the seconds in it and their
/// fraction.
struct CalendarSeconds {
    /// The number of cycles of 400 years that begin before it; negative before 2001.
    let cycle: DecimalInteger
    let seconds: Int64
    /// The digits after the point, most significant first.
    let fraction: [Int]

    init(cycle: DecimalInteger, seconds: Int64, fraction: [Int] = []) {
        self.cycle = cycle
        self.seconds = seconds
        self.fraction = fraction
    }

    /// The shortest decimal number whose nearest `Double` this is; nil when it is not finite.
    init?(shortest value: Double) {
        guard value.isFinite, let number = NumberText(value.description) else { return nil }
        let zeros = repeatElement(0, count: max(0, number.exponent))
        let digits = number.digits.utf8.map { Int($0 - UInt8(ascii: "0")) } + zeros
        let fractionCount = max(0, -number.exponent)
        var fraction = Array(digits.suffix(fractionCount))
        fraction.insert(contentsOf: repeatElement(0, count: fractionCount - fraction.count), at: 0)
        var whole = DecimalInteger(
            isNegative: number.isNegative, digits: digits.dropLast(fractionCount).reversed())
        if number.isNegative, let complement = Self.complement(of: fraction) {
            whole = whole.timesPlus(1, -1)
            fraction = complement
        }
        (cycle, seconds) = whole.floorDivided(by: CalendarDay.secondsInCycle)
        self.fraction = fraction
    }

    /// The `Double` next to it; nil when that is infinite.
    var nearest: Double? {
        var whole = cycle.timesPlus(CalendarDay.secondsInCycle, seconds)
        var fraction = fraction
        // Between -1 and 0, nothing of the sign is left in the whole part.
        let sign = whole.isNegative ? "-" : ""
        if whole.isNegative, let complement = Self.complement(of: fraction) {
            whole = whole.timesPlus(1, 1)
            fraction = complement
        }
        let point = fraction.isEmpty ? "" : "."
        // Read as a whole: the sum of two numbers that are rounded each for itself may be another one.
        let text = sign + whole.magnitudeText + point + fraction.map(String.init).joined()
        guard let seconds = Double(text), seconds.isFinite else { return nil }
        // A number that is rounded to zero from below has a sign, and a stored zero has none.
        return seconds == 0 ? 0 : seconds
    }

    /// The digits of one minus a fraction; nil for zero.
    private static func complement(of fraction: [Int]) -> [Int]? {
        guard let last = fraction.lastIndex(where: { $0 > 0 }) else { return nil }
        return fraction.enumerated().map { index, digit in
            index < last ? 9 - digit : index == last ? 10 - digit : 0
        }
    }
}
