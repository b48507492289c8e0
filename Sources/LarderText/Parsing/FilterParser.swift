import LarderKernel

/// Reads the text of a filter.
///
///     filter      = conjunction { OR conjunction }
///     conjunction = condition { AND condition }
///     condition   = NOT condition | "(" filter ")" | scope "(" filter ")" | comparison
///     scope       = [ ANY | ALL | NONE ] relationships
///     comparison  = value sign value | attribute test
///     value       = product { ("+" | "-") product }
///     product     = factor { ("*" | "/" | "%") factor }
///     factor      = "-" factor | "(" value ")" | attribute | literal | "%@"
///
/// Lists stay as flat as they are written, and parentheses make a list of its own, so that this and
/// ``FilterNode/text(of:)`` give back each other's answers. Open parentheses are kept in an array and not on
/// the stack of the thread, which may be small.
struct FilterParser {
    private var tokens: TokenCursor
    /// The whole text, and in it the parentheses that are open.
    private var levels = [Level()]
    private var depth = 0

    init(_ source: SourceText) throws(DataStoreError) {
        tokens = try TokenCursor(source)
    }

    /// The filter that is the whole text.
    mutating func filter() throws(DataStoreError) -> FilterNode {
        if tokens.current.kind == .end {
            throw tokens.invalid(
                "The filter is empty", advice: "Write TRUEPREDICATE for a filter all items pass.")
        }
        repeat {
            try takePrefixes()
            take(try tokens.comparison())
            try takeClosings()
        } while try takeConnective()
        guard levels.count == 1, tokens.current.kind == .end else { throw unexpected }
        try tokens.checkArguments()
        return levels[0].node
    }

    /// Takes the NOT and ( before a comparison.
    private mutating func takePrefixes() throws(DataStoreError) {
        while true {
            switch tokens.current.kind {
            case .keyword(.not): levels[levels.count - 1].negations += 1
            case .symbol("("):
                if tokens.opensCalculation { return }
                levels.append(Level(opening: tokens.current.start))
            case .name:
                guard let path = takeScope() else { return }
                levels.append(Level(opening: tokens.current.start, of: path, in: tokens.scope))
                tokens.scope = path.scope ?? tokens.scope
            case .keyword, .comparison, .literal, .argument, .flag, .symbol, .end: return
            }
            depth += 1
            if depth > FilterNode.maximumDepth {
                throw tokens.invalid(
                    "Parentheses and NOT are nested more than \(FilterNode.maximumDepth) levels deep",
                    advice: "Leave out the parentheses that AND and OR do not need.")
            }
            try tokens.advance()
        }
    }

    /// Takes the names before a filter about related items; nil if something else comes.
    private mutating func takeScope() -> RelatedPath? {
        guard tokens.mayBeginScope else { return nil }
        var ahead = tokens
        // A mistake is reported when the same names are read as a comparison.
        guard let path = try? ahead.relatedPath(advice: "", mayEndInScope: true), case .scope = path.path.end
        else { return nil }
        tokens = ahead
        return path
    }

    /// Takes the ) after a comparison.
    private mutating func takeClosings() throws(DataStoreError) {
        while levels.count > 1, try tokens.skip(.symbol(")")) {
            let inner = levels.removeLast()
            depth -= 1
            if let related = inner.related {
                tokens.scope = related.outerScope
                take(related.path.node(inner.node))
            } else {
                take(inner.node)
            }
        }
    }

    /// Takes the AND or OR before the next comparison; false if there is none.
    private mutating func takeConnective() throws(DataStoreError) -> Bool {
        if try tokens.skip(.keyword(.and)) { return true }
        guard try tokens.skip(.keyword(.or)) else { return false }
        levels[levels.count - 1].endConjunction()
        return true
    }

    private mutating func take(_ node: FilterNode) {
        depth -= levels[levels.count - 1].negations
        levels[levels.count - 1].take(node)
    }

    private var unexpected: DataStoreError {
        let opening = levels[levels.count - 1].opening.map(tokens.source.column)
        let end = opening.map { "the ) for the ( of column \($0)" } ?? "the end of the filter"
        return tokens.invalid(
            "AND, OR or \(end) is expected",
            advice: "Join two comparisons with AND or OR, and put text in quotes.")
    }
}

/// The filter read so far from the whole text, or between parentheses.
private struct Level {
    /// The position of the opening parenthesis.
    var opening: String.Index?
    /// The relationship that a filter in parentheses is about, and the item type outside.
    var related: (path: RelatedPath, outerScope: Int)?
    /// The number of NOT before the next condition.
    var negations = 0
    private var conditions: [FilterNode] = []
    private var conjunctions: [FilterNode] = []

    init(opening: String.Index? = nil) {
        self.opening = opening
    }

    init(opening: String.Index, of path: RelatedPath, in outerScope: Int) {
        self.opening = opening
        related = (path, outerScope)
    }

    mutating func take(_ node: FilterNode) {
        conditions.append((0..<negations).reduce(node) { node, _ in .not(node) })
        negations = 0
    }

    mutating func endConjunction() {
        conjunctions.append(conjunction)
        conditions = []
    }

    var node: FilterNode { conjunctions.isEmpty ? conjunction : .any(conjunctions + [conjunction]) }

    private var conjunction: FilterNode { conditions.count == 1 ? conditions[0] : .all(conditions) }
}
