import Foundation
import Larder
import LarderLMDB
import LarderSQLite
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// Stores read without the app's types.
struct UntypedStoreTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Engine.allCases)
    func `rows are found by texts and come with their values`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")
        try Cargo.fill(place)
        let name = Keyed<Int64>.schema.name
        let store = try UntypedStore(reading: place.address)
        defer { try? store.close() }

        try store.read { reader in
            #expect(reader.entities.map(\.name) == Cargo.types.map { $0.schema.name })
            #expect(try reader.count(for: UntypedRequest(name)) == 25)
            let request = UntypedRequest(name, filter: "rank == 1", sort: "id DESC", offset: 1, limit: 2)
            let rows = try reader.rows(for: request)
            let expected = Cargo.numbered.filter { $0.rank == 1 }.sorted { $0.id > $1.id }[1...2]
            #expect(rows.map(\.identifier) == expected.map { .integer($0.id) })
            #expect(rows.map { $0["label"] } == expected.map { .text($0.label ?? "") })
            #expect(rows.map { $0.value(forKey: "rank") as? Int64 } == [1, 1])
            #expect(rows.map { $0.text(forKey: "label") } == expected.map(\.label))
            #expect(rows[0]["none"] == nil)
            #expect(try reader.explain(request).isEmpty == false)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a row is found by the text of its identifier`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")
        try Cargo.fill(place)
        let store = try UntypedStore(reading: place.address)
        defer { try? store.close() }

        func text(_ type: any DataStoreItem.Type, _ identifier: String, _ key: String) throws -> String? {
            let row = try store.read { try $0.row(of: type.schema.name, at: identifier) }
            return row?.text(forKey: key)
        }
        let number = ItemID<Everything>(rawValue: 2).description
        let uuid = Samples.uuid[3].uuidString

        #expect(try text(Everything.self, number, "int64") == String(Int64.max))
        #expect(try text(Everything.self, "2", "id") == number)
        #expect(try text(Everything.self, "3", "id") == nil)
        #expect(try text(Keyed<Int64>.self, "-3", "label") == "n-3")
        #expect(try text(Keyed<String>.self, "aa", "rank") == "2")
        #expect(try text(Keyed<UUID>.self, uuid, "id") == uuid)
        #expect(code { _ = try text(Everything.self, "no id", "id") } == .invalidValue)
        #expect(code { _ = try text(Holder<Bool>.self, "2", "id") } == .unknownItemType)
    }

    @Test
    func `values have texts for people`() throws {
        let place = folder.place(.memory, "store")
        try Cargo.fill(place)
        let store = try UntypedStore(reading: place.address)
        defer { try? store.close() }

        let row = try store.read { try #require(try $0.row(of: "Everything", at: "1")) }

        #expect(row.text(forKey: "bool") == "false")
        #expect(row.text(forKey: "uint64") == "0")
        #expect(row.text(forKey: "double") == "-inf")
        #expect(row.text(forKey: "date") == "0000-12-30T00:00:00Z")
        #expect(row.text(forKey: "data") == "")
        #expect(row.text(forKey: "maybeText") == nil)
        #expect(Constant.blob([0, 255]).plainText(of: .data) == "00ff")
    }

    @Test(arguments: Engine.files)
    func `looking at a store leaves its file byte for byte as it was and nothing beside it`(_ engine: Engine)
        throws
    {
        let place = folder.place(engine, "store")
        try Cargo.fill(place)
        let names = try folder.names
        let bytes = try folder.bytes("store")

        let stored = try #require(try place.address.storedSchema())
        let store = try UntypedStore(reading: place.address)
        #expect(store.storedSchema == stored)
        _ = try store.read { try $0.digests() }
        try store.close()

        #expect(try folder.names == names)
        #expect(try folder.bytes("store") == bytes)
    }

    @Test(arguments: Engine.allCases)
    func `what is not there has no schema and is not made`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")

        #expect(try place.address.storedSchema() == nil)
        #expect(try place.address.adapter(for: .writing).storedSchema() == nil)
        #expect(code { _ = try UntypedStore(reading: place.address) } == .cannotOpen)
        #expect(try folder.names == [])
    }

    @Test
    func `a file tells which engine it is of`() throws {
        for engine in Engine.files { try Cargo.fill(folder.place(engine, "\(engine)")) }
        let url = folder.url.appendingPathComponent("text")
        try Data("no database".utf8).write(to: url)
        try Data().write(to: folder.url.appendingPathComponent("empty"))

        for name in ["sqlite", "lmdb", "text", "empty"] {
            let url = folder.url.appendingPathComponent(name)
            #expect(try SQLiteDataStore.isStore(at: url) == (name == "sqlite"), "\(name)")
            #expect(try LMDBDataStore.isStore(at: url) == (name == "lmdb"), "\(name)")
        }
        let missing = folder.url.appendingPathComponent("missing")
        #expect(try !SQLiteDataStore.isStore(at: missing))
        #expect(try !LMDBDataStore.isStore(at: missing))
    }
}
