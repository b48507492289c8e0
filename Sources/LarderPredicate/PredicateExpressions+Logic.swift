import Foundation
import LarderKernel

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Value: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        PredicateTerm(captured: value)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.NilLiteral: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        .null
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Variable: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        try translation.meaning(of: self)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Conjunction: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        let left = try translation.filter(lhs)
        return .truth(left && (try translation.filter(rhs)))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Disjunction: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        let left = try translation.filter(lhs)
        return .truth(left || (try translation.filter(rhs)))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Negation: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        .truth(.not(try translation.filter(wrapped)))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Conditional: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        if let captured = translation.captured(self) { return captured }
        let test = try translation.filter(test)
        if case .always(let isFirst) = test {
            return isFirst ? try translation.term(trueBranch) : try translation.term(falseBranch)
        }
        let first = try translation.term(trueBranch)
        return .choice(test, first, try translation.term(falseBranch))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Equal: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        let left = try translation.term(lhs)
        let right = try translation.term(rhs)
        let holds = { (left: LHS.Output, right: LHS.Output) in left == right }
        if let captured = translation.compared(left, right, by: holds) { return captured }
        return .truth(try translation.comparing(left, .equal, right, self))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.NotEqual: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        let left = try translation.term(lhs)
        let right = try translation.term(rhs)
        let holds = { (left: LHS.Output, right: LHS.Output) in left != right }
        if let captured = translation.compared(left, right, by: holds) { return captured }
        return .truth(try translation.comparing(left, .notEqual, right, self))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Comparison: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        let left = try translation.term(lhs)
        let right = try translation.term(rhs)
        guard let comparison else { throw translation.refused(self, "its operator is not known") }
        if let captured = translation.compared(left, right, by: holds) { return captured }
        try translation.checkOrder(of: LHS.Output.self, self)
        return .truth(try translation.comparing(left, comparison, right, self))
    }

    private func holds(_ left: LHS.Output, _ right: LHS.Output) -> Bool {
        switch op {
        case .lessThan: left < right
        case .lessThanOrEqual: left <= right
        case .greaterThan: left > right
        case .greaterThanOrEqual: left >= right
        @unknown default: false
        }
    }

    var comparison: Comparison? {
        switch op {
        case .lessThan: .less
        case .lessThanOrEqual: .lessOrEqual
        case .greaterThan: .greater
        case .greaterThanOrEqual: .greaterOrEqual
        @unknown default: nil
        }
    }
}

// MARK: Optionals

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        if let captured = translation.captured(self) { return captured }
        return try mapping(try translation.term(wrapped), &translation)
    }

    private func mapping(
        _ inner: PredicateTerm, _ translation: inout PredicateTranslation
    ) throws(DataStoreError) -> PredicateTerm {
        // Each on its own: after an optional chain, one is nil and the other may be the items of a relationship.
        if case .choice(let test, let first, let second) = inner {
            try translation.grow(by: 1, for: self)
            let first = try mapping(first, &translation)
            return .choice(test, first, try mapping(second, &translation))
        }
        if case .null = inner { return .null }
        let mapped = try translation.binding(variable, to: inner) { translation throws(DataStoreError) in
            try translation.term(transform)
        }
        if mapped.isNilAfter(inner) { return mapped }
        if case .many = inner { return mapped }
        return .choice(try translation.isNil(inner, self), .null, mapped)
    }
}

extension PredicateTerm {
    /// True if it is nil wherever the item is nil that it was reached through.
    fileprivate func isNilAfter(_ other: PredicateTerm) -> Bool {
        switch (other, self) {
        case (.item(let first), .item(let last)), (.item(let first), .attribute(let last, _)):
            first.scope == last.scope && last.path.starts(with: first.path)
        case (.attribute(let first, let column), .item(let last)):
            first.scope == last.scope && last.path.starts(with: first.path + [.column(column)])
        case (.attribute(let first, let column), .attribute(let last, let other)):
            first.scope == last.scope && first.path == last.path && column == other
        case (_, _): false
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.NilCoalesce: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        if let captured = translation.captured(self) { return captured }
        let left = try translation.term(lhs)
        if case .many = left { return left }
        let isNil = try translation.isNil(left, self)
        if case .always(let isRight) = isNil { return isRight ? try translation.term(rhs) : left.withoutNil }
        return .choice(isNil, try translation.term(rhs), left.withoutNil)
    }
}

extension PredicateTerm {
    /// The same term if it is known not to be nil.
    fileprivate var withoutNil: PredicateTerm {
        if case .choice(_, .null, let other) = self { other.withoutNil } else { self }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm {
        try translation.term(inner)
    }
}
