import LarderKernel

/// A value of a comparison as it is written, before the types of its numbers are known.
private indirect enum TextOperand {
    case attribute(TextPath, TextAttribute)
    case literal(TextValue)
    case negative(TextOperand, depth: Int)
    case arithmetic(ArithmeticOperator, TextOperand, TextOperand, depth: Int)

    /// The nesting depth of its operators, as the depth of a ``ValueNode``: a parenthesis adds nothing.
    var depth: Int {
        switch self {
        case .attribute, .literal: 0
        case .negative(_, let depth), .arithmetic(_, _, _, let depth): depth
        }
    }

    /// True for a written value alone.
    var isLiteral: Bool { if case .literal = self { true } else { false } }
}

extension TokenCursor {
    /// True if the parenthesis that comes next is around a value, and not around a filter.
    var opensCalculation: Bool {
        var ahead = self
        var depth = 0
        repeat {
            switch ahead.current.kind {
            case .symbol("("): depth += 1
            case .symbol(")"): depth -= 1
            case .keyword(.infinity), .name, .literal, .argument, .symbol: break
            case .comparison, .keyword, .flag, .end: return false
            }
            guard (try? ahead.advance()) != nil else { return false }
        } while depth > 0
        if case .comparison = ahead.current.kind { return true }
        return ahead.current.kind.arithmetic != nil
    }

    /// True if what comes next is a value that is calculated.
    var beginsCalculation: Bool {
        switch current.kind {
        case .symbol("("), .symbol("-"): return true
        case .literal, .argument, .keyword: return literal != nil && followingIsArithmetic
        case .name:
            if quantifier != nil { return false }
            var ahead = self
            guard let path = try? ahead.path(advice: ""), case .attribute = path.end else { return false }
            return ahead.current.kind.arithmetic != nil
        case .comparison, .flag, .symbol, .end: return false
        }
    }

    private var followingIsArithmetic: Bool {
        var ahead = self
        return (try? ahead.advance()) != nil && ahead.current.kind.arithmetic != nil
    }

    /// True if the name of an attribute comes next.
    var beginsValue: Bool {
        guard case .name = current.kind, quantifier == nil else { return false }
        var ahead = self
        guard let path = try? ahead.path(advice: "") else { return false }
        if case .attribute = path.end { return true }
        return false
    }

    /// Takes a comparison that begins with a calculated value.
    mutating func calculation() throws(DataStoreError) -> FilterNode {
        let start = current.start
        let left = try sum(in: 0)
        guard case .comparison(let comparison) = current.kind else {
            throw invalid(
                "A comparison is expected", advice: "Compare what is calculated by ==, !=, <, <=, > or >=.")
        }
        try advance()
        return try calculation(left, comparison, start: start)
    }

    /// Takes the right side of a comparison of an attribute with a calculated value or an attribute.
    mutating func calculation(
        _ path: RelatedPath, _ attribute: TextAttribute, _ comparison: Comparison
    ) throws(DataStoreError) -> FilterNode {
        guard !path.isQuantified else {
            throw invalid(
                "After ANY, ALL and NONE an attribute is compared with a value only",
                advice: "Put the comparison in parentheses: ANY parts (size > width).")
        }
        return try calculation(.attribute(path.path, attribute), comparison, start: path.path.start)
    }

    /// Takes the right side of a comparison of a written value with a calculated one.
    mutating func calculation(
        after value: TextValue, _ comparison: Comparison
    ) throws(DataStoreError) -> FilterNode {
        try calculation(.literal(value), comparison, start: value.start)
    }

    private mutating func calculation(
        _ left: TextOperand, _ comparison: Comparison, start: String.Index
    ) throws(DataStoreError) -> FilterNode {
        let right = try sum(in: 0)
        let (leftType, rightType) = (type(of: left), type(of: right))
        let first = try side(left, beside: right, expecting: rightType)
        let second = try side(right, beside: left, expecting: leftType)
        if let mixed = attribute(left, unsuitedTo: second, comparison)
            ?? attribute(right, unsuitedTo: first, comparison)
        {
            throw source.error(
                .wrongType,
                "\(mixed.schema.propertyName), of type \(mixed.schema.type.rawValue), cannot be compared with the value",
                at: start, advice: "Write \(mixed.schema.type.textForm).", of: mixed.entity,
                attribute: mixed.schema.propertyName)
        }
        let node = FilterNode.comparing(first, comparison, second)
        do {
            try node.checkValues(of: scope, in: source.schema)
        } catch {
            throw source.error(.wrongType, "\(error.message) It stands", at: start, advice: error.advice)
        }
        return node
    }
}

extension TokenCursor {
    /// The attribute on one side, if the other is a constant of another type, or if its type lacks the order asked for.
    private func attribute(
        _ side: TextOperand, unsuitedTo other: ValueNode, _ comparison: Comparison
    ) -> TextAttribute? {
        guard case .attribute(_, let attribute) = side, case .constant(_, let type) = other,
            type != attribute.schema.type.calculated
                || comparison.isOrder && !attribute.schema.type.isOrdered
        else { return nil }
        return attribute
    }
}

// MARK: Reading

// Parentheses are counted too, as the recursion goes one level deeper with each: those without an operator add nothing
// to the depth.
extension TokenCursor {
    private mutating func sum(in parentheses: Int) throws(DataStoreError) -> TextOperand {
        var operand = try product(in: parentheses)
        while let sign = current.kind.arithmetic, sign == .plus || sign == .minus {
            let start = current.start
            try advance()
            let right = try product(in: parentheses)
            operand = try arithmetic(sign, operand, right, at: start)
        }
        return operand
    }

    private mutating func product(in parentheses: Int) throws(DataStoreError) -> TextOperand {
        var operand = try factor(in: parentheses)
        while let sign = current.kind.arithmetic, sign != .plus, sign != .minus {
            let start = current.start
            try advance()
            let right = try factor(in: parentheses)
            operand = try arithmetic(sign, operand, right, at: start)
        }
        return operand
    }

    private mutating func factor(in parentheses: Int) throws(DataStoreError) -> TextOperand {
        let start = current.start
        try check(depth: parentheses, at: start)
        var signs = 0
        while try skip(.symbol("-")) {
            signs += 1
            try check(depth: signs, at: current.start)
        }
        var operand: TextOperand
        if try skip(.symbol("(")) {
            operand = try sum(in: parentheses + 1)
            guard try skip(.symbol(")")) else {
                throw invalid("A ) is expected", advice: "Close the parenthesis of the calculation.")
            }
        } else {
            operand = try attributeOrNumber()
        }
        for _ in 0..<signs { operand = .negative(operand, depth: operand.depth + 1) }
        try check(depth: operand.depth, at: start)
        return operand
    }

    private mutating func attributeOrNumber() throws(DataStoreError) -> TextOperand {
        guard case .name = current.kind else { return .literal(try value()) }
        let path = try path(advice: "Calculate with attributes and numbers.")
        guard case .attribute(let attribute) = path.end else {
            throw source.error(
                .wrongType, "@count cannot be calculated with, as is asked for", at: path.start,
                advice: "Compare it with a whole number.")
        }
        return .attribute(path, attribute)
    }

    private func arithmetic(
        _ sign: ArithmeticOperator, _ left: TextOperand, _ right: TextOperand, at start: String.Index
    ) throws(DataStoreError) -> TextOperand {
        let depth = max(left.depth, right.depth) + 1
        try check(depth: depth, at: start)
        return .arithmetic(sign, left, right, depth: depth)
    }

    private func check(depth: Int, at start: String.Index) throws(DataStoreError) {
        guard depth > FilterNode.maximumDepth else { return }
        throw source.error(
            .invalidText, "The calculation nests more than \(FilterNode.maximumDepth) levels deep", at: start,
            advice: "Leave out the parentheses that are not needed.")
    }
}

// MARK: Types

extension TokenCursor {
    /// The type that the attributes of a value give its numbers; nil if it has no attributes.
    private func type(of operand: TextOperand) -> AttributeType? {
        switch operand {
        case .attribute(_, let attribute): return attribute.schema.type.calculated
        case .literal: return nil
        case .negative(let inner, _): return type(of: inner)
        case .arithmetic(_, let left, let right, _):
            // Each side is asked once: asked twice, a long sum would take twice the time for each term.
            let (first, second) = (type(of: left), type(of: right))
            guard let first, let second else { return first ?? second }
            switch ValueKind(first).calculated(with: ValueKind(second)) {
            case .integer: return .int64
            case .unsigned: return .uint64
            case .float: return .float
            case .real: return .double
            case .decimal: return .decimal
            case .bool, .date, .text, .uuid, .data, .itemID, .json, nil: return first
            }
        }
    }

    /// One side of a comparison, which may be nil as a whole if the other one is not a written value too.
    private func side(
        _ operand: TextOperand, beside other: TextOperand, expecting expected: AttributeType?
    ) throws(DataStoreError) -> ValueNode {
        if case .literal(let value) = operand, case .null = value.literal, !other.isLiteral {
            return .constant(.null, expected ?? .int64)
        }
        return try node(operand, expecting: expected)
    }

    private func node(
        _ operand: TextOperand, expecting expected: AttributeType?
    ) throws(DataStoreError) -> ValueNode {
        switch operand {
        case .attribute(let path, let attribute):
            return .attribute(
                AttributePlace(path.relationships.map(\.reference), column: attribute.column))
        case .literal(let value): return try constant(value, expecting: expected)
        case .negative(let inner, _): return .negative(try node(inner, expecting: expected))
        case .arithmetic(let sign, let left, let right, _):
            let (first, second) = (type(of: left), type(of: right))
            return .arithmetic(
                sign, try node(left, expecting: second ?? expected),
                try node(right, expecting: first ?? expected))
        }
    }

    /// A written value in the type of what it is beside; a number that does not fit it in one that it fits.
    private func constant(
        _ value: TextValue, expecting expected: AttributeType?
    ) throws(DataStoreError) -> ValueNode {
        for type in [expected, .int64, .uint64, .double].compactMap({ $0 }) {
            do throws(DataStoreError) {
                if let constant = try value.literal.constant(of: type), !constant.isNull {
                    return .constant(constant, type)
                }
            } catch {
                throw source.error(
                    error.code, "\(error.message) It stands", at: value.start, advice: error.advice)
            }
            guard case .number = value.literal, ValueKind(type).isNumber else { break }
        }
        let form = expected?.textForm ?? "a number"
        throw source.error(
            .wrongType, "The value cannot be calculated with or compared so, which stands", at: value.start,
            advice: "Write \(form).")
    }
}
