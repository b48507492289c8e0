import LarderKernel
import LarderPattern

extension TokenCursor {
    /// Takes a test of one attribute: `name operator value`, `value operator name`, `name IN {…}`,
    /// `name BETWEEN {…}`; or what is the same for all items.
    mutating func comparison() throws(DataStoreError) -> FilterNode {
        if try skip(.keyword(.truePredicate)) { return .always(true) }
        if try skip(.keyword(.falsePredicate)) { return .always(false) }
        if beginsCalculation { return try calculation() }
        if let literal { return try comparison(beginningWith: literal) }
        let path = try relatedPath(
            advice: "Begin a comparison with an attribute, in backticks if its name is a keyword.")
        guard case .attribute(let attribute) = path.path.end else { return path.node(try count(path.path)) }
        let isNegated = try skip(.keyword(.not))
        switch current.kind {
        case .keyword(.in):
            try advance()
            let constants = try constants(of: try listOrArgument(), for: attribute)
            return path.node(.isIn(column: attribute.column, constants), isNegated: isNegated)
        case .keyword(.between): return path.node(try range(of: attribute), isNegated: isNegated)
        case .name, .keyword, .comparison, .literal, .argument, .flag, .symbol, .end:
            let sign = try TextOperator(from: &self, mayCompare: !isNegated)
            try check(sign, suits: attribute)
            if case .comparison(let comparison) = sign.kind, beginsValue || beginsCalculation {
                return try calculation(path, attribute, comparison)
            }
            let test = try test(attribute, sign, try value())
            return path.node(test, isNegated: isNegated || sign.isNegated)
        }
    }

    /// Takes what follows the count of a relationship: an operator and a number.
    private mutating func count(_ path: TextPath) throws(DataStoreError) -> FilterNode {
        guard case .count(let relationship) = path.end else { return .always(true) }
        guard case .comparison(let comparison) = current.kind else {
            throw invalid(
                "A comparison is expected", advice: "Write \(relationship.propertyName).@count > 3.")
        }
        try advance()
        let value = try value()
        guard case .number(let number) = value.literal, let count = number.exactly(Int.self) else {
            throw source.error(
                .wrongType, "@count is a whole number and cannot be compared with the value", at: value.start,
                advice: "Write a whole number.", attribute: relationship.propertyName)
        }
        return .relatedCount(relationship.reference, comparison, count)
    }

    private mutating func comparison(
        beginningWith literal: TextLiteral
    ) throws(DataStoreError) -> FilterNode {
        let value = try value()
        if case .bool(let isTrue) = literal, !TextOperator.begins(with: current.kind) {
            return .always(isTrue)
        }
        let sign = try TextOperator(from: &self, mayCompare: true)
        if case .comparison(let comparison) = sign.kind, beginsCalculation {
            return try calculation(after: value, comparison)
        }
        guard let mirrored = sign.mirrored else {
            throw source.error(
                .invalidText, "This operator needs the attribute on its left", at: sign.start,
                advice: "Write the attribute first and the value last.")
        }
        let path = try relatedPath(
            advice: "Compare the value with an attribute; attribute names have no quotes.")
        guard case .attribute(let attribute) = path.path.end else {
            throw source.error(
                .invalidText, "@count needs the number on its right, which is on its left", at: sign.start,
                advice: "Write the count first and the number last.")
        }
        try check(mirrored, suits: attribute)
        return path.node(try test(attribute, mirrored, value), isNegated: mirrored.isNegated)
    }

    /// Both ends of a range, as `{a, b}` or `a AND b`.
    private mutating func range(of attribute: TextAttribute) throws(DataStoreError) -> FilterNode {
        try check(TextOperator(.comparison(.greaterOrEqual), start: current.start), suits: attribute)
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
        let constants = try constants(of: ends, for: attribute)
        let column = attribute.column
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

    private mutating func listOrArgument() throws(DataStoreError) -> [TextValue] {
        guard let literals = argumentList else { return try list() }
        let values = literals.map { TextValue(literal: $0, start: current.start) }
        try advance()
        return values
    }

    mutating func value() throws(DataStoreError) -> TextValue {
        guard let literal else { throw valueMissing }
        let value = TextValue(literal: literal, start: current.start)
        try advance()
        return value
    }

    private var valueMissing: DataStoreError {
        var advice = "Write a number, true, false, nil, or anything else in quotes."
        if case .name(let name) = current.kind {
            advice =
                entity.column(ofProperty: name) == nil
                ? "Put text in quotes: \"\(name.prefix(60))\"."
                : "Two attributes can be compared by ==, !=, <, <=, > and >= only."
        }
        if argumentList != nil { advice = "A list is an argument for IN only." }
        return invalid("A value is expected", advice: advice)
    }
}

extension TokenCursor {
    /// Refuses operators the attribute has no meaning for, before their value is read.
    private func check(_ sign: TextOperator, suits place: TextAttribute) throws(DataStoreError) {
        let attribute = place.schema
        let problem: String
        switch sign.kind {
        case .test where attribute.type.storage != .text, .pattern where attribute.type.storage != .text:
            problem = "has no text to look into"
        case .comparison(let comparison) where !attribute.type.isOrdered && comparison.isOrder:
            problem = "has no order"
        case .test, .pattern, .comparison: return
        }
        throw source.error(
            .wrongType,
            "\(attribute.propertyName), of type \(attribute.type.rawValue), \(problem), as is asked for",
            at: sign.start,
            advice: attribute.type == .json
                ? "Compare it with nil, or store the value to compare in an attribute of its own."
                : "Compare it by ==, !=, <, <=, >, >=, IN or BETWEEN.",
            of: place.entity, attribute: attribute.propertyName)
    }

    /// The test of an attribute, without the negation of its operator.
    private func test(
        _ attribute: TextAttribute, _ sign: TextOperator, _ value: TextValue
    ) throws(DataStoreError) -> FilterNode {
        switch sign.kind {
        case .comparison(let comparison):
            return .compare(column: attribute.column, comparison, try constant(of: value, for: attribute))
        case .test(let kind, let matching):
            guard case .text(let text) = value.literal else { throw wrongType(value, for: attribute) }
            return .text(column: attribute.column, TextTest(kind, text, matching))
        case .pattern(let syntax, let matching):
            guard case .text(let text) = value.literal else { throw wrongType(value, for: attribute) }
            let node = FilterNode.pattern(attribute.column, syntax, text, matching)
            guard case .mistake(let mistake) = node else { return node }
            throw source.error(
                .invalidText, "\(mistake.message) It stands", at: value.start,
                advice: "Correct the pattern; put a backslash before a sign that stands for itself.",
                of: attribute.entity, attribute: attribute.schema.propertyName)
        }
    }

    private func constants(
        of values: [TextValue], for attribute: TextAttribute
    ) throws(DataStoreError) -> [Constant] {
        var constants: [Constant] = []
        for value in values { constants.append(try constant(of: value, for: attribute)) }
        return constants
    }

    func constant(
        of value: TextValue, for place: TextAttribute
    ) throws(DataStoreError) -> Constant {
        let attribute = place.schema
        do throws(DataStoreError) {
            if let constant = try value.literal.constant(of: attribute.type) { return constant }
        } catch {
            throw source.error(
                error.code, "\(error.message) It stands", at: value.start, advice: error.advice,
                of: place.entity, attribute: attribute.propertyName)
        }
        throw wrongType(value, for: place)
    }

    private func wrongType(_ value: TextValue, for place: TextAttribute) -> DataStoreError {
        let attribute = place.schema
        return source.error(
            .wrongType,
            "\(attribute.propertyName), of type \(attribute.type.rawValue), cannot be compared with the value",
            at: value.start, advice: "Write \(attribute.type.textForm).", of: place.entity,
            attribute: attribute.propertyName)
    }
}

/// A value and its place.
struct TextValue {
    let literal: TextLiteral
    let start: String.Index
}
