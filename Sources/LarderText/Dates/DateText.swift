/// Dates as ISO-8601 text in UTC, in the proleptic Gregorian calendar, without leap seconds.
///
/// A text and the `Double` it stands for are exact both ways, for every finite date. Years beyond 9999 and
/// before 0 have a sign and at least six digits: `+012345-01-01T00:00:00Z`.
// By hand, because Foundation's ISO 8601 style writes milliseconds at most: a date would come back changed.
package enum DateText {
    /// The seconds since the reference date for `2024-05-01` or `2024-05-01T10:00:00.5+02:00`: the `Double`
    /// next to the exact value.
    ///
    /// Seconds and their fraction may be missing; a space may stand for the T; without an offset it is UTC.
    /// Nil for any other text, and beyond the range of `Double`.
    package static func seconds(_ text: String) -> Double? {
        var scanner = DateScanner(text)
        guard let day = scanner.day() else { return nil }
        let midnight = Int64(day.number) * 86400
        if scanner.isAtEnd { return CalendarSeconds(cycle: day.cycle, seconds: midnight).nearest }
        guard scanner.skip("T") || scanner.skip("t") || scanner.skip(" "), let time = scanner.time(),
            let offset = scanner.offset(), scanner.isAtEnd
        else { return nil }
        let seconds = midnight + Int64(time.seconds - offset)
        return CalendarSeconds(cycle: day.cycle, seconds: seconds, fraction: time.fraction).nearest
    }

    /// The text that ``seconds(_:)`` turns back into exactly this, with as few fraction digits as that takes;
    /// nil for infinities and NaN, which no calendar has.
    package static func text(_ seconds: Double) -> String? {
        guard let exact = CalendarSeconds(shortest: seconds) else { return nil }
        let (number, second) = exact.seconds.quotientAndRemainder(dividingBy: 86400)
        let (day, time) = (CalendarDay(number: Int(number)), Int(second))
        var text = "\(yearText(exact.cycle.timesPlus(CalendarDay.yearsInCycle, Int64(day.year))))"
        text += "-\(padded(day.month, 2))-\(padded(day.day, 2))"
        text += "T\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
        if !exact.fraction.isEmpty { text += "." + exact.fraction.map(String.init).joined() }
        return text + "Z"
    }

    private static func yearText(_ year: DecimalInteger) -> String {
        let isPlain = !year.isNegative && year.digits.count <= 4
        let width = isPlain ? 4 : 6
        let digits = year.magnitudeText
        let zeros = String(repeating: "0", count: max(0, width - digits.count))
        return (isPlain ? "" : year.isNegative ? "-" : "+") + zeros + digits
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
