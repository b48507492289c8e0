import Larder

/// Chooses how a plan is run.
///
/// 1. The conditions that must all hold are taken apart (``Conditions``): which fix the values of a column, which
///    give it ends.
/// 2. Identifiers win. Otherwise every index, a range of identifiers, every OR and the scan make a ``AccessRank``;
///    the greatest is taken.
/// 3. What the path does not guarantee stays as the residual predicate, also what is cut in index keys.
struct Planner {
    private let entity: EntityTable
    private let conditions: Conditions
    /// The order the rows must come in, without columns that have one value only; empty where any will do.
    private let order: [RequestPlan.SortTerm]
    /// Whether no row is wanted.
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
        case union([UnionBranch], condition: Int)
        case scan
    }

    /// How many lists of values an index is asked for at most, beyond those of its first column.
    private static let maximumCombinations = 1000
    /// How many alternatives are looked up one by one; every row is compared with those before its own.
    private static let maximumBranches = 32

    /// - Parameter isCounting: Whether rows are only counted, so that their order does not matter.
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
        if isEmpty { return plan(.nothing, .always(true), true, AccessRank(kind: .identifiers)) }
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

    /// Whether the order of identifiers will do.
    private var isById: Bool { order.first.map { $0.column == 0 } ?? true }

    /// Takes leading columns of an index as long as conditions fix their values, then the ends of the next.
    private func candidate(by index: IndexTable) -> Candidate? {
        if conditions.all.isEmpty, order.isEmpty { return nil }
        let parts = index.form.parts
        let fixedColumns = conditions.hasNoFix ? 0 : fixedColumns(of: index)
        let span = fixedColumns < parts.count ? conditions.span(of: parts[fixedColumns].column) : nil
        let isOrdered = isOrdered(by: index)
        let boundCount = span?.boundCount ?? 0
        // Without values and ends an index serves by its order, or by leaving out nil where that alone is counted.
        let serves = order.isEmpty ? span != nil && conditions.all.count == 1 : isOrdered
        if fixedColumns == 0, boundCount == 0, !serves { return nil }
        let rank = AccessRank(
            kind: kind(of: index, fixedColumns) ?? AccessRank.Kind(boundCount: boundCount),
            fixedColumns: fixedColumns, boundCount: boundCount, isOrdered: isOrdered)
        return Candidate(rank: rank, route: .index(index, fixedColumns: fixedColumns, span))
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

    /// What the values of leading columns rank; nil where none is fixed.
    private func kind(of index: IndexTable, _ fixedColumns: Int) -> AccessRank.Kind? {
        guard fixedColumns > 0, let first = conditions.fix(of: index.form.parts[0].column) else { return nil }
        if first.valueCount > 1 { return .list }
        guard index.schema.isUnique, fixedColumns == index.schema.columns.count else { return .equality }
        let isOneRow = index.form.parts.allSatisfy { part in
            conditions.fix(of: part.column).map { $0.valueCount == 1 && !$0.isNull } ?? false
        }
        return isOneRow ? .unique : .equality
    }

    /// Whether the entries of an index stand in the wanted order, read forwards or backwards.
    private func isOrdered(by index: IndexTable) -> Bool {
        guard let isAscending = order.first?.isAscending else { return true }
        guard order.allSatisfy({ $0.isAscending == isAscending }) else { return false }
        var position = 0
        for part in index.form.parts where !conditions.isConstant(part.column) {
            guard order[position].column == part.column else { return false }
            // Nothing is decided behind the identifier, which ends every order.
            if part.column == 0 { return true }
            position += 1
        }
        return order[position].column == 0
    }

    private func candidateByIdentifierRange() -> Candidate? {
        guard let span = conditions.span(of: 0), span.endCount > 0 else { return nil }
        let rank = AccessRank(
            kind: AccessRank.Kind(boundCount: span.endCount), boundCount: span.endCount, isOrdered: isById,
            isDirect: true)
        return Candidate(rank: rank, route: .identifierRange(span))
    }

    /// An OR each of whose alternatives is found by identifiers or by values or ends of an index.
    private func candidateByUnion(at position: Int) -> Candidate? {
        guard case .any(let parts) = conditions.all[position], parts.count <= Self.maximumBranches else {
            return nil
        }
        var weakest = AccessRank.Kind.equality
        var branches: [UnionBranch] = []
        for part in parts {
            let access = Planner(part, over: entity).accessPlan()
            let kind = access.rank.kind
            guard kind.rawValue > AccessRank.Kind.order.rawValue else { return nil }
            if kind.rawValue < weakest.rawValue { weakest = kind }
            branches.append(UnionBranch(predicate: part, access: access))
        }
        // Open ranges together are often nearly everything.
        let kind = weakest == .oneBound ? .order : weakest
        let rank = AccessRank(kind: kind, isOrdered: order.isEmpty)
        return Candidate(rank: rank, route: .union(branches, condition: position))
    }

    private func accessPlan(_ candidate: Candidate) -> AccessPlan {
        let path: AccessPath
        var met: [Int] = []
        switch candidate.route {
        case .scan: path = .scan
        case .identifiers(let fix):
            path = .identifiers(conditions.values(of: fix))
            met = [fix.condition]
        case .identifierRange(let span):
            path = .identifierRange(span)
            met = span.ends.map(\.condition)
        case .union(let branches, let condition):
            path = .union(branches)
            met = [condition]
        case .index(let index, let fixedColumns, let span):
            path = .index(scan(of: index, fixedColumns, span, &met))
        }
        return plan(path, conditions.residual(without: met), candidate.rank.isOrdered, candidate.rank)
    }

    /// Works out which part of an index is read, and which conditions its entries meet.
    private func scan(
        of index: IndexTable, _ fixedColumns: Int, _ span: ColumnSpan?, _ met: inout [Int]
    ) -> IndexScan {
        var leading: [[Constant]] = []
        for part in index.form.parts.prefix(fixedColumns) {
            guard let fix = conditions.fix(of: part.column) else { break }
            let values = conditions.values(of: fix)
            // What is cut in the keys has to be compared in the rows.
            if values.allSatisfy(part.keepsWhole) { met.append(fix.condition) }
            leading.append(values)
        }
        if let span {
            let part = index.form.parts[fixedColumns]
            for bound in span.bounds where part.keepsWhole(bound.value) { met.append(bound.condition) }
            if let notNull = span.notNull { met.append(notNull) }
        }
        return IndexScan(index: index, leading: leading, span: span)
    }

    private func plan(
        _ path: AccessPath, _ residual: RowPredicate, _ isOrdered: Bool, _ rank: AccessRank
    ) -> AccessPlan {
        AccessPlan(path: path, residual: residual, order: order, isOrdered: isOrdered, rank: rank)
    }
}
