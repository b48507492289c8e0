import LarderKernel

/// The tokens of a text one after the other, and what parsers ask of them.
struct TokenCursor {
    let source: SourceText
    /// The token that comes next.
    private(set) var current: TextToken
    /// The number of the item type whose attributes are named here.
    var scope: Int
    private var lexer: TextLexer

    /// Stands at the first token.
    init(_ source: SourceText) throws(DataStoreError) {
        self.source = source
        scope = source.root
        lexer = TextLexer(source)
        current = try lexer.next()
    }

    mutating func advance() throws(DataStoreError) {
        current = try lexer.next()
    }

    /// Passes the next token if it is this one; false if it is not.
    mutating func skip(_ kind: TextToken.Kind) throws(DataStoreError) -> Bool {
        guard current.kind == kind else { return false }
        try advance()
        return true
    }

    /// The value that comes next; nil if none does.
    var literal: TextLiteral? {
        switch current.kind {
        case .literal(let literal): literal
        case .keyword(let keyword): keyword.literal
        case .argument(let number): source.arguments?[number].literal
        case .name, .comparison, .flag, .symbol, .end: nil
        }
    }

    /// The item type whose attributes are named here.
    var entity: EntitySchema { source.schema.entities[scope] }

    /// The token after the next one; nil if none can be read.
    var following: TextToken.Kind? {
        var lexer = lexer
        return (try? lexer.next())?.kind
    }

    /// The values of the list that comes next as an argument; nil if none does.
    var argumentList: [TextLiteral]? {
        if case .argument(let number) = current.kind { source.arguments?[number].list } else { nil }
    }

    /// Refuses arguments that nothing has asked for.
    func checkArguments() throws(DataStoreError) {
        let count = source.arguments?.count ?? 0
        guard lexer.argumentCount < count else { return }
        throw invalid(
            "The text asks for \(lexer.argumentCount) arguments and gets \(count), as shows at its end",
            advice: "Write a %@ for each value and a %K for each name of an attribute.")
    }

    /// The error that something else should stand here.
    func invalid(_ problem: String, advice: String) -> DataStoreError {
        source.error(.invalidText, problem, at: current.start, advice: advice)
    }
}
