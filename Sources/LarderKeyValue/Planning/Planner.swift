import LarderKernel

/// Chooses the way in which requests of one shape are run, without their values.
///
/// 1. The conditions that must all hold are taken apart (``Conditions``): which fix the values of a column,
///    which give it ends.
/// 2. Identifiers win. Otherwise every index, a range of identifiers, every OR and the scan get an
///    ``AccessRank``; the greatest is taken.
/// 3. If the path does not guarantee a condition, it stays to be tested.
/// 4. Whether rows come in the wanted order, or what is sorted instead, is decided here and nowhere else.
struct Planner {
    private let entity: EntityTable
    private let conditions: Conditions
    /// The order the rows must come in, without columns that have one value only; empty if any will do.
    private let order: [RequestPlan.SortTerm]
    /// True if no row is wanted.
    private let isEmpty: Bool

    /// A path that is possible, before it is worked out.
    private struct Candidate {
        let rank: AccessRank
        let route: Route
    }

    private enum Route {
        case identifiers(Conditions.Fix)
        case identifierRange(ColumnSpan)
        case index(IndexTable, fixedColumns: Int, ColumnSpan?)
        case union([AccessPlan], condition: Int)
        case scan
    }

    /// The maximum number of value lists for an index, beyond the lists of its first column.
    private static let maximumCombinations = 1000
    /// The maximum number of alternatives that are looked up one by one; every row is compared with those
    /// before its own.
    private static let maximumBranches = 32

    /// - Parameter isCounting: True if rows are only counted, so that their order does not matter.
    init(_ plan: RequestPlan, over entity: EntityTable, isCounting: Bool) {
        self.entity = entity
        let conditions = Conditions(of: plan.predicate)
        self.conditions = conditions
        order = isCounting ? [] : plan.order.filter { !conditions.isConstant($0.column) }
        isEmpty = plan.limit == 0 || conditions.all.contains(.always(false))
    }

    /// For an alternative of an OR, whose rows may come in any order.
    private init(_ branch: RowPredicate, over entity: EntityTable) {
        self.entity = entity
        conditions = Conditions(of: branch)
        order = []
        isEmpty = false
    }

    func accessPlan() -> AccessPlan {
        if isEmpty {
            let rank = AccessRank(kind: .identifiers, isOrdered: true)
            return plan(.nothing, met: conditions.all.indices, rank)
        }
        if let fix = conditions.fix(of: 0) {
            let rank = AccessRank(kind: .identifiers, isOrdered: fix.valueCount == 1 || isById)
            return accessPlan(Candidate(rank: rank, route: .identifiers(fix)))
        }
        var best = Candidate(rank: AccessRank(kind: .scan, isOrdered: isById, isDirect: true), route: .scan)
        func consider(_ candidate: Candidate?) {
            if let candidate, best.rank < candidate.rank { best = candidate }
        }
        for index in entity.indexes { consider(candidate(by: index)) }
        consider(candidateByIdentifierRange())
        for position in conditions.all.indices { consider(candidateByUnion(at: position)) }
        return accessPlan(best)
    }

    /// True if the order of identifiers will do.
    private var isById: Bool { order.first.map { $0.column == 0 } ?? true }

    /// Takes leading columns of an index as long as conditions fix their values, then the ends of the next.
    private func candidate(by index: IndexTable) -> Candidate? {
        if conditions.all.isEmpty, order.isEmpty { return nil }
        let parts = index.form.parts
        let fixedColumns = conditions.hasNoFix ? 0 : fixedColumns(of: index)
        let span =
            fixedColumns < parts.count
            ? conditions.span(of: parts[fixedColumns].column) : spanOfIdentifier(behind: index)
        let isOrdered = isOrdered(by: index)
        let boundCount = span?.boundCount ?? 0
        // Without values and ends an index serves by its order, or by leaving out nil if that alone is
        // counted.
        let serves = order.isEmpty ? span != nil && conditions.all.count == 1 : isOrdered
        if fixedColumns == 0, boundCount == 0, !serves { return nil }
        let rank = AccessRank(
            kind: kind(of: index, fixedColumns) ?? AccessRank.Kind(boundCount: boundCount),
            fixedColumns: fixedColumns, boundCount: boundCount, isOrdered: isOrdered)
        return Candidate(rank: rank, route: .index(index, fixedColumns: fixedColumns, span))
    }

    /// The ends of the identifiers, which follow the columns in the keys of an index.
    ///
    /// Of texts only ends that are keys themselves are used.
    private func spanOfIdentifier(behind index: IndexTable) -> ColumnSpan? {
        guard index.form.isComplete, var span = conditions.span(of: 0), span.endCount > 0 else { return nil }
        (span.prefix, span.notNull) = (nil, nil)
        if entity.identifier == .text {
            span.keepsLowerEnd = span.lower?.isIncluded == false
            if span.upper?.isIncluded == true { span.upper = nil }
        }
        return span.endCount > 0 ? span : nil
    }

    private func fixedColumns(of index: IndexTable) -> Int {
        var count = 0
        var combinations = 1
        for part in index.form.parts {
            guard let fix = conditions.fix(of: part.column) else { break }
            combinations *= fix.valueCount
            guard count == 0 || combinations <= Self.maximumCombinations else { break }
            count += 1
        }
        return count
    }

    /// The rank that the values of leading columns give; nil if none is fixed.
    private func kind(of index: IndexTable, _ fixedColumns: Int) -> AccessRank.Kind? {
        guard fixedColumns > 0, let first = conditions.fix(of: index.form.parts[0].column) else { return nil }
        if first.valueCount > 1 { return .list }
        guard index.schema.isUnique, fixedColumns == index.schema.columns.count else { return .equality }
        let isOneRow = index.form.parts.allSatisfy { part in
            conditions.fix(of: part.column).map { $0.valueCount == 1 && !$0.isNull } ?? false
        }
        return isOneRow ? .unique : .equality
    }

    /// True if the entries of an index are in the wanted order, read forwards or backwards.
    private func isOrdered(by index: IndexTable) -> Bool {
        guard let isAscending = order.first?.isAscending else { return true }
        guard order.allSatisfy({ $0.isAscending == isAscending }) else { return false }
        var position = 0
        for part in index.form.parts where !conditions.isConstant(part.column) {
            guard order[position].column == part.column else { return false }
            // Terms after the identifier have no effect, as it ends every order.
            if part.column == 0 { return true }
            position += 1
        }
        return order[position].column == 0
    }

    private func candidateByIdentifierRange() -> Candidate? {
        guard let span = conditions.span(of: 0), span.boundCount > 0 else { return nil }
        let rank = AccessRank(
            kind: AccessRank.Kind(boundCount: span.boundCount), boundCount: span.boundCount,
            isOrdered: isById, isDirect: true)
        return Candidate(rank: rank, route: .identifierRange(span))
    }

    /// An OR each of whose alternatives is found by identifiers or by values or ends of an index.
    private func candidateByUnion(at position: Int) -> Candidate? {
        guard case .any(let parts) = conditions.all[position], parts.count <= Self.maximumBranches else {
            return nil
        }
        var weakest = AccessRank.Kind.equality
        var branches: [AccessPlan] = []
        for part in parts {
            let access = Planner(part, over: entity).accessPlan()
            let kind = access.rank.kind
            guard kind.rawValue > AccessRank.Kind.order.rawValue else { return nil }
            if kind.rawValue < weakest.rawValue { weakest = kind }
            branches.append(access)
        }
        // Open ranges together are often nearly everything.
        let kind = weakest == .oneBound ? .order : weakest
        let rank = AccessRank(kind: kind, isOrdered: order.isEmpty)
        return Candidate(rank: rank, route: .union(branches, condition: position))
    }

    private func accessPlan(_ candidate: Candidate) -> AccessPlan {
        switch candidate.route {
        case .scan: return plan(.scan, met: [], candidate.rank)
        case .identifiers(let fix):
            return plan(.identifiers(condition: fix.condition), met: [fix.condition], candidate.rank)
        case .identifierRange(let span):
            let met = (span.ends + [span.prefix].compactMap { $0 }).map(\.condition)
            return plan(.identifierRange(span), met: met, candidate.rank)
        case .union(let branches, let condition):
            return plan(.union(branches, condition: condition), met: [condition], candidate.rank)
        case .index(let index, let fixedColumns, let span):
            let fixes = index.form.parts.prefix(fixedColumns).compactMap { conditions.fix(of: $0.column) }
            let leading = fixes.map {
                IndexScan.Leading(condition: $0.condition, valueCount: $0.valueCount)
            }
            var met = fixes.map(\.condition)
            if let span { met += span.metConditions }
            return plan(
                .index(IndexScan(index: index, leading: leading, span: span)), met: met, candidate.rank)
        }
    }

    private func plan(
        _ path: AccessPath, met: some Collection<Int>, _ rank: AccessRank
    ) -> AccessPlan {
        AccessPlan(
            path: path, residual: conditions.all.indices.filter { !met.contains($0) }, order: order,
            sorting: sorting(of: path, isOrdered: rank.isOrdered), rank: rank)
    }

    /// The way rows are brought into the wanted order.
    private func sorting(of path: AccessPath, isOrdered: Bool) -> AccessPlan.Sorting {
        guard case .index(let scan) = path else { return isOrdered ? .none : .rows }
        if isOrdered { return !order.isEmpty && scan.mayBeTruncated ? .truncatedRuns : .none }
        return order[0].column == 0 && entity.identifier.keys == .integer ? .identifiers : .rows
    }
}
