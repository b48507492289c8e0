public import Foundation
import LarderKernel
import LarderEngine
import LarderText

/// The form in which a source writes a value; the default is its type's form.
///
/// Numbers may be texts, texts numbers; Booleans may be `true`, `yes`, `y`, `on` or `1` and their contraries, in
/// any case; dates are ISO 8601, as UTC if there is no offset; data is Base64; an `ItemID` is its text or
/// number.
public struct ImportFormat: Sendable {
    let kind: Kind

    enum Kind: Sendable {
        case standard
        /// A date as a number of units since 1970, of which so many are a second.
        case epoch(unitsPerSecond: Int)
        case date(DatePattern)
        case number(NumberSigns)
        case list(separator: Character)
    }

    /// The form of the attribute's type.
    public static let standard = ImportFormat(kind: .standard)

    /// A date as seconds since 1970, with or without a fraction.
    public static let epochSeconds = ImportFormat(kind: .epoch(unitsPerSecond: 1))

    /// A date as milliseconds since 1970.
    public static let epochMilliseconds = ImportFormat(kind: .epoch(unitsPerSecond: 1000))

    /// A date in a pattern: `.date("dd.MM.yyyy HH:mm")`.
    ///
    /// `yyyy`, `MM`, `dd`, `HH`, `mm`, `ss` are numbers of that many digits, or with one letter (`d.M.yyyy`) of
    /// one or two; `SSS` is any fraction of a second, `Z` an offset (`Z`, `+02:00`, `+0200`), and all other
    /// characters stand for themselves.
    ///
    /// *Rule:* an import throws `.invalidRequest` for a pattern with another letter, or without a year.
    ///
    /// - Parameter timeZone: The time zone of dates without an offset.
    public static func date(_ pattern: String, timeZone: TimeZone = .gmt) -> ImportFormat {
        ImportFormat(kind: .date(DatePattern(pattern, timeZone)))
    }

    /// A number in text with other signs: `.number(decimal: ",", grouping: ".")` for `1.234,50`.
    ///
    /// *Rule:* an import throws `.wrongType` for a number with other signs, such as `1,234.50` or, without
    /// `grouping`, `1.234`.
    public static func number(decimal: Character, grouping: Character? = nil) -> ImportFormat {
        ImportFormat(kind: .number(NumberSigns(decimal: decimal, grouping: grouping)))
    }

    /// A list of keys in one text, for relationships: `.list(separator: ";")` for `sweet;round`.
    ///
    /// Spaces around a key do not count, nor does a key without text; an empty text is an empty list.
    public static func list(separator: Character) -> ImportFormat {
        ImportFormat(kind: .list(separator: separator))
    }
}

extension ImportValue {
    /// The value as an attribute stores it; nil if it is not a valid one.
    ///
    /// - Throws: `.invalidValue`, `.valueTooLarge`; `.wrongType` for a value of another Swift type;
    ///   `.invalidRequest` for a pattern that cannot be used.
    func cell(
        of attribute: AttributeSchema, _ format: ImportFormat, in arena: RowArena
    ) throws(DataStoreError) -> Cell? {
        switch (format.kind, self) {
        case (_, .null): return .null
        case (_, .stored(let value)): return try attribute.cell(for: value, in: arena)
        case (.epoch(let units), .number(let text)), (.epoch(let units), .text(let text)):
            guard attribute.type == .date else { return nil }
            return EpochText.seconds(text, unitsPerSecond: units).map { .real($0) }
        case (.date(let pattern), .text(let text)):
            guard attribute.type == .date else { return nil }
            return try pattern.seconds(text).map { .real($0) }
        case (.number(let signs), .text(let text)):
            guard attribute.type.isNumber, let plain = signs.plain(text) else { return nil }
            return try attribute.type.cell(ofText: plain, .lenient, in: arena)
        case (_, .number(let text)): return try attribute.type.cell(ofNumber: text, .lenient, in: arena)
        case (_, .text(let text)): return try attribute.type.cell(ofText: text, .lenient, in: arena)
        case (_, .bool(let flag)): return try attribute.type.cell(ofFlag: flag, .lenient, in: arena)
        case (_, .list), (_, .record):
            return attribute.type == .json
                ? try attribute.type.cell(ofText: json(), .lenient, in: arena) : nil
        }
    }

    private func json() throws(DataStoreError) -> String {
        var writer = JSONWriter()
        try write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension AttributeType {
    /// True if its values are numbers.
    fileprivate var isNumber: Bool {
        switch self {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double, .decimal:
            true
        case .bool, .string, .data, .date, .uuid, .url, .itemID, .json: false
        }
    }
}

/// The signs in numbers that people write: `1.234,50`.
struct NumberSigns: Sendable {
    let decimal: Character
    let grouping: Character?

    /// The number with a point and without groups; nil if it is not written with these signs.
    ///
    /// Groups are those before the decimal sign: the last has three digits, the others two or three, as
    /// `1.234.567` and `12,34,567` have. So a number of another country is refused, and not taken for another one.
    func plain(_ text: String) -> String? {
        let halves = text.split(separator: decimal, maxSplits: 1, omittingEmptySubsequences: false)
        var whole = String(halves[0])
        if let grouping, whole.contains(grouping) {
            let digits = whole.drop { $0 == "-" || $0 == "+" }
            let groups = digits.split(separator: grouping, omittingEmptySubsequences: false)
            guard groups.last?.count == 3, 1...3 ~= groups[0].count,
                groups.dropFirst().allSatisfy({ 2...3 ~= $0.count })
            else { return nil }
            whole.removeAll { $0 == grouping }
        }
        // A point is one of the signs, or a mistake.
        guard !whole.contains("."), halves.count == 1 || !halves[1].contains(".") else { return nil }
        return halves.count == 1 ? whole : "\(whole).\(halves[1])"
    }
}

/// Dates as numbers since 1970.
enum EpochText {
    /// The seconds between 1970 and the reference date of stored dates.
    private static let referenceDate = 978_307_200

    /// The seconds since the reference date, exact if a `Double` is; nil for any other text.
    static func seconds(_ text: String, unitsPerSecond units: Int) -> Double? {
        if let whole = Int(text), whole.magnitude < 1 << 52 {
            return Double(whole - referenceDate * units) / Double(units)
        }
        guard let decimal = NumberText(text)?.decimal.flatMap({ Decimal(string: $0, locale: nil) }) else {
            return nil
        }
        let seconds = decimal / Decimal(units) - Decimal(referenceDate)
        return Double("\(seconds)").flatMap { $0.isFinite ? $0 : nil }
    }
}
