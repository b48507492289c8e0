/// A value to print, in any format.
enum OutputValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case real(Double)
    /// The text of a decimal number, which no `Double` holds.
    case decimal(String)
    case text(String)
    case bytes([UInt8])
    /// JSON text, which becomes a part of printed JSON.
    case json(String)
    case list([OutputValue])
    case record([Field])

    struct Field: Sendable, Hashable {
        var name: String
        var value: OutputValue

        init(_ name: String, _ value: OutputValue) {
            self.name = name
            self.value = value
        }
    }

    /// True if tables align it to the right.
    var isNumber: Bool {
        switch self {
        case .integer, .unsigned, .real, .decimal: true
        case .null, .bool, .text, .bytes, .json, .list, .record: false
        }
    }
}

extension OutputValue {
    static func count(_ count: Int) -> OutputValue { .integer(Int64(count)) }
}
