import Larder

extension TokenCursor {
    /// Takes a test of one attribute: `name operator value`, `value operator name`, `name IN {…}`,
    /// `name BETWEEN {…}`; or what is the same for all items.
    mutating func comparison() throws(DataStoreError) -> FilterNode {
        if try skip(.keyword(.truePredicate)) { return .always(true) }
        if try skip(.keyword(.falsePredicate)) { return .always(false) }
        if let literal { return try comparison(beginningWith: literal) }
        let column = try column(
            advice: "Begin a comparison with an attribute, in backticks where its name is a keyword.")
        let isNegated = try skip(.keyword(.not))
        let node: FilterNode
        switch current.kind {
        case .keyword(.in):
            try advance()
            node = .isIn(column: column, try constants(of: try list(), for: column))
        case .keyword(.between): node = try range(of: column)
        case .name, .keyword, .comparison, .literal, .flag, .symbol, .end:
            let sign = try TextOperator(from: &self, mayCompare: !isNegated)
            try check(sign, suits: column)
            node = try self.node(column, sign, try value())
        }
        return isNegated ? .not(node) : node
    }

    private mutating func comparison(
        beginningWith literal: TextLiteral
    ) throws(DataStoreError) -> FilterNode {
        let value = try value()
        if case .bool(let isTrue) = literal, !TextOperator.begins(with: current.kind) {
            return .always(isTrue)
        }
        let sign = try TextOperator(from: &self, mayCompare: true)
        guard let mirrored = sign.mirrored else {
            throw source.error(
                .invalidText, "This operator needs the attribute on its left", at: sign.start,
                advice: "Write the attribute first and the value last.")
        }
        let column = try column(
            advice: "Compare the value with an attribute; attribute names have no quotes.")
        try check(mirrored, suits: column)
        return try node(column, mirrored, value)
    }

    /// Both ends of a range, as `{a, b}` or `a AND b`.
    private mutating func range(of column: Int) throws(DataStoreError) -> FilterNode {
        try check(TextOperator(.comparison(.greaterOrEqual), start: current.start), suits: column)
        try advance()
        let start = current.start
        var ends: [TextValue]
        if current.kind == .symbol("{") || current.kind == .symbol("(") {
            ends = try list()
        } else {
            ends = [try value()]
            guard try skip(.keyword(.and)) else {
                throw invalid(
                    "AND is expected after BETWEEN", advice: "Write BETWEEN 1 AND 5 or BETWEEN {1, 5}.")
            }
            ends.append(try value())
        }
        guard ends.count == 2 else {
            throw source.error(
                .invalidText, "BETWEEN needs two values and gets \(ends.count)", at: start,
                advice: "Write BETWEEN {1, 5}, or IN for a list.")
        }
        let constants = try constants(of: ends, for: column)
        return .all([
            .compare(column: column, .greaterOrEqual, constants[0]),
            .compare(column: column, .lessOrEqual, constants[1]),
        ])
    }
}

extension TokenCursor {
    private mutating func list() throws(DataStoreError) -> [TextValue] {
        let opening = current.kind
        guard opening == .symbol("{") || opening == .symbol("(") else {
            throw invalid("A list of values is expected", advice: "Write the values in braces: {1, 2, 3}.")
        }
        let closing: Unicode.Scalar = opening == .symbol("{") ? "}" : ")"
        try advance()
        if try skip(.symbol(closing)) { return [] }
        var values: [TextValue] = []
        repeat { values.append(try value()) } while try skip(.symbol(","))
        guard try skip(.symbol(closing)) else {
            throw invalid("A comma or \(closing) is expected", advice: "End the list with \(closing).")
        }
        return values
    }

    private mutating func value() throws(DataStoreError) -> TextValue {
        guard let literal else { throw valueMissing }
        let value = TextValue(literal: literal, start: current.start)
        try advance()
        return value
    }

    private var valueMissing: DataStoreError {
        var advice = "Write a number, true, false, nil, or anything else in quotes."
        if case .name(let name) = current.kind {
            advice =
                source.entity.column(named: name) == nil
                ? "Put text in quotes: \"\(name.prefix(60))\"."
                : "Compare an attribute with a value; two attributes cannot be compared."
        }
        return invalid("A value is expected", advice: advice)
    }
}

extension TokenCursor {
    /// Refuses operators the attribute has no meaning for, before their value is read.
    private func check(_ sign: TextOperator, suits column: Int) throws(DataStoreError) {
        let attribute = source.entity.attributes[column]
        let problem: String
        switch sign.kind {
        case .test where attribute.type.storage != .text: problem = "has no text to look into"
        case .comparison(let comparison) where !attribute.type.isOrdered && comparison.isOrder:
            problem = "has no order"
        case .test, .comparison: return
        }
        throw source.error(
            .wrongType, "\(attribute.name), of type \(attribute.type.rawValue), \(problem), as is asked for",
            at: sign.start,
            advice: attribute.type == .json
                ? "Compare it with nil, or store the value to compare in an attribute of its own."
                : "Compare it by ==, !=, <, <=, >, >=, IN or BETWEEN.",
            attribute: attribute.name)
    }

    private func node(
        _ column: Int, _ sign: TextOperator, _ value: TextValue
    ) throws(DataStoreError) -> FilterNode {
        switch sign.kind {
        case .comparison(let comparison):
            return .compare(column: column, comparison, try constant(of: value, for: column))
        case .test(let kind, let ignoresCase):
            guard case .text(let text) = value.literal else { throw wrongType(value, for: column) }
            let node = FilterNode.text(column: column, TextTest(kind, text, ignoresCase: ignoresCase))
            return sign.isNegated ? .not(node) : node
        }
    }

    private func constants(of values: [TextValue], for column: Int) throws(DataStoreError) -> [Constant] {
        var constants: [Constant] = []
        for value in values { constants.append(try constant(of: value, for: column)) }
        return constants
    }

    private func constant(of value: TextValue, for column: Int) throws(DataStoreError) -> Constant {
        let attribute = source.entity.attributes[column]
        do throws(DataStoreError) {
            if let constant = try value.literal.constant(of: attribute.type) { return constant }
        } catch {
            throw source.error(
                error.code, "\(error.message) It stands", at: value.start, advice: error.advice,
                attribute: attribute.name)
        }
        throw wrongType(value, for: column)
    }

    private func wrongType(_ value: TextValue, for column: Int) -> DataStoreError {
        let attribute = source.entity.attributes[column]
        return source.error(
            .wrongType,
            "\(attribute.name), of type \(attribute.type.rawValue), cannot be compared with the value",
            at: value.start, advice: "Write \(attribute.type.textForm).", attribute: attribute.name)
    }
}

/// A value and its place.
private struct TextValue {
    let literal: TextLiteral
    let start: String.Index
}
