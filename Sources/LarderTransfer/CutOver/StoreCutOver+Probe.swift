public import LarderKernel

extension StoreCutOver {
    /// Opens the destination as far as that goes without the app's types: its structure is checked, and the
    /// first rows of every item type are read.
    ///
    /// - Throws: `.incompleteTransfer`; what keeps it from being opened or read.
    public func probe() throws(DataStoreError) {
        _ = try completedTransfer()
        let store = try UntypedStore(reading: destination)
        defer { try? store.close() }
        let reader = UntypedReader(try store.adapter.beginReading(), of: store.schema)
        defer { reader.end() }
        for number in store.schema.entities.indices {
            let rows = try reader.rows(ofEntity: number, UndecodableRows(.abort))
            _ = try rows.next()
            rows.close()
        }
    }

    /// Opens the destination as the app would, decodes every item of these types, counts them and closes it.
    ///
    ///     try cutOver.probe(LMDBDataStore(at: new, storing: types), storing: types)
    ///
    /// *Rule:* the store is not open yet. Opening changes the destination if the app has widened its schema
    /// since. If the steps of a ``SchemaHistory`` add or leave out items of these types, run
    /// ``SchemaHistory/upgradeIfNeeded(_:options:progress:)`` and ``probe()`` instead.
    ///
    /// - Parameter store: A store at the destination.
    /// - Throws: `.incompleteTransfer`; `.undecodable` for an item these types cannot read;
    ///   `.transferMismatch` when there are not as many as were copied; what keeps the store from being
    ///   opened.
    public func probe(
        _ store: any DataStore, storing itemTypes: [any DataStoreItem.Type]
    ) throws {
        let transfer = try completedTransfer()
        try store.setup()
        do {
            try store.read { accessor in
                for type in itemTypes { try Self.read(type, from: accessor, of: transfer) }
            }
        } catch {
            try? store.tearDown()
            throw error
        }
        try store.tearDown()
    }

    private static func read<Item: DataStoreItem>(
        _ type: Item.Type, from accessor: DataStoreReadAccessor, of transfer: StoredSchema.Transfer
    ) throws {
        var count = 0
        try accessor.forEachItem(for: Item.all) { _ in count += 1 }
        let name = Item.schema.name
        let copied = transfer.digests.first { UTF8Text.areEqual($0.entity, name) }?.count
        guard let copied, copied != count else { return }
        throw DataStoreError(
            .transferMismatch, "The app reads \(count) items of \(name), but \(copied) were copied.",
            advice: "Delete the copy and run the transfer again; if it was changed on purpose, use probe().",
            itemType: name)
    }
}
