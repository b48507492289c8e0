import LarderKernel

extension TextLexer {
    /// Text between `"` or `'`, with escapes.
    mutating func quotedText() throws(DataStoreError) -> String {
        let start = position
        let quote = peek
        var text = String.UnicodeScalarView()
        advance()
        while let scalar = peek {
            if scalar == "\\" {
                text.append(try escape())
            } else {
                advance()
                if scalar == quote { return String(text) }
                text.append(scalar)
            }
        }
        throw unended("text", from: start, by: "the same quote")
    }

    /// A name between backticks; two of them stand for one.
    mutating func quotedName() throws(DataStoreError) -> String {
        let start = position
        var name = String.UnicodeScalarView()
        advance()
        while let scalar = peek {
            advance()
            if scalar == "`" {
                if peek != "`" { return String(name) }
                advance()
            }
            name.append(scalar)
        }
        throw unended("name", from: start, by: "a backtick")
    }

    /// Takes the text between brackets.
    mutating func flag() throws(DataStoreError) -> String {
        let start = position
        let flag = take { $0 != "]" }
        guard peek != nil else { throw unended("flag", from: start, by: "]") }
        advance()
        return String(flag.dropFirst())
    }

    /// Bytes in pairs of hexadecimal digits; the `x` before the quote has been taken.
    mutating func data() throws(DataStoreError) -> [UInt8] {
        let start = position
        let digits = Array(try quotedText().utf8)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
            UInt8(hexadecimalDigits: digits[index...(index + 1)])
        }
        guard bytes.count * 2 == digits.count else {
            throw invalid(
                "These bytes are not pairs of hexadecimal digits", at: start,
                advice: "Write two digits of 0-9 and a-f for each byte, as in x'00ff'.")
        }
        return bytes
    }

    private mutating func escape() throws(DataStoreError) -> Unicode.Scalar {
        let start = position
        advance()
        guard let letter = peek else { throw unended("escape", from: start, by: "a letter") }
        advance()
        if let scalar = Self.escapes[letter] { return scalar }
        if letter == "u", let scalar = bracedScalar() { return scalar }
        throw invalid(
            "The backslash does not begin a known escape", at: start,
            advice: #"Write \\ for a backslash; the others are \" \' \n \r \t \0 and \u{1F370}."#)
    }

    /// The scalar with the number between the next braces, or nil if there is none.
    private mutating func bracedScalar() -> Unicode.Scalar? {
        guard peek == "{" else { return nil }
        advance()
        let digits = take { $0 != "}" }
        guard peek == "}", digits.utf8.allSatisfy(\.isHexadecimalDigit),
            let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number)
        else { return nil }
        advance()
        return scalar
    }

    /// The character for each letter after a backslash.
    static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "\\": "\\", "\"": "\"", "'": "'", "n": "\n", "r": "\r", "t": "\t", "0": "\0",
    ]

    private func unended(_ what: String, from start: String.Index, by end: String) -> DataStoreError {
        invalid(
            "The end of the \(what) is missing, which begins", at: start,
            advice: "End the \(what) with \(end).")
    }
}

extension UInt8 {
    var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// The byte that hexadecimal digits stand for, or nil if they are not valid.
    fileprivate init?(hexadecimalDigits digits: ArraySlice<UInt8>) {
        guard digits.allSatisfy(\.isHexadecimalDigit) else { return nil }
        self.init(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
