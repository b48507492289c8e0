/// The way to the items of one snapshot, inside a block.
///
///     let names = try store.read { accessor in
///         try accessor.items(for: Recipe.where(\.rating > 4)).map(\.name)
///     }
///
/// *Rule:* lives in its block and on its thread. Used after the block it throws `.accessorExpired`; taking it
/// to another task does not compile. The items it returns are plain values and may go anywhere. A call in a write
/// block first saves the values set on handles, and throws the error of one that cannot be stored.
public class DataStoreReadAccessor {
    // reason for unowned(unsafe): the frame that runs the block keeps the context, and expires the accessor
    // before it releases the context.
    private unowned(unsafe) let context: BlockContext
    // reason for unchecked: touched by the block's own thread only, with every request.
    @exclusivity(unchecked) private var isExpired = false

    init(_ context: BlockContext) {
        self.context = context
    }

    final func expire() {
        isExpired = true
    }

    /// The running block.
    ///
    /// - Throws: `.accessorExpired`.
    @usableFromInline
    package final func block() throws(DataStoreError) -> BlockContext {
        if isExpired {
            throw DataStoreError(.accessorExpired, "The accessor was used after its block had ended.")
        }
        return context
    }

    /// Reads items of a type one after the other; a write block refuses to change it meanwhile.
    @usableFromInline
    package func iterating<Item: DataStoreItem>(_ type: Item.Type, _ body: () throws -> Void) throws {
        try body()
    }
}

extension DataStoreReadAccessor: CustomReflectable {
    /// Shows nothing: the memory of a block is gone when it has ended.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: Items

extension DataStoreReadAccessor {
    /// The items of a request, in its order.
    ///
    ///     let best = try accessor.items(for: Recipe.where(\.rating > 4).sorted(by: \.name))
    ///
    /// *Cost:* one pass over the rows asked for; an item's own strings are all that is allocated.
    ///
    /// - Throws: `.invalidRequest`, `.unknownItemType`, `.undecodable`; rethrows errors from the engine.
    @inlinable
    public final func items<Item: DataStoreItem>(
        for request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> [Item] {
        let scan = try block().rows(of: request)
        defer { scan.close() }
        var items: [Item] = []
        while try scan.next() { items.append(try Item(row: scan.row)) }
        return items
    }

    /// The first item of a request, or nil.
    ///
    ///     let latest = try accessor.firstItem(for: Recipe.all.sorted(by: \.updatedAt, .descending))
    ///
    /// *Cost:* one row, if an index has the order; otherwise one pass over the rows.
    ///
    /// - Throws: As ``items(for:)``.
    @inlinable
    public final func firstItem<Item: DataStoreItem>(
        for request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> Item? {
        let scan = try block().rows(of: request.first)
        defer { scan.close() }
        return try scan.next() ? try Item(row: scan.row) : nil
    }

    /// The item with this identifier, or nil.
    ///
    ///     let recipe = try accessor.item(id: id, of: Recipe.self)
    ///
    /// *Cost:* one look-up by key.
    ///
    /// - Throws: `.unknownItemType`, `.identifierTooLong`, `.undecodable`; rethrows errors from the engine.
    @inlinable
    public final func item<Item: DataStoreItem>(
        id: Item.ID, of type: Item.Type = Item.self
    ) throws(DataStoreError) -> Item? {
        guard let cells = try block().findRow(id, of: type) else { return nil }
        return try Item(row: RowReader(cells: cells, of: Item.schema))
    }

    /// The item with this identifier, or nil; an ``ItemID`` knows its type.
    ///
    ///     let recipe = try accessor.item(id: id)
    ///
    /// - Throws: `.unknownItemType`, `.undecodable`; rethrows errors from the engine.
    @inlinable
    public final func item<Item: DataStoreItem>(
        id: ItemID<Item>
    ) throws(DataStoreError) -> Item? where Item.ID == ItemID<Item> {
        try item(id: id, of: Item.self)
    }

    /// Runs the body for each item of a request, in its order, without keeping them in memory.
    ///
    ///     try accessor.forEachItem(for: Recipe.all.sorted(by: \.name)) { recipe in print(recipe.name) }
    ///
    /// *Rule:* inside a write block, changing items of the type meanwhile throws `.changedDuringIteration`. A
    /// throw ends the walk. *Cost:* constant memory, whatever the number of items; identifiers, in a write block, if the
    /// filter or the order is about related items.
    ///
    /// - Throws: The body's own error; otherwise as ``items(for:)``.
    @inlinable
    public final func forEachItem<Item: DataStoreItem>(
        for request: DataStoreRequest<Item>, _ body: (Item) throws -> Void
    ) throws {
        let scan = try block().rows(ofWalkOver: request)
        defer { scan.close() }
        try iterating(Item.self) {
            while try scan.next() { try body(try Item(row: scan.row)) }
        }
    }
}

// MARK: Less than items

extension DataStoreReadAccessor {
    /// The number of items a request gives, its offset and limit included.
    ///
    ///     let count = try accessor.countItems(for: Recipe.where(\.isDraft))
    ///
    /// *Cost:* no item is read; an engine counts in an index if it can.
    ///
    /// - Throws: `.invalidRequest`, `.unknownItemType`; rethrows errors from the engine.
    public final func countItems<Item: DataStoreItem>(
        for request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> Int {
        try block().count(of: request)
    }

    /// True if a request gives any item.
    ///
    ///     if try accessor.contains(Recipe.where(\.slug == "toast")) { … }
    ///
    /// *Cost:* ends at the first row that an engine finds, whatever the order.
    ///
    /// - Throws: As ``countItems(for:)``.
    public final func contains<Item: DataStoreItem>(
        _ request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> Bool {
        try block().count(of: request.first) > 0
    }

    /// True if an item with this identifier is stored.
    ///
    /// *Cost:* one look-up by key.
    ///
    /// - Throws: `.unknownItemType`, `.identifierTooLong`; rethrows errors from the engine.
    public final func contains<Item: DataStoreItem>(
        id: Item.ID, of type: Item.Type
    ) throws(DataStoreError) -> Bool {
        try block().findRow(id, of: type) != nil
    }

    /// True if an item with this identifier is stored; an ``ItemID`` knows its type.
    ///
    /// - Throws: `.unknownItemType`; rethrows errors from the engine.
    public final func contains<Item: DataStoreItem>(
        id: ItemID<Item>
    ) throws(DataStoreError) -> Bool where Item.ID == ItemID<Item> {
        try contains(id: id, of: Item.self)
    }

    /// The identifiers of the items of a request, in its order.
    ///
    ///     let drafts = try accessor.ids(for: Recipe.where(\.isDraft))
    ///
    /// *Cost:* only the identifiers are read.
    ///
    /// - Throws: As ``items(for:)``.
    public final func ids<Item: DataStoreItem>(
        for request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> [Item.ID] {
        try values(for: request, columns: [0]) { row throws(DataStoreError) in try row.next() }
    }

    /// The values of some attributes of the items of a request, in its order, without the items.
    ///
    ///     for (name, rating) in try accessor.values(for: Recipe.all, \.name, \.rating) { … }
    ///
    /// *Cost:* only these columns are read.
    ///
    /// - Throws: As ``items(for:)``.
    public final func values<Item: DataStoreItem, each Value: AttributeStorable>(
        for request: DataStoreRequest<Item>, _ attribute: repeat AttributePath<Item, each Value>
    ) throws(DataStoreError) -> [(repeat each Value)] {
        var columns: [Int] = []
        repeat columns.append(Item.attributes[keyPath: each attribute].column)
        return try values(for: request, columns: columns) { row throws(DataStoreError) in
            (repeat try row.next(as: (each Value).self))
        }
    }

    private final func values<Item: DataStoreItem, Value>(
        for request: DataStoreRequest<Item>, columns: [Int],
        _ decode: (inout SelectedRow) throws(DataStoreError) -> Value
    ) throws(DataStoreError) -> [Value] {
        // There is room for each column once, however often it is asked for.
        var read: [Int] = []
        let positions = columns.map { column in
            if let position = read.firstIndex(of: column) { return position }
            read.append(column)
            return read.count - 1
        }
        let scan = try block().rows(of: request, columns: .some(read))
        defer { scan.close() }
        var values: [Value] = []
        while try scan.next() {
            var row = SelectedRow(cells: scan.cells, positions: positions, columns: read, entity: Item.schema)
            values.append(try decode(&row))
        }
        return values
    }

    /// The steps by which a request is run, one line each.
    ///
    /// ```text
    /// index Recipe(slug)
    /// ```
    ///
    /// *Cost:* the request is planned and not run; its plans for related items are run if the core finds these. The
    /// wording is for people, and is not the same on all engines.
    ///
    /// - Throws: As ``countItems(for:)``.
    public final func explain<Item: DataStoreItem>(
        _ request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> [String] {
        let context = try block()
        return try context.explain(of: context.resolved(request).plan)
    }
}

/// Some columns of a row, decoded one after the other.
private struct SelectedRow {
    let cells: UnsafePointer<Cell>
    /// For each value that is asked for, in which cell it is.
    let positions: [Int]
    /// The columns of the cells.
    let columns: [Int]
    let entity: EntitySchema
    private var next = 0

    init(cells: UnsafePointer<Cell>, positions: [Int], columns: [Int], entity: EntitySchema) {
        self.cells = cells
        self.positions = positions
        self.columns = columns
        self.entity = entity
    }

    mutating func next<Value: AttributeStorable>(
        as type: Value.Type = Value.self
    ) throws(DataStoreError) -> Value {
        let position = positions[next]
        next += 1
        guard let value = Value.decode(cells[position]) else {
            throw entity.undecodable(cells[position], at: columns[position])
        }
        return value
    }
}

extension DataStoreRequest {
    /// The same request for its first item only.
    @usableFromInline var first: DataStoreRequest {
        limit(min(core.limit ?? 1, 1))
    }
}
