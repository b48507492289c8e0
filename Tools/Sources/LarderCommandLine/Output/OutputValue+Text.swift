import Foundation

extension OutputValue {
    /// The value for people, on one line.
    var tableText: String {
        switch self {
        case .null: "nil"
        case .text(let text), .json(let text): text.visible
        case .bytes(let bytes): "<\(bytes.count) bytes>"
        case .list(let values): values.map(\.tableText).joined(separator: ", ")
        case .record(let fields):
            fields.map { "\($0.name.visible): \($0.value.tableText)" }.joined(separator: ", ")
        case .bool, .integer, .unsigned, .real, .decimal: plainText
        }
    }

    /// The value for programs, as text; bytes in base 64.
    var plainText: String {
        switch self {
        case .null: ""
        case .bool(let value): String(value)
        case .integer(let value): String(value)
        case .unsigned(let value): String(value)
        case .real(let value): String(value)
        case .decimal(let text), .text(let text), .json(let text): text
        case .bytes(let bytes): Data(bytes).base64EncodedString()
        case .list(let values): values.map(\.plainText).joined(separator: ", ")
        case .record: jsonText
        }
    }
}
