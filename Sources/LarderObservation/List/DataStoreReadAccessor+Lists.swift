public import LarderKernel

extension DataStoreReadAccessor {
    /// The items of a request as a list, which finds them by identifier, and has sections if it is asked to.
    ///
    ///     let list = try accessor.list(for: Recipe.all.sorted(by: \.name), sectionedBy: .by(\.kind.name))
    ///
    /// The list has the items that ``items(for:)`` gives, so that a limit and an offset count items in the order of the
    /// request: the 20 newest, in sections. Without them, one request reads the list; with them and sections, another
    /// one finds the items before.
    ///
    /// *Cost:* as ``items(for:)``, and for each item 8 bytes and a second copy of its identifier; for each
    /// group of items that follow each other and have the same reference, a part of a look-up of many.
    ///
    /// - Throws: As ``items(for:)``.
    @inlinable
    public final func list<Item: DataStoreItem>(
        for request: DataStoreRequest<Item>, sectionedBy sectioning: ListSectioning<Item>? = nil
    ) throws(DataStoreError) -> ItemList<Item> {
        let rows = try block().listRows(request, sectioning)
        defer { rows.close() }
        var items: [Item] = []
        while try rows.next() { items.append(try Item(row: rows.row)) }
        return ItemList(items: items, shape: try rows.makeShape())
    }
}
