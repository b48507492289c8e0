import Foundation
import Larder
import LarderKeyValue
import LarderMemory
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// What keeps a copy from being taken for complete.
struct VerificationTests {
    @Test(arguments: Engine.allCases)
    func `a copy that has lost and changed items is not complete and says which`(_ engine: Engine) throws {
        let folder = try TemporaryFolder()
        let (source, destination) = (folder.place(.memory, "source"), folder.place(engine, "destination"))
        try Cargo.fill(source)
        let careless = CommitPlan { mutation in
            guard mutation.kind == .insert, mutation.cells[0].kind == .integer else { return .kept }
            switch mutation.cells[0].integer {
            case 3: return .changed(cells: [mutation.cells[0], mutation.cells[1], .integer(100)])
            case 7: return .lost
            default: return .kept
            }
        }.applied(to: destination.address)

        let error = thrown { _ = try StoreTransfer(from: source.address, to: careless).run() }

        #expect(error?.code == .transferMismatch)
        #expect(error?.itemType == Keyed<Int64>.schema.name)
        let name = Keyed<Int64>.schema.name
        let message = error?.message ?? ""
        #expect(message.contains("has 24 items with the digest"))
        #expect(message.contains("and 25 with"))
        #expect(message.contains("\(name) 3 differs in rank: 0 and 100"))
        #expect(message.contains("\(name) 7 is in the left store only"))
        #expect(code { try destination.withStore { _ in } } == .incompleteTransfer)

        // What differs is found and put right by the next run.
        let report = try StoreTransfer(from: source.address, to: destination.address).run()
        #expect(report.isResumed)
        #expect(try Cargo.isWhole(in: destination))
    }

    @Test(arguments: Engine.pairs)
    func `a row nobody can read ends the transfer naming its item or is left out and reported`(
        _ pair: Pair
    ) throws {
        let folder = try TemporaryFolder()
        let (source, destination) = (folder.place(pair.from, "source"), folder.place(pair.to, "destination"))
        try Cargo.fill(source)
        try Self.spoil(source, item: 4)
        var transfer = StoreTransfer(from: source.address, to: destination.address)
        transfer.options.itemsPerBatch = 4

        let error = thrown { _ = try transfer.run() }

        #expect(error?.code == .undecodable)
        #expect(error?.itemType == Keyed<Int64>.schema.name)
        #expect(error?.attribute == "label")
        #expect(error?.identifier == .integer(4))
        #expect(error?.advice == "Run the transfer again so that it skips such rows.")
        #expect(code { try destination.withStore { _ in } } == .incompleteTransfer)

        transfer.options.undecodableRows = .skip
        let report = try transfer.run()
        #expect(report.isResumed)
        #expect(report.skippedRows == 1)
        #expect(report.skipped.map(\.identifier) == [.integer(4)])
        let copied = try destination.withStore { try $0.read { try $0.ids(for: Keyed<Int64>.all) } }
        let expected = Cargo.numbered.map(\.id).filter { $0 != 4 }
        #expect(copied == expected)
        #expect(try destination.digests() == source.digests())
    }

    @Test(arguments: [DataStoreError.Code.damaged, .undecodable])
    func `damage that is of no row of the source has the advice of its code`(
        _ code: DataStoreError.Code
    ) throws {
        let folder = try TemporaryFolder()
        let (source, destination) = (folder.place(.memory, "source"), folder.place(.sqlite, "destination"))
        try Cargo.fill(source)
        let damage = DataStoreError(code, "The file is damaged.")
        let plan = CommitPlan(failingAt: 1, isStoredFirst: false, with: damage)

        let error = thrown {
            _ = try StoreTransfer(from: source.address, to: plan.applied(to: destination.address)).run()
        }

        #expect(error?.code == code)
        #expect(error?.message == damage.message)
        #expect(error?.advice == damage.advice)
    }

    @Test
    func `a damaged row in the middle is left out with its identifier`() throws {
        let storage = MemoryStorage()
        let source = StoreAddress.memory(storage)
        let store = MemoryDataStore(storing: [Keyed<String>.self], in: storage)
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: ["a", "b", "c"].map { Keyed($0) }) }
        try store.tearDown()
        let engine = MemoryEngine(in: storage)
        try engine.open()
        let transaction = try engine.beginWriting()
        let rows = try #require(try transaction.table(named: "e1", .bytes))
        try [9, 9, 9].withUnsafeBytes { value in
            try Array("b".utf8).withUnsafeBytes { key in
                _ = try transaction.put(value, at: key, in: rows, overwrites: true)
            }
        }
        try transaction.commit()
        try engine.close()
        let copy = MemoryStorage()
        var transfer = StoreTransfer(from: source, to: .memory(copy))

        #expect(thrown { _ = try transfer.run() }?.identifier == .string("b"))
        transfer.options.undecodableRows = .skip
        let report = try transfer.run()

        #expect(report.skipped.map(\.identifier) == [.string("b")])
        #expect(report.skipped.map(\.code) == [.damaged])
        #expect(report.digests.map(\.count) == [2])
    }

    /// Puts bytes that are no text into the label of an item.
    private static func spoil(_ place: Place, item: Int64) throws {
        try place.withAdapter { adapter, schema in
            let entity = try #require(schema.entities.firstIndex { $0.name == Keyed<Int64>.schema.name })
            let writing = try adapter.beginWriting()
            try [0xFF, 0xFE].map { UInt8($0) }.withUnsafeBytes { bytes in
                let cells: [Cell] = [.integer(item), .text(bytes), .null]
                try writing.apply(.update, entity, cells, columns: [1])
            }
            try writing.commit()
        }
    }
}

extension StorageWriting {
    /// Applies one mutation.
    func apply(_ kind: RowMutation.Kind, _ entity: Int, _ cells: [Cell], columns: [Int] = []) throws {
        try cells.withUnsafeBufferPointer { cells in
            let start = try #require(cells.baseAddress)
            let mutation = RowMutation(kind, entity: entity, cells: start, columns: ColumnSet(columns))
            _ = try withUnsafePointer(to: mutation) {
                try apply(UnsafeBufferPointer(start: $0, count: 1))
            }
        }
    }
}
