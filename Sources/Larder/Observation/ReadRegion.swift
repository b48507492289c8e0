/// The part of a store that some reads depend on: the columns of each item type whose change, and the types whose
/// rows coming or going, can change what was read.
struct ReadRegion: Sendable, Equatable {
    /// By the number of the item type.
    private(set) var columns: [Int: ColumnSet] = [:]
    /// True if any change may matter.
    private(set) var isEverything = false

    mutating func insertEverything() {
        isEverything = true
        columns = [:]
    }

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
        insert(plan.predicate, of: plan.entity, in: schema)
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
    func isTouched(by touched: TouchedRegion) -> Bool {
        if isEverything || touched.rows.contains(where: { columns[$0] != nil }) { return true }
        return touched.columns.contains { entity, touched in
            columns[entity]?.intersects(touched) ?? false
        }
    }
}

/// The rows that a commit has touched, as far as observations ask for it.
struct TouchedRegion: Sendable {
    /// The item types of which rows came or went.
    private(set) var rows: Set<Int> = []
    /// The columns that were written, of each item type.
    private(set) var columns: [Int: ColumnSet] = [:]

    mutating func insert(_ mutation: RowMutation) {
        switch mutation.kind {
        case .insert, .delete, .deleteAll: rows.insert(mutation.entity)
        case .update: columns[mutation.entity, default: ColumnSet()].formUnion(mutation.columns)
        }
    }

    mutating func formUnion(_ other: TouchedRegion) {
        rows.formUnion(other.rows)
        columns.merge(other.columns) { own, others in
            var union = own
            union.formUnion(others)
            return union
        }
    }
}
