import Foundation
import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

/// A damaged file is refused or used, and never ends the process.
@Suite struct `Copies of a store damaged at random` {
    private static let rounds =
        ProcessInfo.processInfo.environment["LARDER_LONG"] == nil ? 400 : 12_000
    private static let pageBytes = 1024

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `are refused untouched or give rows and typed errors`() throws {
        let given = ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap(UInt64.init)
        let seed = given ?? UInt64.random(in: 0...UInt64(UInt32.max))
        print("damaged copies: LARDER_SEED=\(seed)")
        var random = Seed(seed)
        let original = try makeOriginal()
        var tally = Tally()

        for round in 0..<Self.rounds {
            var bytes = original
            let damage = (0...Int.random(in: 0...3, using: &random) / 2).map { _ in
                FileDamage(of: &bytes, pageBytes: Self.pageBytes, &random).description
            }
            if bytes == original {
                tally.unchanged += 1
                continue
            }
            try use(Data(bytes), &tally, "round \(round), LARDER_SEED=\(seed): \(damage)")
        }

        print(tally)
        #expect(tally.refused > Self.rounds / 4)
        #expect(tally.used > Self.rounds / 40)
    }

    /// Opens a damaged file, reads all of it and writes to it.
    private func use(_ bytes: Data, _ tally: inout Tally, _ comment: Comment) throws {
        let url = folder.file("damaged.db")
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(at: url.adding(suffix)) }
        try bytes.write(to: url)
        let store = SQLiteDataStore(
            at: url, storing: [Recipe.self, Tag.self],
            options: SQLiteOptions(durability: .none, verification: .structure))

        if let error = try typedError(comment, { try store.setup() }) {
            tally.refused += 1
            tally.codes[error.code.rawValue, default: 0] += 1
            #expect(try Data(contentsOf: url) == bytes, comment)
            return
        }
        tally.used += 1
        let steps: [() throws -> Void] = [
            { _ = try store.read { try $0.items(for: Recipe.all) } },
            { _ = try store.read { try $0.items(for: Tag.all) } },
            { try store.writeSync { try $0.insert(contentsOf: (1000...1040).map { Recipe($0) }) } },
            { try store.writeSync { try Self.changeTags($0) } },
            { try store.writeSync { _ = try $0.deleteAllItems(of: Recipe.self) } },
            { try store.tearDown() },
        ]
        for step in steps {
            if let error = try typedError(comment, step) {
                tally.errors += 1
                // A bit of a name in SQLite's own list of tables, or of our generation, is no damage to SQLite.
                let expected: [DataStoreError.Code] = [
                    .damaged, .undecodable, .duplicateIdentifier, .uniqueViolation, .schemaChanged, .engine,
                ]
                #expect(expected.contains(error.code), "\(comment): \(error)")
            }
        }
    }

    private static func changeTags(_ accessor: DataStoreReadWriteAccessor) throws {
        for number in 1...150 { try accessor.upsert(Tag("tag \(number)", weight: number + 1000)) }
    }

    /// The error a body throws, which must be one of ours.
    private func typedError(_ comment: Comment, _ body: () throws -> Void) throws -> DataStoreError? {
        do {
            try body()
            return nil
        } catch {
            return try #require(error as? DataStoreError, comment)
        }
    }

    /// Tables and indexes of several levels, long values, and free pages.
    private func makeOriginal() throws -> [UInt8] {
        let url = folder.file("original.db")
        let store = SQLiteDataStore(
            at: url, storing: [Recipe.self, Tag.self],
            options: SQLiteOptions(durability: .none, pageBytes: Self.pageBytes))
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(
                contentsOf: (1...300).map {
                    Recipe($0, note: $0 % 20 == 0 ? String(repeating: "x", count: 3000) : nil)
                })
            try accessor.insert(contentsOf: (1...150).map { Tag("tag \($0)", weight: $0) })
        }
        try store.writeSync { accessor in
            for id in Int64(40)...80 { try accessor.delete(id: id, of: Recipe.self) }
        }
        try store.tearDown()
        return [UInt8](try Data(contentsOf: url))
    }

    private struct Tally: CustomStringConvertible {
        /// A page swapped with one like it: no damage, and not counted as any.
        var unchanged = 0
        var refused = 0
        var used = 0
        var errors = 0
        var codes: [String: Int] = [:]

        var description: String {
            let codes = codes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            return "copies: \(unchanged) unchanged, \(refused) refused (\(codes.joined(separator: ", "))), "
                + "\(used) used with \(errors) errors"
        }
    }
}
