public import LarderKernel

/// The way from a type of sources to an item type, made once: which item a source is about, and where the
/// values of the attributes come from.
///
///     static let recipes = ImportMap<Recipe, RecipeResponse>(by: \.slug, from: \.slug) {
///         Import(\.name, from: \.title)
///         Import(\.rating) { $0.stars.map(Double.init) }
///         Import(\.note, ifPresent: \.comment)
///         Import(\.kind, from: \.category, using: kinds)              // a nested object
///         Import(\.tags, by: \.name, from: \.tagNames)                // a list of keys
///     }
///     let counts = try store.writeSync { try $0.importItems(from: response.recipes, using: recipes) }
///
/// A source whose key no item has inserts one; any other changes the attributes that the map names, and no
/// others. If the map does not name an attribute, a new item has the default of its declaration, a new
/// `ItemID` or `UUID` if it is the identifier, or else nil.
///
/// *Rule:* a value; may be kept and sent anywhere. Its closures run on the thread of the block, up to a thousand
/// sources ahead of the rows that they give, and change no items. Only ``didImport(_:)`` may, as it runs at the end of
/// the call.
public struct ImportMap<Item: DataStoreItem, Source>: Sendable {
    package var core: ImportCore<Source>

    /// Finds items by a unique attribute, or by `id`.
    ///
    /// - Parameters:
    ///   - attribute: The attribute that says which item it is; an import throws `.invalidRequest` if it is
    ///     not unique. A text is compared as its unique value is.
    ///   - key: Its value in a source, which a new item gets and a stored one does not, even if its case differs; a
    ///     source without one is skipped.
    ///   - fields: The other attributes and relationships.
    @inlinable
    public init<Key: AttributeValue>(
        by attribute: AttributePath<Item, Key>,
        from key: @escaping @Sendable (Source) throws -> Key.Unwrapped?,
        @ImportBuilder<Item, Source> _ fields: () -> [Import<Item, Source>] = { [] }
    ) {
        self.init(keys: [ImportKeyColumn(attribute, key)], fields())
    }

    /// Finds items by two attributes that are unique together.
    ///
    ///     ImportMap<Meal, Line>(by: \.person, \.day, from: { (ToOne(id: $0.person), $0.day) }) {
    ///         Import(\.dish, from: \.name)
    ///     }
    ///
    /// - Parameter key: Their values in a source; a source without them, or with a nil among them, is skipped.
    @inlinable
    public init<First: AttributeValue, Second: AttributeValue>(
        by first: AttributePath<Item, First>, _ second: AttributePath<Item, Second>,
        from key: @escaping @Sendable (Source) throws -> (First, Second)?,
        @ImportBuilder<Item, Source> _ fields: () -> [Import<Item, Source>] = { [] }
    ) {
        self.init(
            keys: [
                ImportKeyColumn(first) { try key($0)?.0 }, ImportKeyColumn(second) { try key($0)?.1 },
            ], fields())
    }

    /// Finds items by three attributes that are unique together.
    ///
    /// - Parameter key: Their values in a source; a source without them, or with a nil among them, is skipped.
    @inlinable
    public init<First: AttributeValue, Second: AttributeValue, Third: AttributeValue>(
        by first: AttributePath<Item, First>, _ second: AttributePath<Item, Second>,
        _ third: AttributePath<Item, Third>,
        from key: @escaping @Sendable (Source) throws -> (First, Second, Third)?,
        @ImportBuilder<Item, Source> _ fields: () -> [Import<Item, Source>] = { [] }
    ) {
        self.init(
            keys: [
                ImportKeyColumn(first) { try key($0)?.0 }, ImportKeyColumn(second) { try key($0)?.1 },
                ImportKeyColumn(third) { try key($0)?.2 },
            ], fields())
    }

    /// Finds the items of an owner by an attribute that is unique together with the reference to it.
    ///
    ///     let lines = ImportMap<Ingredient, Line>(by: \.name, within: \.recipe, from: \.name)
    ///     ImportMap<Recipe, Page>(by: \.slug, from: \.slug) {
    ///         Import(\.ingredients, from: \.lines, using: lines, .replaceDeleting)
    ///     }
    ///
    /// *Rule:* for the nested objects of a relationship whose other side is the reference; the owner is the item of
    /// the source that they are in. An import throws `.invalidRequest` anywhere else.
    ///
    /// - Parameter key: The value of the attribute in a source; a source without one is skipped.
    @inlinable
    public init<Key: AttributeValue, Owner: ItemReference>(
        by attribute: AttributePath<Item, Key>, within owner: AttributePath<Item, Owner>,
        from key: @escaping @Sendable (Source) throws -> Key?,
        @ImportBuilder<Item, Source> _ fields: () -> [Import<Item, Source>] = { [] }
    ) {
        self.init(
            keys: [
                ImportKeyColumn(attribute, key), ImportKeyColumn(Item.attributes[keyPath: owner].column, nil),
            ], fields())
    }

    /// Finds no items: each source inserts one.
    public init(@ImportBuilder<Item, Source> _ fields: () -> [Import<Item, Source>]) {
        self.init(keys: [], fields())
    }

    @usableFromInline
    package init(
        keys: [ImportKeyColumn<Source>], keyName: String? = nil, _ fields: [Import<Item, Source>]
    ) {
        core = ImportCore(
            Item.schema, keys: keys, keyName: keyName, fields: fields.map(\.field)
        ) { context throws(DataStoreError) in try context.number(of: Item.self) }
    }
}

// MARK: Hooks

extension ImportMap {
    /// Returns a map that makes new items by a closure, before the attributes of the map are set.
    ///
    ///     recipes.inserting { Recipe(name: $0.title, slug: $0.slug, importedAt: now) }
    ///
    /// *Rule:* for attributes that are set when an item is inserted and not when it is changed, and for
    /// types whose declarations have no defaults. Among its relationships, only a `ToOne` counts.
    public func inserting(_ make: @escaping @Sendable (Source) throws -> Item) -> ImportMap {
        changed { core in
            core.make = { source, arena in
                try RowMutation.inserting(try make(source), entity: 0, in: arena).cells
            }
        }
    }

    /// Returns a map that asks a closure before it inserts an item; false skips the source.
    public func shouldInsert(_ body: @escaping @Sendable (Source) throws -> Bool) -> ImportMap {
        changed { $0.shouldInsert = body }
    }

    /// Returns a map that asks a closure before it changes an item; false skips the source, and the item does
    /// not change.
    ///
    ///     recipes.shouldUpdate { recipe, source in source.updatedAt > recipe.updatedAt }
    ///
    /// *Rule:* the owner of a nested object is related to its item all the same.
    public func shouldUpdate(_ body: @escaping @Sendable (Item, Source) throws -> Bool) -> ImportMap {
        changed { core in
            core.shouldUpdate = { cells, source in
                try body(try Item(row: RowReader(cells: cells, of: Item.schema)), source)
            }
        }
    }

    /// Returns a map that calls a closure for each source whose item is stored, once all items of the call are.
    ///
    ///     recipes.didImport { recipe, source, accessor in
    ///         recipe.isVegan = try accessor.items(recipe.item.ingredients).allSatisfy(\.isVegan)
    ///     }
    ///
    /// *Rule:* called in the order of the sources, those in a source before it. The handle and the accessor belong to the
    /// block, so the closure may set, read and import more. The item has what the last source of its key gave it. A throw
    /// undoes the whole import; an error of the library names the source. *Cost:* memory for the sources until the end; a
    /// look-up and a handle for each source, and handles are kept until the block ends.
    public func didImport(
        _ body: @escaping @Sendable (Mutable<Item>, Source, DataStoreReadWriteAccessor) throws -> Void
    ) -> ImportMap {
        changed { core in
            core.didImport = { source in
                { identifier, accessor in
                    guard let id = Item.ID(identifier),
                        let handle = try accessor.mutableItem(id: id, of: Item.self)
                    else { return }
                    try body(handle, source, accessor)
                }
            }
        }
    }

    private func changed(_ change: (inout ImportCore<Source>) -> Void) -> ImportMap {
        var copy = self
        change(&copy.core)
        return copy
    }
}

/// Collects the parts of an ``ImportMap``.
@resultBuilder
public enum ImportBuilder<Item: DataStoreItem, Source> {
    public static func buildExpression(_ field: Import<Item, Source>) -> [Import<Item, Source>] { [field] }

    public static func buildBlock(_ fields: [Import<Item, Source>]...) -> [Import<Item, Source>] {
        fields.flatMap { $0 }
    }

    public static func buildOptional(_ fields: [Import<Item, Source>]?) -> [Import<Item, Source>] {
        fields ?? []
    }

    public static func buildEither(first fields: [Import<Item, Source>]) -> [Import<Item, Source>] { fields }

    public static func buildEither(second fields: [Import<Item, Source>]) -> [Import<Item, Source>] { fields }

    public static func buildArray(_ fields: [[Import<Item, Source>]]) -> [Import<Item, Source>] {
        fields.flatMap { $0 }
    }
}
