import Foundation
import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

@Suite struct `The file of an open store` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
    }

    @Test(arguments: ["moved", "deleted", "replaced"])
    func `a write notices that it is no longer in its place`(_ event: String) throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])

        let elsewhere = folder.file("elsewhere.db")
        try FileManager.default.moveItem(at: url, to: elsewhere)
        if event == "deleted" { try FileManager.default.removeItem(at: elsewhere) }
        if event == "replaced" { try Data("another file".utf8).write(to: url) }

        let refused = thrown { try store.insert([Recipe(2)]) }
        #expect(refused?.code == .storeFileMoved)
        #expect(refused?.path?.hasSuffix("store.db") == true)

        if event == "moved" {
            try FileManager.default.moveItem(at: elsewhere, to: url)
            try store.insert([Recipe(2)])
            #expect(try store.all(Recipe.self) == [Recipe(1), Recipe(2)])
        }
    }

    @Test func `a further reader does not open what has taken its place`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])
        let first = try store.beginReading()
        try FileManager.default.moveItem(at: url, to: folder.file("elsewhere.db"))
        try FileManager.default.copyItem(at: folder.file("elsewhere.db"), to: url)

        #expect(code { try store.beginReading() } == .storeFileMoved)

        first.transaction.end()
    }

    @Test func `the name that a killed upgrade has made is removed before the first change`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])
        try store.adapter.close()
        #expect(link(url.path, folder.file("store.db.backup-1").path) == 0)
        #expect(link(url.path, folder.file("other").path) == 0)

        let again = try TestStore(at: url)
        try again.insert([Recipe(2)])

        #expect(try !folder.names.contains("store.db.backup-1"))
        #expect(try folder.names.contains("other"))
    }

    @Test func `destroying removes it with everything beside it`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])
        #expect(try folder.names == ["store.db", "store.db-shm", "store.db-wal"])

        try store.adapter.destroy()
        #expect(try folder.names.isEmpty)
        #expect(code { try store.all(Recipe.self) } == .closed)

        try store.adapter.destroy()
        try store.adapter.open(store.schema)
        #expect(try store.all(Recipe.self).isEmpty)
    }

    @Test func `destroying leaves a foreign file alone`() throws {
        try RawDatabase(url).execute("CREATE TABLE t (a)")
        let before = try folder.contents

        #expect(code { try SQLiteAdapter(at: url).destroy() } == .foreignStore)

        #expect(try folder.contents == before)
    }

    @Test func `destroying refuses what another adapter has open`() throws {
        let store = try TestStore(at: url)

        #expect(code { try SQLiteAdapter(at: url).destroy() } == .alreadyOpen)

        try store.insert([Recipe(1)])
    }

    #if os(Linux)
        @Test func `a forked process is told and does not touch the connections`() async throws {
            await #expect(processExitsWith: .success) { [path = url.path as String] in
                let url = URL(fileURLWithPath: path)
                let store = try TestStore(at: url)
                try store.insert([Recipe(1)])
                let child = fork()
                if child == 0 {
                    let refusals = [
                        code { try store.beginReading() }, code { try store.beginWriting() },
                        code { try TestStore(at: url) },
                    ]
                    let isClosed = code { try store.adapter.close() } == nil
                    _exit(refusals == [.usedAfterFork, .usedAfterFork, .usedAfterFork] && isClosed ? 0 : 1)
                }
                var status: Int32 = -1
                waitpid(child, &status, 0)
                guard status == 0 else { exit(2) }
                try store.insert([Recipe(2)])
                guard try store.all(Recipe.self).count == 2 else { exit(3) }
            }
        }
    #endif
}
