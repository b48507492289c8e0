#if Macros

    /// Makes a struct storable: adds `id` if it is not declared, a memberwise initializer, and the
    /// conformance to ``DataStoreItem``.
    ///
    ///     @StoredItem
    ///     struct Recipe {
    ///         var name: String
    ///         @Indexed var rating: Double = 0
    ///         @Unique var slug: String
    ///         var cookedAt: Date?
    ///     }
    ///
    /// - Parameters:
    ///   - entityName: The name under which the type is stored; by default the type's own name.
    ///   - indexes: Compound indexes: each a list of property names, most significant first.
    ///   - uniques: Compound uniqueness: no two items may agree in all the properties of one list.
    @attached(
        member,
        names: named(id), named(init), named(Attributes), named(attributes), named(schema), named(encode(to:))
    )
    @attached(extension, conformances: DataStoreItem, names: named(init))
    public macro StoredItem(
        _ entityName: String? = nil, indexes: [[String]] = [], uniques: [[String]] = []
    ) = #externalMacro(module: "LarderMacros", type: "StoredItemMacro")

    /// Keeps an index on the property, so that filters and orders on it need not read every item.
    @attached(peer)
    public macro Indexed() = #externalMacro(module: "LarderMacros", type: "IndexedMacro")

    /// Keeps an index on the property and refuses a second item with the same value. `nil` never clashes.
    @attached(peer)
    public macro Unique() = #externalMacro(module: "LarderMacros", type: "UniqueMacro")

    /// Changes the way a property is stored.
    ///
    /// - Parameters:
    ///   - options: `.unique`, the same as ``Unique()``.
    ///   - originalName: The name of the property in earlier versions of the app, so that its values are
    ///     kept when it is renamed.
    ///   - fallback: The value to use when the store holds a value that this app does not know, such as a new
    ///     case of an enum. Without it, reading such an item throws ``DataStoreError/Code/undecodable``.
    @attached(peer)
    public macro Attribute(
        _ options: AttributeOption..., originalName: String? = nil, fallback: Any? = nil
    ) = #externalMacro(module: "LarderMacros", type: "AttributeMacro")

    /// Excludes the property from the store.
    ///
    ///     @Transient var isSelected: Bool = false
    ///
    /// *Rule:* the property needs a default value, which it has in every item that is read. The initializers
    /// take it as a parameter if it is as visible as the item. Filters and orders cannot use it.
    @attached(peer)
    public macro Transient() = #externalMacro(module: "LarderMacros", type: "TransientMacro")

#endif
