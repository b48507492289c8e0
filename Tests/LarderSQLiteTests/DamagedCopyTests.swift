import Foundation
import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

/// A damaged file is refused or used, and never ends the process.
@Suite struct `Copies of a store damaged at random` {
    private static let rounds = Repetitions.count(400, long: 12_000)
    private static let pageBytes = 1024

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// With the look at the structure most are refused; without it, more of them are used.
    @Test(arguments: [FileStoreOptions.Verification.structure, .quick])
    func `are refused untouched, or fail in nothing that the check calls sound`(
        _ verification: FileStoreOptions.Verification
    ) throws {
        var random = Seed.ofProcess()
        let original = try makeOriginal()
        var tally = DamageTally()

        for round in 0..<Self.rounds {
            var bytes = original
            let damage = (0...Int.random(in: 0...3, using: &random) / 2).map { _ in
                FileDamage(of: &bytes, pageBytes: Self.pageBytes, &random).description
            }
            if bytes == original {
                tally.unchanged += 1
                continue
            }
            try use(Data(bytes), verification, &tally, "round \(round), \(random): \(damage)")
        }

        print(tally)
        #expect(tally.used > Self.rounds / 40)
        #expect(tally.refused > Self.rounds / 20)
    }

    /// Opens a damaged file, checks it, reads all of it and writes to it.
    private func use(
        _ bytes: Data, _ verification: FileStoreOptions.Verification, _ tally: inout DamageTally,
        _ comment: Comment
    ) throws {
        let url = folder.file("damaged.db")
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(at: url.adding(suffix)) }
        try bytes.write(to: url)
        let store = SQLiteDataStore(
            at: url, storing: [Recipe.self, Tag.self],
            options: SQLiteOptions(durability: .none, verification: verification))

        let trial = try DamageTrial(of: store) { try store.checkIntegrity() }

        tally.note(trial)
        if let refusal = trial.refusal {
            #expect(try Data(contentsOf: url) == bytes, comment)
            #expect(refusal.code != .engine, "\(comment): \(refusal)")
        }
        #expect(!trial.isEscape, "\(comment): \(trial.failures)")
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
}
