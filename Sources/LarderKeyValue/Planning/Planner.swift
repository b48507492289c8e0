import Larder

/// Chooses how a plan is run.
///
/// 1. Conditions that must all hold are taken apart, and those that fix the values of a column are noted.
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
    private let fixes: [Fix]

    /// A condition that names the values of a column.
    private struct Fix {
        let column: Int
        /// The number of the condition.
        let condition: Int
        let valueCount: Int
    }

    /// How far the conditions fix the leading columns of an index.
    private struct Match {
        let index: IndexTable
        let columnCount: Int
        let isWholeUnique: Bool

        func isBetter(than other: Match) -> Bool {
            isWholeUnique == other.isWholeUnique ? columnCount > other.columnCount : isWholeUnique
        }
    }

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
        var fixes: [Fix] = []
        for position in conditions.indices {
            switch conditions[position] {
            case .compare(let column, .equal, _), .isNull(let column):
                fixes.append(Fix(column: column, condition: position, valueCount: 1))
            case .isIn(let column, let values, negated: false):
                fixes.append(Fix(column: column, condition: position, valueCount: values.count))
            case .always, .compare, .isIn, .isNotNull, .text, .all, .any: break
            }
        }
        self.fixes = fixes
    }

    func accessPlan() -> AccessPlan {
        if plan.limit == 0 || conditions.contains(.always(false)) {
            return AccessPlan(path: .nothing, residual: .always(true), isOrdered: true)
        }
        if let fix = fix(of: 0) {
            return access(by: .identifiers(values(of: fix)), using: [fix.condition])
        }
        if let match = bestMatch() { return access(by: match) }
        return byIdentifierRange() ?? access(by: .scan, using: [])
    }

    private func fix(of column: Int) -> Fix? {
        for fix in fixes where fix.column == column { return fix }
        return nil
    }

    private func bestMatch() -> Match? {
        var best: Match?
        if fixes.isEmpty { return nil }
        for index in entity.indexes {
            guard let match = match(index) else { continue }
            if let other = best, !match.isBetter(than: other) { continue }
            best = match
        }
        return best
    }

    /// Takes leading columns of an index as long as conditions fix their values.
    private func match(_ index: IndexTable) -> Match? {
        var columnCount = 0
        var combinations = 1
        for part in index.form.parts {
            guard let fix = fix(of: part.column) else { break }
            combinations *= fix.valueCount
            guard columnCount == 0 || combinations <= Self.maximumCombinations else { break }
            columnCount += 1
        }
        if columnCount == 0 { return nil }
        let isWhole = columnCount == index.schema.columns.count
        return Match(
            index: index, columnCount: columnCount, isWholeUnique: isWhole && index.schema.isUnique)
    }

    private func access(by match: Match) -> AccessPlan {
        var columns: [[Constant]] = []
        var used: [Int] = []
        for part in match.index.form.parts.prefix(match.columnCount) {
            guard let fix = fix(of: part.column) else { break }
            let values = values(of: fix)
            // What is cut in the keys has to be compared in the rows.
            if values.allSatisfy(part.keepsWhole) { used.append(fix.condition) }
            columns.append(values)
        }
        return access(by: .index(match.index, columns), using: used)
    }

    private func values(of fix: Fix) -> [Constant] {
        switch conditions[fix.condition] {
        case .compare(_, _, let value): [value]
        case .isIn(_, let values, _): values
        case .isNull: [.null]
        case .always, .isNotNull, .text, .all, .any: []
        }
    }

    private func byIdentifierRange() -> AccessPlan? {
        var range = IdentifierRange()
        var used: [Int] = []
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
            used.append(position)
        }
        return used.isEmpty ? nil : access(by: .identifierRange(range), using: used)
    }

    private func access(by path: AccessPath, using used: [Int]) -> AccessPlan {
        var rest: [Predicate] = []
        if used.count < conditions.count {
            for (position, condition) in conditions.enumerated() where !used.contains(position) {
                rest.append(condition)
            }
        }
        let residual: Predicate = rest.count == 1 ? rest[0] : (rest.isEmpty ? .always(true) : .all(rest))
        return AccessPlan(path: path, residual: residual, isOrdered: isOrdered(path))
    }

    private func isOrdered(_ path: AccessPath) -> Bool {
        switch path {
        case .nothing: true
        case .identifiers, .identifierRange, .scan: plan.order[0].column == 0
        // The entries of one list of values that fixes all columns stand in the order of identifiers.
        case .index(let index, let columns):
            plan.order[0].column == 0 && plan.order[0].isAscending
                && columns.count == index.form.parts.count && columns.allSatisfy { $0.count == 1 }
        }
    }
}
