import Larder
import LarderMemory
import Testing

@testable import LarderKernel
@testable import LarderVersions

/// What a step of a schema keeps in memory while one call of a closure runs.
struct StepMemoryTests {
    @Test func `a walk notes only the new rows that it would come to`() {
        let walks = RowWalks()
        let numbers = walks.begin(over: 1, to: .integer(10))
        let texts = walks.begin(over: 2, to: .text("m"))

        for number in [-11, 9, 11] as [Int64] { walks.note(.inserted, of: 1, .integer(number), .integer) }
        for text in ["a", "lz", "ma", "z"] { walks.note(.inserted, of: 2, .string(text), .text) }

        let notedNumbers = ([-11, 9, 11] as [Int64]).map {
            walks.change(of: .integer($0), during: numbers, type: .int64) == .inserted
        }
        let notedTexts = ["a", "lz", "ma", "z"].map { text in
            Constant.text(text).withCell { walks.change(of: $0, during: texts, type: .string) == .inserted }
        }
        #expect(notedNumbers == [true, true, false])
        #expect(notedTexts == [true, true, false, false])
    }

    @Test func `rows that a closure holds do not keep the memory of the rows that are stored`() throws {
        let store = MemoryDataStore(storing: [Memo.self])
        try store.setup()
        let writing = try store.coordinator.adapter.beginWriting()
        defer { writing.end() }
        let entity = DestinationEntity(Memo.schema, named: "Memo", number: 0, links: [])
        let destination = Destination([entity], version: "2", in: writing)
        let mapping = DestinationMapping(
            [DestinationMapping.Output(entity, keepsIdentifiers: false)], fills: [])
        let (count, text) = (60_000 as Int64, String(repeating: "x", count: 200))

        // The values are some 15 MB.
        var greatest = 0
        try destination.run(mapping, for: nil) { destination in
            var held: [DestinationRow] = []
            for id in 0..<count {
                let row = try destination.make(id: .integer(id))
                try row.set("text", to: "\(id) \(text)")
                if id % 10_000 == 0 { held.append(row) }
                greatest = max(greatest, destination.arena.byteCount)
            }
            for row in held { try row.set("note", to: "held") }
        }
        try destination.flush()

        // 4 MiB, and what the 256 rows before a flush need.
        #expect(greatest > 4 << 20 && greatest <= 4 << 20 + 192 << 10)
        #expect(destination.arena.byteCount == 64 << 10)
        #expect(try writing.count(for: RequestPlan(entity: 0, schema: Memo.schema)) == Int(count))
        let row = CellBuffer(count: 3)
        defer { withExtendedLifetime(row) {} }
        for id in [0, 1, 10_000, 50_000, count - 1] {
            #expect(try writing.row(at: .integer(id), of: 0, into: row.start))
            #expect(row.start[1].string == "\(id) \(text)")
            #expect(row.start[2].isNull == (id % 10_000 != 0))
        }
    }
}

private struct Memo: DataStoreItem {
    let id: Int64
    var text: String
    var note: String?

    struct Attributes: Sendable {
        let id = Attribute<Memo, Int64>(column: 0)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Memo",
        attributes: [
            .attribute("id", Int64.self), .attribute("text", String.self), .attribute("note", String?.self),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        text = try row.value(at: 1)
        note = try row.value(at: 2)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(text, at: 1)
        try row.set(note, at: 2)
    }
}
