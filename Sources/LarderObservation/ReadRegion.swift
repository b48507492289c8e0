import LarderKernel

/// The part of a store that some reads depend on: the columns of each item type whose change, and the types whose
/// rows coming or going, can change what was read.
struct ReadRegion: Sendable, Equatable {
    /// By the number of the item type.
    private(set) var columns: [Int: ColumnSet] = [:]
    /// The rows that were looked up one by one, by the number of their item type.
    private(set) var rows: [Int: Set<AnyItemID>] = [:]
    /// True if any change may matter.
    private(set) var isEverything = false

    mutating func insertEverything() {
        isEverything = true
        (columns, rows) = ([:], [:])
    }

    /// Adds one row, with all it holds and whether it is there.
    mutating func insertRow(_ identifier: AnyItemID, of entity: Int, _ schema: EntitySchema) {
        if isEverything { return }
        rows[entity, default: []].insert(identifier)
        // So many that their item type as a whole is looked up faster.
        if rows[entity]?.count ?? 0 > Self.maximumRows {
            rows[entity] = nil
            insertAllColumns(of: entity, schema)
        }
    }

    private static let maximumRows = 256

    mutating func insert(_ columns: ColumnSet, of entity: Int) {
        if isEverything { return }
        self.columns[entity, default: ColumnSet()].formUnion(columns)
    }

    mutating func insertAllColumns(of entity: Int, _ schema: EntitySchema) {
        insert(ColumnSet(schema.attributes.indices), of: entity)
    }

    /// Adds everything that decides which rows a plan gives, in which order, and what they hold.
    mutating func insert(_ plan: RequestPlan, in schema: StoreSchema) {
        switch plan.columns {
        case .all: insertAllColumns(of: plan.entity, plan.schema)
        case .some(let columns): insert(ColumnSet(columns), of: plan.entity)
        }
        insert(ColumnSet(plan.order.map(\.column)), of: plan.entity)
        if let links = plan.links, links.areAlone {
            // Just the items of the links come, and each is there.
            insert(links.plan, in: schema)
            insert(ColumnSet([0]), of: plan.entity)
        } else {
            insert(plan.predicate, of: plan.entity, in: schema)
        }
        for term in plan.relatedOrder?.terms ?? [] {
            insert(term.term.column, behind: term.path, of: plan.entity, in: schema)
        }
    }

    /// Adds a column of the item at the end of a path of references.
    mutating func insert(
        _ column: Int, behind path: [StoreRelationship], of entity: Int, in schema: StoreSchema
    ) {
        for relationship in path { insert(relationship, in: schema) }
        insert(ColumnSet([column]), of: path.last?.target ?? entity)
    }

    private mutating func insert(_ predicate: RowPredicate, of entity: Int, in schema: StoreSchema) {
        switch predicate {
        case .always: return
        case .column(let column, _): insert(ColumnSet([column]), of: entity)
        case .all(let parts), .any(let parts):
            for part in parts { insert(part, of: entity, in: schema) }
        case .expression(let test):
            insert(ColumnSet(test.columns), of: entity)
            test.forEachRelated { path, column in insert(column, behind: path, of: entity, in: schema) }
        case .related(let test):
            insert(test.relationship, in: schema)
            switch test.test {
            case .any(let predicate), .none(let predicate):
                insert(predicate, of: test.relationship.target, in: schema)
            case .count: return
            }
        }
    }

    /// Adds what decides which items are at the other end of a relationship.
    private mutating func insert(_ relationship: StoreRelationship, in schema: StoreSchema) {
        insert(ColumnSet([relationship.ownColumn]), of: relationship.owner)
        insert(ColumnSet(), of: relationship.target)
        switch relationship.form {
        case .reference: return
        case .referrers(let column): insert(ColumnSet([column]), of: relationship.target)
        case .links(let side): insertAllColumns(of: side.entity, schema.entities[side.entity])
        }
    }
}

extension ReadRegion {
    /// True if a commit that has touched a region may have changed what was read.
    func isTouched(by touched: CommittedRegion) -> Bool {
        isEverything || touched.parts.contains { isTouched(by: $0) }
    }

    private func isTouched(by part: CommittedRegion.Part) -> Bool {
        if let columns = columns[part.entity], part.comesOrGoes || columns.intersects(part.columns) {
            return true
        }
        guard let rows = rows[part.entity] else { return false }
        return part.identifiers.map { !$0.isDisjoint(with: rows) } ?? true
    }
}

extension CommitNote {
    /// The same without the blocks that a watcher ignores; nil if none is left.
    func heard(by watcher: Watcher) -> CommitNote? {
        var heard = CommitNote()
        parts.forEach { if watcher.hears($0.origin) { heard.add($0.touched, from: $0.origin) } }
        return heard.parts.isEmpty ? nil : heard
    }

    /// The origins of the blocks that have, or may have, touched a region.
    func origins(touching region: ReadRegion) -> Set<WriteOrigin?> {
        var origins: Set<WriteOrigin?> = []
        parts.forEach { part in
            if part.touched.map({ region.isTouched(by: $0) }) ?? true { origins.insert(part.origin) }
        }
        return origins
    }
}
