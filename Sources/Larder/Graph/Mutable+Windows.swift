extension Mutable {
    /// Gets a relationship without a column.
    public subscript<Value: RelationshipValue>(dynamicMember path: KeyPath<Item, Value>) -> Value {
        window(at: path)
    }

    /// The window of the stored item.
    ///
    /// A value that the app has made knows neither that it is stored nor the number of the relationship; what
    /// its row gives knows both.
    func window<Value: RelationshipValue>(at path: KeyPath<Item, Value>) -> Value {
        let window = current[keyPath: path]
        if window.source != nil { return window }
        return (try? storedForm())?[keyPath: path] ?? window
    }

    private func storedForm() throws(DataStoreError) -> Item {
        let arena = RowArena(chunkBytes: 1024)
        let row = try RowMutation.inserting(item, entity: entity, in: arena)
        let item = try Item(row: RowReader(cells: row.cells, of: Item.schema))
        withExtendedLifetime(arena) {}
        return item
    }
}
