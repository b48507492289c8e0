package import struct Foundation.Decimal

/// The canonical text of a decimal number: digits, one point, no exponent, no needless zeros.
package enum DecimalText {
    package static func canonical(_ value: Decimal) -> String {
        var text = value.description
        guard text.utf8.contains(UInt8(ascii: ".")) else { return text }
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }

    /// The number in a text of that form; nil for every other text.
    package static func decimal(_ text: String) -> Decimal? {
        // Foundation takes the digits at the beginning of a text and is silent about the rest.
        isPlain(text.utf8) ? Decimal(string: text, locale: nil) : nil
    }

    /// True if all bytes are digits, with at most one point between them and a minus sign in front.
    private static func isPlain(_ text: String.UTF8View) -> Bool {
        let unsigned = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        let parts = unsigned.split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
    }
}
