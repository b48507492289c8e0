/// The items that new owners were given for their relationships, on their way to the engine.
///
/// *Rule:* written after the rows of the owners.
@usableFromInline
final class GivenLinks {
    private let block: WriteBlock
    private let entity: Int
    /// The call that undoes them; if it is in parts, later ones may bring the items.
    private let call: UndoneCall
    // reason for unchecked: used by one insertion, on the thread of its block.
    @exclusivity(unchecked) private var owners: [(owner: AnyItemID, items: [AssignedItems])] = []

    /// - Parameter entity: The number of the owners' type.
    @usableFromInline
    init(in block: WriteBlock, entity: Int, of call: UndoneCall) {
        self.block = block
        self.entity = entity
        self.call = call
    }

    @usableFromInline
    func note(_ items: [AssignedItems], of owner: AnyItemID) {
        if block.hasNothingToWrite(items, ofNew: entity) { return }
        owners.append((owner, items))
    }

    /// Writes what was noted, for each relationship up to a thousand links at a time.
    func write() throws(DataStoreError) {
        if owners.isEmpty { return }
        let numbers = Set(owners.flatMap { $0.items.map(\.relationship) }).sorted()
        for number in numbers {
            let relationship = try block.context.resources.schema.relationship(.number(number), of: entity)
            try write(number, relationship)
        }
        owners.removeAll(keepingCapacity: true)
    }

    private func write(_ number: Int, _ relationship: StoreRelationship) throws(DataStoreError) {
        let links = OwnersLinks(relationship, in: block, of: call)
        var given: [AssignedItems] = []
        var owners: [OwnersLinks.Owner] = []
        for (owner, items) in self.owners {
            for items in items where items.relationship == number {
                given.append(items)
                owners.append(
                    OwnersLinks.Owner(
                        owner, targets: items.targets, use: links.use(ofNewOwnersItems: items)))
            }
        }
        try links.write(owners) { links, position throws(DataStoreError) in
            try links.given(given[position], in: call)
        }
    }
}

extension WriteBlock {
    /// Inserts a row, and the links of the items that were given to its relationships.
    @usableFromInline
    func insert(
        _ row: RowMutation, _ items: [AssignedItems], of owner: AnyItemID
    ) throws(DataStoreError) {
        if hasNothingToWrite(items, ofNew: row.entity) {
            try pipeline.apply(row)
            return
        }
        try pipeline.allOrNothing { call throws(DataStoreError) in
            let links = GivenLinks(in: self, entity: row.entity, of: call)
            links.note(items, of: owner)
            try pipeline.apply([row], in: call)
            try links.write()
        }.get()
        try pipeline.showChanges()
    }

    /// True if no link of a new item has to be written or removed.
    fileprivate func hasNothingToWrite(_ items: [AssignedItems], ofNew entity: Int) -> Bool {
        if items.isEmpty { return true }
        let schema = context.resources.schema
        return items.allSatisfy { items in
            guard items.targets.isEmpty else { return false }
            let relationship = try? schema.relationship(.number(items.relationship), of: entity)
            return relationship.map { !$0.linksMayDangle } ?? true
        }
    }

    /// Shows in the handle of a new item that it was given itself, which its row shows.
    @usableFromInline
    func show(_ items: [AssignedItems], in handle: some TrackedHandle) throws(DataStoreError) {
        let isGivenItself = items.contains { $0.targets.contains(handle.identifier) }
        if isGivenItself { try handles.reload(ItemKey(entity: handle.entity, identifier: handle.identifier)) }
    }
}

/// A value on its way into a handle: the item as it will be read again, and the items that it was given for
/// its relationships.
struct GivenItem<Item: DataStoreItem> {
    let stored: Item
    let items: [AssignedItems]

    /// - Parameter id: The identifier of the stored item, which is kept.
    init(_ item: Item, id: Item.ID) throws(DataStoreError) {
        let arena = RowArena(chunkBytes: 1024)
        var items: [AssignedItems] = []
        let row = try RowMutation.inserting(item, entity: 0, in: arena, items: &items)
        let cells = try arena.makeCells(Item.schema.attributes.count)
        for column in Item.schema.attributes.indices { cells[column] = row.cells[column] }
        cells[0] = try id.encode(in: arena)
        stored = try Item(row: RowReader(cells: cells, of: Item.schema))
        self.items = items
        withExtendedLifetime(arena) {}
    }
}

extension BlockHandles {
    /// Writes other values for the item of a handle at once, and the links of the items that they give to
    /// relationships in place of those that are there; when it throws, nothing has changed.
    func save<Item: DataStoreItem>(
        _ given: GivenItem<Item>, in handle: Mutable<Item>
    ) throws(DataStoreError) {
        if given.items.isEmpty { return try saveValues(given.stored, in: handle) }
        let block = handle.block
        try pipeline.allOrNothing { call throws(DataStoreError) in
            // A handle shows its old values again when links are refused.
            try handle.showing(given.stored) { () throws(DataStoreError) in
                // Not as a call of its own: other handles would show at once what the links may still undo.
                try saveShown(by: handle, in: call)
                for items in given.items {
                    let links = try Links(
                        items.relationship, of: handle.identifier, handle.entity, in: block)
                    let changes = try links.replacement(by: items.targets)
                    try links.write(changes, in: call, nil)
                }
            }
        }.get()
        try pipeline.showChanges()
    }
}
