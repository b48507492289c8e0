import Foundation
import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

/// Whatever is refused stays as it was, and so does everything beside it (contract rule 12).
@Suite struct `Copies of a crashed store damaged at random` {
    private static let rounds = Repetitions.count(300, long: 6000)
    private static let pageBytes = 1024
    private static let suffixes = ["", "-wal", "-shm"]

    private let folder: TemporaryFolder
    private let copies: TemporaryFolder
    private var copy: URL { copies.file("copy.db") }

    init() throws {
        folder = try TemporaryFolder()
        copies = try TemporaryFolder()
    }

    @Test func `are refused with every file as it was`() throws {
        var random = Seed.ofProcess()
        let originals = try makeOriginals()
        var refused = 0
        var refusedWithLog = 0

        for round in 0..<Self.rounds {
            var files = originals
            // Nothing beside the store, its log, or the log and its index.
            files.removeLast(round % files.count)
            let damaged = files.count > 1 && Bool.random(using: &random) ? 1 : 0
            let damage = FileDamage(of: &files[damaged], pageBytes: Self.pageBytes, &random)
            try lay(files)
            let before = try copies.contents
            let store = SQLiteDataStore(
                at: copy, storing: [Recipe.self],
                options: SQLiteOptions(
                    durability: .none, isReadOnly: round % 5 == 4, verification: .structure))
            do throws(DataStoreError) {
                try store.setup()
                try store.tearDown()
            } catch {
                refused += 1
                if files.count > 1 { refusedWithLog += 1 }
                let after = try copies.contents
                #expect(
                    after == before,
                    "round \(round), \(random): \(damage) in \(damaged): \(error); \(after.keys.sorted())")
            }
        }

        print("refused: \(refused), \(refusedWithLog) of them with a log")
        #expect(refused > Self.rounds / 4)
        #expect(refusedWithLog > Self.rounds / 16)
    }

    @Test(arguments: 1...3, [false, true])
    func `are left as they were when the types do not fit`(_ count: Int, isReadOnly: Bool) throws {
        try lay(Array(try makeOriginals().prefix(count)))
        let before = try copies.contents

        let refused = thrown {
            try TestStore(
                at: copy, storing: [RecipeWithNumberedTitle.self],
                options: SQLiteOptions(isReadOnly: isReadOnly))
        }

        #expect(refused?.code == .schemaMismatch)
        #expect(try copies.contents == before)
    }

    @Test(arguments: 1...3)
    func `are left as they were by reading`(_ count: Int) throws {
        try lay(Array(try makeOriginals().prefix(count)))
        let before = try copies.contents

        let store = try TestStore(at: copy, options: SQLiteOptions(isReadOnly: true))
        #expect(try store.all(Recipe.self).count == (count == 1 ? 200 : 260))
        try store.adapter.close()

        #expect(try copies.contents == before)
    }

    private func lay(_ files: [[UInt8]]) throws {
        for suffix in Self.suffixes { try? FileManager.default.removeItem(at: copy.adding(suffix)) }
        for (suffix, bytes) in zip(Self.suffixes, files) { try Data(bytes).write(to: copy.adding(suffix)) }
    }

    /// A store, a log with commits that are in no other file, and the log's index, as a killed process leaves
    /// them.
    private func makeOriginals() throws -> [[UInt8]] {
        let url = folder.file("original.db")
        var options = SQLiteOptions(durability: .none, pageBytes: Self.pageBytes)
        let first = try TestStore(at: url, options: options)
        try first.insert((1...200).map { Recipe($0) })
        try first.adapter.close()
        options.checkpointPolicy.start = .max
        let store = try TestStore(at: url, options: options)
        try store.insert((201...260).map { Recipe($0) })
        let files = try Self.suffixes.map { [UInt8](try Data(contentsOf: url.adding($0))) }
        try store.adapter.close()
        for suffix in Self.suffixes { try? FileManager.default.removeItem(at: url.adding(suffix)) }
        return files
    }
}
