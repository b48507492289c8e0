/// Dates as ISO-8601 text, in the proleptic Gregorian calendar, without leap seconds.
enum DateText {
    /// The seconds since the reference date for `2024-05-01` or `2024-05-01T10:00:00.5+02:00`.
    ///
    /// Seconds and their fraction may be missing; a space may stand for the T; without an offset it is UTC.
    /// Nil for any other text.
    static func seconds(_ text: String) -> Double? {
        var scanner = DateScanner(text)
        guard let day = scanner.day() else { return nil }
        if scanner.isAtEnd { return Double(day * 86400) }
        guard scanner.skip("T") || scanner.skip("t") || scanner.skip(" "), let time = scanner.time(),
            let fraction = scanner.fraction(), let offset = scanner.offset(), scanner.isAtEnd
        else { return nil }
        return Double(day * 86400 + time - offset) + fraction
    }

    /// The text that ``seconds(_:)`` turns back into exactly this; nil where there is none of at most
    /// milliseconds.
    static func text(_ seconds: Double) -> String? {
        guard abs(seconds) < 1e12 else { return nil }
        var whole = Int(seconds.rounded(.down))
        var milliseconds = Int(((seconds - Double(whole)) * 1000).rounded())
        if milliseconds == 1000 { (whole, milliseconds) = (whole + 1, 0) }
        let dayNumber = whole >= 0 ? whole / 86400 : -((86399 - whole) / 86400)
        guard let day = CalendarDay(number: dayNumber) else { return nil }
        let time = whole - dayNumber * 86400
        var text = "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))"
        text += "T\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
        if milliseconds > 0 { text += ".\(padded(milliseconds, 3))" }
        text += "Z"
        return self.seconds(text)?.bitPattern == seconds.bitPattern ? text : nil
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// A day of the years 0 to 9999.
private struct CalendarDay {
    let year: Int
    let month: Int
    let day: Int

    /// - Returns: nil for a day that no calendar has.
    init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month),
            (1...Self.daysInMonth(month, of: year)).contains(day)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The day so many days after 2001-01-01; nil outside of the years 0 to 9999.
    init?(number: Int) {
        var year = 2001 + Int((Double(number) / 365.2425).rounded(.down))
        while Self.number(ofYear: year) > number { year -= 1 }
        while Self.number(ofYear: year + 1) <= number { year += 1 }
        var day = number - Self.number(ofYear: year)
        var month = 1
        while day >= Self.daysInMonth(month, of: year) {
            day -= Self.daysInMonth(month, of: year)
            month += 1
        }
        self.init(year: year, month: month, day: day + 1)
    }

    /// How many days it comes after 2001-01-01.
    var number: Int {
        let days = (1..<month).reduce(0) { $0 + Self.daysInMonth($1, of: year) }
        return Self.number(ofYear: year) + days + day - 1
    }

    private static func number(ofYear year: Int) -> Int {
        daysBefore(year) - daysBefore(2001)
    }

    /// The days before a year, counted from so long ago that no division has to round a negative number.
    private static func daysBefore(_ year: Int) -> Int {
        let years = year + 400_000 - 1
        return 365 * years + years / 4 - years / 100 + years / 400
    }

    private static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// Reads the parts of a date one after the other.
private struct DateScanner {
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

    /// `2024-05-01` as the number of the day.
    mutating func day() -> Int? {
        guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), skip("-"),
            let day = number(digits: 2)
        else { return nil }
        return CalendarDay(year: year, month: month, day: day)?.number
    }

    /// `10:00` or `10:00:00` in seconds.
    mutating func time() -> Int? {
        guard let hours = number(digits: 2), hours < 24, skip(":"), let minutes = minutes() else {
            return nil
        }
        guard skip(":") else { return hours * 3600 + minutes * 60 }
        guard let seconds = self.minutes() else { return nil }
        return hours * 3600 + minutes * 60 + seconds
    }

    /// `.25` in seconds; zero where there is none.
    mutating func fraction() -> Double? {
        guard skip(".") else { return 0 }
        let digits = rest.prefix(while: Self.isDigit)
        rest = rest.dropFirst(digits.count)
        return digits.isEmpty ? nil : Double("0." + (String(digits) ?? ""))
    }

    /// `Z`, `+02:00`, `+0200` or `-02` in seconds; zero where there is none.
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

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
