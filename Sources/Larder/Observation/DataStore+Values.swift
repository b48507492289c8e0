extension DataStore {
    /// The items of a request, at once and again after each change of them.
    ///
    ///     for try await best in store.values(of: Recipe.where(\.rating > 4).sorted(by: \.name)) { … }
    ///
    /// A change of an attribute that the request neither shows nor tests is not possible: it shows all. See
    /// ``StoreValues`` for when values come and end.
    public func values<Item: DataStoreItem>(of request: DataStoreRequest<Item>) -> StoreValues<[Item]> {
        StoreValues(store: coordinator, read: { try $0.items(for: request) }, areEqual: nil)
    }

    /// The number of items of a request, at once and again after each change of it.
    ///
    ///     for try await count in store.values(ofCount: Message.where(\.isUnread)) { badge = count }
    public func values<Item: DataStoreItem>(ofCount request: DataStoreRequest<Item>) -> StoreValues<Int> {
        StoreValues(store: coordinator, read: { try $0.countItems(for: request) }, areEqual: nil)
    }

    /// The item with an identifier, at once and again after each change of it; nil while there is none.
    ///
    ///     for try await recipe in store.values(ofItem: id, in: Recipe.self) { … }
    public func values<Item: DataStoreItem>(
        ofItem id: Item.ID, in type: Item.Type = Item.self
    ) -> StoreValues<Item?> where Item.ID: Sendable {
        StoreValues(store: coordinator, read: { try $0.item(id: id, of: type) }, areEqual: nil)
    }

    /// The value of a block, at once and again after each change of what it has read.
    ///
    ///     let totals = store.values { accessor in
    ///         try accessor.countItems(for: Recipe.all) - accessor.countItems(for: Recipe.where(\.isDraft))
    ///     }
    ///
    /// *Rule:* the value follows from what the block reads from the store. The block may run at any time, on any
    /// thread.
    public func values<Value: Sendable & Equatable>(
        _ read: @escaping @Sendable (DataStoreReadAccessor) throws -> Value
    ) -> StoreValues<Value> {
        StoreValues(store: coordinator, read: read, areEqual: { $0 == $1 })
    }

    /// The value of a block, at once and again after each change of what it has read.
    ///
    /// Of a type without `==`, a value is sent again whenever anything differs that the block has read.
    public func values<Value: Sendable>(
        _ read: @escaping @Sendable (DataStoreReadAccessor) throws -> Value
    ) -> StoreValues<Value> {
        StoreValues(store: coordinator, read: read, areEqual: nil)
    }
}
