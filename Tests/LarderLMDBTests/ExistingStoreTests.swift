import Foundation
import Larder
import LarderKeyValue
import LarderLMDB
import LarderEngine
import Testing
@testable import AdapterTestSupport

@Suite struct `A store that exists already` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.mdb")
    }

    @Test func `a store of an early version gets an identity when it is opened for writing`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])
        try store.close()
        try removeIdentity(of: store)
        let old = try #require(try store.adapter.storedSchema())
        var reading = LMDBOptions.forTests
        reading.isReadOnly = true

        try TestStore(at: url, options: reading).close()
        #expect(try store.adapter.storedSchema() == old)
        #expect(old.identity == nil)
        try TestStore(at: url).close()

        let new = try #require(try store.adapter.storedSchema())
        #expect(new.identity != nil)
        var expected = old
        expected.identity = new.identity
        #expect(new == expected)
        try TestStore(at: url).close()
        #expect(try store.adapter.storedSchema() == new)
        try store.open()
        #expect(try store.adapter.checkIntegrity() == [])
        #expect(try store.all(Recipe.self).map(\.id) == [1])
    }

    private func removeIdentity(of store: TestStore) throws {
        var stored = try #require(try store.adapter.storedSchema())
        stored.identity = nil
        try store.engine.open()
        let transaction = try store.engine.beginWriting()
        defer { transaction.end() }
        let table = try #require(try transaction.table(named: "larder", .bytes))
        let values = ["schema": stored.encoded(), "declaration": Data([1])]
        for (key, value) in values {
            _ = try Array(key.utf8).withUnsafeBytes { key in
                try value.withUnsafeBytes { try transaction.put($0, at: key, in: table, overwrites: true) }
            }
        }
        try transaction.commit()
        try store.engine.close()
    }
}
