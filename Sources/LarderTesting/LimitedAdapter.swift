import LarderKernel

/// An adapter that refuses what exceeds the limits of another engine.
final class LimitedAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    fileprivate let limits: StrictLimits
    /// The state of an open store.
    private let open = Locked<(schema: StoreSchema, sizes: StoreSizes)?>(nil)

    init(_ adapter: any StorageAdapter, _ limits: StrictLimits) {
        wrappedAdapter = adapter
        self.limits = limits
    }

    var maximumReaders: Int { min(limits.maximumReaders ?? .max, wrappedAdapter.maximumReaders) }

    func open(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) {
        try wrappedAdapter.open(schema, by: plan)
        let reading = try wrappedAdapter.beginReading()
        defer { reading.end() }
        let sizes = try StoreSizes(of: schema, in: reading)
        open.withLock { $0 = (schema, sizes) }
    }

    func decorated(_ writing: any StorageWriting) throws(DataStoreError) -> any StorageWriting {
        guard let (schema, sizes) = open.withLock({ $0 }) else {
            throw DataStoreError(.notSetUp, "The adapter is not open.", path: location)
        }
        return LimitedWriting(writing, of: self, schema, sizes)
    }

    fileprivate func keep(_ sizes: StoreSizes) {
        open.withLock { $0?.sizes = sizes }
    }
}

/// The bytes of the values of each entity.
private struct StoreSizes {
    private(set) var entities: [Int]

    var total: Int { entities.reduce(0, +) }

    /// The sizes of what a store holds.
    init(of schema: StoreSchema, in reading: any StorageReading) throws(DataStoreError) {
        entities = []
        for (number, entity) in schema.entities.enumerated() {
            var size = 0
            let cells = CellBuffer(count: entity.attributes.count)
            let rows = try reading.rows(for: RequestPlan(entity: number, schema: entity))
            defer { rows.close() }
            while try rows.next(into: cells.start) { size += entity.size(of: cells.start).all }
            entities.append(size)
        }
    }

    /// Counts a change; nil for the deletion of all rows.
    mutating func change(_ entity: Int, by bytes: Int?) {
        entities[entity] = bytes.map { entities[entity] + $0 } ?? 0
    }
}

extension EntitySchema {
    /// The bytes of the values of a row.
    fileprivate func size(of cells: UnsafePointer<Cell>) -> RowSize {
        var size = RowSize()
        for column in attributes.indices { size.add(cells[column]) }
        return size
    }
}

/// The bytes of one row's values.
private struct RowSize {
    /// The text and data alone.
    var variable = 0
    var all = 0

    mutating func add(_ cell: Cell) {
        switch cell.kind {
        case .null: break
        case .integer, .real: all += 8
        case .text, .blob:
            variable += Int(cell.length)
            all += Int(cell.length)
        }
    }
}

/// The write transaction of a ``LimitedAdapter``.
private final class LimitedWriting: WritingDecorator {
    let wrappedWriting: any StorageWriting
    private let adapter: LimitedAdapter
    private let schema: StoreSchema
    private var sizes: StoreSizes
    private var savepoints: [StoreSizes] = []

    init(
        _ writing: any StorageWriting, of adapter: LimitedAdapter, _ schema: StoreSchema, _ sizes: StoreSizes
    ) {
        wrappedWriting = writing
        self.adapter = adapter
        self.schema = schema
        self.sizes = sizes
    }

    /// Each transaction begins with the sizes of the last commit.
    func beginAgain() -> Bool { false }

    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        var touched = TouchedRows()
        for index in mutations.indices {
            let growth = try growth(by: mutations[index])
            let mutation = UnsafeBufferPointer(rebasing: mutations[index...index])
            let rows = try wrappedWriting.apply(mutation).count
            touched.add(rows)
            if rows > 0 { sizes.change(mutations[index].entity, by: growth) }
        }
        return touched
    }

    /// The bytes that a change adds; nil if it deletes all rows.
    ///
    /// - Throws: `.valueTooLarge` or `.storeFull` if the change exceeds a limit.
    private func growth(by mutation: RowMutation) throws(DataStoreError) -> Int? {
        let entity = schema.entities[mutation.entity]
        var (before, after) = (RowSize(), RowSize())
        switch mutation.kind {
        case .deleteAll: return nil
        case .insert: after = entity.size(of: mutation.cells)
        case .update, .delete:
            let cells = CellBuffer(count: entity.attributes.count)
            guard try wrappedWriting.row(at: mutation.cells[0], of: mutation.entity, into: cells.start) else {
                return 0
            }
            before = entity.size(of: cells.start)
            if mutation.kind == .delete { break }
            for column in mutation.columns { cells.start[column] = mutation.cells[column] }
            after = entity.size(of: cells.start)
        }
        let growth = after.all - before.all
        if let limit = adapter.limits.itemBytes, after.variable > limit {
            throw DataStoreError(
                .valueTooLarge,
                "The text and bytes of one item take \(after.variable) bytes; \(limit) fit.",
                itemType: entity.name)
        }
        if let limit = adapter.limits.storeBytes, growth > 0, sizes.total + growth > limit {
            throw DataStoreError(
                .storeFull, "The values of the store would take \(sizes.total + growth) bytes; \(limit) fit.",
                path: adapter.location)
        }
        return growth
    }

    func setSavepoint() throws(DataStoreError) {
        try wrappedWriting.setSavepoint()
        savepoints.append(sizes)
    }

    func releaseSavepoint() throws(DataStoreError) {
        try wrappedWriting.releaseSavepoint()
        _ = savepoints.popLast()
    }

    func rollBackToSavepoint() throws(DataStoreError) {
        try wrappedWriting.rollBackToSavepoint()
        if let before = savepoints.popLast() { sizes = before }
    }

    func commit() throws(DataStoreError) {
        try wrappedWriting.commit()
        adapter.keep(sizes)
    }
}
