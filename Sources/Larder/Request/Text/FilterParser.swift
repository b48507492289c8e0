/// Reads the text of a filter.
///
///     or         = and { OR and }
///     and        = negation { AND negation }
///     negation   = NOT negation | "(" or ")" | TRUEPREDICATE | FALSEPREDICATE | comparison
///     comparison = name test | value operator name | true | false
///
/// Lists stay as flat as they are written, and parentheses keep a list of its own, so that
/// ``FilterNode/text(of:)`` and this give back each other's answers.
struct FilterParser {
    private var tokens: TokenCursor
    private var depth = 0

    /// How deep parentheses and NOT may nest; deeper ones would exhaust small stacks, here or further down.
    static let maximumDepth = 200

    init(_ source: SourceText) throws(DataStoreError) {
        tokens = try TokenCursor(source)
    }

    /// The filter that is the whole text.
    mutating func filter() throws(DataStoreError) -> FilterNode {
        if tokens.current.kind == .end {
            throw tokens.invalid(
                "The filter is empty", advice: "Write TRUEPREDICATE for a filter all items pass.")
        }
        let filter = try disjunction()
        guard tokens.current.kind == .end else {
            throw tokens.invalid(
                "AND, OR or the end of the filter is expected",
                advice: "Join two comparisons with AND or OR, and put text in quotes.")
        }
        return filter
    }

    private mutating func disjunction() throws(DataStoreError) -> FilterNode {
        let first = try conjunction()
        guard tokens.current.kind == .keyword(.or) else { return first }
        var parts = [first]
        while try tokens.skip(.keyword(.or)) { parts.append(try conjunction()) }
        return .any(parts)
    }

    private mutating func conjunction() throws(DataStoreError) -> FilterNode {
        let first = try negation()
        guard tokens.current.kind == .keyword(.and) else { return first }
        var parts = [first]
        while try tokens.skip(.keyword(.and)) { parts.append(try negation()) }
        return .all(parts)
    }

    private mutating func negation() throws(DataStoreError) -> FilterNode {
        switch tokens.current.kind {
        case .keyword(.not):
            try enter()
            let inner = try negation()
            depth -= 1
            return .not(inner)
        case .symbol("("): return try parenthesis()
        case .keyword(.truePredicate):
            try tokens.advance()
            return .always(true)
        case .keyword(.falsePredicate):
            try tokens.advance()
            return .always(false)
        case .name, .keyword, .comparison, .literal, .flag, .symbol, .end: return try tokens.comparison()
        }
    }

    private mutating func parenthesis() throws(DataStoreError) -> FilterNode {
        let opening = tokens.current.start
        try enter()
        let inner = try disjunction()
        guard try tokens.skip(.symbol(")")) else {
            let column = tokens.source.column(of: opening)
            throw tokens.invalid(
                "AND, OR or the ) for the ( of column \(column) is expected",
                advice: "Join two comparisons with AND or OR, and end parentheses.")
        }
        depth -= 1
        return inner
    }

    /// Goes one level deeper, past the token that asks for it.
    private mutating func enter() throws(DataStoreError) {
        depth += 1
        if depth > Self.maximumDepth {
            throw tokens.invalid(
                "Parentheses and NOT are nested more than \(Self.maximumDepth) levels deep",
                advice: "Leave out the parentheses that AND and OR do not need.")
        }
        try tokens.advance()
    }
}
