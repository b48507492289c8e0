public import LarderKernel

/// One attribute or relationship in an ``ImportMap``, and where its value comes from.
///
///     let recipes = ImportMap<Recipe, RecipeResponse>(by: \.slug, from: \.slug) {
///         Import(\.name, from: \.title)      // a property of the source
///         Import(\.rating) { $0.stars.map(Double.init) }      // any other value
///         Import(\.note, ifPresent: \.comment)      // nil leaves the attribute as it is
///         Import(\.kind, from: \.category, using: kinds)      // a nested object, by a map of its own
///         Import(\.kind, by: \.name, from: \.categoryName)      // the key of a stored item
///         Import(\.tags, from: \.tags, using: tags)      // a list of nested objects
///     }
///
/// A value that may be nil and comes `from:` a source sets the attribute to nil; with `ifPresent:`, nil
/// leaves it unchanged, in a new item with its default. If its list is nil, a relationship stays unchanged.
public struct Import<Item: DataStoreItem, Source>: Sendable {
    @usableFromInline let field: ImportField<Source>

    @usableFromInline
    package init(_ field: ImportField<Source>) {
        self.field = field
    }

    /// Takes the value of an attribute from a source.
    @inlinable
    public init<Value: AttributeStorable>(
        _ attribute: AttributePath<Item, Value>, from value: @escaping @Sendable (Source) throws -> Value
    ) {
        self.init(
            ImportField(column: Item.attributes[keyPath: attribute].column) { source, arena in
                try value(source).encode(in: arena)
            })
    }

    /// Takes the value of an attribute from the sources in which it is not nil.
    @_disfavoredOverload
    @inlinable
    public init<Value: AttributeStorable>(
        _ attribute: AttributePath<Item, Value>,
        ifPresent value: @escaping @Sendable (Source) throws -> Value?
    ) {
        self.init(
            ImportField(column: Item.attributes[keyPath: attribute].column) { source, arena in
                try value(source)?.encode(in: arena)
            })
    }
}

// MARK: To one item

extension Import {
    /// Imports a nested object by a map of its own, and refers to its item; nil sets the reference to nil.
    ///
    /// *Rule:* a nested object without a key counts as nil.
    public init<Reference: ItemReference, Nested>(
        _ reference: AttributePath<Item, Reference>,
        from nested: @escaping @Sendable (Source) throws -> Nested?,
        using map: ImportMap<Reference.Target, Nested>
    ) {
        self.init(
            ImportField(reference: Item.attributes[keyPath: reference].column, using: map.core) { source in
                try nested(source).map { [$0] } ?? []
            })
    }

    /// Imports a nested object by a map of its own, and refers to its item; nil leaves the reference unchanged.
    @_disfavoredOverload
    public init<Reference: ItemReference, Nested>(
        _ reference: AttributePath<Item, Reference>,
        ifPresent nested: @escaping @Sendable (Source) throws -> Nested?,
        using map: ImportMap<Reference.Target, Nested>
    ) {
        self.init(
            ImportField(reference: Item.attributes[keyPath: reference].column, using: map.core) { source in
                try nested(source).map { [$0] }
            })
    }

    /// Refers to the stored item with this value of a unique attribute; nil sets the reference to nil.
    ///
    /// *Rule:* an import throws `.targetNotFound` if no item has the value. It may be an earlier source's
    /// value, as for trees; sources are then looked up one by one. To insert the item, use a map:
    /// `Import(\.kind, from: \.kindName, using: ImportMap(by: \.name, from: \.self))`.
    public init<Reference: ItemReference, Key: AttributeValue>(
        _ reference: AttributePath<Item, Reference>, by attribute: AttributePath<Reference.Target, Key>,
        from key: @escaping @Sendable (Source) throws -> Key.Unwrapped?
    ) {
        let column = Reference.Target.attributes[keyPath: attribute].column
        self.init(
            ImportField(
                .reference(Item.attributes[keyPath: reference].column) { source in
                    NestedKeys<Reference.Target>(column) { try key(source($0)).map { [$0] } ?? [] }
                }, referringTo: [UTF8Key(Reference.Target.schema.name)]))
    }
}

// MARK: To many items

/// The items that a relationship has after an import.
public enum ImportedItems: Sendable {
    /// The items of the source and no others, in its order if the relationship has one.
    case replace
    /// The items of the source in addition to the present ones.
    case add
    /// The items of the source and no others, as ``replace``; one that was there before, and that after the
    /// import no owner has any more, is deleted, with what goes with it by the delete rules.
    ///
    /// *Rule:* at the end of the call, so a later source may give it to an owner, or let it refer to one. If that owner
    /// is deleted too, the delete rule decides about an item that refers to it. *Cost:* memory for the identifiers of
    /// those that are left over, and a request for up to a thousand of them; another one for those that have other owners,
    /// each time that owners may have been deleted.
    case replaceDeleting
}

extension Import {
    /// Imports a list of nested objects by a map of their own, and relates their items; nil leaves the
    /// relationship unchanged, an empty list empties it.
    ///
    /// *Rule:* an object without a key is left out. The items at the other end of a ``ToOne`` get their reference
    /// before they are inserted, so it may be one that must not be nil; `.replace` then throws `.invalidValue`
    /// for an item that would lose it by the end of the call, and `.replaceDeleting` deletes that item.
    public init<Value: RelationshipValue, Nested>(
        _ relationship: RelationshipPath<Item, Value>,
        from nested: @escaping @Sendable (Source) throws -> [Nested]?,
        using map: ImportMap<Value.Target, Nested>, _ items: ImportedItems = .replace
    ) {
        self.init(
            ImportField(
                relationship: Item.attributes[keyPath: relationship].relationshipNumber, items,
                using: map.core,
                nested))
    }

    /// Relates the stored items with these values of a unique attribute; nil leaves the relationship unchanged,
    /// an empty list empties it.
    ///
    /// *Rule:* an import throws `.targetNotFound` if no item has a value.
    public init<Value: RelationshipValue, Key: AttributeValue>(
        _ relationship: RelationshipPath<Item, Value>, by attribute: AttributePath<Value.Target, Key>,
        from keys: @escaping @Sendable (Source) throws -> [Key.Unwrapped]?, _ items: ImportedItems = .replace
    ) {
        let column = Value.Target.attributes[keyPath: attribute].column
        self.init(
            ImportField(
                .items(Item.attributes[keyPath: relationship].relationshipNumber, items) { source in
                    NestedKeys<Value.Target>(column) { try keys(source($0)) }
                },
                // The items may refer back in a column of their own.
                relinking: [UTF8Key(Value.Target.schema.name)],
                referringTo: [UTF8Key(Value.Target.schema.name)]))
    }
}
