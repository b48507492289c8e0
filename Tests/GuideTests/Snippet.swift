/// A piece of code in a document, line by line and without the indentation that all its lines share.
struct Snippet: CustomStringConvertible {
    private let lines: [Substring]
    /// Where it begins in the document, counted from 1.
    let lineNumber: Int

    var description: String { "line \(lineNumber): \(lines.first ?? "")" }

    /// All pieces in a document that are fenced as a language.
    static func all(in document: String, language: String) -> [Snippet] {
        var snippets: [Snippet] = []
        var open: (language: Substring, start: Int)?
        let lines = Self.lines(of: document)
        for (index, line) in lines.enumerated() where line.hasPrefix("```") {
            guard let begun = open else {
                open = (line.dropFirst(3), index + 1)
                continue
            }
            if begun.language == language {
                snippets.append(Snippet(lines: lines[begun.start..<index], lineNumber: begun.start + 1))
            }
            open = nil
        }
        return snippets
    }

    private init(lines: ArraySlice<Substring>, lineNumber: Int) {
        self.lines = Array(lines)
        self.lineNumber = lineNumber
    }

    /// Whether its lines stand in a source one after the other, all moved to the right by the same amount.
    func isPart(of source: String) -> Bool {
        let others = Self.lines(of: source)
        guard !lines.isEmpty, others.count >= lines.count else { return false }
        return (0...(others.count - lines.count)).contains { start in
            let indentation = others[start].prefix { $0 == " " }
            return zip(lines, others[start...]).allSatisfy { line, other in
                line.isEmpty ? other.isEmpty : other == indentation + line
            }
        }
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }
}
