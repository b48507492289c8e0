public import LarderKernel

extension DataStore {
    /// The items of a request as a list that follows the store, and reports each change.
    ///
    ///     for try await update in store.list(Recipe.all.sorted(by: \.name)) { … }
    ///     let recipes = store.list(request, sectionedBy: .by(\.kind.name, indexTitle: { $0 }))
    ///
    /// See ``StoreList``. ``DataStoreReadAccessor/list(for:sectionedBy:)`` reads it once.
    @inlinable
    public func list<Item: DataStoreItem>(
        _ request: DataStoreRequest<Item>, sectionedBy sectioning: ListSectioning<Item>? = nil
    ) -> StoreList<Item> {
        // Inlined, so that the items are decoded by code for their type.
        StoreList(coordinator, request, sectioning) { accessor, request, sectioning in
            try accessor.list(for: request, sectionedBy: sectioning)
        }
    }

    /// The items of a request as a list with sections: the items that have the same value in an attribute.
    ///
    ///     let recipes = store.list(Recipe.all.sorted(by: \.name), sectionedBy: \.kind.name)
    ///
    /// The list is sorted by the attribute first, then by the order of the request; see ``ListSectioning``. A limit and
    /// an offset count items in the order of the request alone: the 20 newest, in sections.
    @inlinable
    public func list<Item: DataStoreItem, Section: SortableAttribute & GroupableAttribute>(
        _ request: DataStoreRequest<Item>, sectionedBy attribute: KeyPath<Item.Attributes, Section>
    ) -> StoreList<Item> where Section.Item == Item {
        list(request, sectionedBy: .by(attribute))
    }

    /// The items of a request as a list with sections that a function names.
    ///
    ///     let people = store.list(Person.all, sectionedBy: \.age) { "\($0) years old" }
    @inlinable
    public func list<Item: DataStoreItem, Section: SortableAttribute & GroupableAttribute>(
        _ request: DataStoreRequest<Item>, sectionedBy attribute: KeyPath<Item.Attributes, Section>,
        name: @escaping @Sendable (Section.Key) -> String
    ) -> StoreList<Item> where Section.Item == Item {
        list(request, sectionedBy: .by(attribute, name: name))
    }
}
