import Larder

/// Chooses how a plan is run.
///
/// 1. Conditions that must all hold are taken apart.
/// 2. One that fixes the identifier wins, then the index most of whose leading columns are fixed, then a range
///    of identifiers, then the scan.
/// 3. What the path does not guarantee stays as the residual predicate.
///
/// The choice by ranges, by order and by union of indexes belongs here.
struct Planner {
    private let plan: RequestPlan
    private let entity: EntityTable
    /// The conditions that must all hold.
    private let conditions: [Predicate]

    /// How many lists of values an index is asked for at most, beyond those of its first column.
    private static let maximumCombinations = 1000

    init(_ plan: RequestPlan, over entity: EntityTable) {
        self.plan = plan
        self.entity = entity
        switch plan.predicate {
        case .all(let parts): conditions = parts
        case .always(true): conditions = []
        default: conditions = [plan.predicate]
        }
    }

    func accessPlan() -> AccessPlan {
        if conditions.contains(.always(false)) || plan.limit == 0 { return access(by: .nothing, using: []) }
        return byIdentifier() ?? byIndex() ?? byIdentifierRange() ?? access(by: .scan, using: [])
    }

    private func byIdentifier() -> AccessPlan? {
        for (position, condition) in conditions.enumerated() {
            guard let values = fixedValues(of: 0, in: condition) else { continue }
            return access(by: .identifiers(values), using: [position])
        }
        return nil
    }

    private func byIdentifierRange() -> AccessPlan? {
        var range = IdentifierRange()
        var used: Set<Int> = []
        for (position, condition) in conditions.enumerated() {
            guard case .compare(column: 0, let comparison, let value) = condition else { continue }
            switch comparison {
            case .greater, .greaterOrEqual:
                guard range.lower == nil else { continue }
                range.lower = IdentifierRange.Bound(value: value, isIncluded: comparison == .greaterOrEqual)
            case .less, .lessOrEqual:
                guard range.upper == nil else { continue }
                range.upper = IdentifierRange.Bound(value: value, isIncluded: comparison == .lessOrEqual)
            case .equal, .notEqual: continue
            }
            used.insert(position)
        }
        return used.isEmpty ? nil : access(by: .identifierRange(range), using: used)
    }

    private func byIndex() -> AccessPlan? {
        var best: IndexMatch?
        for index in entity.indexes {
            guard let match = match(index) else { continue }
            if best.map({ match.isBetter(than: $0) }) ?? true { best = match }
        }
        guard let best else { return nil }
        return access(by: .index(best.index, best.combinations), using: best.conditions)
    }

    /// Takes leading columns of an index as long as conditions fix their values.
    private func match(_ index: IndexTable) -> IndexMatch? {
        var match = IndexMatch(index: index)
        for part in index.form.parts {
            let found = conditions.enumerated().lazy.compactMap { position, condition in
                fixedValues(of: part.column, in: condition).map { (position, $0) }
            }.first
            guard let (position, values) = found else { break }
            let count = match.combinations.count * values.count
            guard match.columnCount == 0 || count <= Self.maximumCombinations else { break }
            match.combinations = match.combinations.flatMap { list in values.map { list + [$0] } }
            match.columnCount += 1
            // What is cut in the keys has to be compared in the rows.
            if values.allSatisfy(part.keepsWhole) { match.conditions.insert(position) }
        }
        return match.columnCount == 0 ? nil : match
    }

    /// The values a condition allows for a column, when it names them.
    private func fixedValues(of column: Int, in condition: Predicate) -> [Constant]? {
        switch condition {
        case .compare(column, .equal, let value): [value]
        case .isIn(column, let values, negated: false): values
        case .isNull(column): [.null]
        default: nil
        }
    }

    private func access(by path: AccessPath, using used: Set<Int>) -> AccessPlan {
        var rest: [Predicate] = []
        for (position, condition) in conditions.enumerated() where !used.contains(position) {
            rest.append(condition)
        }
        let residual: Predicate = rest.count == 1 ? rest[0] : (rest.isEmpty ? .always(true) : .all(rest))
        return AccessPlan(path: path, residual: residual, isOrdered: isOrdered(path))
    }

    private func isOrdered(_ path: AccessPath) -> Bool {
        switch path {
        case .nothing: true
        case .identifiers, .identifierRange, .scan: plan.order[0].column == 0
        // The entries of one list of values that fixes all columns stand in the order of identifiers.
        case .index(let index, let lists):
            plan.order[0].column == 0 && plan.order[0].isAscending && lists.count == 1
                && lists[0].count == index.form.parts.count
        }
    }
}

/// How far the conditions of a plan fix the leading columns of an index.
private struct IndexMatch {
    let index: IndexTable
    var columnCount = 0
    /// The lists of values to look for.
    var combinations: [[Constant]] = [[]]
    /// Which conditions are met by looking for them.
    var conditions: Set<Int> = []

    func isBetter(than other: IndexMatch) -> Bool {
        isWholeUnique == other.isWholeUnique ? columnCount > other.columnCount : isWholeUnique
    }

    private var isWholeUnique: Bool {
        index.schema.isUnique && columnCount == index.schema.columns.count
    }
}
