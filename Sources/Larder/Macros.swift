#if Macros

    public import LarderKernel
    public import LarderPattern

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
    /// *Rule:* if all properties that are less visible than the struct have values by themselves (an initial value, `nil`
    /// or `.notGiven`), the initializer leaves them out, and their types may be hidden. Further initializers take them too,
    /// one for each level of access. An initializer of your own that takes all properties replaces these.
    ///
    /// - Parameters:
    ///   - entityName: The name under which the type is stored; by default the type's own name.
    ///   - originalName: The name under which earlier versions of the app stored the type. Its rows, references
    ///     and links stay.
    ///   - indexes: Compound indexes: each a list of property names, most significant first.
    ///   - uniques: Compound uniqueness: no two items may agree in all the properties of one list. In both kinds of lists, a
    ///     text is compared without regard to case if `[c]` follows its name, to diacritics for `[d]`, and to both for
    ///     `[cd]`: `uniques: [["owner", "name[c]"]]`.
    @attached(
        member,
        names: named(id), named(init), named(Attributes), named(attributes), named(schema),
        named(encode(to:)),
        named(_defaultValue)
    )
    @attached(extension, conformances: DataStoreItem, names: named(init))
    public macro StoredItem(
        _ entityName: String? = nil, originalName: String? = nil, indexes: [[String]] = [],
        uniques: [[String]] = []
    ) = #externalMacro(module: "LarderMacros", type: "StoredItemMacro")

    /// Keeps an index on the property, so that filters and orders on it need not read every item.
    ///
    /// A text may have an index without regard to case or diacritics, `@Indexed(.caseInsensitive)`: orders, and filters by
    /// equality, prefix and range that ignore the same use it. *Cost:* the store keeps the folded text beside the text.
    ///
    /// - Parameter matching: The comparison of the texts.
    @attached(peer)
    public macro Indexed(_ matching: TextMatching = .exact) =
        #externalMacro(module: "LarderMacros", type: "IndexedMacro")

    /// Keeps an index on the property and refuses a second item with the same value.
    ///
    /// Any number of items may have `nil`. `@Unique(.caseInsensitive)` refuses a text that differs only in case from
    /// another item's.
    ///
    /// - Parameter matching: The comparison of the texts, which has an index as ``Indexed(_:)`` does.
    @attached(peer)
    public macro Unique(_ matching: TextMatching = .exact) =
        #externalMacro(module: "LarderMacros", type: "UniqueMacro")

    /// Changes the way a property is stored.
    ///
    /// - Parameters:
    ///   - options: `.unique`, the same as ``Unique(_:)``.
    ///   - storedAs: The name in the store; by default the name of the property. Files, JSON, CSV, SQL and
    ///     other tools have this name, and code and filters as text the name of the property. A property can
    ///     then be renamed in Swift without a change of the store.
    ///   - originalName: The name in the store in earlier versions of the app, so that its values are
    ///     kept when it is renamed.
    ///   - fallback: The value to use when the store holds a value that this app does not know, such as a new
    ///     case of an enum. Without it, reading such an item throws ``DataStoreError/Code/undecodable``. It
    ///     is for whole items; calls for single values, groups, distinct values, a minimum or a maximum
    ///     throw `.undecodable` all the same. The stored value stays until the property gets another value.
    @attached(peer)
    public macro Attribute(
        _ options: AttributeOption..., storedAs: String, originalName: String? = nil, fallback: Any? = nil
    ) = #externalMacro(module: "LarderMacros", type: "AttributeMacro")

    /// Changes the way a property is stored, under its own name.
    @attached(peer)
    public macro Attribute(
        _ options: AttributeOption..., originalName: String? = nil, fallback: Any? = nil
    ) = #externalMacro(module: "LarderMacros", type: "AttributeMacro")

    /// Says what happens to the items at the other end of a relationship, and which property shows it there.
    ///
    ///     @StoredItem
    ///     struct Recipe {
    ///         var name: String
    ///         @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe)
    ///         var ingredients: ToMany<Ingredient>
    ///         var tags: ToMany<Tag>
    ///     }
    ///     @StoredItem
    ///     struct Ingredient {
    ///         var name: String
    ///         var recipe: ToOne<Recipe>
    ///     }
    ///     @StoredItem
    ///     struct Tag {
    ///         @Unique var name: String
    ///         @Relationship(inverse: \Recipe.tags) var recipes: ToMany<Recipe>
    ///     }
    ///     let sweet = Tag(name: "Sweet")
    ///     let cake = Recipe(name: "Cake", tags: [sweet])
    ///     let egg = Ingredient(name: "Egg", recipe: ToOne(cake))
    ///
    /// ## Relationships
    ///
    /// The type of a property makes it a relationship; the mark is only needed for a delete rule or an inverse.
    ///
    /// - ``ToOne`` refers to one item, and `ToOne<Kind>?` to one or none. It is stored as the item's identifier,
    ///   in a column with an index. A property `var kind: ItemID<Kind>` becomes a relationship when its type is
    ///   changed to `ToOne<Kind>`; no stored item has to change. `@Unique` allows one referring item for each.
    /// - ``ToMany`` with an inverse that is a ``ToOne`` shows the items that refer to this one, and stores nothing.
    /// - ``ToMany`` without an inverse is a many-to-many relationship, stored as a link for each pair.
    ///   ``OrderedToMany`` keeps the links in an order that the app decides. A ``ToMany`` of the other type that
    ///   names it as its inverse shows the same links from there. If the other type has a ``ToOne`` back to
    ///   this one without an inverse, and the two are unrelated, write `inverse: nil`; otherwise `setup()`
    ///   throws `.invalidSchema`.
    /// - ``ToOneInverse`` shows the one item whose ``ToOne`` refers to this one: the other side of a one-to-one
    ///   relationship.
    ///
    /// Only one side names the other as its inverse: the side that is not stored. Both sides always agree, as
    /// they show the same stored references or links. A type may have relationships to itself, and several to
    /// the same type.
    ///
    /// An item that is made without relationships has none: in initializers, an optional ``ToOne`` is `nil` by default,
    /// and a relationship of another kind `.notGiven`. Relationships other than a ``ToOne`` have no column: they cannot
    /// be indexed or unique, and two of them are always equal.
    ///
    /// *Rule:* the rule belongs to the item that is deleted: with `.cascade` on `ingredients`, a deleted recipe
    /// takes its ingredients with it. If the ``ToOne`` at the other end is required, the rule must be
    /// `.cascade`, `.deny` or `.noAction`, as `.nullify` would have to make it nil; the compiler refuses it.
    ///
    /// - Parameters:
    ///   - deleteRule: The effect of a deletion on the items at the other end.
    ///   - storedAs: The name in the store, as for ``Attribute(_:storedAs:originalName:fallback:)``. A
    ///     relationship with an inverse stores nothing and has none.
    ///   - originalName: The name in the store in earlier versions of the app, so that its links, or the
    ///     references of a ``ToOne``, are kept when it is renamed. One with an inverse stores nothing and needs
    ///     none.
    ///   - inverse: The property at the other end that stores the relationship, as `\Type.property`; `nil` says
    ///     that a ``ToMany`` is many-to-many although a ``ToOne`` refers back.
    @attached(peer)
    public macro Relationship(
        deleteRule: DeleteRule = .nullify, storedAs: String? = nil, originalName: String? = nil,
        inverse: AnyKeyPath? = nil
    ) = #externalMacro(module: "LarderMacros", type: "RelationshipMacro")

    /// Excludes the property from the store.
    ///
    ///     @StoredItem
    ///     struct Recipe {
    ///         @Transient var isSelected: Bool = false
    ///     }
    ///
    /// *Rule:* the property needs a default value, which it has in every item that is read. The initializers
    /// take it as a parameter if it is as visible as the item. Filters and orders cannot use it. A handle shows the
    /// default when its item is made again from its row, as by ``Mutable/setValue(_:forKey:)`` and, if the type has
    /// relationships, by ``Mutable/replace(by:)``.
    @attached(peer)
    public macro Transient() = #externalMacro(module: "LarderMacros", type: "TransientMacro")

#endif
