/// A day of the Gregorian calendar's cycle of 400 years that begins with 2001-01-01.
struct CalendarDay {
    static let yearsInCycle: Int64 = 400
    static let secondsInCycle: Int64 = 146_097 * 86400

    /// 2001 to 2400.
    let year: Int
    let month: Int
    let day: Int

    /// - Parameter year: The year in the cycle: 2001 to 2400.
    /// - Returns: nil for a day that no calendar has.
    init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), (1...Self.daysInMonth(month, of: year)).contains(day) else {
            return nil
        }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The day so many days after 2001-01-01.
    ///
    /// - Parameter number: The number in the cycle: 0 to 146096.
    init(number: Int) {
        var year = 2001 + number / 366
        while Self.number(ofYear: year + 1) <= number { year += 1 }
        var day = number - Self.number(ofYear: year)
        var month = 1
        while day >= Self.daysInMonth(month, of: year) {
            day -= Self.daysInMonth(month, of: year)
            month += 1
        }
        (self.year, self.month, self.day) = (year, month, day + 1)
    }

    /// The number of days after 2001-01-01.
    var number: Int {
        let days = (1..<month).reduce(0) { $0 + Self.daysInMonth($1, of: year) }
        return Self.number(ofYear: year) + days + day - 1
    }

    private static func number(ofYear year: Int) -> Int {
        daysBefore(year) - daysBefore(2001)
    }

    private static func daysBefore(_ year: Int) -> Int {
        let years = year - 1
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
