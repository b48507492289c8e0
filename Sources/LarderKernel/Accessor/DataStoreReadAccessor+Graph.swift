// MARK: Related items

extension DataStoreReadAccessor {
    /// The item of a reference; nil if the reference is, or leads to no item.
    ///
    ///     let editor = try accessor.item(book.editor)
    ///
    /// A reference leads to no item if its item was deleted under ``DeleteRule/noAction``, or since the
    /// value with the reference was read. *Cost:* one look-up by key.
    ///
    /// - Throws: As ``item(id:of:)``.
    @inlinable
    public final func item<Item: DataStoreItem>(
        _ reference: ToOne<Item>?
    ) throws(DataStoreError) -> Item? {
        guard let reference else {
            _ = try block()
            return nil
        }
        return try item(id: reference.id, of: Item.self)
    }

    /// The item of a reference that has to lead to one.
    ///
    ///     let author = try accessor.requiredItem(book.author)
    ///
    /// - Throws: `.itemNotFound` when it leads to no item; otherwise as ``item(id:of:)``.
    @inlinable
    public final func requiredItem<Item: DataStoreItem>(
        _ reference: ToOne<Item>
    ) throws(DataStoreError) -> Item {
        if let item = try item(reference) { return item }
        throw missingItem(reference.id.anyItemID, Item.schema)
    }

    @usableFromInline
    final func missingItem(_ identifier: AnyItemID, _ schema: EntitySchema) -> DataStoreError {
        DataStoreError(
            .itemNotFound, "The item of a reference is not in the store.",
            advice: "Use item(_:), which returns nil if the item may have been deleted.",
            itemType: schema.name, identifier: identifier)
    }

    /// The one item that refers to an item, or nil.
    ///
    ///     let passport = try accessor.item(person.passport)
    ///
    /// - Throws: `.invalidRequest` for the relationship of an item that was not read from a store; otherwise as
    ///   ``items(for:)``.
    @inlinable
    public final func item<Item: DataStoreItem>(
        _ inverse: ToOneInverse<Item>
    ) throws(DataStoreError) -> Item? {
        try firstItem(for: inverse.request)
    }

    /// The items that belong to an item, by their identifiers; the items of an ``OrderedToMany`` in its
    /// order.
    ///
    ///     let recent = try accessor.items(person.books, where: \.year > 1990)
    ///     let titles = try accessor.items(for: person.books.request.sorted(by: \.title).limit(20))
    ///
    /// None if the owner has been deleted, except items that still refer to it (`.noAction`). For an order and a window,
    /// refine the window's own request. *Cost:* one plan; for many-to-many relationships one more, which reads the links.
    ///
    /// - Throws: `.invalidRequest` for the relationship of an item that was not read from a store,
    ///   `.unknownItemType`; otherwise as ``items(for:)``.
    @inlinable
    public final func items<Relationship: RelationshipValue>(
        _ window: Relationship, where filter: Filter<Relationship.Target> = .always(true)
    ) throws(DataStoreError) -> [Relationship.Target] {
        try items(for: window.request.filter(filter))
    }

    /// The number of items that belong to an item.
    ///
    ///     let count = try accessor.countItems(person.books, where: \.year > 1990)
    ///
    /// *Cost:* no item is read.
    ///
    /// - Throws: As ``items(_:where:)``.
    public final func countItems<Relationship: RelationshipValue>(
        _ window: Relationship, where filter: Filter<Relationship.Target> = .always(true)
    ) throws(DataStoreError) -> Int {
        try countItems(for: window.request.filter(filter))
    }
}

extension RelationshipValue {
    /// A request for the items, to be refined like any other.
    ///
    ///     let latest = person.books.request.sorted(by: \.year, .descending).limit(3)
    ///
    /// It may be used in any store of the types, and with `mutableItems(for:)`, `deleteItems(for:)` and
    /// `update(_:_:)`. The items of an ``OrderedToMany`` come in its order, unless the request has another.
    public var request: DataStoreRequest<Target> { DataStoreRequest().related(to: self) }
}

extension DataStoreRequest {
    /// Returns a request for those items that also belong to an item: `Book.all.related(to: person.books)`.
    ///
    /// Without another order, items come in the order of the first ``OrderedToMany``. *Rule:* the
    /// relationship belongs to an item that was read from a store; otherwise the first call that uses the
    /// request throws `.invalidRequest`.
    public func related<Relationship: RelationshipValue>(
        to window: Relationship
    ) -> DataStoreRequest where Relationship.Target == Item {
        changed { core in core.add(window.source.map { .window($0) } ?? .unstored) }
    }
}
