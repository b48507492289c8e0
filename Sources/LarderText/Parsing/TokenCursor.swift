import Larder

/// The tokens of a text one after the other, and what parsers ask of them.
struct TokenCursor {
    let source: SourceText
    /// The token that comes next.
    private(set) var current: TextToken
    private var lexer: TextLexer

    /// Stands at the first token.
    init(_ source: SourceText) throws(DataStoreError) {
        self.source = source
        lexer = TextLexer(source)
        current = try lexer.next()
    }

    mutating func advance() throws(DataStoreError) {
        current = try lexer.next()
    }

    /// Goes past the token if it is this one, and tells whether it was.
    mutating func skip(_ kind: TextToken.Kind) throws(DataStoreError) -> Bool {
        guard current.kind == kind else { return false }
        try advance()
        return true
    }

    /// The value that comes next; nil where none does.
    var literal: TextLiteral? {
        switch current.kind {
        case .literal(let literal): literal
        case .keyword(let keyword): keyword.literal
        case .name, .comparison, .flag, .symbol, .end: nil
        }
    }

    /// Takes the attribute's name that comes next.
    ///
    /// - Throws: `.unknownAttribute` naming the nearest.
    mutating func column(advice: String) throws(DataStoreError) -> Int {
        guard case .name(let name) = current.kind else {
            throw invalid("The name of an attribute is expected", advice: advice)
        }
        guard let column = source.entity.column(named: name) else { throw unknownAttribute(name) }
        try advance()
        return column
    }

    /// The error that something else should stand here.
    func invalid(_ problem: String, advice: String) -> DataStoreError {
        source.error(.invalidText, problem, at: current.start, advice: advice)
    }

    private func unknownAttribute(_ name: String) -> DataStoreError {
        let names = source.entity.attributes.map(\.name)
        let list = names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
        let nearest = name.nearest(among: names)
        let shown = String(name.prefix(60))
        return source.error(
            .unknownAttribute, "\(source.entity.name) has no attribute \"\(shown)\", which stands",
            at: current.start,
            advice: nearest.map { "Perhaps \($0) is meant." } ?? "Its attributes are \(list).",
            attribute: shown)
    }
}
