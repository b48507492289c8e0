/// Reads the parts of a date one after the other.
struct DateScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: sign) else { return false }
        rest.removeFirst()
        return true
    }

    /// `2024-05-01` or `+012345-05-01` as a cycle of the calendar and the number of the day in it.
    mutating func day() -> (cycle: DecimalInteger, number: Int)? {
        guard let year = year(), skip("-"), let month = number(digits: 2), skip("-"),
            let day = number(digits: 2)
        else { return nil }
        let (cycle, rest) = year.timesPlus(1, -2001).floorDivided(by: CalendarDay.yearsInCycle)
        return CalendarDay(year: 2001 + Int(rest), month: month, day: day).map { (cycle, $0.number) }
    }

    /// Four digits, or a sign and at least four.
    private mutating func year() -> DecimalInteger? {
        let isNegative = skip("-")
        let hasSign = isNegative || skip("+")
        let digits = digits()
        guard hasSign ? digits.count >= 4 : digits.count == 4 else { return nil }
        return DecimalInteger(isNegative: isNegative, digits: digits.reversed())
    }

    /// `10:00` or `10:00:00.25` in whole seconds, and the digits of a fraction.
    mutating func time() -> (seconds: Int, fraction: [Int])? {
        guard let hours = number(digits: 2), hours < 24, skip(":"), let minutes = minutes() else {
            return nil
        }
        guard skip(":") else { return (hours * 3600 + minutes * 60, []) }
        guard let seconds = self.minutes(), let fraction = fraction() else { return nil }
        return (hours * 3600 + minutes * 60 + seconds, fraction)
    }

    /// The digits of `.25`; none if there is no point.
    private mutating func fraction() -> [Int]? {
        guard skip(".") else { return [] }
        let digits = digits()
        return digits.isEmpty ? nil : digits
    }

    /// `Z`, `+02:00`, `+0200` or `-02` in seconds; zero if there is none.
    mutating func offset() -> Int? {
        if isAtEnd || skip("Z") || skip("z") { return 0 }
        let isNegative = skip("-")
        guard isNegative || skip("+"), let hours = number(digits: 2), hours < 24 else { return nil }
        var seconds = hours * 3600
        if skip(":") || !isAtEnd {
            guard let minutes = minutes() else { return nil }
            seconds += minutes * 60
        }
        return isNegative ? -seconds : seconds
    }

    /// A number from 00 to 59.
    private mutating func minutes() -> Int? {
        guard let number = number(digits: 2), number < 60 else { return nil }
        return number
    }

    private mutating func number(digits count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// All digits that come next.
    private mutating func digits() -> [Int] {
        let digits = rest.prefix(while: Self.isDigit)
        rest = rest.dropFirst(digits.count)
        return digits.map { Int($0 - UInt8(ascii: "0")) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
