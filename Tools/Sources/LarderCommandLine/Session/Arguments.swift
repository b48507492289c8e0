/// The words of the command line, as the system passed them.
enum Arguments {
    /// Checks that they are text.
    ///
    /// Swift replaces bytes that are not UTF-8 by U+FFFD, so such a path would lead to another file.
    ///
    /// - Throws: `.usage` if one is not UTF-8.
    static func checked(_ words: [[UInt8]]) throws(CommandFailure) -> [String] {
        var texts: [String] = []
        for word in words {
            guard let text = String(validating: word, as: UTF8.self) else {
                throw CommandFailure(
                    .usage, "\"\(escaped(word))\" is not UTF-8; larder accepts only UTF-8.",
                    advice: "Rename the file or folder, or write the text in UTF-8.")
            }
            texts.append(text)
        }
        return texts
    }

    /// The words of this process without its name.
    static func ofThisProcess() throws(CommandFailure) -> [String] {
        var words: [[UInt8]] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = CommandLine.unsafeArgv[index] else { break }
            words.append(UnsafeRawBufferPointer(start: word, count: length(of: word)).map { $0 })
        }
        return try checked(words)
    }

    private static func length(of word: UnsafeMutablePointer<CChar>) -> Int {
        var length = 0
        while word[length] != 0 { length += 1 }
        return length
    }

    /// Valid text unchanged, and other bytes as `\xe9`.
    private static func escaped(_ word: [UInt8]) -> String {
        var rest = word[...]
        var text = ""
        while let first = rest.first {
            let length = (1...4).first { length in
                rest.count >= length && String(validating: rest.prefix(length), as: UTF8.self) != nil
            }
            if let length {
                text += String(decoding: rest.prefix(length), as: UTF8.self)
            } else {
                text += "\\x" + (first < 16 ? "0" : "") + String(first, radix: 16)
            }
            rest = rest.dropFirst(length ?? 1)
        }
        return text
    }
}
