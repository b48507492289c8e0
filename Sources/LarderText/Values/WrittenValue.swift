import Foundation
package import LarderKernel
import LarderValues

/// The ways in which a value may be written.
package enum ValueSpelling {
    /// As an export writes it: dates as seconds since 2001, Booleans as true and false.
    case exact
    /// As other programs write it: dates as ISO 8601, Booleans also as `yes` or `0`, and numbers for texts.
    case lenient
}

extension AttributeType {
    /// The cell of a value that is written as a number; nil if no value of the type is written so.
    ///
    /// - Throws: `.invalidValue`, `.valueTooLarge`.
    package func cell(
        ofNumber digits: String, _ spelling: ValueSpelling, in arena: RowArena
    ) throws(DataStoreError) -> Cell? {
        switch (self, spelling) {
        case (.string, .lenient): try digits.encode(in: arena)
        case (.json, .lenient): try cell(ofText: digits, spelling, in: arena)
        case (.bool, .lenient): try cell(ofText: digits, spelling, in: arena)
        case (.date, .lenient): nil  // Nothing says since when.
        case (.bool, .exact), (.string, _), (.data, _), (.uuid, _), (.url, _), (.json, .exact): nil
        // 13 digits would be the text of another one.
        case (.itemID, _): integer(Int64.self, digits).map { .integer($0) }
        default: try cell(ofText: digits, spelling, in: arena)
        }
    }

    /// The cell of a value that is written as a Boolean; nil if no value of the type is written so.
    package func cell(
        ofFlag flag: Bool, _ spelling: ValueSpelling, in arena: RowArena
    ) throws(DataStoreError) -> Cell? {
        switch (self, spelling) {
        case (.bool, _): try flag.encode(in: arena)
        case (.string, .lenient), (.json, .lenient): try (flag ? "true" : "false").encode(in: arena)
        default: nil
        }
    }

    /// The cell of a value that is written as text; nil if it is not a valid one.
    ///
    /// - Throws: `.invalidValue`, `.valueTooLarge`.
    package func cell(
        ofText text: String, _ spelling: ValueSpelling, in arena: RowArena
    ) throws(DataStoreError) -> Cell? {
        switch self {
        case .string: return try text.encode(in: arena)
        case .json: return text.withBytes(JSONText.isValid) ? try text.encode(in: arena) : nil
        case .url: return text.isEmpty ? nil : try URL(string: text)?.encode(in: arena)
        case .uuid: return try UUID(uuidString: text)?.encode(in: arena)
        case .data: return try Data(base64Encoded: text)?.encode(in: arena)
        case .itemID: return (ItemIDText.value(of: text) ?? integer(Int64.self, text)).map { .integer($0) }
        case .bool: return spelling == .exact ? nil : Self.flag(text).map { .integer($0 ? 1 : 0) }
        case .date:
            return (spelling == .exact ? real(Double.self, text) : DateText.seconds(text)).map { .real($0) }
        case .double: return real(Double.self, text).map { .real($0) }
        case .float: return real(Float.self, text).map { .real(Double($0)) }
        case .decimal: return try NumberText(text)?.decimal?.encode(in: arena)
        case .int8: return integer(Int8.self, text).map { .integer(Int64($0)) }
        case .int16: return integer(Int16.self, text).map { .integer(Int64($0)) }
        case .int32: return integer(Int32.self, text).map { .integer(Int64($0)) }
        case .int64: return integer(Int64.self, text).map { .integer($0) }
        case .uint8: return integer(UInt8.self, text).map { .integer(Int64($0)) }
        case .uint16: return integer(UInt16.self, text).map { .integer(Int64($0)) }
        case .uint32: return integer(UInt32.self, text).map { .integer(Int64($0)) }
        case .uint64: return integer(UInt64.self, text).map { .unsigned($0) }
        }
    }

    private func integer<Value: FixedWidthInteger>(_ type: Value.Type, _ text: String) -> Value? {
        // Nearly all are written plainly.
        Value(text) ?? NumberText(text)?.exactly(type)
    }

    /// The number next to what is written; zero has no sign.
    private func real<Value: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: Value.Type, _ text: String
    ) -> Value? {
        switch text {
        case "inf": .infinity
        case "-inf": -.infinity
        default:
            // Most are written as JSON writes them, and as Swift reads them.
            (JSONText.isNumber(text)
                ? Value(text).flatMap { $0.isFinite ? $0 : nil }
                : NumberText(text)?.nearest(type)).map { $0 == 0 ? 0 : $0 }
        }
    }

    private static func flag(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "y", "on", "t", "1": true
        case "false", "no", "n", "off", "f", "0": false
        default: nil
        }
    }

    /// The form in which an import takes values of the type, for errors.
    package var importForm: String {
        switch self {
        case .json: "JSON that the type of the attribute can decode, such as [\"a\", \"b\"]"
        case .data: "bytes as Base64"
        case .string: "text"
        case .date: "a date such as 2024-05-01T10:00:00Z"
        default: textForm
        }
    }
}
