import Foundation
import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

@Suite struct `A store that exists already` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
    }

    @Test func `a store of an early version gets an identity when it is opened for writing`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])
        try store.adapter.close()
        try RawDatabase(url).execute(
            "UPDATE larder_meta SET value = json_remove(value, '$.identity') WHERE key = 'schema'")
        let old = try #require(try store.adapter.storedSchema())
        var reading = SQLiteOptions.forTests
        reading.isReadOnly = true

        try TestStore(at: url, options: reading).adapter.close()
        #expect(try store.adapter.storedSchema() == old)
        #expect(old.identity == nil)
        try TestStore(at: url).adapter.close()

        let new = try #require(try store.adapter.storedSchema())
        #expect(new.identity != nil)
        #expect(new.generation == old.generation)
        try TestStore(at: url).adapter.close()
        #expect(try store.adapter.storedSchema() == new)
        #expect(try RawDatabase(url).rows("SELECT count(*) FROM Recipe") == [["1"]])
    }
}
