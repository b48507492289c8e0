import Larder
import LarderEngine
import Testing

/// The calls of a step between versions, each of which may be a journey over a network.
struct StepCallTests {
    @Test func `a mapping that follows a reference reads what it leads to once for each batch`() throws {
        let medium = ReferenceMedium()
        let types: [any DataStoreItem.Type] = [Part.self, Box.self, Mark.self]
        let store = ReferenceDataStore(
            over: ReferenceAdapter(in: medium), storing: types, options: DataStoreOptions())
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: (0..<Box.count).map { Box($0) })
            try accessor.insert(contentsOf: (0..<1000 as Range<Int64>).map { Part($0) })
        }
        try store.tearDown()
        let calls = Locked(0)
        let followed = Locked<[Followed]>([])
        let step = SchemaStep(from: "1", to: "2") {
            Transform("Part") { old, new in
                let before = calls.withLock { $0 }
                let room = try old.reference("box")?["room", as: Int.self]
                let after = calls.withLock { $0 }
                followed.withLock { $0.append(Followed(room: room, calls: after - before)) }
                _ = try new.make()
            }
        }
        let schema = try StoreSchema(storing: types)
        let plan = MigrationPlan { _ throws(DataStoreError) in [MigrationPlan.Stage(step, to: schema)] }
        let state = medium.state.withLock { $0 }
        let change = CountedChange(ReferenceChange(state), calls)

        try SchemaMigration(from: state.schema, to: schema, by: plan).run(in: change)

        let expected = (0..<1000).map { Followed(room: $0 % 100 % 7, calls: $0 % 256 == 0 ? 1 : 0) }
        #expect(followed.withLock { $0 } == expected)
    }
}

/// What one call of the mapping has found, and the calls of the engine that it took.
private struct Followed: Equatable {
    let room: Int?
    let calls: Int
}

/// Counts the calls that read the rows of a store whose schema changes.
private final class CountedChange: SchemaTransaction {
    private let wrapped: ReferenceChange
    private let calls: Locked<Int>

    init(_ wrapped: ReferenceChange, _ calls: Locked<Int>) {
        (self.wrapped, self.calls) = (wrapped, calls)
    }

    func apply(_ evolution: SchemaEvolution, of schema: StoreSchema) throws(DataStoreError) {
        try wrapped.apply(evolution, of: schema)
    }

    func withRows(
        of schema: StoreSchema, as entities: [StoredSchema.Entity],
        _ body: (any StorageWriting) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        try wrapped.withRows(of: schema, as: entities) { rows throws(DataStoreError) in
            try body(CountedRows(rows, calls))
        }
    }
}

private final class CountedRows: WritingDecorator {
    let wrappedWriting: any StorageWriting
    private let calls: Locked<Int>

    init(_ writing: any StorageWriting, _ calls: Locked<Int>) {
        (wrappedWriting, self.calls) = (writing, calls)
    }

    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        calls.withLock { $0 += 1 }
        return try wrappedWriting.row(at: identifier, of: entity, into: cells)
    }

    func forEachRow(
        at identifiers: UnsafeBufferPointer<Cell>, of entity: Int, into cells: UnsafeMutablePointer<Cell>,
        _ body: (_ position: Int) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        calls.withLock { $0 += 1 }
        try wrappedWriting.forEachRow(at: identifiers, of: entity, into: cells, body)
    }

    func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
        calls.withLock { $0 += 1 }
        return try wrappedWriting.rows(for: plan)
    }

    func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        calls.withLock { $0 += 1 }
        return try wrappedWriting.count(for: plan)
    }
}
