import Foundation
import Larder
import LarderKeyValue
import LarderMemory
import Testing

@testable import func AdapterTestSupport.code
@testable import LarderKernel
@testable import AdapterTestSupport

@Suite struct MemoryAdapterTests {
    private let storage = MemoryStorage()

    @Test func `what was committed is there when the storage is opened again`() throws {
        var random = Seed.ofProcess()
        let items = (0..<100).map { Sample.random(Int64($0), using: &random) }
        let first = MemoryAdapter(in: storage)
        let driver = try SeamDriver(first, storing: Sample.self)
        try driver.write { writer in
            for item in items { try writer.apply(.insert, item) }
        }
        try first.close()

        let second = try SeamDriver(MemoryAdapter(in: storage), storing: Sample.self)

        #expect(try all(second) == items)
    }

    @Test func `a row is read by its identifier`() throws {
        var random = Seed.ofProcess()
        let items = [Int64.min, -1, 0, 1, .max].map { Sample.random($0, using: &random) }
        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: Sample.self)
        try driver.write { writer in
            for item in items { try writer.apply(.insert, item) }
        }

        try driver.read { reader in
            for item in items {
                let found = try reader.item(Sample.self, .integer(item.id))
                #expect(found == item)
            }
            let missing = try reader.item(Sample.self, .integer(2))
            #expect(missing == nil)
        }
        #expect(try all(driver).map(\.id) == [.min, -1, 0, 1, .max])
    }

    @Test func `rows are identified by text of 1 to 200 bytes`() throws {
        let long = String(repeating: "ä", count: 100)
        let names = ["\0", "\0\0", "a", "a\0", "aa", "b", long]
        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: Named.self)
        try driver.write { writer in
            for (rank, name) in names.enumerated() {
                try writer.apply(.insert, Named(id: name, rank: rank, label: nil))
            }
        }

        let plan = RequestPlan(entity: 0, schema: Named.schema)
        try driver.read { reader in
            let found = try reader.items(of: Named.self, for: plan).map(\.id)
            let item = try reader.item(Named.self, .text(long))
            let empty = try reader.item(Named.self, .text(""))
            let tooLong = try reader.item(Named.self, .text(long + "x"))
            #expect(found == names)
            #expect(item?.rank == 6)
            #expect(empty == nil)
            #expect(tooLong == nil)
        }
        let refusal = code {
            _ = try driver.write { try $0.apply(.insert, Named(id: "", rank: 0, label: nil)) }
        }
        #expect(refusal == .identifierTooLong)
    }

    @Test func `a taken identifier is refused, and what was done before stays`() throws {
        var random = Seed.ofProcess()
        let (first, second) = (Sample.random(1, using: &random), Sample.random(2, using: &random))
        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: Sample.self)

        try driver.write { writer in
            try writer.apply(.insert, first)
            let error = #expect(throws: DataStoreError.self) { try writer.apply(.insert, first) }
            #expect(error?.code == .duplicateIdentifier)
            #expect(error?.identifier == .integer(1))
            #expect(error?.itemType == "Sample")
            try writer.apply(.insert, second)
        }

        #expect(try all(driver) == [first, second])
    }

    @Test func `mutations tell how many rows they touched`() throws {
        var random = Seed.ofProcess()
        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: Sample.self)

        let counts = try driver.write { writer in
            [
                try writer.apply(.insert, Sample.random(1, using: &random)),
                try writer.apply(.insert, Sample.random(2, using: &random)),
                try writer.apply(.update, Sample.random(1, using: &random)),
                try writer.apply(.update, Sample.random(3, using: &random)),
                try writer.delete(.integer(2)), try writer.delete(.integer(2)),
                try writer.apply(.insert, Sample.random(4, using: &random)),
                try writer.deleteAll(), try writer.deleteAll(),
            ]
        }

        #expect(counts == [1, 1, 1, 0, 1, 0, 1, 2, 0])
        #expect(try all(driver) == [])
    }

    @Test func `savepoints nest, and undo what follows them`() throws {
        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: Named.self)
        func insert(_ id: String, _ writer: any StorageWriting) throws {
            try writer.apply(.insert, Named(id: id, rank: 1, label: id))
        }

        try driver.write { writer in
            try insert("a", writer)
            try writer.setSavepoint()
            try insert("b", writer)
            try writer.setSavepoint()
            try insert("c", writer)
            try writer.rollBackToSavepoint()
            try insert("d", writer)
            try writer.releaseSavepoint()
            try writer.setSavepoint()
            _ = try writer.deleteAll()
            try writer.rollBackToSavepoint()
        }

        let plan = RequestPlan(entity: 0, schema: Named.schema)
        let byRank = RequestPlan(
            entity: 0, schema: Named.schema, predicate: .compare(column: 1, .equal, .integer(1)))
        try driver.read { reader in
            let items = try reader.items(of: Named.self, for: plan).map(\.id)
            let indexed = try reader.items(of: Named.self, for: byRank).map(\.id)
            #expect(items == ["a", "b", "d"])
            #expect(indexed == ["a", "b", "d"])
        }
        #expect(storage.checkInvariants() == [])
    }

    @Test func `a transaction that ends without commit leaves nothing`() throws {
        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: Named.self)

        let writer = try driver.adapter.beginWriting()
        try writer.apply(.insert, Named(id: "a", rank: 1, label: nil))
        writer.end()

        let plan = RequestPlan(entity: 0, schema: Named.schema)
        #expect(try driver.read { try $0.count(for: plan) } == 0)
        try driver.write { try $0.apply(.insert, Named(id: "b", rank: 1, label: nil)) }
        #expect(try driver.read { try $0.count(for: plan) } == 1)
    }

    @Test func `a reader keeps its snapshot while others commit`() throws {
        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: Named.self)
        try driver.write { try $0.apply(.insert, Named(id: "a", rank: 1, label: nil)) }
        let plan = RequestPlan(entity: 0, schema: Named.schema)
        let reader = try driver.adapter.beginReading()

        try driver.write { writer in
            _ = try writer.deleteAll()
            try writer.apply(.insert, Named(id: "b", rank: 2, label: nil))
        }

        #expect(try reader.items(of: Named.self, for: plan).map(\.id) == ["a"])
        reader.end()
        #expect(try driver.read { try $0.items(of: Named.self, for: plan) }.map(\.id) == ["b"])
    }

    @Test func `a second writer is refused until the first has ended`() throws {
        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: Named.self)
        let writer = try driver.adapter.beginWriting()

        #expect(code({ _ = try driver.adapter.beginWriting() }) == .nestedTransaction)
        writer.end()

        try driver.adapter.beginWriting().end()
    }

    @Test func `only one adapter is open on a storage`() throws {
        let first = MemoryAdapter(in: storage)
        let driver = try SeamDriver(first, storing: Named.self)
        let second = MemoryAdapter(in: storage)

        #expect(code({ try second.open(driver.schema) }) == .alreadyOpen)
        #expect(code({ try second.destroy() }) == .alreadyOpen)
        try second.close()
        try driver.write { try $0.apply(.insert, Named(id: "a", rank: 1, label: nil)) }
        try first.close()
        try second.open(driver.schema)
    }

    @Test func `destroying empties the storage, open or not`() throws {
        let adapter = MemoryAdapter(in: storage)
        let driver = try SeamDriver(adapter, storing: Named.self)
        let plan = RequestPlan(entity: 0, schema: Named.schema)

        for isOpen in [true, false] {
            try driver.write { try $0.apply(.insert, Named(id: "a", rank: 1, label: nil)) }
            if !isOpen { try adapter.close() }
            try adapter.destroy()
            #expect(code({ _ = try adapter.beginReading() }) == .notSetUp)
            try adapter.open(driver.schema)
            #expect(try driver.read { try $0.count(for: plan) } == 0)
        }
    }

    @Test func `a store whose schema has moved on is noticed`() throws {
        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: Named.self)
        let transaction = try MemoryEngine(in: storage).beginWriting()
        let meta = try #require(try transaction.table(named: "larder", .bytes))
        try withUnsafeBytes(of: UInt64(2)) { generation in
            _ = try Array("generation".utf8).withUnsafeBytes { key in
                try transaction.put(generation, at: key, in: meta, overwrites: true)
            }
        }
        try transaction.commit()

        #expect(code({ _ = try driver.adapter.beginReading() }) == .schemaChanged)
        #expect(code({ _ = try driver.adapter.beginWriting() }) == .schemaChanged)
    }

    @Test func `a store of a newer format is refused`() throws {
        let adapter = MemoryAdapter(in: storage)
        let driver = try SeamDriver(adapter, storing: Named.self)
        try adapter.close()
        let transaction = try MemoryEngine(in: storage).beginWriting()
        let meta = try #require(try transaction.table(named: "larder", .bytes))
        try withUnsafeBytes(of: UInt32(3)) { format in
            _ = try Array("format".utf8).withUnsafeBytes { key in
                try transaction.put(format, at: key, in: meta, overwrites: true)
            }
        }
        try transaction.commit()

        #expect(code({ try adapter.open(driver.schema) }) == .newerFormat)
    }

    private func all(_ driver: SeamDriver) throws -> [Sample] {
        let plan = RequestPlan(entity: 0, schema: Sample.schema)
        return try driver.read { try $0.items(of: Sample.self, for: plan) }
    }
}
