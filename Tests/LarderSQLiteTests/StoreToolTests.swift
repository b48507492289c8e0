import Foundation
import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

@Suite struct `The tools of an open store` {
    let folder: TemporaryFolder
    let store: SQLiteDataStore

    init() throws {
        folder = try TemporaryFolder()
        store = SQLiteDataStore(at: folder.file("store.db"), storing: [Recipe.self])
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: (1...3).map { Recipe($0) }) }
    }

    @Test func `statistics, checks and compaction work beside each other`() throws {
        #expect(try store.statistics().itemCounts == ["Recipe": 3])
        #expect(try store.checkIntegrity() == [])

        try store.checkpoint()
        try store.compact()

        #expect(try store.statistics().logBytes == 0)
        #expect(try store.read { try $0.ids(for: Recipe.all) } == [1, 2, 3])
    }

    @Test func `awaited tools of an open store do what the others do`() async throws {
        #expect(try store.statistics().logBytes > 0)

        try await store.checkpointAsync()
        #expect(try await store.statisticsAsync().logBytes == 0)
        try await store.compactAsync()

        #expect(try await store.checkIntegrityAsync() == [])
        #expect(try store.read { try $0.ids(for: Recipe.all) } == [1, 2, 3])
    }

    @Test func `a tool is refused inside a block`() throws {
        try store.read { _ in
            #expect(code { try store.compact() } == .nestedTransaction)
            #expect(code { try store.checkpoint() } == .nestedTransaction)
            #expect(code { _ = try store.statistics() } == .nestedTransaction)
            #expect(code { try store.backup(to: folder.file("copy.db")) } == .nestedTransaction)
        }

        try store.writeSync { _ in
            #expect(code { try store.compact() } == .nestedTransaction)
        }
    }

    @Test func `a tool waits for its turn behind pending writes`() throws {
        for number in 10..<30 {
            store.writeAsync({ try $0.insert(contentsOf: [Recipe(Int64(number))]) }, completion: nil)
        }
        try store.compact()

        #expect(try store.read { try $0.countItems(for: Recipe.all) } == 23)
    }

    @Test func `a tool of a closed store is refused`() throws {
        try store.tearDown()

        #expect(code { _ = try store.statistics() } == .closed)
        #expect(code { try store.backup(to: folder.file("copy.db")) } == .closed)
        #expect(code { try store.compact() } == .closed)
        #expect(code { _ = try store.checkIntegrity() } == .closed)
        #expect(try folder.names == ["store.db"])
    }
}
