import CSQLite
import Foundation
import Larder
import LarderEngine
import Testing
@testable import AdapterTestSupport
@testable import LarderSQLite

/// Pages are kept where they are read or written next, not in both places.
@Suite struct `The caches` {
    let folder: TemporaryFolder
    let store: TestStore

    init() throws {
        folder = try TemporaryFolder()
        store = try TestStore(at: folder.file("store.db"), options: .forTests)
        try store.insert((0..<2000).map { Recipe($0, note: String(repeating: "x", count: 500)) })
    }

    private func cachedBytes(of session: SQLiteSession) -> Int {
        var bytes: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(session.connection.handle, SQLITE_DBSTATUS_CACHE_USED, &bytes, &highest, 0)
        return Int(bytes)
    }

    /// What the connection that reads next has in its cache.
    private func bytesOfReader() throws -> Int {
        let opened = try store.adapter.files.current()
        let session = try opened.acquireReader()
        defer { opened.readers.release(session) }
        return cachedBytes(of: session)
    }

    private func bytesOfWriter() throws -> Int {
        let opened = try store.adapter.files.current()
        let writer = try opened.acquireWriter()
        defer { opened.releaseWriter() }
        return cachedBytes(of: writer.session)
    }

    @Test func `what idle readers keep is freed when a write begins`() throws {
        #expect(try store.all(Recipe.self).count == 2000)
        #expect(try bytesOfReader() > 1 << 20)

        try store.insert([Recipe(2000)])

        #expect(try bytesOfReader() < 64 << 10)
        #expect(try store.all(Recipe.self).count == 2001)
    }

    @Test func `long lists of any length have one statement`() throws {
        let reading = try store.beginReading()
        let session = try #require(reading.transaction as? SQLiteReadTransaction).session
        let before = session.cache.insertedCount

        for length in 499...560 {
            let list = (0..<length).map { Constant.integer(Int64($0)) }
            let isIn = RowPredicate.isIn(column: 0, list, negated: false)
            #expect(try reading.count(Recipe.self, where: isIn) == length)
        }

        // Lists of 499 and of 500 have statements of their own.
        #expect(session.cache.insertedCount == before + 3)
        reading.transaction.end()
    }

    @Test func `a reading that goes on keeps its pages while others write`() throws {
        let reading = try store.beginReading()
        #expect(try reading.items(Recipe.self).count == 2000)

        try store.insert([Recipe(2000)])

        #expect(try reading.items(Recipe.self).count == 2000)
        reading.transaction.end()
        #expect(try bytesOfReader() > 1 << 20)
    }

    @Test func `what a large write leaves is freed when somebody reads`() throws {
        try store.insert((10_000..<20_000).map { Recipe($0) })
        #expect(try bytesOfWriter() > 1 << 20)

        #expect(try store.all(Recipe.self).count == 12_000)

        #expect(try bytesOfWriter() < 64 << 10)
    }

    @Test func `what a small write leaves is kept`() throws {
        let before = try bytesOfWriter()
        #expect(before > 1 << 20)

        #expect(try store.all(Recipe.self).count == 2000)

        #expect(try bytesOfWriter() == before)
    }
}
