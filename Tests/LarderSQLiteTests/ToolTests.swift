import Foundation
import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

@Suite struct `The tools of a store` {
    let folder: TemporaryFolder
    let url: URL
    let store: TestStore

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
        store = try TestStore(at: url, storing: [Recipe.self, Tag.self])
        try store.insert((1...3).map { Recipe($0) })
    }

    @Test func `two items with a unique value are a problem`() throws {
        try RawDatabase(url).execute("UPDATE Recipe SET slug = 'same' WHERE id < 3")

        #expect(
            try store.adapter.checkIntegrity() == [
                #"The items 1 and 2 of Recipe have the same slug "same", which has to be unique."#
            ])
    }

    @Test func `an index that disagrees with its rows is a problem`() throws {
        let raw = try RawDatabase(url)
        try raw.execute(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, '("rating")', '("name")')
            WHERE name = 'larder_index_Recipe(rating)'
            """)
        try store.adapter.close()
        try store.adapter.open(store.schema)

        #expect(try store.adapter.checkIntegrity().isEmpty == false)
    }

    @Test func `compacting gives room back`() throws {
        try store.insert((10..<3000).map { Recipe($0) })
        _ = try store.write { try $0.delete(Recipe.self, Array(10..<3000)) }
        try store.adapter.checkpoint()
        let before = try store.adapter.statistics()

        try store.adapter.compact()

        let after = try store.adapter.statistics()
        #expect(before.freePageCount > 20)
        #expect(after.freePageCount == 0)
        #expect(after.fileBytes < before.fileBytes / 2)
        #expect(after.fileBytes == after.pageCount * after.pageBytes)
        #expect(after.logBytes == 0)
        #expect(try store.all(Recipe.self).map(\.id) == [1, 2, 3])
    }

    @Test func `compacting beside a reading is busy, and gives room back with the next checkpoint`() throws {
        let url = folder.file("read.db")
        let options = SQLiteOptions(durability: .none, busyTimeout: .milliseconds(50))
        let store = try TestStore(at: url, options: options)
        try store.insert((1..<3000).map { Recipe($0) })
        _ = try store.write { try $0.delete(Recipe.self, Array(10..<3000)) }
        try store.adapter.checkpoint()
        let before = try url.fileBytes
        let reading = try store.beginReading()
        #expect(try reading.count(Recipe.self) == 9)

        #expect(code { try store.adapter.compact() } == .busy)

        #expect(try store.adapter.statistics().freePageCount == 0)
        #expect(try url.fileBytes == before)
        reading.transaction.end()
        try store.adapter.checkpoint()
        #expect(try url.fileBytes < before / 2)
        #expect(try store.all(Recipe.self).map(\.id) == Array(1..<10))
    }

    @Test func `compacting is refused while a block writes`() throws {
        let writing = try store.beginWriting()

        #expect(code { try store.adapter.compact() } == .nestedTransaction)

        writing.transaction.end()
        #expect(code { try store.adapter.compact() } == nil)
    }

    @Test func `statistics tell the size of the pages and of the log`() throws {
        let statistics = try store.adapter.statistics()

        #expect(statistics.pageBytes == 8192)
        #expect(statistics.logBytes == (try url.adding("-wal").fileBytes))
    }
}
