import Larder

/// Drives an adapter at the seam, with items in place of cells.
struct SeamDriver {
    let schema: StoreSchema
    let adapter: any StorageAdapter

    init(_ adapter: any StorageAdapter, storing types: any DataStoreItem.Type...) throws {
        self.adapter = adapter
        schema = try StoreSchema(storing: types)
        try adapter.open(schema)
    }

    func read<Result>(_ body: (any StorageReading) throws -> Result) throws -> Result {
        let reader = try adapter.beginReading()
        defer { reader.end() }
        return try body(reader)
    }

    @discardableResult
    func write<Result>(_ body: (any StorageWriting) throws -> Result) throws -> Result {
        let writer = try adapter.beginWriting()
        defer { writer.end() }
        let result = try body(writer)
        try writer.commit()
        return result
    }

    func number<Item: DataStoreItem>(of type: Item.Type) -> Int {
        schema.number(of: type) ?? -1
    }
}

extension StorageWriting {
    /// Inserts, or changes all attributes of, an item.
    @discardableResult
    func apply<Item: DataStoreItem>(
        _ kind: RowMutation.Kind, _ item: Item, entity: Int = 0, columns: [Int]? = nil
    ) throws -> Int {
        let arena = RowArena()
        var cells = [Cell](repeating: .null, count: Item.schema.attributes.count)
        return try cells.withUnsafeMutableBufferPointer { cells in
            guard let start = cells.baseAddress else { return 0 }
            var row = RowWriter(cells: start, arena: arena, of: Item.schema)
            try item.encode(to: &row)
            let columns = ColumnSet(columns ?? Array(1..<cells.count))
            return try apply(RowMutation(kind, entity: entity, cells: start, columns: columns)).count
        }
    }

    func delete(_ identifier: Constant, entity: Int = 0) throws -> Int {
        try identifier.withCell { cell in
            try withUnsafePointer(to: cell) {
                try apply(RowMutation(.delete, entity: entity, cells: $0)).count
            }
        }
    }

    func deleteAll(entity: Int = 0) throws -> Int {
        try withUnsafePointer(to: Cell.null) {
            try apply(RowMutation(.deleteAll, entity: entity, cells: $0)).count
        }
    }
}

extension StorageReading {
    /// The items of a plan, in its order.
    func items<Item: DataStoreItem>(of type: Item.Type, for plan: RequestPlan) throws -> [Item] {
        let cursor = try rows(for: plan)
        defer { cursor.close() }
        var cells = [Cell](repeating: .null, count: Item.schema.attributes.count)
        var items: [Item] = []
        while try cursor.next(into: &cells) {
            items.append(try Item(row: RowReader(cells: cells, of: Item.schema)))
        }
        return items
    }

    func item<Item: DataStoreItem>(_ type: Item.Type, _ identifier: Constant, entity: Int = 0) throws -> Item?
    {
        var cells = [Cell](repeating: .null, count: Item.schema.attributes.count)
        let isFound = try identifier.withCell { try row(at: $0, of: entity, into: &cells) }
        return isFound ? try Item(row: RowReader(cells: cells, of: Item.schema)) : nil
    }
}
