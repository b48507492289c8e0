import CLMDB
import Foundation
import Larder
import Testing
@testable import AdapterTestSupport
@testable import LarderLMDB

@Suite struct `A full store` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.mdb")
    }

    private static func rows(_ ids: ClosedRange<Int64>) -> [Recipe] {
        ids.map { Recipe($0, note: String(repeating: "x", count: 2000)) }
    }

    /// Inserts until there is no room, and returns the error.
    private static func fill(_ scope: WriteScope, from first: Int64 = 1) -> DataStoreError? {
        thrown { for number in first... { try scope.insert(rows(number...number)) } }
    }

    @Test func `after the store was full every change and the commit say so`() throws {
        let store = try TestStore(at: url, options: LMDBOptions(sizeLimit: 512 * 1024))
        let writing = try store.beginWriting()
        let full = Self.fill(writing)
        #expect(full?.code == .storeFull)
        #expect(full?.underlying?.source == "LMDB")

        #expect(code { try writing.insert([Recipe(1)]) } == .storeFull)
        #expect(code { try writing.transaction.setSavepoint() } == .storeFull)
        #expect(code { try writing.transaction.commit() } == .storeFull)
        writing.transaction.end()

        #expect(try store.all(Recipe.self).isEmpty)
        #expect(code { try store.insert([Recipe(1)]) } == nil)
    }

    @Test func `a block with too many changes is advised to change fewer items`() {
        let changes = LMDBFailure(MDB_TXN_FULL).error(path: "/data/recipes")
        let value = LMDBFailure(MDB_BAD_VALSIZE).error(path: "/data/recipes")

        #expect(changes.code == .valueTooLarge)
        #expect(changes.message == "The block has changed more than LMDB keeps for one block.")
        #expect(
            changes.advice
                == "Change fewer items in one block, such as by importItems(from:using:committingEvery:).")
        #expect(value.code == .valueTooLarge)
        #expect(value.message == "A value is larger than LMDB can store.")
        #expect(value.advice == "Keep the data in a file and store its path.")
    }

    @Test func `an error of the disk is a full store only if the system has reported none`() {
        errno = EIO
        let disk = LMDBFailure(EIO)
        errno = 0
        let full = LMDBFailure(EIO)

        #expect(disk.error(path: "/data/recipes").code == .inputOutput)
        #expect(full.error(path: "/data/recipes").code == .storeFull)
    }

    @Test func `a store that LMDB refuses to use any more is to be set up again`() {
        let refused = LMDBFailure(MDB_PANIC).error(path: "/data/recipes")

        #expect(refused.code == .inputOutput)
        #expect(refused.message == "The store's file could not be read or written.")
        #expect(refused.advice == "Check the disk, then tear the store down and set it up again.")
    }

    /// The copy is written on another thread, so that this one has no number of the error.
    @Test func `an error of the disk is not a full disk if a copy meets it`() {
        errno = 0
        let disk = LMDBFailure(ofCopying: EIO)
        let full = LMDBFailure(ofCopying: ENOSPC)

        #expect(disk.error(path: "/data/recipes").code == .inputOutput)
        #expect(full.error(path: "/data/recipes").code == .storeFull)
    }

    @Test func `a savepoint that finds the store full can be rolled back and the rest is kept`() throws {
        let store = try TestStore(at: url, options: LMDBOptions(sizeLimit: 512 * 1024))
        let writing = try store.beginWriting()
        try writing.insert([Recipe(1)])
        try writing.transaction.setSavepoint()
        #expect(Self.fill(writing, from: 2)?.code == .storeFull)

        try writing.transaction.rollBackToSavepoint()
        try writing.insert([Recipe(2)])
        try writing.transaction.commit()

        #expect(try store.all(Recipe.self) == [Recipe(1), Recipe(2)])
    }

    @Test func `a store filled row by row can still be emptied row by row`() throws {
        let store = try TestStore(at: url, options: LMDBOptions(sizeLimit: 512 * 1024))
        var count: Int64 = 0
        while code({ try store.insert(Self.rows((count + 1)...(count + 1))) }) == nil { count += 1 }
        #expect(count > 50)

        for id in 1...count { #expect(try store.write { try $0.delete(Recipe.self, [id]) } == 1) }

        #expect(try store.all(Recipe.self).isEmpty)
        try store.insert(Self.rows(1...(count / 2)))
    }

    @Test func `a commit that makes freed pages usable is the store's own`() throws {
        let store = try TestStore(at: url, options: LMDBOptions(sizeLimit: 1 << 20))
        try store.insert(Self.rows(1...150))
        _ = try store.write { try $0.deleteAll(Recipe.self) }
        let opened = try store.engine.files.current()
        let commits = opened.environment.lastTransaction
        let foreign = try #require(try opened.foreignCommits())

        try store.insert([Recipe(1)])

        #expect(opened.environment.lastTransaction == commits + 2)
        #expect(try opened.foreignCommits() == foreign)
    }

    @Test func `a store with a limit is written to while all places of readers are taken`() throws {
        var options = LMDBOptions(sizeLimit: 1 << 20, busyTimeout: .milliseconds(20))
        options.readerPlaces = 2
        let store = try TestStore(at: url, options: options)
        try store.insert([Recipe(1)])
        var readings: [ReadScope] = []
        #expect(code { while readings.count < 50 { readings.append(try store.beginReading()) } } == .busy)

        try store.insert([Recipe(2)])

        for reading in readings { reading.transaction.end() }
        #expect(try store.all(Recipe.self).count == 2)
    }

    #if os(Linux)
        @Test func `a full disk leaves no empty file in the place of a store that was removed`() async throws
        {
            try TestStore(at: url).close()
            await #expect(processExitsWith: .success) { [path = url.path as String] in
                signal(SIGXFSZ, SIG_IGN)
                var options = LMDBOptions.forTests
                options.openingProbe = {
                    unlink(path)
                    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
                    setrlimit(__rlimit_resource_t(1), &limit)
                }
                let url = URL(fileURLWithPath: path)
                guard code({ try TestStore(at: url, options: options) }) == .storeFull else { exit(2) }
            }
            #expect(try folder.names == ["store.mdb-lock", "store.mdb-writer"])
        }
    #endif
}
