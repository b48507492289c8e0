import Foundation
import LarderKernel

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateTranslation {
    /// The filter of a test of text, for each value that the text may have.
    fileprivate mutating func text(
        _ term: PredicateTerm, _ kind: TextTest.Kind, _ needle: String, _ expression: any PredicateExpression
    ) throws(DataStoreError) -> FilterNode {
        switch term {
        case .attribute(let item, let column):
            let test = TextTest(kind, needle, ignoresCase: false)
            return .through(item.path, .text(column: column, test))
        case .choice(let test, let first, let second):
            let first = try text(first, kind, needle, expression)
            return try choosing(
                by: test, first, try text(second, kind, needle, expression), expression)
        case .captured(let value as String):
            let test = TextTest(kind, needle, ignoresCase: false)
            var value = value
            return .always(value.withUTF8 { test.matches(UnsafeRawBufferPointer($0)) })
        case .null: return .always(false)
        case .item, .window, .many, .count, .calculation, .truth, .range, .captured:
            throw refused(expression, "it is not a text that is stored")
        }
    }

    fileprivate mutating func text(
        _ base: some PredicateExpression, _ kind: TextTest.Kind, _ other: some PredicateExpression,
        _ expression: any PredicateExpression
    ) throws(DataStoreError) -> PredicateTerm {
        let base = try term(base)
        switch try term(other) {
        case .captured(let needle as String): return .truth(try text(base, kind, needle, expression))
        case .captured(let needle as Character):
            return .truth(try text(base, kind, String(needle), expression))
        // As Swift: a captured nil gives nil.
        case .null: return .null
        case .captured, .item, .attribute, .window, .many, .count, .calculation, .truth, .choice, .range:
            throw refused(expression, "only a captured text can be looked for")
        }
    }

    /// The elements of a captured sequence.
    fileprivate func elements(of term: PredicateTerm) -> [Any]? {
        guard case .captured(let value) = term else { return nil }
        return (value as? any Sequence)?.anyElements
    }
}

extension Sequence {
    fileprivate var anyElements: [Any] { map { $0 as Any } }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        if let captured = translation.captured(self) { return captured }
        return try translation.text(base, .contains, other, self)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        if let captured = translation.captured(self) { return captured }
        return try translation.text(base, .hasPrefix, prefix, self)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceContains: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        if let captured = translation.captured(self) { return captured }
        if LHS.Output.self == String.self {
            return try translation.text(sequence, .contains, element, self)
        }
        let list = try translation.term(sequence)
        if case .null = list { return .null }
        let element = try translation.term(element)
        guard let elements = translation.elements(of: list) else {
            throw translation.refused(self, "the list is not a captured one")
        }
        return .truth(try contains(elements.map { PredicateTerm(captured: $0) }, element, &translation))
    }

    private func contains(
        _ elements: [PredicateTerm], _ element: PredicateTerm, _ translation: inout PredicateTranslation
    ) throws(DataStoreError) -> FilterNode {
        switch element {
        case .attribute(let item, let column):
            try translation.check(item, column, self)
            var constants: [Constant] = []
            for element in elements {
                if case .null = element {
                    constants.append(.null)
                } else if case .constant(let constant, _) = try translation.value(element, self) {
                    constants.append(constant)
                } else {
                    throw translation.refused(self, "the list has a value that cannot be stored")
                }
            }
            return .through(item.path, .isIn(column: column, constants))
        case .choice(let test, let first, let second):
            let first = try contains(elements, first, &translation)
            let second = try contains(elements, second, &translation)
            return try translation.choosing(by: test, first, second, self)
        case .item, .window, .many, .count, .calculation, .truth, .range, .captured, .null:
            var parts: [FilterNode] = []
            for other in elements {
                parts.append(try translation.comparing(element, .equal, other, self))
            }
            return .any(parts)
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateTranslation {
    /// A test of the items of a relationship, or of the values of a captured list.
    fileprivate mutating func quantified<Element>(
        _ sequence: some PredicateExpression, _ variable: PredicateExpressions.Variable<Element>,
        _ test: some PredicateExpression, isAny: Bool, _ expression: any PredicateExpression
    ) throws(DataStoreError) -> PredicateTerm {
        let list = try term(sequence)
        if case .null = list { return .null }
        if case .many(let item, let number, let target, let filter) = list {
            let inner = try entering(target, as: variable) { translation throws(DataStoreError) in
                try translation.filter(test)
            }
            let condition = filter.map { isAny ? $0 && inner : .not($0) || inner } ?? inner
            return .truth(.through(item.path, .related(.number(number), isAny ? .any : .all, condition)))
        }
        guard let elements = elements(of: list) else {
            throw refused(expression, "the list is neither a relationship nor a captured one")
        }
        var parts: [FilterNode] = []
        for element in elements {
            try grow(by: 1, for: expression)
            parts.append(
                try binding(variable, to: PredicateTerm(captured: element)) {
                    translation throws(DataStoreError) in
                    try translation.filter(test)
                })
        }
        return .truth(isAny ? .any(parts) : .all(parts))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        try translation.quantified(sequence, variable, test, isAny: true, self)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        try translation.quantified(sequence, variable, test, isAny: false, self)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Filter: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        if let captured = translation.captured(self) { return captured }
        let list = try translation.term(sequence)
        if case .null = list { return .null }
        guard case .many(let item, let number, let target, let earlier) = list else {
            throw translation.refused(self, "the list is not a relationship")
        }
        let inner = try translation.entering(target, as: variable) { translation throws(DataStoreError) in
            try translation.filter(filter)
        }
        return .many(item, number: number, target: target, earlier.map { $0 && inner } ?? inner)
    }
}

// MARK: Ranges

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Range: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        let first = try translation.term(lower)
        return .range(lower: first, upper: try translation.term(upper), includesUpper: false)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.ClosedRange: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        let first = try translation.term(lower)
        return .range(lower: first, upper: try translation.term(upper), includesUpper: true)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        var bounds = try translation.term(range)
        if case .null = bounds { return .null }
        if case .captured(let value) = bounds, let range = value as? any CapturedRange { bounds = range.term }
        let element = try translation.term(element)
        guard case .range(let lower, let upper, let includesUpper) = bounds else {
            throw translation.refused(self, "the range is not known")
        }
        try translation.checkOrder(of: Element.Output.self, self)
        var parts: [FilterNode] = []
        if let lower { parts.append(try translation.comparing(element, .greaterOrEqual, lower, self)) }
        if let upper {
            let comparison: Comparison = includesUpper ? .lessOrEqual : .less
            parts.append(try translation.comparing(element, comparison, upper, self))
        }
        return .truth(.all(parts))
    }
}
