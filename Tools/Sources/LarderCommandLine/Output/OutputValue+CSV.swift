extension OutputValue {
    /// The value as a field of CSV by RFC 4180; nil is nothing, empty text a pair of quotes.
    var csvField: String {
        if case .null = self { return "" }
        return Self.csvField(plainText)
    }

    static func csvField(_ text: String) -> String {
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
