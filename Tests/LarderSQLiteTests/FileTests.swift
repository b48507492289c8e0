import CSQLite
import Foundation
import Larder
import Testing
@testable import AdapterTestSupport
@testable import LarderSQLite

@Suite struct `The file of an open store` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
    }

    @Test(arguments: [true, false])
    func `a further reader does not open what has taken its place`(_ isReplaced: Bool) throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])
        let first = try store.beginReading()
        try FileManager.default.moveItem(at: url, to: folder.file("elsewhere.db"))
        if isReplaced { try FileManager.default.copyItem(at: folder.file("elsewhere.db"), to: url) }

        #expect(code { try store.beginReading() } == .storeFileMoved)

        first.transaction.end()
    }

    @Test func `an open store has a log and an index beside it, and none when it is destroyed`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])
        #expect(try folder.names == ["store.db", "store.db-shm", "store.db-wal"])

        try store.adapter.destroy()

        #expect(try folder.names.isEmpty)
        #expect(code { try store.all(Recipe.self) } == .closed)
    }

    /// Another process that opened the store would make a new log, and write beside this one.
    @Test(arguments: ["-wal", "-shm"], [true, false])
    func `a write notices that the log or its index is no longer in its place`(
        _ suffix: String, afterWriting: Bool
    ) throws {
        let store = SQLiteDataStore(at: url, storing: [Recipe.self], options: .forTests)
        try store.setup()
        if afterWriting { try store.writeSync { _ = try $0.insert(Recipe(1)) } }
        let (name, elsewhere) = ("store.db" + suffix, folder.file("elsewhere"))
        try FileManager.default.moveItem(at: url.adding(suffix), to: elsewhere)

        for isReplaced in [false, true] {
            if isReplaced { try Data().write(to: url.adding(suffix)) }
            let refused = thrown { try store.writeSync { _ = try $0.insert(Recipe(2)) } }

            #expect(refused?.code == .storeFileMoved)
            #expect(
                refused?.message
                    == "The file \(name) was moved, replaced or deleted while the store was open.")
            #expect(refused?.advice == "Tear the store down in all processes, then set it up again.")
            #expect(refused?.path?.hasSuffix("/store.db") == true)
        }

        // Back in its place, it is the one that other processes find.
        #expect(rename(elsewhere.path, url.path + suffix) == 0)
        try store.writeSync { _ = try $0.insert(Recipe(3)) }
        #expect(unlink(url.path + suffix) == 0)
        #expect(code { try store.writeSync { _ = try $0.insert(Recipe(4)) } } == .storeFileMoved)
        try store.tearDown()
        try store.setup()
        try store.writeSync { _ = try $0.insert(Recipe(5)) }
        let kept = afterWriting ? [Recipe(1), Recipe(3), Recipe(5)] : [Recipe(3), Recipe(5)]
        #expect(try store.read { try $0.items(for: Recipe.all) } == kept)
        try store.tearDown()
    }

    /// Another process may remove the log while this one waits for its turn.
    @Test func `a write notices that the log went just before it began`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])
        let (log, elsewhere) = (url.path + "-wal", folder.file("elsewhere").path)

        let refused = try thrownAsLogGoes(of: store, keptAt: elsewhere) { try store.insert([Recipe(2)]) }

        #expect(refused?.code == .storeFileMoved)
        #expect(
            refused?.message
                == "The file store.db-wal was moved, replaced or deleted while the store was open.")
        #expect(rename(elsewhere, log) == 0)
        try store.insert([Recipe(3)])
        #expect(try store.all(Recipe.self).map(\.id) == [1, 3])
    }

    @Test func `compacting notices that the log went while it waited`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])
        let elsewhere = folder.file("elsewhere").path

        let refused = try thrownAsLogGoes(of: store, keptAt: elsewhere) { try store.adapter.compact() }

        #expect(refused?.code == .storeFileMoved)
        #expect(rename(elsewhere, url.path + "-wal") == 0)
        try store.adapter.compact()
        #expect(try store.all(Recipe.self).map(\.id) == [1])
    }

    /// The error of a body as the log is removed with the first statement of the writer; it has a second name from then on.
    private func thrownAsLogGoes(
        of store: TestStore, keptAt elsewhere: String, _ body: () throws -> Void
    ) throws -> DataStoreError? {
        let last = try #require(try store.adapter.beginWriting() as? SQLiteWriteTransaction)
        last.end()
        let handle = last.session.connection.handle
        let log = url.path + "-wal"
        #expect(link(log, elsewhere) == 0)
        let removed: UnsafeMutablePointer<CChar> = strdup(log)
        defer { free(removed) }
        sqlite3_trace_v2(
            handle, UInt32(SQLITE_TRACE_STMT),
            { _, context, _, _ in
                if let context { unlink(context.assumingMemoryBound(to: CChar.self)) }
                return 0
            }, removed)
        defer { sqlite3_trace_v2(handle, 0, nil, nil) }
        return thrown(body)
    }

    /// The connection that counts the commits of others is the writer's later.
    @Test func `observing a store makes no log in place of one that is gone`() throws {
        let store = SQLiteDataStore(at: url, storing: [Recipe.self], options: .forTests)
        try store.setup()
        let elsewhere = folder.file("elsewhere")
        try FileManager.default.moveItem(at: url.adding("-wal"), to: elsewhere)

        let watch = try? store.coordinator.adapter.watchOtherWriters {}
        #expect(try folder.names == ["elsewhere", "store.db", "store.db-shm"])
        watch?.end()

        #expect(rename(elsewhere.path, url.path + "-wal") == 0)
        try store.writeSync { _ = try $0.insert(Recipe(1)) }
        #expect(try store.read { try $0.items(for: Recipe.all) } == [Recipe(1)])
        try store.tearDown()
        try store.setup()
        #expect(try store.read { try $0.items(for: Recipe.all) } == [Recipe(1)])
        try store.tearDown()
    }

    @Test func `destroying leaves a foreign file alone`() throws {
        try RawDatabase(url).execute("CREATE TABLE t (a)")
        let before = try folder.contents

        #expect(code { try SQLiteAdapter(at: url).destroy() } == .foreignStore)

        #expect(try folder.contents == before)
    }

    #if os(Linux)
        @Test func `a process that is forked inside transactions does not end those of the other one`()
            async throws
        {
            await #expect(processExitsWith: .success) { [path = url.path as String] in
                let store = try TestStore(at: URL(fileURLWithPath: path))
                try store.insert([Recipe(1), Recipe(2)])
                let reading = try store.beginReading()
                let cursor = try reading.reading.rows(for: reading.plan(Recipe.self))
                guard try cursor.next(Recipe.self) == Recipe(1) else { exit(5) }
                // It stands at the first row.
                let other = try reading.reading.rows(for: reading.plan(Recipe.self))
                let writing = try store.beginWriting()
                try writing.insert([Recipe(3)])
                let status = statusOfForkedProcess {
                    let refusals = [
                        code { try reading.items(Recipe.self) }, code { try reading.item(Recipe.self, 1) },
                        code { try cursor.next(Recipe.self) }, code { try writing.items(Recipe.self) },
                        code { try writing.insert([Recipe(4)]) }, code { try writing.transaction.commit() },
                        code { try other.next(Recipe.self) },
                    ]
                    writing.transaction.end()
                    reading.transaction.end()
                    return refusals == Array(repeating: .usedAfterFork, count: 7) ? 0 : 1
                }
                guard status == 0 else { exit(2) }
                try writing.transaction.commit()
                try store.insert([Recipe(4)])
                guard try cursor.next(Recipe.self) == Recipe(2) else { exit(3) }
                guard try reading.items(Recipe.self) == [Recipe(1), Recipe(2)] else { exit(4) }
                guard try other.next(Recipe.self) == Recipe(1) else { exit(7) }
                cursor.close()
                other.close()
                reading.transaction.end()
                guard try store.all(Recipe.self) == (1...4).map({ Recipe($0) }) else { exit(6) }
            }
        }

        @Test func `a forked process is told and does not touch the connections`() async throws {
            await #expect(processExitsWith: .success) { [path = url.path as String] in
                let url = URL(fileURLWithPath: path)
                let store = try TestStore(at: url)
                try store.insert([Recipe(1)])
                let status = statusOfForkedProcess {
                    let refusals = [
                        code { try store.beginReading() }, code { try store.beginWriting() },
                        code { try TestStore(at: url) },
                    ]
                    let isClosed = code { try store.adapter.close() } == nil
                    return refusals == [.usedAfterFork, .usedAfterFork, .usedAfterFork] && isClosed ? 0 : 1
                }
                guard status == 0 else { exit(2) }
                try store.insert([Recipe(2)])
                guard try store.all(Recipe.self).count == 2 else { exit(3) }
            }
        }
    #endif
}
