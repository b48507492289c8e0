import Foundation

/// An example in the doc comment of a public declaration: indented lines after an empty line of the comment.
///
/// Anything that is not Swift stands in a fence there (```` ```text ````), as DocC shows it in the same way.
struct DocExample {
    let file: String
    /// The line of the first line of code, counted from 1.
    let line: Int
    let code: [String]

    /// The folder of the repository.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The examples of all sources below a folder of the repository.
    static func all(below folder: String) throws -> [DocExample] {
        let walk = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
        let files = (walk?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }.sorted()
        return try files.flatMap { file in
            let path = "\(folder)/\(file)"
            let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
            return examples(in: text, of: path)
        }
    }

    static func examples(in text: String, of file: String) -> [DocExample] {
        let lines = text.components(separatedBy: "\n").map { $0.trimmingPrefix { $0 == " " } }
        var (examples, position, isFenced) = ([DocExample](), 0, false)
        while position < lines.count {
            if lines[position].hasPrefix("/// ```") { isFenced.toggle() }
            guard position > 0, lines[position - 1] == "///", isCode(lines[position]), !isFenced else {
                position += 1
                continue
            }
            let start = position
            while position < lines.count, isCode(lines[position]) || lines[position] == "///" {
                position += 1
            }
            let code = lines[start..<position].map { String($0.dropFirst("///     ".count)) }
            if isPublic(declarationAfter: position, in: lines) {
                examples.append(DocExample(file: file, line: start + 1, code: code))
            }
        }
        return examples
    }

    private static func isCode(_ line: Substring) -> Bool {
        line.hasPrefix("///     ")
    }

    /// True if an app can see what the comment describes: it is public, or the case of an enum.
    private static func isPublic(declarationAfter end: Int, in lines: [Substring]) -> Bool {
        let code = lines[end...].filter { line in !["//", "#"].contains { line.hasPrefix($0) } }
        // So many lines hold the attributes of any declaration.
        let declaration = withoutAttributes(code.prefix(40).joined(separator: " "))
        return ["public ", "nonisolated(nonsending) public ", "case "].contains { declaration.hasPrefix($0) }
    }

    /// A declaration from the first word after its attributes, which may take several lines.
    private static func withoutAttributes(_ declaration: String) -> Substring {
        var rest = declaration.trimmingPrefix { $0 == " " }
        while rest.first == "@" {
            rest = rest.dropFirst().drop { $0 != " " && $0 != "(" }
            if rest.first == "(" { rest = afterParentheses(rest) }
            rest = rest.drop { $0 == " " }
        }
        return rest
    }

    /// The text after the parenthesis that closes the first one; empty if none does.
    private static func afterParentheses(_ text: Substring) -> Substring {
        var depth = 0
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return text[text.index(after: index)...] }
        }
        return ""
    }
}

extension DocExample {
    /// The example as a class that can be compiled beside others, with its place for the compiler's errors.
    ///
    /// Types and members stay what they are, inside the class; everything else is the body of a function.
    /// Values that the comment uses without making them are declared before (``given``).
    func source(number: Int) -> String {
        var (globals, members, body) = ("", given(as: "members"), "")
        let values = given(as: "values")
        for part in parts {
            let place = "#sourceLocation(file: \"\(file)\", line: \(line + part.offset))\n"
            let text = place + filled(part.lines.joined(separator: "\n")) + "\n#sourceLocation()\n"
            switch part.kind {
            case .global: globals += text
            case .member where hasExtension: globals += text
            case .member: members += text
            case .statement: body += text
            }
        }
        let effects = body.contains("await ") ? "async throws" : "throws"
        return """
            \(globals)
            final class Example\(number): Example {
            \(members)
            func run() \(effects) {
            \(values)
            do {
            \(body)
            }
            }
            }

            """
    }

    private var hasExtension: Bool { code.contains { $0.hasPrefix("extension ") } }

    /// The declarations for the examples of a file, or of a folder.
    private func given(as kind: String) -> String {
        Self.given.filter { $0.kind == kind && file.hasPrefix($0.place) }.map { $0.code + "\n" }.joined()
    }

    /// The code with something that compiles in the place of each "…".
    private func filled(_ code: String) -> String {
        code.replacing("…", with: "fatalError()")
    }

    private enum Kind { case global, member, statement }

    private struct Part {
        let kind: Kind
        let offset: Int
        var lines: [String]
    }

    /// The example cut where a declaration begins or ends: at lines without indentation that open one.
    private var parts: [Part] {
        var parts: [Part] = []
        for (offset, line) in code.enumerated() {
            let continues = line.isEmpty || line.hasPrefix(" ") || "})]".contains(line.first ?? " ")
            if var last = parts.last,
                continues || last.lines.last?.hasPrefix("@") ?? false && last.lines.count == 1
            {
                last.lines.append(line)
                parts[parts.count - 1] = last
            } else {
                parts.append(Part(kind: Self.kind(of: line), offset: offset, lines: [line]))
            }
        }
        return parts
    }

    private static func kind(of line: String) -> Kind {
        let beginnings: [(Kind, [String])] = [
            (.global, ["import ", "extension "]),
            (.member, ["@StoredItem", "struct ", "enum ", "final class ", "/// "]),
            (.member, ["static ", "init(", "func ", "public func ", "@Test"]),
        ]
        return beginnings.first { $0.1.contains { line.hasPrefix($0) } }?.0 ?? .statement
    }
}
