public import LarderKernel

/// An ``ImportMap`` without its item type.
@usableFromInline
package struct ImportCore<Source>: Sendable {
    let schema: EntitySchema
    /// The attributes by which items are found; empty if each source inserts an item.
    let keys: [ImportKeyColumn<Source>]
    /// The columns of the unique index that finds them, one for each: of an attribute, or of its folded text.
    let keyColumns: [Int]
    /// The name of the key in a source, for errors.
    package let keyName: String?
    let fields: [ImportField<Source>]
    /// The number of the item type in a store.
    let entity: @Sendable (BlockContext) throws(DataStoreError) -> Int
    /// The names of the item types that an import may change, its own among them.
    var reached: Set<UTF8Key> {
        fields.reduce(into: [UTF8Key(schema.name)]) { $0.formUnion($1.reached.union($1.relinked)) }
    }
    /// The names of the item types to whose items it refers by a key.
    var referred: Set<UTF8Key> { fields.reduce(into: []) { $0.formUnion($1.referred) } }
    /// True if an import of its nested objects may change items of its own type.
    let reachesItself: Bool
    /// True if a source or its nested objects may refer by a key to the item of a source before it, which must be stored
    /// then; if its nested objects may change that item; or if two fields may lead to the same items.
    let takesOneByOne: Bool

    /// The values of new rows, by their columns, in addition to the schema's.
    package var defaults: [Int: @Sendable (RowArena) throws -> Cell] = [:]
    var make: (@Sendable (Source, RowArena) throws -> UnsafePointer<Cell>)?
    var shouldInsert: (@Sendable (Source) throws -> Bool)?
    var shouldUpdate: (@Sendable (UnsafePointer<Cell>, Source) throws -> Bool)?
    /// Binds a source to what is done with its item at the end.
    var didImport: (@Sendable (Source) -> (AnyItemID, DataStoreReadWriteAccessor) throws -> Void)?

    package init(
        _ schema: EntitySchema, keys: [ImportKeyColumn<Source>], keyName: String? = nil,
        fields: [ImportField<Source>],
        entity: @escaping @Sendable (BlockContext) throws(DataStoreError) -> Int
    ) {
        self.schema = schema
        // In the order of the index that finds them; one that there is not is refused when the import begins.
        let asked = keys.map(\.column)
        keyColumns = (try? schema.uniqueColumns(asked, for: "")) ?? asked
        self.keys = keyColumns.compactMap { column in
            keys.first { $0.column == schema.declaredColumn(of: column) }
        }
        self.keyName = keyName
        self.fields = fields
        self.entity = entity
        let own = UTF8Key(schema.name)
        reachesItself = fields.contains { $0.reached.contains(own) || $0.relinked.contains(own) }
        takesOneByOne =
            reachesItself
            || fields.contains { $0.referred.contains(own) }
            || fields.indices.contains { number in
                fields[number...].dropFirst().contains { $0.meets(fields[number]) }
            }
    }

    /// The same map for other sources, without its closures.
    init<Other>(
        _ other: ImportCore<Other>, keys: [ImportKeyColumn<Source>], fields: [ImportField<Source>]
    ) {
        schema = other.schema
        self.keys = keys
        keyColumns = other.keyColumns
        keyName = other.keyName
        self.fields = fields
        entity = other.entity
        reachesItself = other.reachesItself
        takesOneByOne = other.takesOneByOne
        defaults = other.defaults
    }

    /// True if a closure sees stored rows, here or for nested objects.
    var showsRows: Bool { shouldUpdate != nil || didImport != nil || fields.contains(where: \.showsRows) }

    /// True if a key is compared without case or diacritics.
    var foldsKeys: Bool { keyColumns.contains(where: schema.foldedColumns.contains) }

    /// - Throws: `.invalidRequest` for a key that is not unique.
    package func requireUniqueKey() throws(DataStoreError) {
        if !keys.isEmpty {
            _ = try schema.uniqueColumns(keys.map(\.column), for: "An import by an attribute")
        }
    }
}

/// One of the columns by which an import finds items.
@usableFromInline
package struct ImportKeyColumn<Source>: Sendable {
    let column: Int
    /// Its value in a source; nil if it refers to the owner of a nested object.
    let value: (@Sendable (Source, RowArena) throws -> Cell)?

    @usableFromInline
    package init(_ column: Int, _ value: (@Sendable (Source, RowArena) throws -> Cell)?) {
        (self.column, self.value) = (column, value)
    }

    /// The column of an attribute, and its value in a source.
    @inlinable
    package init<Item: DataStoreItem, Key: AttributeValue, Value: AttributeStorable>(
        _ attribute: AttributePath<Item, Key>, _ value: @escaping @Sendable (Source) throws -> Value
    ) {
        self.init(Item.attributes[keyPath: attribute].column) { source, arena in
            try value(source).encode(in: arena)
        }
    }
}

/// One attribute or relationship of an import.
@usableFromInline
package struct ImportField<Source>: Sendable {
    let target: Target
    /// The name of the value in a source, for errors.
    let name: String?
    /// The names of the item types that it may change.
    let reached: Set<UTF8Key>
    /// The names of the item types of which it may change the references back, and so no keys.
    let relinked: Set<UTF8Key>
    /// The names of the item types to whose items it, or a nested object, refers by a key.
    let referred: Set<UTF8Key>
    /// True if a closure for its nested objects sees stored rows.
    let showsRows: Bool

    /// The part of an item that a field gives a value.
    enum Target: Sendable {
        /// A column, and its value; nil if the source leaves it unchanged.
        case column(Int, @Sendable (Source, RowArena) throws -> Cell?)
        /// A column that refers to the item of a nested object.
        case reference(Int, MakeNested)
        /// A relationship without a column, by its number.
        case items(Int, ImportedItems, MakeNested)
    }

    /// Makes the nested sources of sources that a function gives by their numbers.
    typealias MakeNested = @Sendable (@escaping (Int) -> Source) -> NestedSources

    /// The column that it gives a value; nil for a relationship without one.
    var column: Int? {
        switch target {
        case .column(let column, _), .reference(let column, _): column
        case .items: nil
        }
    }

    /// True if one of two fields may change items to which the other one leads.
    fileprivate func meets(_ other: ImportField) -> Bool {
        func changes(_ one: ImportField, _ other: ImportField) -> Bool {
            !one.reached.isDisjoint(with: other.reached.union(other.referred))
        }
        return changes(self, other) || changes(other, self)
    }

    init(
        _ target: Target, name: String? = nil, reaching reached: Set<UTF8Key> = [],
        relinking relinked: Set<UTF8Key> = [], referringTo referred: Set<UTF8Key> = [],
        showsRows: Bool = false
    ) {
        self.target = target
        self.name = name
        (self.reached, self.relinked, self.referred) = (reached, relinked, referred)
        self.showsRows = showsRows
    }
}

extension ImportField {
    /// A column, and its value in a source; nil if the source leaves it unchanged.
    @usableFromInline
    package init(
        column: Int, name: String? = nil, _ value: @escaping @Sendable (Source, RowArena) throws -> Cell?
    ) {
        self.init(.column(column, value), name: name)
    }

    /// A column that refers to the item of a nested object, of which there is at most one.
    package init<Nested>(
        reference column: Int, name: String? = nil, using core: ImportCore<Nested>,
        _ nested: @escaping @Sendable (Source) throws -> [Nested]?
    ) {
        self.init(
            .reference(column) { source in NestedObjects(core) { try nested(source($0)) } }, name: name,
            reaching: core.reached, referringTo: core.referred, showsRows: core.showsRows)
    }

    /// A relationship to the items of nested objects.
    package init<Nested>(
        relationship number: Int, _ items: ImportedItems, name: String? = nil, using core: ImportCore<Nested>,
        _ nested: @escaping @Sendable (Source) throws -> [Nested]?
    ) {
        self.init(
            .items(number, items) { source in NestedObjects(core) { try nested(source($0)) } }, name: name,
            reaching: core.reached, referringTo: core.referred, showsRows: core.showsRows)
    }
}

extension DataStoreError {
    /// The same error with the source that it is about; what is known already stays.
    func inSource(_ position: Int, key: String?) -> DataStoreError {
        importPlace == nil ? replacing(importPlace: ImportPlace(position: position, key: key)) : self
    }
}
