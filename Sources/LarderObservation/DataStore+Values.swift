public import LarderKernel

extension DataStore {
    /// The items of a request, at once and again after each change of them.
    ///
    ///     for try await best in store.values(of: Recipe.where(\.rating > 4).sorted(by: \.name)) { … }
    ///
    /// Any change of a matching item sends a new value. See ``StoreValues`` for when values come and end.
    ///
    /// - Throws: While it iterates, as ``LarderKernel/DataStoreReadAccessor/items(for:)``; `.notSetUp`.
    public func values<Item: DataStoreItem>(of request: DataStoreRequest<Item>) -> StoreValues<[Item]> {
        StoreValues(store: coordinator, read: { try $0.items(for: request) }, following: nil)
    }

    /// The number of items of a request, at once and again after each change of it.
    ///
    ///     for try await count in store.values(ofCount: Message.where(\.isUnread)) { badge = count }
    ///
    /// *Cost:* a count for each change of a matching item.
    ///
    /// - Throws: As ``values(of:)``.
    public func values<Item: DataStoreItem>(ofCount request: DataStoreRequest<Item>) -> StoreValues<Int> {
        StoreValues(store: coordinator, read: { try $0.countItems(for: request) }, following: nil)
    }

    /// The item with an identifier, at once and again after each change of it; nil while there is none.
    ///
    ///     for try await recipe in store.values(ofItem: id, of: Recipe.self) { … }
    ///
    /// *Cost:* one look-up by key for each change of the item.
    ///
    /// - Throws: As ``values(of:)``.
    public func values<Item: DataStoreItem>(
        ofItem id: Item.ID, of type: Item.Type = Item.self
    ) -> StoreValues<Item?> where Item.ID: Sendable {
        StoreValues(store: coordinator, read: { try $0.item(id: id, of: type) }, following: nil)
    }

    /// The item with an identifier, at once and again after each change of it, each time with what has changed.
    ///
    ///     for try await change in store.changes(ofItem: id, of: Recipe.self, including: \.tags) {
    ///         if let rating = change[\.rating] { print("rating: \(rating.old) -> \(rating.new)") }
    ///         if let tags = change[\.tags] { print("\(tags.new.count) tags, \(tags.old.count) before") }
    ///     }
    ///
    /// The first value says how things are: `.found`, or `.notFound`. Each further one is the difference to the value
    /// before: changes that come while the consumer is busy are one value, and those that cancel each other out are
    /// left out. See ``StoreValues`` for when values come and end.
    ///
    /// Relationships without a column are followed if they are named; a ``ToOne`` is an attribute. *Cost:* one
    /// look-up by key for each commit that touches the item's type, and the identifiers of the related items.
    ///
    /// - Throws: While it iterates: `.invalidRequest` for a relationship of another item, `\.recipe.tags`;
    ///   `.unknownItemType`, `.undecodable`; rethrows errors from the engine.
    public func changes<Item: DataStoreItem, each Relationship: RelationshipValue>(
        ofItem id: Item.ID, of type: Item.Type = Item.self,
        including relationship: repeat KeyPath<
            Item.Attributes, RelationshipAttribute<Item, each Relationship>
        >
    ) -> StoreValues<ItemChange<Item>> where Item.ID: Sendable {
        var readings: [RelationshipReading<Item>] = []
        repeat readings.append(Item.attributes[keyPath: each relationship].reading)
        return StoreValues(
            store: coordinator, read: { [readings] in ItemChange(try $0.state(of: type, id: id, readings)) },
            following: { $1.following($0) })
    }

    /// The value of a block, at once and again after each change of what it has read.
    ///
    ///     let totals = store.values { accessor in
    ///         try accessor.countItems(for: Recipe.all) - accessor.countItems(for: Recipe.where(\.isDraft))
    ///     }
    ///
    /// A value that is equal to the last one is not sent. The value of a block that prefetches is sent whenever anything
    /// that it has read differs, as `==` ignores the related items that an item holds.
    ///
    /// *Rule:* the value follows from what the block reads from the store. The block may run at any time, on any
    /// thread.
    ///
    /// - Throws: While it iterates, the block's own error; otherwise as ``values(of:)``.
    public func values<Value: Sendable & Equatable>(
        _ read: @escaping @Sendable (DataStoreReadAccessor) throws -> Value
    ) -> StoreValues<Value> {
        StoreValues(store: coordinator, read: read, following: { $0 == $1 ? nil : $1 })
    }

    /// The value of a block, of a type without `==`, at once and again whenever anything that it has read differs.
    ///
    /// *Rule:* as for values with `==`.
    ///
    /// - Throws: While it iterates, the block's own error; otherwise as ``values(of:)``.
    public func values<Value: Sendable>(
        _ read: @escaping @Sendable (DataStoreReadAccessor) throws -> Value
    ) -> StoreValues<Value> {
        StoreValues(store: coordinator, read: read, following: nil)
    }
}
