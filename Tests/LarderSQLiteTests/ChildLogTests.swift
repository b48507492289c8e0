import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

@Suite struct `A child of a SQLite store` {
    @Test func `the log is emptied while it is open`() throws {
        let folder = try TemporaryFolder()
        let store = SQLiteDataStore(at: folder.file("store.db"), storing: [Recipe.self])
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: (1...10).map { Recipe($0) }) }
        let child = try store.makeChildDataStore()
        try child.writeSync { accessor in
            try accessor.insert(Recipe(11))
            try accessor.delete(id: 1, of: Recipe.self)
        }
        #expect(try child.read { try $0.countItems(for: Recipe.all) } == 10)
        try store.writeSync { _ = try $0.insert(Recipe(12)) }

        #expect(try store.statistics().logBytes > 0)
        try store.checkpoint()

        #expect(try store.statistics().logBytes == 0)
        #expect(try child.read { try $0.ids(for: Recipe.all) } == Array(2...12))
        try store.tearDown()
    }
}
