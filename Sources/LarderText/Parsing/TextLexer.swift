import LarderKernel

/// Cuts the text of a filter or sort into tokens.
///
/// It walks over Unicode scalars and not characters: a combining mark after a quote would otherwise be one
/// character with it, and the text would never end.
struct TextLexer {
    let source: SourceText
    private(set) var position: String.Index
    /// The number of the arguments that have been taken.
    private(set) var argumentCount = 0
    /// The tokens of a `%K` that come next.
    private var pending: [TextToken] = []
    /// True if the last token may end a value.
    private var isAfterValue = false

    init(_ source: SourceText) {
        self.source = source
        position = source.text.startIndex
    }

    /// The next token; `.end` after the last one, as often as it is called.
    ///
    /// - Throws: `.invalidText`.
    mutating func next() throws(DataStoreError) -> TextToken {
        let token = pending.isEmpty ? try read() : pending.removeFirst()
        isAfterValue = token.kind.endsValue
        return token
    }

    private mutating func read() throws(DataStoreError) -> TextToken {
        while let scalar = peek, scalar.properties.isWhitespace { advance() }
        let start = position
        guard let scalar = peek else { return TextToken(kind: .end, start: start) }
        return TextToken(kind: try kind(beginningWith: scalar), start: start)
    }

    private mutating func kind(beginningWith scalar: Unicode.Scalar) throws(DataStoreError) -> TextToken.Kind
    {
        switch scalar {
        case "\"", "'": return .literal(.text(try quotedText()))
        case "`": return .name(try quotedName())
        case "[": return .flag(try flag())
        case "(", ")", "{", "}", ",", "@", "*", "/":
            advance()
            return .symbol(scalar)
        case "%": return try percent()
        case "+" where isAfterValue || !beginsNumber, "-" where isAfterValue || !beginsNumber:
            advance()
            return .symbol(scalar)
        case "." where isDot:
            advance()
            return .symbol(scalar)
        case "=", "!", "<", ">", "&", "|": return try sign()
        case "0"..."9", "+", "-", ".": return .literal(try number())
        default: return try word()
        }
    }

    /// True if the point that comes next is not the beginning of a number.
    private var isDot: Bool {
        let scalars = source.text.unicodeScalars
        let next = scalars.index(after: position)
        return next == scalars.endIndex || !("0"..."9").contains(scalars[next])
    }

    /// True if a number follows the sign that comes next.
    private var beginsNumber: Bool {
        let rest = source.text.unicodeScalars[position...].dropFirst()
        guard let next = rest.first else { return true }
        if ("0"..."9").contains(next) || next == "." { return true }
        let word = String(rest.prefix { $0.isPartOfName }.prefix(9)).lowercased()
        return ["inf", "infinity", "nan"].contains(word)
    }

    /// A `%@`, a `%K` or the sign of the remainder.
    private mutating func percent() throws(DataStoreError) -> TextToken.Kind {
        let start = position
        advance()
        if peek == "@" {
            advance()
            return .argument(try takeArgument(at: start))
        }
        var following = self
        guard peek == "K" else { return .symbol("%") }
        following.advance()
        if let next = following.peek, next.isPartOfName { return .symbol("%") }
        advance()
        let number = try takeArgument(at: start)
        guard let name = source.arguments?[number].text else {
            throw invalid(
                "The argument for %K is not a text with the name of an attribute, as is needed", at: start,
                advice: "Write %@ for a value.")
        }
        let names = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for part in names.dropFirst() {
            pending.append(TextToken(kind: .symbol("."), start: start))
            if part.hasPrefix("@") { pending.append(TextToken(kind: .symbol("@"), start: start)) }
            pending.append(TextToken(kind: .name(String(part.drop { $0 == "@" })), start: start))
        }
        return .name(names[0])
    }

    private mutating func takeArgument(at start: String.Index) throws(DataStoreError) -> Int {
        argumentCount += 1
        guard let arguments = source.arguments, argumentCount <= arguments.count else {
            throw invalid(
                "There is no argument number \(argumentCount), which is asked for", at: start,
                advice: "Give an argument for each %@ and %K, in their order.")
        }
        if let failure = arguments[argumentCount - 1].failure {
            throw source.error(
                failure.code, "\(failure.message) The argument stands", at: start, advice: failure.advice)
        }
        return argumentCount - 1
    }

    private mutating func sign() throws(DataStoreError) -> TextToken.Kind {
        let start = position
        let first = peek.map(String.init) ?? ""
        advance()
        if let second = peek, let kind = Self.signs["\(first)\(second)"] {
            advance()
            return kind
        }
        if let kind = Self.signs[first] { return kind }
        throw invalid(
            "A single \(first) has no meaning", at: start,
            advice: "Write \(first)\(first), or the word for it.")
    }

    private static let signs: [String: TextToken.Kind] = [
        "==": .comparison(.equal), "=": .comparison(.equal), "!=": .comparison(.notEqual),
        "<>": .comparison(.notEqual), "<": .comparison(.less), "<=": .comparison(.lessOrEqual),
        ">": .comparison(.greater), ">=": .comparison(.greaterOrEqual), "&&": .keyword(.and),
        "||": .keyword(.or), "!": .keyword(.not),
    ]

    /// A number with all that is written onto it, so that `2024-05-01` is refused as a whole.
    private mutating func number() throws(DataStoreError) -> TextLiteral {
        let start = position
        let spelling = take { $0.isPartOfName || "+-.:".unicodeScalars.contains($0) }
        if let number = NumberText(spelling) { return .number(number) }
        switch spelling.dropFirst().lowercased() {
        case "inf", "infinity": return .infinity(isNegative: spelling.hasPrefix("-"))
        case "nan": return .notANumber
        default:
            throw invalid(
                "\(spelling.prefix(40)) is not a number", at: start,
                advice: "Write numbers as 4, -4.5 or 1e3, signs between spaces, and other values in quotes.")
        }
    }

    private mutating func word() throws(DataStoreError) -> TextToken.Kind {
        let start = position
        guard let first = peek, first.beginsName else {
            let isTypographic = peek.map { "“”„‟‘’‚«»".unicodeScalars.contains($0) } ?? false
            throw invalid(
                "This character has no meaning here", at: start,
                advice: isTypographic
                    ? "Use the straight quotes \" or '."
                    : "Put text in quotes, and names of attributes with odd characters in backticks.")
        }
        let word = take(while: \.isPartOfName)
        if word == "x" || word == "X", peek == "'" || peek == "\"" { return .literal(.data(try data())) }
        return TextKeyword(word).map { .keyword($0) } ?? .name(word)
    }
}

extension TextLexer {
    /// The scalar that comes next; nil at the end.
    var peek: Unicode.Scalar? {
        position < source.text.endIndex ? source.text.unicodeScalars[position] : nil
    }

    mutating func advance() {
        guard position < source.text.endIndex else { return }
        source.text.unicodeScalars.formIndex(after: &position)
    }

    /// Takes what comes as long as it is wanted.
    mutating func take(while isWanted: (Unicode.Scalar) -> Bool) -> String {
        // One by one, and not a slice from where it began: Swift 6.3.1 takes that index from before the last
        // `advance()` when it optimizes.
        var taken = String.UnicodeScalarView()
        while let scalar = peek, isWanted(scalar) {
            taken.append(scalar)
            advance()
        }
        return String(taken)
    }

    func invalid(_ problem: String, at index: String.Index, advice: String) -> DataStoreError {
        source.error(.invalidText, problem, at: index, advice: advice)
    }
}

extension Unicode.Scalar {
    /// True if a name without backticks may begin with it.
    var beginsName: Bool { self == "_" || properties.isXIDStart }

    /// True if a name without backticks may contain it.
    var isPartOfName: Bool { properties.isXIDContinue }
}
