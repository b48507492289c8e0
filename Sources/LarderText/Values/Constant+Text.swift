import struct Foundation.UUID
package import LarderKernel

extension Constant {
    /// The value as the text form writes it for attributes of a type.
    package func text(of type: AttributeType) -> String {
        switch (self, type) {
        case (.null, _): return "nil"
        case (.integer(let value), .bool) where value == 0 || value == 1: return String(value == 1)
        case (.integer(let value), .itemID): return ItemIDText.text(of: value).inQuotes
        case (.integer(let value), _): return String(value)
        case (.unsigned(let value), _): return String(value)
        case (.real(let value), .date): return DateText.text(value)?.inQuotes ?? String(value)
        case (.real(let value), .float): return Float(exactly: value)?.description ?? String(value)
        case (.real(let value), _): return String(value)
        case (.text(let text), _): return text.inQuotes
        case (.decimal(let text), _): return text
        case (.blob(let bytes), .uuid):
            return withCell(UUID.decode)?.uuidString.inQuotes ?? bytes.hexadecimalLiteral
        case (.blob(let bytes), _): return bytes.hexadecimalLiteral
        }
    }
}

extension [UInt8] {
    /// The bytes as the text form writes them: `x'00ff'`.
    fileprivate var hexadecimalLiteral: String { "x'\(hexadecimal)'" }

    /// Two digits for each byte: `00ff`.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension String {
    /// The text in quotes, with escapes for what would end it or could not be seen.
    fileprivate var inQuotes: String {
        var quoted = "\"".unicodeScalars
        for scalar in unicodeScalars {
            if scalar != "'", let letter = Self.escapes[scalar] {
                quoted += ["\\", letter]
            } else if scalar.properties.generalCategory == .control {
                quoted += "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
            } else {
                quoted.append(scalar)
            }
        }
        quoted.append("\"")
        return String(quoted)
    }

    /// For each scalar that has an escape its letter.
    private static let escapes = Dictionary(
        uniqueKeysWithValues: TextLexer.escapes.map { letter, scalar in (scalar, letter) })
}
