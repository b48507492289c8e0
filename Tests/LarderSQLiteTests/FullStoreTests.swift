import Foundation
import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

@Suite struct `A full store` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
    }

    /// Inserts until there is no room, and returns the error.
    private static func fill(_ scope: WriteScope, from first: Int64 = 1) -> DataStoreError? {
        thrown {
            for number in first... {
                try scope.insert([Recipe(number, note: String(repeating: "x", count: 2000))])
            }
        }
    }

    @Test func `after the store was full every call of the transaction says so`() throws {
        let store = try TestStore(at: url, options: SQLiteOptions(sizeLimit: 512 * 1024))
        let writing = try store.beginWriting()
        try writing.transaction.setSavepoint()
        #expect(Self.fill(writing)?.code == .storeFull)

        #expect(code { try writing.count(Recipe.self) } == .storeFull)
        #expect(code { try writing.insert([Recipe(1)]) } == .storeFull)
        #expect(code { try writing.transaction.rollBackToSavepoint() } == .storeFull)
        #expect(code { try writing.transaction.setSavepoint() } == .storeFull)
        #expect(code { try writing.transaction.commit() } == .storeFull)

        #expect(code { try writing.count(Recipe.self) } == .accessorExpired)
        #expect(code { try store.insert([Recipe(1)]) } == nil)
    }

    #if os(Linux)
        @Test func `a full disk refuses the block and the next one works after space was freed`() async throws
        {
            try #require(geteuid() == 0, "mounting a small file system needs root")
            let disk = folder.file("disk")
            try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: false)
            try #require(Mount.make(at: disk, bytes: 2 << 20), "a tmpfs cannot be mounted here")
            defer { Mount.remove(disk) }
            let ballast = disk.appendingPathComponent("ballast")
            try Data(repeating: 1, count: 1 << 20).write(to: ballast)
            let store = try TestStore(at: disk.appendingPathComponent("store.db"), options: SQLiteOptions())
            try store.insert([Recipe(1)])

            let writing = try store.beginWriting()
            let full = thrown {
                let note = String(repeating: "x", count: 2000)
                try writing.insert((2...2000).map { Recipe($0, note: note) })
                try writing.transaction.commit()
            }
            writing.transaction.end()
            #expect(full?.code == .storeFull)
            #expect(try store.all(Recipe.self) == [Recipe(1)])

            try FileManager.default.removeItem(at: ballast)
            try store.insert([Recipe(2)])
            #expect(try store.all(Recipe.self) == [Recipe(1), Recipe(2)])
            try store.adapter.close()
        }

        @Test func `a limit of the process for files is a full disk too`() async throws {
            await #expect(processExitsWith: .success) { [path = url.path as String] in
                signal(SIGXFSZ, SIG_IGN)
                let store = try TestStore(at: URL(fileURLWithPath: path), options: SQLiteOptions())
                try store.insert([Recipe(1)])
                var limit = rlimit(rlim_cur: 256 * 1024, rlim_max: 256 * 1024)
                setrlimit(__rlimit_resource_t(1), &limit)
                let rows = (2...2000).map { Recipe($0, note: String(repeating: "x", count: 2000)) }
                guard code({ try store.insert(rows) }) == .storeFull else { exit(2) }
                guard try store.all(Recipe.self) == [Recipe(1)] else { exit(3) }
                try store.insert([Recipe(2)])
                guard try store.all(Recipe.self).count == 2 else { exit(4) }
            }
            #expect(try TestStore(at: url).all(Recipe.self) == [Recipe(1), Recipe(2)])
        }
    #endif
}
