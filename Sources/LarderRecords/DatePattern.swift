import Foundation
import LarderKernel
import LarderText

/// A pattern in which dates are written: `dd.MM.yyyy HH:mm`.
struct DatePattern: Sendable {
    private let pattern: String
    private let timeZone: TimeZone
    private let parts: [Part]
    /// The reason why the pattern cannot be used, as the end of a sentence; nil if it can.
    let problem: String?

    private enum Part: Sendable {
        /// A number of so many digits, or with one of one or two.
        case number(Field, digits: Int)
        case fraction
        case offset
        case literal(UInt8)
    }

    private enum Field: Sendable {
        case year, month, day, hour, minute, second
    }

    init(_ pattern: String, _ timeZone: TimeZone) {
        self.pattern = pattern
        self.timeZone = timeZone
        var parts: [Part] = []
        var unknown: Character?
        var rest = pattern[...]
        while let letter = rest.first {
            let run = rest.prefix { $0 == letter }
            switch letter {
            // DateText takes years of four digits, and a longer number may not fit an Int.
            case "y" where run.count <= 4: parts.append(.number(.year, digits: 4))
            case "M" where run.count <= 2: parts.append(.number(.month, digits: run.count))
            case "d" where run.count <= 2: parts.append(.number(.day, digits: run.count))
            case "H" where run.count <= 2: parts.append(.number(.hour, digits: run.count))
            case "m" where run.count <= 2: parts.append(.number(.minute, digits: run.count))
            case "s" where run.count <= 2: parts.append(.number(.second, digits: run.count))
            case "S": parts.append(.fraction)
            case "Z": parts.append(.offset)
            case "T": parts += run.utf8.map { .literal($0) }
            default:
                if letter.isASCII, letter.isLetter { unknown = unknown ?? letter }
                parts += run.utf8.map { .literal($0) }
            }
            rest = rest[run.endIndex...]
        }
        self.parts = parts
        let hasYear = parts.contains { if case .number(.year, _) = $0 { true } else { false } }
        problem = unknown.map { "the unknown letter \($0)" } ?? (hasYear ? nil : "no year")
    }

    /// The seconds since the reference date; nil for a text that is not in the pattern, or a day that no calendar
    /// has.
    ///
    /// - Throws: `.invalidRequest` for a pattern with an unknown letter, or without a year.
    func seconds(_ text: String) throws(DataStoreError) -> Double? {
        if let problem {
            throw DataStoreError(
                .invalidRequest, "The date pattern \"\(pattern)\" has \(problem).",
                advice: "Use yyyy, MM, dd, HH, mm, ss, SSS and Z.")
        }
        var rest = text.utf8[...]
        var (year, month, day, hour, minute, second) = (0, 1, 1, 0, 0, 0)
        var (fraction, offset) = ("", String?.none)
        for part in parts {
            switch part {
            case .literal(let byte):
                guard rest.first == byte else { return nil }
                rest.removeFirst()
            case .number(let field, let digits):
                guard let value = Self.number(&rest, digits) else { return nil }
                switch field {
                case .year: year = value
                case .month: month = value
                case .day: day = value
                case .hour: hour = value
                case .minute: minute = value
                case .second: second = value
                }
            case .fraction:
                let digits = rest.prefix { (0x30...0x39).contains($0) }
                if digits.isEmpty { return nil }
                fraction = "." + String(decoding: digits, as: UTF8.self)
                rest = rest.dropFirst(digits.count)
            case .offset:
                let given = rest.prefix { (0x30...0x3A).contains($0) || [0x2B, 0x2D, 0x5A].contains($0) }
                if given.isEmpty { return nil }
                offset = String(decoding: given, as: UTF8.self)
                rest = rest.dropFirst(given.count)
            }
        }
        guard rest.isEmpty else { return nil }
        func padded(_ number: Int, _ count: Int = 2) -> String {
            let digits = "\(number)"
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        let date = "\(padded(year, 4))-\(padded(month))-\(padded(day))"
        let time = "\(padded(hour)):\(padded(minute)):\(padded(second))\(fraction)"
        guard let seconds = DateText.seconds("\(date)T\(time)\(offset ?? "Z")") else { return nil }
        if offset != nil || timeZone.secondsFromGMT() == 0 && timeZone.identifier == "GMT" { return seconds }
        // A zone has an offset for each moment. The offset for this date and time in UTC is right, or off by one
        // change of the clocks.
        let guess =
            seconds - Double(timeZone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: seconds)))
        return seconds - Double(timeZone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: guess)))
    }

    private static func number(_ rest: inout Substring.UTF8View, _ digits: Int) -> Int? {
        let found = rest.prefix(digits == 1 ? 2 : digits).prefix { (0x30...0x39).contains($0) }
        guard digits == 1 ? !found.isEmpty : found.count == digits else { return nil }
        rest = rest.dropFirst(found.count)
        return found.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
