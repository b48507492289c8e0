extension OutputValue {
    /// The value as a field of CSV by RFC 4180; nil is nothing, empty text a pair of quotes.
    var csvField: String { csvField(forSpreadsheets: false) }

    /// - Parameter isForSpreadsheets: True to put an apostrophe before text that a spreadsheet takes for a formula.
    func csvField(forSpreadsheets isForSpreadsheets: Bool) -> String {
        switch self {
        case .null: ""
        case .bool, .integer, .unsigned, .real, .decimal: Self.csvField(plainText)
        case .text, .bytes, .json, .list, .record:
            Self.csvField(plainText, forSpreadsheets: isForSpreadsheets)
        }
    }

    static func csvField(_ text: String, forSpreadsheets isForSpreadsheets: Bool = false) -> String {
        if isForSpreadsheets, let first = text.utf8.first, "=+-@\t\r".utf8.contains(first) {
            return csvField("'" + text)
        }
        guard text.isEmpty || text.utf8.contains(where: needsQuotes) else { return text }
        // By scalars: a quote with an accent on it is a quote too.
        let doubled = text.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
        return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
    }

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        default: false
        }
    }
}
