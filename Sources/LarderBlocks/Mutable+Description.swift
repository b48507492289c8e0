public import LarderKernel

extension Mutable: CustomDebugStringConvertible {
    /// The type and the identifier, and the attributes that were set and are not saved yet.
    ///
    ///     let cake = try accessor.insert(recipe)
    ///     cake.rating = 5
    ///     print(cake)  // Recipe 1J3M7R0K4T8ZB, changed: rating
    ///
    /// ``item`` has the values. `print` shows this text too: there is no `description`, which may be an attribute of the
    /// item.
    ///
    /// *Rule:* as for reading an attribute, even after the block. *Cost:* both states of a changed item are encoded.
    public var debugDescription: String {
        "\(Item.schema.name) \(id.anyItemID)" + (savedState.isDeleted ? ", deleted" : changes)
    }

    private var changes: String {
        guard let saved = savedState.item else { return "" }
        let arena = RowArena(chunkBytes: 1024)
        defer { withExtendedLifetime(arena) {} }
        do throws(DataStoreError) {
            let old = try RowWriter.encoding(saved, in: arena).cells
            let new = try RowWriter.encoding(item, in: arena).cells
            let columns = Item.schema.changedColumns(from: old, to: new)
            let names = columns.map { Item.schema.attributes[$0].propertyName }
            return names.isEmpty ? "" : ", changed: " + names.joined(separator: ", ")
        } catch {
            // A value was set that cannot be stored; the block fails with it.
            return ", changed"
        }
    }
}

extension Mutable: CustomReflectable {
    /// Shows the item alone: the memory of a block is gone when it has ended.
    public var customMirror: Mirror { Mirror(self, children: ["item": item]) }
}
