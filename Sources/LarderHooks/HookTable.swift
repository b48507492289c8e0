import LarderKernel

/// The hooks of one item type, without its Swift type.
protocol TypeHooks: Sendable {
    var itemType: any DataStoreItem.Type { get }
    var limits: [CountLimit] { get }

    /// These hooks and others of the same item type, as one.
    func joined(with others: any TypeHooks) -> any TypeHooks

    /// Runs the hooks for one item.
    ///
    /// - Returns: The row to store in its place; nil if it stays, or is gone.
    func run(
        _ change: HookedChange, of schema: EntitySchema, in arena: RowArena,
        adding findings: inout [ItemFinding]
    ) throws(DataStoreError) -> RevisedRow?
}

/// The row of one item before a block, and at its end; nil if there is none.
struct HookedChange {
    let stored: UnsafePointer<Cell>?
    let new: UnsafePointer<Cell>?
}

/// A row as hooks have changed it.
struct RevisedRow {
    let cells: UnsafePointer<Cell>
    let columns: ColumnSet
}

extension ItemHooks: TypeHooks {
    var itemType: any DataStoreItem.Type { Item.self }

    func joined(with others: any TypeHooks) -> any TypeHooks {
        guard let others = others as? ItemHooks<Item> else { return self }
        return appending(others)
    }

    func run(
        _ change: HookedChange, of schema: EntitySchema, in arena: RowArena,
        adding findings: inout [ItemFinding]
    ) throws(DataStoreError) -> RevisedRow? {
        guard let new = change.new else {
            guard let stored = change.stored, !deletions.isEmpty else { return nil }
            let item = try Item(row: RowReader(cells: stored, of: schema))
            var found = ItemFindings<Item>(about: item.id.anyItemID)
            for deletion in deletions { deletion(item, &found) }
            findings += found.all
            return nil
        }
        let revised = try revision(of: new, over: change.stored, schema, arena)
        if !checks.isEmpty {
            let row = RowReader(cells: revised?.cells ?? new, of: schema)
            findings += try self.findings(in: Item(row: row), row)
        }
        return revised
    }

    private func revision(
        of new: UnsafePointer<Cell>, over stored: UnsafePointer<Cell>?, _ schema: EntitySchema,
        _ arena: RowArena
    ) throws(DataStoreError) -> RevisedRow? {
        // An item is read for hooks that run for it, and not for others: this app may not know its values.
        let isUnchanged = stored == nil ? insertions.isEmpty : updates.isEmpty
        if isUnchanged, timestamps.isEmpty { return nil }
        let cells: UnsafeMutablePointer<Cell>
        if isUnchanged {
            cells = try arena.makeCells(schema.attributes.count)
            cells.update(from: new, count: schema.attributes.count)
        } else {
            var item = try Item(row: RowReader(cells: new, of: schema))
            let id = item.id.anyItemID
            let shown = try row(of: item, schema, arena)
            if let stored {
                let before = try Item(row: RowReader(cells: stored, of: schema))
                for update in updates { update(&item, before) }
            } else {
                for insertion in insertions { insertion(&item) }
            }
            // The row would be another item's.
            guard item.id.anyItemID == id else {
                throw DataStoreError(
                    .invalidValue, "A hook has given an item another identifier.",
                    advice: "Set its other attributes only.", itemType: schema.name, identifier: id)
            }
            cells = try row(of: item, schema, arena)
            // The item shows a fallback for a value that this app does not know; only what hooks have set is stored.
            let changed = schema.changedColumns(from: shown, to: cells)
            for column in schema.declaredAttributes.indices where column > 0 && !changed.contains(column) {
                cells[column] = new[column]
            }
        }
        for timestamps in timestamps { try timestamps.set(in: cells, over: stored, arena: arena) }
        let columns = schema.changedColumns(from: new, to: cells)
        return columns.isEmpty ? nil : RevisedRow(cells: cells, columns: columns)
    }

    private func row(
        of item: Item, _ schema: EntitySchema, _ arena: RowArena
    ) throws(DataStoreError) -> UnsafeMutablePointer<Cell> {
        let cells = try arena.makeCells(schema.attributes.count)
        var writer = RowWriter(cells: cells, arena: arena, of: schema)
        do {
            try item.encode(to: &writer)
        } catch {
            throw error.about(identifier: item.id.anyItemID)
        }
        return cells
    }
}

/// The hooks of a store by the numbers of its item types.
final class HookTable: Sendable {
    let types: [(any TypeHooks)?]
    /// For each item type the counts that its rows, references or links, belong to.
    let counts: [[FollowedCount]]
    /// For each item type the counts of its own items that have a minimum.
    let minimums: [[FollowedCount]]
    /// True for the item types whose rows a block has to follow.
    let isFollowed: [Bool]

    init(_ hooks: [any TypeHooks], for schema: StoreSchema) {
        var types: [(any TypeHooks)?] = schema.entities.map { _ in nil }
        var counts: [[FollowedCount]] = schema.entities.map { _ in [] }
        var minimums = counts
        for hooks in hooks {
            guard let entity = schema.number(of: hooks.itemType) else { continue }
            types[entity] = types[entity]?.joined(with: hooks) ?? hooks
        }
        for (entity, hooks) in types.enumerated() {
            let limits = (hooks?.limits ?? []).map { ($0.number, $0) }
            // One for each relationship, as its findings are.
            for limit in Dictionary(limits, uniquingKeysWith: { $0.joined(with: $1) }).values {
                guard let position = schema.entities[entity].position(ofRelationship: limit.number),
                    let count = FollowedCount(of: schema.relationships[entity][position], limit)
                else { continue }
                counts[count.entity].append(count)
                if limit.minimum > 0 { minimums[entity].append(count) }
            }
        }
        self.types = types
        self.counts = counts
        self.minimums = minimums
        isFollowed = schema.entities.indices.map { types[$0] != nil || !counts[$0].isEmpty }
    }
}

/// A relationship whose items are counted.
struct FollowedCount: Sendable {
    let relationship: StoreRelationship
    let limit: CountLimit
    /// The item type, or the links, whose rows are counted, and their column with the owner.
    let entity: Int
    let column: Int

    init?(of relationship: StoreRelationship, _ limit: CountLimit) {
        switch relationship.form {
        case .reference: return nil
        case .referrers(let column): (entity, self.column) = (relationship.target, column)
        case .links(let side): (entity, column) = (side.entity, side.ownerColumn)
        }
        self.relationship = relationship
        self.limit = limit
    }
}

/// The tables of the stores that share some options, of which the last one is kept.
final class HookTables: Sendable {
    private let hooks: [any TypeHooks]
    // The graph is an object that a store makes when it opens.
    private let last = Locked<(graph: ReferenceGraph, table: HookTable)?>(nil)

    init(_ hooks: [any TypeHooks]) {
        self.hooks = hooks
    }

    func table(for context: BlockContext) -> HookTable {
        let graph = context.resources.rules.graph
        return last.withLock { last in
            if let last, last.graph === graph { return last.table }
            let table = HookTable(hooks, for: context.schema)
            last = (graph, table)
            return table
        }
    }
}
