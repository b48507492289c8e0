import Larder
import LarderEngine
import Testing

/// The calls of a step between versions, each of which may be a journey over a network.
struct StepCallTests {
    @Test func `a mapping that follows a reference reads what it leads to once for each batch`() throws {
        let reads = Reads()
        let followed = Locked<[Followed]>([])
        let step = SchemaStep(from: "1", to: "2") {
            Transform("Part") { old, new in
                let before = reads.calls.withLock { $0 }
                let room = try old.reference("box")?["room", as: Int.self]
                let after = reads.calls.withLock { $0 }
                followed.withLock { $0.append(Followed(room: room, calls: after - before)) }
                _ = try new.make()
            }
        }

        try run(step, storing: [Part.self, Box.self, Mark.self], noting: reads) { accessor in
            try accessor.insert(contentsOf: (0..<Box.count).map { Box($0) })
            try accessor.insert(contentsOf: (0..<1000 as Range<Int64>).map { Part($0) })
        }

        let expected = (0..<1000).map { Followed(room: $0 % 100 % 7, calls: $0 % 256 == 0 ? 1 : 0) }
        #expect(followed.withLock { $0 } == expected)
    }

    @Test func `a row that cannot be read fails only the calls that follow a reference to it`() throws {
        let reads = Reads()
        let rooms = Locked<[Int?]>([])
        let codes = Locked<[DataStoreError.Code]>([])
        let calls = Locked(0)
        let step = SchemaStep(from: "1", to: "2") {
            Transform("Part") { old, new in
                // For these calls alone: what follows the mapping reads boxes too.
                reads.unreadable.withLock { $0 = 50 }
                defer { reads.unreadable.withLock { $0 = nil } }
                let before = reads.calls.withLock { $0 }
                var room: Int?
                do throws(DataStoreError) {
                    room = try old.reference("box")?["room", as: Int.self]
                } catch {
                    codes.withLock { $0.append(error.code) }
                }
                rooms.withLock { $0.append(room) }
                let after = reads.calls.withLock { $0 }
                calls.withLock { $0 += after - before }
                _ = try new.make()
            }
        }

        try run(step, storing: [Part.self, Box.self, Mark.self], noting: reads) { accessor in
            try accessor.insert(contentsOf: (0..<Box.count).map { Box($0) })
            try accessor.insert(contentsOf: (0..<256 as Range<Int64>).map { Part($0) })
        }

        let expected: [Int?] = (0..<256).map { $0 % 100 == 50 ? nil : $0 % 100 % 7 }
        #expect(rooms.withLock { $0 } == expected)
        #expect(codes.withLock { $0 } == [.damaged, .damaged, .damaged])
        // One for the batch, which ends at box 50, and one for each of the 106 parts in boxes from there on.
        #expect(calls.withLock { $0 } == 107)
    }

    @Test func `large rows that references lead to are read once`() throws {
        let reads = Reads()
        let turns = Locked<[Turn]>([])
        let step = SchemaStep(from: "1", to: "2") {
            Transform("Leaf") { old, new in
                let start = reads.rows.withLock { $0 }
                let front = try old.reference("front")?.id
                let middle = reads.rows.withLock { $0 }
                let back = try old.reference("back")?.id
                let end = reads.rows.withLock { $0 }
                turns.withLock {
                    $0.append(Turn(front: front, rows: middle - start, back: back, rowsOfBack: end - middle))
                }
                _ = try new.make()
            }
        }

        try run(step, storing: [Leaf.self, Sheet.self], noting: reads) { accessor in
            // Four fill a batch.
            let text = String(repeating: "x", count: 1 << 20)
            try accessor.insert(contentsOf: (0..<12 as Range<Int64>).map { Sheet(id: $0, text: text) })
            try accessor.insert(contentsOf: (0..<6 as Range<Int64>).map { Leaf($0) })
        }

        let expected = (0..<6 as Range<Int64>).map { id in
            let rows = id == 0 ? 4 : id < 4 ? 0 : 1
            return Turn(front: .integer(id), rows: rows, back: .integer(id + 6), rowsOfBack: 1)
        }
        #expect(turns.withLock { $0 } == expected)
    }

    /// Runs a step over the rows that a block has written, and notes what it reads.
    private func run(
        _ step: SchemaStep, storing types: [any DataStoreItem.Type], noting reads: Reads,
        _ write: (DataStoreReadWriteAccessor) throws -> Void
    ) throws {
        let medium = ReferenceMedium()
        let store = ReferenceDataStore(
            over: ReferenceAdapter(in: medium), storing: types, options: DataStoreOptions())
        try store.setup()
        try store.writeSync(write)
        try store.tearDown()
        let schema = try StoreSchema(storing: types)
        let plan = MigrationPlan { _ throws(DataStoreError) in [MigrationPlan.Stage(step, to: schema)] }
        let state = medium.state.withLock { $0 }
        let change = NotedChange(ReferenceChange(state), reads)
        try SchemaMigration(from: state.schema, to: schema, by: plan).run(in: change)
    }
}

/// What one call of the mapping has found, and the calls of the engine that it took.
private struct Followed: Equatable {
    let room: Int?
    let calls: Int
}

/// What one call of the mapping has found by two references, and the rows that were read for each.
private struct Turn: Equatable {
    let front: AnyItemID?
    let rows: Int
    let back: AnyItemID?
    let rowsOfBack: Int
}

/// A leaf with a sheet on each side.
private struct Leaf: DataStoreItem {
    let id: Int64
    var front: ToOne<Sheet>?
    var back: ToOne<Sheet>?

    init(_ id: Int64) {
        self.id = id
        front = ToOne(id: id)
        back = ToOne(id: id + 6)
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Leaf, Int64>(column: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Leaf",
        attributes: [
            .attribute("id", Int64.self), .attribute("front", ToOne<Sheet>?.self),
            .attribute("back", ToOne<Sheet>?.self),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        front = try row.value(at: 1)
        back = try row.value(at: 2)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(front, at: 1)
        try row.set(back, at: 2)
    }
}

/// A large item.
private struct Sheet: DataStoreItem {
    let id: Int64
    var text: String

    init(id: Int64, text: String) {
        self.id = id
        self.text = text
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Sheet, Int64>(column: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Sheet", attributes: [.attribute("id", Int64.self), .attribute("text", String.self)])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        text = try row.value(at: 1)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(text, at: 1)
    }
}

/// What is read of a store whose schema changes.
private final class Reads: Sendable {
    let calls = Locked(0)
    /// The number of rows that were found by their identifiers.
    let rows = Locked(0)
    /// The identifier of a box that cannot be read.
    let unreadable = Locked<Int64?>(nil)
}

private final class NotedChange: SchemaTransaction {
    private let wrapped: ReferenceChange
    private let reads: Reads

    init(_ wrapped: ReferenceChange, _ reads: Reads) {
        (self.wrapped, self.reads) = (wrapped, reads)
    }

    func apply(_ evolution: SchemaEvolution, of schema: StoreSchema) throws(DataStoreError) {
        try wrapped.apply(evolution, of: schema)
    }

    func withRows(
        of schema: StoreSchema, as entities: [StoredSchema.Entity],
        _ body: (any StorageWriting) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let boxes = schema.entities.firstIndex { $0.name == "Box" }
        try wrapped.withRows(of: schema, as: entities) { rows throws(DataStoreError) in
            try body(NotedRows(rows, reads, boxes: boxes))
        }
    }
}

private final class NotedRows: WritingDecorator {
    let wrappedWriting: any StorageWriting
    private let reads: Reads
    /// The number of the type of boxes.
    private let boxes: Int?

    init(_ writing: any StorageWriting, _ reads: Reads, boxes: Int?) {
        (wrappedWriting, self.reads, self.boxes) = (writing, reads, boxes)
    }

    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        reads.calls.withLock { $0 += 1 }
        return try lookUp(identifier, of: entity, into: cells)
    }

    func forEachRow(
        at identifiers: UnsafeBufferPointer<Cell>, of entity: Int, into cells: UnsafeMutablePointer<Cell>,
        _ body: (_ position: Int) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        reads.calls.withLock { $0 += 1 }
        for position in identifiers.indices
        where try lookUp(identifiers[position], of: entity, into: cells) {
            try body(position)
        }
    }

    private func lookUp(
        _ identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        if entity == boxes, identifier.integer == reads.unreadable.withLock({ $0 }) {
            throw DataStoreError(.damaged, "The box cannot be read.")
        }
        let isFound = try wrappedWriting.row(at: identifier, of: entity, into: cells)
        if isFound { reads.rows.withLock { $0 += 1 } }
        return isFound
    }

    func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
        reads.calls.withLock { $0 += 1 }
        return try wrappedWriting.rows(for: plan)
    }

    func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        reads.calls.withLock { $0 += 1 }
        return try wrappedWriting.count(for: plan)
    }
}
