import Larder

/// A transaction with the requests tests make.
protocol Scope {
    associatedtype Transaction
    var transaction: Transaction { get }
    var schema: StoreSchema { get }
    var reading: any StorageReading { get }
}

struct ReadScope: Scope {
    let transaction: any StorageReading
    let schema: StoreSchema
    var reading: any StorageReading { transaction }
}

struct WriteScope: Scope {
    let transaction: any StorageWriting
    let schema: StoreSchema
    var reading: any StorageReading { transaction }
}

struct NotStored: Error {}

extension Scope {
    func number(of type: any DataStoreItem.Type) throws -> Int {
        guard let number = schema.number(of: type) else { throw NotStored() }
        return number
    }

    func plan<Item: DataStoreItem>(
        _ type: Item.Type, where predicate: RowPredicate = .always(true), order: [RequestPlan.SortTerm] = [],
        offset: Int = 0, limit: Int? = nil
    ) throws -> RequestPlan {
        RequestPlan(
            entity: try number(of: type), schema: Item.schema, predicate: predicate, order: order,
            offset: offset, limit: limit)
    }

    func items<Item: DataStoreItem>(
        _ type: Item.Type, where predicate: RowPredicate = .always(true), order: [RequestPlan.SortTerm] = [],
        offset: Int = 0, limit: Int? = nil
    ) throws -> [Item] {
        try items(
            type, for: plan(type, where: predicate, order: order, offset: offset, limit: limit))
    }

    func items<Item: DataStoreItem>(_ type: Item.Type, for plan: RequestPlan) throws -> [Item] {
        let cursor = try reading.rows(for: plan)
        defer { cursor.close() }
        var items: [Item] = []
        while let item = try cursor.next(type) { items.append(item) }
        return items
    }

    func item<Item: DataStoreItem>(_ type: Item.Type, _ id: Item.ID) throws -> Item? {
        let cells = UnsafeMutablePointer<Cell>.allocate(capacity: Item.schema.attributes.count)
        defer { cells.deallocate() }
        let arena = RowArena()
        let found = try reading.row(at: try id.encode(in: arena), of: try number(of: type), into: cells)
        return found ? try Item(row: RowReader(cells: cells, of: Item.schema)) : nil
    }

    func count<Item: DataStoreItem>(
        _ type: Item.Type, where predicate: RowPredicate = .always(true), offset: Int = 0, limit: Int? = nil
    ) throws -> Int {
        try reading.count(for: plan(type, where: predicate, offset: offset, limit: limit))
    }
}

extension WriteScope {
    /// Inserts items in one call of the seam.
    func insert<Item: DataStoreItem>(_ items: [Item]) throws {
        let width = Item.schema.attributes.count
        let cells = UnsafeMutablePointer<Cell>.allocate(capacity: max(1, width * items.count))
        defer { cells.deallocate() }
        let arena = RowArena()
        var mutations: [RowMutation] = []
        for (position, item) in items.enumerated() {
            let row = cells + position * width
            var writer = RowWriter(cells: row, arena: arena, of: Item.schema)
            try item.encode(to: &writer)
            mutations.append(RowMutation(.insert, entity: try number(of: Item.self), cells: row))
        }
        _ = try apply(mutations)
    }

    /// Writes some columns of an item over the ones that are stored.
    @discardableResult
    func update<Item: DataStoreItem>(_ item: Item, _ columns: Int...) throws -> Int {
        try update(item, columns: columns)
    }

    @discardableResult
    func update<Item: DataStoreItem>(_ item: Item, columns: [Int]) throws -> Int {
        let cells = UnsafeMutablePointer<Cell>.allocate(capacity: Item.schema.attributes.count)
        defer { cells.deallocate() }
        let arena = RowArena()
        var writer = RowWriter(cells: cells, arena: arena, of: Item.schema)
        try item.encode(to: &writer)
        let number = try number(of: Item.self)
        return try apply([RowMutation(.update, entity: number, cells: cells, columns: ColumnSet(columns))])
    }

    @discardableResult
    func delete<Item: DataStoreItem>(_ type: Item.Type, _ ids: [Item.ID]) throws -> Int {
        let cells = UnsafeMutablePointer<Cell>.allocate(capacity: max(1, ids.count))
        defer { cells.deallocate() }
        let arena = RowArena()
        var mutations: [RowMutation] = []
        for (position, id) in ids.enumerated() {
            cells[position] = try id.encode(in: arena)
            mutations.append(RowMutation(.delete, entity: try number(of: type), cells: cells + position))
        }
        return try apply(mutations)
    }

    @discardableResult
    func deleteAll(_ type: any DataStoreItem.Type) throws -> Int {
        let cells = UnsafeMutablePointer<Cell>.allocate(capacity: 1)
        defer { cells.deallocate() }
        return try apply([RowMutation(.deleteAll, entity: try number(of: type), cells: cells)])
    }

    private func apply(_ mutations: [RowMutation]) throws -> Int {
        try mutations.withUnsafeBufferPointer { try transaction.apply($0).count }
    }
}

extension RowCursor {
    /// The next item; nil behind the last.
    func next<Item: DataStoreItem>(_ type: Item.Type) throws -> Item? {
        let cells = UnsafeMutablePointer<Cell>.allocate(capacity: Item.schema.attributes.count)
        defer { cells.deallocate() }
        return try next(into: cells) ? try Item(row: RowReader(cells: cells, of: Item.schema)) : nil
    }
}

extension RequestPlan.SortTerm {
    static func ascending(_ column: Int) -> Self { Self(column: column, isAscending: true) }
    static func descending(_ column: Int) -> Self { Self(column: column, isAscending: false) }
}
