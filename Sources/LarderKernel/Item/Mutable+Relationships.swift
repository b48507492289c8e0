extension Mutable {
    /// Gets a relationship, to read its items, or sets it to other items, which takes effect at once.
    ///
    ///     let tags = try accessor.items(cake.tags)
    ///     cake.tags = [sweet, round]
    ///
    /// *Rule:* as for attributes, a set that is refused fails the block. ``ToMany/notGiven`` changes nothing.
    public subscript<Value: RelationshipValue>(dynamicMember path: WritableKeyPath<Item, Value>) -> Value {
        get { current[keyPath: path] }
        set {
            guard block.accepts(self) else { return }
            do {
                try RelationshipEditor(of: self, current[keyPath: path]).replace(with: newValue)
            } catch {
                block.pipeline.fail(with: error)
            }
        }
    }

    /// A relationship, to change it: `try cake.tags.add(sweet)`.
    @_disfavoredOverload
    @inlinable
    public subscript<Value: RelationshipValue>(
        dynamicMember path: KeyPath<Item, Value>
    ) -> RelationshipEditor<Item, Value> {
        RelationshipEditor(of: self, current[keyPath: path])
    }

    /// Replaces all attributes, and the items of the relationships that the value was given some for.
    func replace(byGiven item: Item) throws(DataStoreError) {
        let given = try GivenItem(item, id: id)
        if given.items.isEmpty {
            markChanged()
            current = given.stored
        } else {
            try block.prepareForRequest()
            try block.handles.save(given, in: self)
        }
    }
}

/// The items of a relationship of a handle's item, to be changed.
///
///     try cake.tags.add(sweet)
///     try cake.steps.move(from: 3, to: 0)
///     try ada.books.remove(id: 7)              // sets the author of the book to nil
///
/// The items are given by themselves, their handles or their identifiers. Each change takes effect at once, and
/// both sides show it, as do the handles of the items at the other end.
///
/// *Rule:* valid as long as the handle. Adding an item twice is the same as once; removing one that is not
/// there does nothing. A change that throws has changed nothing.
public struct RelationshipEditor<Item: DataStoreItem, Value: RelationshipValue> {
    /// The items at the other end.
    public typealias Target = Value.Target

    @usableFromInline let handle: Mutable<Item>
    @usableFromInline let window: Value

    @inlinable
    init(of handle: Mutable<Item>, _ window: Value) {
        self.handle = handle
        self.window = window
    }

    /// The identifiers of the items, in their order.
    ///
    ///     let ids = try cake.tags.ids()
    ///
    /// *Cost:* one request for the links; items are looked up only if links may lead to deleted ones.
    ///
    /// - Throws: As every call for a relationship: `.accessorExpired` after the block, `.itemNotFound` if the handle's
    ///   item was deleted, `.invalidValue` if it was not read from a store; rethrows errors from the engine.
    public func ids() throws(DataStoreError) -> [Target.ID] {
        try links().shown().compactMap { Target.ID($0.target) }
    }

    /// True if an item is among them.
    ///
    /// *Cost:* one look-up of its link.
    ///
    /// - Throws: As ``ids()``.
    public func contains(id: Target.ID) throws(DataStoreError) -> Bool {
        let links = try links()
        return try !links.shown(try links.links(among: [id.anyItemID])).isEmpty
    }

    /// The relationship, the pending sets of all handles saved.
    private func links() throws(DataStoreError) -> Links {
        try handle.block.links(window.source?.number, of: handle)
    }

    /// Replaces the items by those that a window was given, or that it shows.
    func replace(with other: Value) throws(DataStoreError) {
        let links = try links()
        guard let source = other.source else {
            if let given = other.assignedIdentifiers { _ = try links.replace(by: given) }
            return
        }
        guard let entity = links.schema.number(of: source.ownerType) else {
            throw DataStoreError(
                .unknownItemType,
                "\(links.title) cannot take the items of a \(source.ownerType), which the store does not hold.",
                itemType: handle.entitySchema.name, identifier: handle.identifier)
        }
        let shown = try Links(source.number, of: source.owner, entity, in: handle.block).shown()
        _ = try links.replace(by: shown.map(\.target))
    }
}

// MARK: Any number of items

extension RelationshipEditor where Value: ToManyRelationship {
    /// Adds an item, at the end if there is an order.
    ///
    ///     try cake.tags.add(sweet)
    ///
    /// *Cost:* one look-up and one row, whatever the number of items.
    ///
    /// - Returns: True if it was not there.
    /// - Throws: For an item that is not stored `.targetNotFound`, or `.itemNotFound` if it would have to refer to
    ///   this one; `.uniqueViolation`; otherwise as ``ids()``.
    @discardableResult
    @inlinable
    public func add(_ item: Target) throws(DataStoreError) -> Bool { try add(id: item.id) }

    /// Adds the item of a handle, at the end if there is an order.
    ///
    /// - Returns: True if it was not there.
    /// - Throws: As ``add(id:)``.
    @discardableResult
    @inlinable
    public func add(_ handle: Mutable<Target>) throws(DataStoreError) -> Bool { try add(id: handle.id) }

    /// Adds the item with an identifier, at the end if there is an order.
    ///
    /// - Returns: True if it was not there.
    /// - Throws: For an item that is not stored `.targetNotFound`, or `.itemNotFound` if it would have to refer to
    ///   this one; `.uniqueViolation`; otherwise as ``ids()``.
    // Inlined, as is all that leads here: what is generic would look up types for each item.
    @discardableResult
    @inlinable
    public func add(id: Target.ID) throws(DataStoreError) -> Bool {
        try handle.block.add(id.anyItemID, toRelationship: window.source?.number, of: handle)
    }

    /// Adds items, at the end if there is an order: all, or when it throws none.
    ///
    /// - Returns: The number of those that were not there.
    /// - Throws: As ``add(id:)``.
    @discardableResult
    public func add(contentsOf items: some Sequence<Target>) throws(DataStoreError) -> Int {
        try links().add(items.map { $0.id.anyItemID })
    }

    /// Adds the items with some identifiers, at the end if there is an order: all, or when it throws none.
    ///
    /// - Returns: The number of those that were not there.
    /// - Throws: As ``add(id:)``.
    @discardableResult
    public func add(ids: some Sequence<Target.ID>) throws(DataStoreError) -> Int {
        try links().add(ids.map { $0.anyItemID })
    }

    /// Removes an item, which stays stored.
    ///
    /// - Returns: True if it was there.
    /// - Throws: `.invalidValue` if it must refer to an owner; otherwise as ``ids()``.
    @discardableResult
    @inlinable
    public func remove(_ item: Target) throws(DataStoreError) -> Bool { try remove(id: item.id) }

    /// Removes the item of a handle, which stays stored.
    ///
    /// - Returns: True if it was there.
    /// - Throws: `.invalidValue` if it must refer to an owner; otherwise as ``ids()``.
    @discardableResult
    @inlinable
    public func remove(_ handle: Mutable<Target>) throws(DataStoreError) -> Bool { try remove(id: handle.id) }

    /// Removes the item with an identifier, which stays stored.
    ///
    /// - Returns: True if it was there.
    /// - Throws: `.invalidValue` if it must refer to an owner; otherwise as ``ids()``.
    @discardableResult
    @inlinable
    public func remove(id: Target.ID) throws(DataStoreError) -> Bool {
        try handle.block.remove(id.anyItemID, fromRelationship: window.source?.number, of: handle)
    }

    /// Removes all items, which stay stored.
    ///
    /// - Returns: Their number.
    /// - Throws: `.invalidValue` if they must refer to an owner; otherwise as ``ids()``.
    @discardableResult
    public func removeAll() throws(DataStoreError) -> Int { try links().removeAll() }

    /// Adds the items that are missing and removes all others; if there is an order, it is theirs.
    ///
    /// - Returns: True if anything has changed.
    /// - Throws: `.invalidValue` if an item that would be removed must refer to an owner; otherwise as ``add(id:)``.
    @discardableResult
    public func replace(by items: some Sequence<Target>) throws(DataStoreError) -> Bool {
        try links().replace(by: items.map { $0.id.anyItemID })
    }

    /// Adds the items that are missing and removes all others, by their identifiers.
    ///
    /// - Returns: True if anything has changed.
    /// - Throws: `.invalidValue` if an item that would be removed must refer to an owner; otherwise as ``add(id:)``.
    @discardableResult
    public func replace(byIDs ids: some Sequence<Target.ID>) throws(DataStoreError) -> Bool {
        try links().replace(by: ids.map { $0.anyItemID })
    }
}

// MARK: Items in an order

extension RelationshipEditor {
    /// Inserts an item, or moves it if it is there, so that it has a position afterwards.
    ///
    /// *Cost:* writes one row; passes over the links before the position, and in a child may read all of the owner.
    ///
    /// - Returns: True if anything has changed.
    /// - Throws: `.invalidRequest` for a position outside; otherwise as ``add(id:)``.
    @discardableResult
    public func insert<Other: DataStoreItem>(
        _ item: Other, at position: Int
    ) throws(DataStoreError) -> Bool where Value == OrderedToMany<Other> {
        try insert(id: item.id, at: position)
    }

    /// Inserts the item of a handle, or moves it if it is there, so that it has a position afterwards.
    ///
    /// - Returns: True if anything has changed.
    /// - Throws: `.invalidRequest` for a position outside; otherwise as ``add(id:)``.
    @discardableResult
    public func insert<Other: DataStoreItem>(
        _ handle: Mutable<Other>, at position: Int
    ) throws(DataStoreError) -> Bool where Value == OrderedToMany<Other> {
        try insert(id: handle.id, at: position)
    }

    /// Inserts the item with an identifier, or moves it if it is there, so that it has a position afterwards.
    ///
    /// - Returns: True if anything has changed.
    /// - Throws: `.invalidRequest` for a position outside; otherwise as ``add(id:)``.
    @discardableResult
    public func insert<Other: DataStoreItem>(
        id: Other.ID, at position: Int
    ) throws(DataStoreError) -> Bool where Value == OrderedToMany<Other> {
        try links().insert(id.anyItemID, at: position)
    }

    /// Moves an item, so that it has a position afterwards; one that is not there is left out.
    ///
    /// - Returns: True if anything has changed.
    /// - Throws: `.invalidRequest` for a position outside; otherwise as ``ids()``.
    @discardableResult
    public func move<Other: DataStoreItem>(
        _ item: Other, to position: Int
    ) throws(DataStoreError) -> Bool where Value == OrderedToMany<Other> {
        try move(id: item.id, to: position)
    }

    /// Moves the item with an identifier, so that it has a position afterwards; one that is not there is left
    /// out.
    ///
    /// - Returns: True if anything has changed.
    /// - Throws: `.invalidRequest` for a position outside; otherwise as ``ids()``.
    @discardableResult
    public func move<Other: DataStoreItem>(
        id: Other.ID, to position: Int
    ) throws(DataStoreError) -> Bool where Value == OrderedToMany<Other> {
        try links().move(id.anyItemID, to: position)
    }

    /// Moves the item at a position, so that it has another one afterwards.
    ///
    /// - Returns: True if anything has changed.
    /// - Throws: `.invalidRequest` for a position outside; otherwise as ``ids()``.
    @discardableResult
    public func move<Other: DataStoreItem>(
        from start: Int, to position: Int
    ) throws(DataStoreError) -> Bool where Value == OrderedToMany<Other> {
        try links().move(from: start, to: position)
    }
}

// MARK: One item

extension RelationshipEditor {
    /// Sets the one item that refers to this one, or with nil frees the present one.
    ///
    /// - Returns: True if anything has changed.
    /// - Throws: `.invalidValue` if the present one needs an owner, `.itemNotFound`, `.uniqueViolation`; or as ``ids()``.
    @discardableResult
    public func set<Other: DataStoreItem>(
        _ item: Other?
    ) throws(DataStoreError) -> Bool where Value == ToOneInverse<Other> {
        try set(id: item?.id)
    }

    /// Sets the one item that refers to this one to the item of a handle.
    ///
    /// - Returns: True if anything has changed.
    /// - Throws: `.invalidValue` if the present one needs an owner, `.itemNotFound`, `.uniqueViolation`; or as ``ids()``.
    @discardableResult
    public func set<Other: DataStoreItem>(
        _ handle: Mutable<Other>
    ) throws(DataStoreError) -> Bool where Value == ToOneInverse<Other> {
        try set(id: handle.id)
    }

    /// Sets the one item that refers to this one by its identifier, or with nil frees the present one.
    ///
    /// - Returns: True if anything has changed.
    /// - Throws: `.invalidValue` if the present one needs an owner, `.itemNotFound`, `.uniqueViolation`; or as ``ids()``.
    @discardableResult
    public func set<Other: DataStoreItem>(
        id: Other.ID?
    ) throws(DataStoreError) -> Bool where Value == ToOneInverse<Other> {
        try links().replace(by: id.map { [$0.anyItemID] } ?? [])
    }
}
