/// The way to read and change the items of a store, inside a write block.
///
///     try store.writeSync { accessor in
///         let cake = try accessor.insert(Recipe(name: "Cake", slug: "cake"))
///         cake.rating = 4.5
///         try accessor.deleteItems(for: Recipe.where(\.rating < 1))
///     }
///
/// *Rule:* lives in its block and on its thread. Requests see the block's own changes. A call that throws has changed
/// nothing, except ``forEachMutableItem(for:_:)``. Before ``commit()`` or the block's end nothing is stored; a throw undoes it.
public final class DataStoreReadWriteAccessor: DataStoreReadAccessor {
    @usableFromInline package let writeBlock: WriteBlock

    init(_ block: WriteBlock) {
        writeBlock = block
        super.init(block.context)
    }

    /// The running block, its pending sets saved.
    @usableFromInline
    package func preparedBlock() throws(DataStoreError) -> WriteBlock {
        _ = try block()
        try writeBlock.requireOpen()
        try writeBlock.prepareForRequest()
        return writeBlock
    }

    @usableFromInline
    package override func iterating<Item: DataStoreItem>(
        _ type: Item.Type, _ body: () throws -> Void
    ) throws {
        try writeBlock.iterating(try writeBlock.context.number(of: type), body)
    }
}

// MARK: Inserting

extension DataStoreReadWriteAccessor {
    /// Inserts an item, with links to the items that its relationships were given.
    ///
    ///     let toast = try accessor.insert(Recipe(name: "Toast", slug: "toast"))
    ///
    /// *Rule:* the handle lives in the block.
    ///
    /// - Returns: The item's handle, to change it further.
    /// - Throws: `.duplicateIdentifier`, `.uniqueViolation`, `.targetNotFound`, `.identifierTooLong`,
    ///   `.valueTooLarge`, `.invalidValue`, `.unknownItemType`; nothing has changed then.
    @discardableResult
    @inlinable
    public func insert<Item: DataStoreItem>(_ item: Item) throws(DataStoreError) -> Mutable<Item> {
        let block = try preparedBlock()
        let number = try block.context.number(of: Item.self)
        if Item.schema.hasWindows { return try block.insertGiven(item, entity: number) }
        let arena = block.context.resources.arena
        arena.reset()
        try block.pipeline.apply(try RowMutation.inserting(item, entity: number, in: arena))
        return block.handle(for: item, entity: number)
    }

    /// Inserts many items, with links to the items that their relationships were given: all, or when it throws
    /// none.
    ///
    /// *Cost:* the fastest way in; makes no handles, and memory for up to a thousand rows at a time, or 4 MB of them.
    ///
    /// - Throws: As ``insert(_:)``.
    @inlinable
    public func insert<Item: DataStoreItem>(
        contentsOf items: some Sequence<Item>
    ) throws(DataStoreError) {
        let block = try preparedBlock()
        let number = try block.context.number(of: Item.self)
        let isLazy = !items.isInMemory
        if isLazy { block.context.noteSeen() }
        let outcome = try block.pipeline.allOrNothing { call throws(DataStoreError) in
            var rows = RowInsertion(into: block, entity: number, hasWindows: Item.schema.hasWindows, of: call)
            // An array's items are taken where they lie: in code that is not made for their type its iterator
            // allocates for each of them.
            let stored = items.withContiguousStorageIfAvailable { items in
                Result { () throws(DataStoreError) in
                    for position in items.indices { try rows.add(items[position]) }
                }
            }
            if let stored {
                try stored.get()
            } else {
                for item in items { try rows.add(item) }
            }
            try rows.finish()
        }
        // Handles that the sequence has set were saved on the way.
        if isLazy, case .failure = outcome { try block.reloadHandles() }
        try outcome.get()
        try block.pipeline.showChanges()
    }

    /// Inserts an item, or gives the stored one with the same identifier these values.
    ///
    ///     try accessor.upsert(recipe)
    ///
    /// *Rule:* the items that a relationship was given take the place of those that it has, and an empty list
    /// removes them all; a relationship that was given nothing (``ToMany/notGiven``) does not change. *Cost:* one
    /// look-up by key.
    ///
    /// - Returns: The item's handle.
    /// - Throws: As ``insert(_:)``, without `.duplicateIdentifier`; `.undecodable` for the stored item; nothing has
    ///   changed then.
    @discardableResult
    public func upsert<Item: DataStoreItem>(_ item: Item) throws(DataStoreError) -> Mutable<Item> {
        guard let stored = try mutableItem(id: item.id, of: Item.self) else { return try insert(item) }
        try writeBlock.handles.save(item, in: stored)
        return stored
    }
}

// MARK: Changing

extension DataStoreReadWriteAccessor {
    /// The items of a request as handles, in its order.
    ///
    ///     for recipe in try accessor.mutableItems(for: Recipe.where(\.rating > 5)) { recipe.rating = 5 }
    ///
    /// *Cost:* a handle for each item, kept until the block ends; see ``forEachMutableItem(for:_:)``.
    ///
    /// - Throws: As ``items(for:)``.
    @inlinable
    public func mutableItems<Item: DataStoreItem>(
        for request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> [Mutable<Item>] {
        let items = try items(for: request)
        let block = try preparedBlock()
        let number = try block.context.number(of: Item.self)
        return items.map { block.handle(for: $0, entity: number) }
    }

    /// The first item of a request as a handle, or nil.
    ///
    ///     try accessor.firstMutableItem(for: Recipe.where(\.slug == "toast"))?.rating = 4
    ///
    /// - Throws: As ``items(for:)``.
    @inlinable
    public func firstMutableItem<Item: DataStoreItem>(
        for request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> Mutable<Item>? {
        guard let item = try firstItem(for: request) else { return nil }
        return writeBlock.handle(for: item, entity: try writeBlock.context.number(of: Item.self))
    }

    /// The item with this identifier as a handle, or nil.
    ///
    ///     try accessor.mutableItem(id: id, of: Recipe.self)?.rating = 4
    ///
    /// *Cost:* one look-up by key.
    ///
    /// - Throws: As ``item(id:of:)``.
    @inlinable
    public func mutableItem<Item: DataStoreItem>(
        id: Item.ID, of type: Item.Type = Item.self
    ) throws(DataStoreError) -> Mutable<Item>? {
        let block = try preparedBlock()
        guard let cells = try block.context.findRow(id, of: type) else { return nil }
        return block.handle(
            for: try Item(row: RowReader(cells: cells, of: Item.schema)),
            entity: try block.context.number(of: Item.self))
    }

    /// The item with this identifier as a handle, or nil; an ``ItemID`` knows its type.
    ///
    /// - Throws: As ``item(id:)``.
    @inlinable
    public func mutableItem<Item: DataStoreItem>(
        id: ItemID<Item>
    ) throws(DataStoreError) -> Mutable<Item>? where Item.ID == ItemID<Item> {
        try mutableItem(id: id, of: Item.self)
    }

    /// The stored item of a value read earlier, as a handle; nil when it has been deleted since.
    ///
    ///     try accessor.mutableVersion(of: recipe)?.rating = 4
    ///
    /// *Rule:* shows the stored item, not the given value. *Cost:* one look-up by key.
    ///
    /// - Throws: As ``item(id:of:)``.
    @inlinable
    public func mutableVersion<Item: DataStoreItem>(
        of item: Item
    ) throws(DataStoreError) -> Mutable<Item>? {
        try mutableItem(id: item.id, of: Item.self)
    }

    /// Runs the body for a handle of each item of a request, in its order.
    ///
    ///     try accessor.forEachMutableItem(for: Recipe.where(\.isDraft)) { recipe in recipe.note = nil }
    ///
    /// *Rule:* the items are those the request gives at the start; one that a body deletes is left out. Keep no handle past
    /// its turn, nor one of another item of the request that a body has asked for. A throw ends the walk, and keeps what was
    /// set. Values that no two items share are judged together, at its end or before a request of the body. *Cost:* memory
    /// for identifiers, some hundred items, and such values.
    ///
    /// - Throws: The body's own error; the error of a set that was refused; otherwise as ``items(for:)``.
    public func forEachMutableItem<Item: DataStoreItem>(
        for request: DataStoreRequest<Item>, _ body: (Mutable<Item>) throws -> Void
    ) throws {
        let ids = try ids(for: request)
        let block = try preparedBlock()
        let number = try block.context.number(of: Item.self)
        var waiting: [ItemKey] = []
        defer { _ = block.expireHandles(waiting, isMidway: false) }
        for batch in ids.chunks(ofCount: WriteBlock.copiedBatchSize) {
            if let failure = block.pipeline.failure { throw failure }
            let mine = batch.map { ItemKey(entity: number, identifier: $0.anyItemID) }
                .filter { block.handles[$0] == nil }
            defer { waiting += block.expireHandles(mine, isMidway: true) }
            let handles: [Mutable<Item>] = try block.handles(batch, of: number)
            for handle in handles where handle.state != .deleted { try body(handle) }
        }
        _ = try preparedBlock()
    }

    /// Stores a value whose identifier is in the store already.
    ///
    ///     if var cake = try store.read({ try $0.item(id: id) }) {
    ///         cake.rating = 5                                  // changes the value only
    ///         try store.writeSync { try $0.update(cake) }      // stores it
    ///     }
    ///
    /// *Rule:* all attributes get the values of the item, even those that another block has changed since it
    /// was read; a handle keeps these. Relationships as for ``upsert(_:)``: an item that was read from the
    /// store was given nothing. *Cost:* one look-up by key; only attributes that differ are written.
    ///
    /// - Returns: The item's handle.
    /// - Throws: `.itemNotFound` when no item has the identifier; `.uniqueViolation`, `.targetNotFound`,
    ///   `.invalidValue`, `.valueTooLarge`; `.undecodable` for the stored item; `.identifierTooLong`,
    ///   `.unknownItemType`; nothing has changed then.
    @discardableResult
    public func update<Item: DataStoreItem>(_ item: Item) throws(DataStoreError) -> Mutable<Item> {
        guard let stored = try mutableItem(id: item.id, of: Item.self) else {
            throw DataStoreError(
                .itemNotFound, "The item to update is not in the store.",
                advice: "Insert it, or use upsert(_:), which does either.", itemType: Item.schema.name,
                identifier: item.id.anyItemID)
        }
        try writeBlock.handles.save(item, in: stored)
        return stored
    }

    /// Sets attributes of all items of a request, without loading them.
    ///
    ///     let count = try accessor.update(Recipe.where(\.rating > 5), .set(\.rating, to: 5))
    ///
    /// *Rule:* unique values are judged after the call, so they may be passed on among any of the items. *Cost:*
    /// memory for some hundred rows; if a unique attribute is set, for all of them.
    ///
    /// - Returns: The number of items that have changed.
    /// - Throws: `.uniqueViolation`, `.targetNotFound`, `.invalidValue`, `.valueTooLarge`; `.invalidRequest`,
    ///   `.unknownItemType`; nothing has changed then.
    @discardableResult
    public func update<Item: DataStoreItem>(
        _ request: DataStoreRequest<Item>, _ assignments: Assignment<Item>...
    ) throws(DataStoreError) -> Int {
        let ids = try ids(for: request)
        return try preparedBlock().assign(assignments, to: ids)
    }
}

// MARK: Deleting

extension DataStoreReadWriteAccessor {
    /// Deletes the stored item of a value, and the items that go with it by the delete rules.
    ///
    /// *Rule:* ``DeleteRule/deny`` is judged after the call, and not at the end of the block. *Cost:* a plan for
    /// each relationship of up to a thousand deleted items.
    ///
    /// - Returns: True if it was there.
    /// - Throws: `.deletionDenied`, `.identifierTooLong`, `.unknownItemType`; nothing has changed then.
    @discardableResult
    public func delete<Item: DataStoreItem>(_ item: Item) throws(DataStoreError) -> Bool {
        try delete(id: item.id, of: Item.self)
    }

    /// Deletes the item of a handle.
    ///
    /// Pending changes on handles are saved first, as before every call, so a conflicting change is reported
    /// here.
    ///
    /// Delete rules as for ``delete(_:)``.
    ///
    /// - Returns: True if it was there.
    /// - Throws: `.deletionDenied`, `.unknownItemType`; nothing has changed then.
    @discardableResult
    public func delete<Item: DataStoreItem>(_ handle: Mutable<Item>) throws(DataStoreError) -> Bool {
        try delete(id: handle.id, of: Item.self)
    }

    /// Deletes the item with this identifier.
    ///
    /// Delete rules as for ``delete(_:)``.
    ///
    /// - Returns: True if it was there.
    /// - Throws: `.deletionDenied`, `.identifierTooLong`, `.unknownItemType`; nothing has changed then.
    @discardableResult
    public func delete<Item: DataStoreItem>(
        id: Item.ID, of type: Item.Type
    ) throws(DataStoreError) -> Bool {
        try preparedBlock().delete([id], of: type) == 1
    }

    /// Deletes the item with this identifier; an ``ItemID`` knows its type.
    ///
    /// Delete rules as for ``delete(_:)``.
    ///
    /// - Returns: True if it was there.
    /// - Throws: `.deletionDenied`, `.unknownItemType`; nothing has changed then.
    @discardableResult
    public func delete<Item: DataStoreItem>(
        id: ItemID<Item>
    ) throws(DataStoreError) -> Bool where Item.ID == ItemID<Item> {
        try delete(id: id, of: Item.self)
    }

    /// Deletes the items of a request: all, or when it throws none.
    ///
    ///     let count = try accessor.deleteItems(for: Recipe.where(\.rating < 1))
    ///
    /// *Rule:* delete rules as for ``delete(_:)``. *Cost:* memory for the identifiers of the items, and a plan for each
    /// relationship of up to a thousand of them.
    ///
    /// - Returns: The number of items that the request gave, without those that went with them.
    /// - Throws: `.deletionDenied`, and as ``items(for:)``.
    @discardableResult
    public func deleteItems<Item: DataStoreItem>(
        for request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> Int {
        let ids = try ids(for: request)
        return try preparedBlock().delete(ids, of: Item.self)
    }

    /// Deletes all items of a type.
    ///
    /// Delete rules as for ``delete(_:)``.
    ///
    /// - Returns: The number of deleted items of the type.
    /// - Throws: `.deletionDenied`, `.unknownItemType`; nothing has changed then.
    @discardableResult
    public func deleteAllItems<Item: DataStoreItem>(of type: Item.Type) throws(DataStoreError) -> Int {
        let block = try preparedBlock()
        return try block.deleteAll(try block.context.number(of: type))
    }
}

// MARK: The block itself

extension DataStoreReadWriteAccessor {
    /// Ends the block and undoes what it has not stored by ``commit()``, even if the error is swallowed.
    ///
    ///     try store.writeSync { accessor in
    ///         try accessor.deleteItems(for: request)
    ///         if try accessor.countItems(for: Recipe.all) == 0 { try accessor.cancel() }
    ///     }
    ///
    /// *Rule:* the call that runs the block throws the error too; it does not go to the store's `errorHandler`.
    ///
    /// - Throws: `.cancelled`, always.
    public func cancel() throws(DataStoreError) -> Never {
        _ = try block()
        throw writeBlock.pipeline.fail(with: DataStoreError(.cancelled, "The write block was cancelled."))
    }

    /// Commits what the block has done so far; a later throw undoes only what follows.
    ///
    ///     try store.writeSync { accessor in
    ///         try accessor.insert(cake)
    ///         try accessor.commit()       // stored, whatever becomes of the rest
    ///         try accessor.insert(toast)
    ///     }
    ///
    /// *Rule:* other commits may come before what follows: of another process, and in a child of its parent. Handles show
    /// what is stored then. *Cost:* a look-up for each handle that the app still holds; in the body of a walk, one for each of
    /// the some hundred items that it has read ahead.
    ///
    /// - Throws: `.unsupported` in `writeAsync`, and inside a savepoint, `forEachItem` or `insert(contentsOf:)`; the reason why
    ///   nothing was stored, or `.commitUncertain`, and the block fails. If only the rest cannot begin, it returns, and the block fails.
    public func commit() throws(DataStoreError) {
        _ = try block()
        try writeBlock.commitMidway()
    }

    /// Runs a nested transaction: if `body` throws, only its changes are undone.
    ///
    ///     for line in lines {
    ///         do { try accessor.savepoint { try importLine(line, accessor) } } catch { skipped.append(line) }
    ///     }
    ///
    /// *Rule:* values set on handles inside are saved at its end, so a value that cannot be stored fails the
    /// savepoint and not the block. *Cost:* if it fails, a look-up for each handle that the app still holds.
    ///
    /// - Throws: The body's own error, or the error of a set that was refused.
    public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        _ = try block()
        return try writeBlock.savepoint { _ in try body() }
    }

    /// Runs a closure after the commit, when the writer is free; not called if the block fails.
    ///
    ///     try accessor.afterCommit { reload([id]) }
    ///
    /// *Rule:* runs on the calling thread for `writeSync`, before it returns, and for `writeAsync` on a thread of the
    /// store's own, before the completion. It may call the store. Given in a savepoint that fails, it is not called;
    /// given before ``commit()``, it is called even if the block fails later.
    ///
    /// - Throws: `.accessorExpired`.
    public func afterCommit(_ hook: @escaping @Sendable () -> Void) throws(DataStoreError) {
        _ = try block()
        try writeBlock.addHook(hook)
    }
}
