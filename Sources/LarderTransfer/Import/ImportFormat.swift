public import Foundation
import Larder
import LarderEngine
import LarderText

/// The form in which a source writes a value; without one, that of its type.
///
/// Numbers may be texts, texts numbers; Booleans may be `true`, `yes`, `y`, `on` or `1` and their contraries, in
/// any case; dates are ISO 8601, as UTC where there is no offset; data is Base64; an `ItemID` is its text or
/// number.
public struct ImportFormat: Sendable {
    let kind: Kind

    enum Kind: Sendable {
        case standard
        /// A date as a number of units since 1970, of which so many are a second.
        case epoch(unitsPerSecond: Int)
        case date(DatePattern)
        case number(decimal: Character, grouping: Character?)
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
    /// - Parameter timeZone: That of dates without an offset.
    public static func date(_ pattern: String, timeZone: TimeZone = .gmt) -> ImportFormat {
        ImportFormat(kind: .date(DatePattern(pattern, timeZone)))
    }

    /// A number in text with other signs: `.number(decimal: ",", grouping: ".")` for `1.234,50`.
    public static func number(decimal: Character, grouping: Character? = nil) -> ImportFormat {
        ImportFormat(kind: .number(decimal: decimal, grouping: grouping))
    }

    /// A list of keys in one text, for relationships: `.list(separator: ";")` for `sweet;round`.
    ///
    /// Spaces around a key do not count; an empty text is an empty list.
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
        case (.number(let decimal, let grouping), .text(let text)):
            let plain = text.filter { $0 != grouping }.map { $0 == decimal ? "." : $0 }
            return try Self.cell(of: attribute.type, String(plain), in: arena)
        case (_, .number(let text)): return try Self.cell(of: attribute.type, number: text, in: arena)
        case (_, .text(let text)): return try Self.cell(of: attribute.type, text, in: arena)
        case (_, .bool(let flag)):
            switch attribute.type {
            case .bool: return try flag.encode(in: arena)
            case .string: return try (flag ? "true" : "false").encode(in: arena)
            case .json: return try json.encode(in: arena)
            default: return nil
            }
        case (_, .list), (_, .record): return attribute.type == .json ? try json.encode(in: arena) : nil
        }
    }

    private var json: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func cell(
        of type: AttributeType, number text: String, in arena: RowArena
    ) throws(DataStoreError) -> Cell? {
        switch type {
        case .date: nil  // Nothing says since when.
        case .string, .json: try text.encode(in: arena)
        default: try cell(of: type, text, in: arena)
        }
    }

    private static func cell(
        of type: AttributeType, _ text: String, in arena: RowArena
    ) throws(DataStoreError) -> Cell? {
        switch type {
        case .string, .json: return try text.encode(in: arena)
        case .date: return DateText.seconds(text).map { .real($0) }
        case .url: return text.isEmpty ? nil : try URL(string: text)?.encode(in: arena)
        case .uuid: return try UUID(uuidString: text)?.encode(in: arena)
        case .data: return try Data(base64Encoded: text)?.encode(in: arena)
        case .itemID:
            return (ItemIDText.value(of: text) ?? NumberText(text)?.exactly(Int64.self)).map { .integer($0) }
        case .bool: return flag(text).map { .integer($0 ? 1 : 0) }
        case .float, .double:
            if ["inf", "-inf"].contains(text) { return .real(text == "inf" ? .infinity : -.infinity) }
            let number = NumberText(text)
            let value =
                type == .float ? number?.nearest(Float.self).map(Double.init) : number?.nearest(Double.self)
            return value.map { .real($0 == 0 ? 0 : $0) }
        case .decimal: return try NumberText(text)?.decimal?.encode(in: arena)
        case .int8: return integer(Int8.self, text)
        case .int16: return integer(Int16.self, text)
        case .int32: return integer(Int32.self, text)
        case .int64: return integer(Int64.self, text)
        case .uint8: return integer(UInt8.self, text)
        case .uint16: return integer(UInt16.self, text)
        case .uint32: return integer(UInt32.self, text)
        case .uint64: return NumberText(text)?.exactly(UInt64.self).map { .unsigned($0) }
        }
    }

    private static func integer<Value: FixedWidthInteger>(_ type: Value.Type, _ text: String) -> Cell? {
        // Nearly all are written plainly.
        (Value(text) ?? NumberText(text)?.exactly(type)).map { .integer(Int64(truncatingIfNeeded: $0)) }
    }

    private static func flag(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "y", "on", "t", "1": true
        case "false", "no", "n", "off", "f", "0": false
        default: nil
        }
    }
}

/// Dates as numbers since 1970.
enum EpochText {
    /// The seconds between 1970 and the reference date of stored dates.
    private static let referenceDate = 978_307_200

    /// The seconds since the reference date, exact where a `Double` is; nil for any other text.
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
