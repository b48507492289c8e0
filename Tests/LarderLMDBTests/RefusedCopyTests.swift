import Foundation
import Larder
import LarderLMDB
import Testing
@testable import AdapterTestSupport

/// Whatever is refused stays as it was, and nothing appears beside it (contract rule 12).
@Suite struct `Refused copies of a store` {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.mdb")
    }

    /// A store without the files beside it, as a copy is.
    private func makeStore() throws {
        let store = try TestStore(at: url)
        try store.insert((1...300).map { Recipe($0) })
        try store.close()
        try removeCompanions()
    }

    private func removeCompanions() throws {
        for suffix in ["-lock", "-writer"] { try? FileManager.default.removeItem(at: url.adding(suffix)) }
    }

    @Test func `damaged at random are left as they were`() throws {
        var random = Seed.ofProcess()
        let rounds = Repetitions.count(300, long: 6000)
        try makeStore()
        let original = try VerificationImage(url.path)
        var refused = 0

        for round in 0..<rounds {
            var image = original
            let damage = VerificationMutation(of: &image, &random)
            try image.write(to: url.path)
            let before = try folder.contents
            let store = LMDBDataStore(
                at: url, storing: [Recipe.self],
                options: LMDBOptions(
                    durability: .none, isReadOnly: round % 5 == 4, verification: .structure))
            do throws(DataStoreError) {
                try store.setup()
                try store.tearDown()
            } catch {
                refused += 1
                let after = try folder.contents
                #expect(
                    after == before, "round \(round), \(random): \(damage): \(error); \(after.keys.sorted())")
            }
            try removeCompanions()
        }

        print("refused: \(refused)")
        #expect(refused > rounds / 4)
    }

    /// What LMDB finds nothing wrong with, and the key-value tier refuses.
    @Test(arguments: ["schema", "tables", "format"], [false, true])
    func `whose own entries are damaged are left as they were`(_ key: String, isReadOnly: Bool) throws {
        try makeStore()
        try RawEnvironment(url).write { transaction in
            for key in [key, "declaration"] {
                try RawEnvironment.put([7, 7, 7, 7, 7], at: key, in: "larder", transaction)
            }
        }
        try removeCompanions()
        let before = try folder.contents

        let refused = thrown {
            try TestStore(
                at: url, storing: [Recipe.self, Tag.self], options: LMDBOptions(isReadOnly: isReadOnly))
        }

        #expect(refused?.code == (key == "format" ? .newerFormat : .damaged))
        #expect(try folder.contents == before, "\(refused as Any)")
    }

    @Test func `a lock file that was there stays`() throws {
        try makeStore()
        try Data().write(to: url.adding("-lock"))

        #expect(
            code { try TestStore(at: url, storing: [RecipeWithNumberedTitle.self]) } == .schemaMismatch)

        #expect(try folder.names == ["store.mdb", "store.mdb-lock"])
    }
}
