import Foundation
import Larder
import LarderLMDB
import LarderMemory
import LarderSQLite
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// Random schemas, rows and mapped steps, beside the same in plain Swift.
struct StepModelTests {
    @Test func `random steps leave what they leave in plain Swift, on every engine`() throws {
        var random = Seed.ofProcess()
        for round in Repetitions.rounds(15, long: 1000) {
            let folder = try TemporaryFolder()
            let storage = MemoryStorage()
            let medium = ReferenceMedium()
            // A server makes tables and indexes far slower.
            let servers = try round % 4 == 0 ? Subjects.postgreSQL.map { try $0.makeMedium() } : []
            defer { for server in servers { try? server.cleanUp() } }
            let engines: [() throws -> any StorageAdapter] = [
                { MemoryAdapter(in: storage) }, { ReferenceAdapter(in: medium) },
                { SQLiteAdapter(at: folder.file("s.db"), options: SQLiteOptions(durability: .none)) },
                {
                    StoreAddress.lmdb(at: folder.file("l.db"), options: LMDBOptions(durability: .none))
                        .adapter(for: .writing)
                },
            ]
            let seed = random.next()
            for make in engines + servers.map(adapters(of:)) {
                do {
                    try run(seed, on: make)
                } catch {
                    let location = try make().location
                    Issue.record("round \(round) (\(seed)) on \(location): \(error)")
                    return
                }
            }
        }
    }

    /// Makes adapters of a place, not yet open.
    private func adapters(of medium: any ConformanceMedium) -> () throws -> any StorageAdapter {
        { try medium.makeStore(storing: [], options: DataStoreOptions()).coordinator.adapter }
    }

    /// Stores the rows of a model, takes one to three random steps at once, and compares.
    private func run(_ seed: UInt64, on make: () throws -> any StorageAdapter) throws {
        var model = StepModel(Seed(seed))
        let first = StoredSchema(model.types)
        let schema = try StoreSchema(of: first)
        let adapter = try make()
        try adapter.open(schema)
        try store(model.state, of: schema, in: adapter)
        try adapter.close()

        var stages: [MigrationPlan.Stage] = []
        for number in 1...Int(seed % 3 + 1) {
            let step = model.step(from: "\(number)", to: "\(number + 1)")
            let target = try StoreSchema(of: StoredSchema(model.types))
            stages.append(MigrationPlan.Stage(step, to: target))
        }
        let target = try StoreSchema(of: StoredSchema(model.types))
        let plan = MigrationPlan { [stages] _ throws(DataStoreError) in stages }
        let again = try make()
        try again.open(target, by: plan)
        let found = try contents(of: target, in: again)
        try again.close()

        let lines = stages.map { "\($0.step): \($0.step.mappings.map(\.description))" }
        var expected = model.state
        expected.links = expected.links.filter { !$0.value.isEmpty }
            .mapValues { $0.filter { !$0.value.isEmpty } }.filter { !$0.value.isEmpty }
        expected.rows = expected.rows.mapValues { $0 }
        for name in found.rows.keys {
            try expect(
                found.rows[name] ?? [:], equals: expected.rows[name] ?? [:], "\(name) after \(lines)")
        }
        try expect(Set(found.rows.keys), equals: Set(expected.rows.keys), "types after \(lines)")
        try expect(found.links, equals: expected.links, "links after \(lines)")
        // Every index agrees with its rows.
        let checked = try make()
        try checked.open(target)
        try checked.close()
    }

    private func store(
        _ state: StepRows, of schema: StoreSchema, in adapter: any StorageAdapter
    ) throws {
        let writing = try adapter.beginWriting()
        defer { writing.end() }
        let arena = RowArena()
        func insert(_ values: [Constant], _ entity: Int) throws {
            let cells = try arena.makeCells(values.count)
            for (column, value) in values.enumerated() { cells[column] = try arena.cell(of: value) }
            try withUnsafePointer(to: RowMutation(.insert, entity: entity, cells: cells)) {
                _ = try writing.apply(UnsafeBufferPointer(start: $0, count: 1))
            }
        }
        for (number, entity) in schema.entities.enumerated() {
            if entity.isLink {
                for (owner, targets) in state.links[entity.name] ?? [:] {
                    for target in targets {
                        try insert(
                            [.integer(ItemID<Never>().rawValue), .integer(owner), .integer(target)], number)
                    }
                }
            } else {
                for (id, row) in state.rows[entity.name] ?? [:] {
                    try insert(
                        [.integer(id)] + entity.attributes.dropFirst().map { row[$0.name] ?? .null }, number)
                }
            }
        }
        try writing.commit()
    }

    private func contents(of schema: StoreSchema, in adapter: any StorageAdapter) throws -> StepRows {
        var found = StepRows()
        let reading = try adapter.beginReading()
        defer { reading.end() }
        for (number, entity) in schema.entities.enumerated() {
            let row = CellBuffer(count: entity.attributes.count)
            let cursor = try reading.rows(for: RequestPlan(entity: number, schema: entity))
            defer { cursor.close() }
            if !entity.isLink { found.rows[entity.name] = [:] }
            while try cursor.next(into: row.start) {
                if entity.isLink {
                    found.links[entity.name, default: [:]][row.start[1].integer, default: []]
                        .insert(row.start[2].integer)
                    continue
                }
                var values: [String: Constant] = [:]
                for (column, attribute) in entity.attributes.enumerated().dropFirst() {
                    values[attribute.name] = Constant(row.start[column], storage: attribute.type.storage)
                }
                found.rows[entity.name]?[row.start[0].integer] = values
            }
        }
        return found
    }
}
