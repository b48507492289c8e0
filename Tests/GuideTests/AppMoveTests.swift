import Foundation
import Larder
import LarderLMDB
import LarderSQLite
import LarderTransfer
import Testing

@testable import class AdapterTestSupport.TemporaryFolder
@testable import func AdapterTestSupport.code

/// The code of "To another engine" in the migration guide.
struct AppMoveTests {
    @Test func `the first start moves the store, further ones open it, and it comes back`() throws {
        try Pantry.inFolder { folder in
            try Self.fill(folder)
            for _ in 0..<2 {
                let store = try openStore(in: folder)
                #expect(store is LMDBDataStore)
                #expect(try Pantry.recipes(in: store).map(\.slug) == ["cake", "stew", "toast"])
                try store.tearDown()
            }
            #expect(try !Self.isStore("recipes.sqlite", in: folder))
            #expect(Self.isThere("recipes.sqlite.before-transfer", in: folder))

            try takeBack(in: folder)
            try takeBack(in: folder)
            #expect(try Self.isStore("recipes.sqlite", in: folder))
            #expect(!Self.isThere("recipes.lmdb", in: folder))
            try openStore(in: folder).tearDown()
            #expect(try !Self.isStore("recipes.sqlite", in: folder))
        }
    }

    @Test func `a first start without an old store makes a new one`() throws {
        try Pantry.inFolder { folder in
            let store = try openStore(in: folder)
            #expect(try Pantry.recipes(in: store) == [])
            try store.tearDown()
        }
    }

    @Test func `a start that was killed while it copied, or behind the copy, is gone on with`() throws {
        for isCancelled in [true, false] {
            try Pantry.inFolder { folder in
                try Self.fill(folder)
                var transfer = StoreTransfer(
                    from: .sqlite(at: folder.appendingPathComponent("recipes.sqlite")),
                    to: .lmdb(at: folder.appendingPathComponent("recipes.lmdb")))
                transfer.options.isCancelled = { isCancelled }
                #expect(code { try transfer.run() } == (isCancelled ? .cancelled : nil))

                let store = try openStore(in: folder)

                #expect(try Pantry.recipes(in: store).map(\.slug) == ["cake", "stew", "toast"])
                try store.tearDown()
                #expect(try !Self.isStore("recipes.sqlite", in: folder))
            }
        }
    }

    @Test func `a start goes on although the system has renamed the app's container`() throws {
        for isCancelled in [true, false] {
            try Pantry.inFolder { folder in
                let (before, after) = (
                    folder.appendingPathComponent("before"), folder.appendingPathComponent("after")
                )
                try FileManager.default.createDirectory(at: before, withIntermediateDirectories: false)
                try Self.fill(before)
                var transfer = StoreTransfer(
                    from: .sqlite(at: before.appendingPathComponent("recipes.sqlite")),
                    to: .lmdb(at: before.appendingPathComponent("recipes.lmdb")))
                transfer.options.isCancelled = { isCancelled }
                #expect(code { try transfer.run() } == (isCancelled ? .cancelled : nil))
                try FileManager.default.moveItem(at: before, to: after)

                for _ in 0..<2 {
                    let store = try openStore(in: after)
                    #expect(try Pantry.recipes(in: store).map(\.slug) == ["cake", "stew", "toast"])
                    try store.tearDown()
                }
                try FileManager.default.moveItem(at: after, to: before)
                try takeBack(in: before)

                #expect(try Self.isStore("recipes.sqlite", in: before))
            }
        }
    }

    @Test func `an older version is refused after the move and makes no empty store`() throws {
        try Pantry.inFolder { folder in
            try Self.fill(folder)
            try openStore(in: folder).tearDown()
            let old = SQLiteDataStore(
                at: folder.appendingPathComponent("recipes.sqlite"), storing: Pantry.types)

            #expect { try old.setup() } throws: { DataStoreError.Code.storeMoved ~= $0 }

            try takeBack(in: folder)
            try old.setup()
            #expect(try Pantry.recipes(in: old).map(\.slug) == ["cake", "stew", "toast"])
            try old.tearDown()
        }
    }

    @Test func `what an older version writes behind the copy is moved too`() throws {
        try Pantry.inFolder { folder in
            try Self.fill(folder)
            let old = folder.appendingPathComponent("recipes.sqlite")
            _ = try StoreTransfer(
                from: .sqlite(at: old), to: .lmdb(at: folder.appendingPathComponent("recipes.lmdb"))
            ).run()
            try Self.insertTea(into: SQLiteDataStore(at: old, storing: Pantry.types))

            let store = try openStore(in: folder)

            #expect(try Pantry.recipes(in: store).map(\.slug) == ["cake", "stew", "tea", "toast"])
            try store.tearDown()
            #expect(try !Self.isStore("recipes.sqlite", in: folder))
        }
    }

    @Test func `the way back is refused where something was written since, which another file takes`() throws
    {
        try Pantry.inFolder { folder in
            try Self.fill(folder)
            try openStore(in: folder).tearDown()
            let new = folder.appendingPathComponent("recipes.lmdb")
            try Self.insertTea(into: LMDBDataStore(at: new, storing: Pantry.types))

            #expect(code { try takeBack(in: folder) } == .destinationChanged)
            #expect(Self.isThere("recipes.lmdb", in: folder))

            let latest = folder.appendingPathComponent("recipes.latest.sqlite")
            _ = try StoreTransfer(from: .lmdb(at: new), to: .sqlite(at: latest)).run()

            let store = SQLiteDataStore(at: latest, storing: Pantry.types)
            try store.setup()
            #expect(try Pantry.recipes(in: store).map(\.slug) == ["cake", "stew", "tea", "toast"])
            try store.tearDown()
        }
    }

    @Test func `a transfer with progress`() async throws {
        let folder = try TemporaryFolder()
        try Self.fill(folder.url)
        let (old, new) = (folder.file("recipes.sqlite"), folder.file("recipes.lmdb"))
        let shown = Locked<[Double]>([])
        @Sendable func show(_ fraction: Double, _ timeLeft: Duration?) {
            shown.withLock { $0.append(fraction) }
        }

        var transfer = StoreTransfer(from: .sqlite(at: old), to: .lmdb(at: new))
        transfer.options.progress = { progress in
            show(progress.fraction ?? 0, progress.timeLeft)
        }
        let report = try await transfer.runAsync()

        #expect(report.copiedItems == 3)
        #expect(shown.withLock { $0 } == [0, 0.5, 0.5, 1])
    }

    @Test func `what was set aside is compared with what took its place`() throws {
        try Pantry.inFolder { folder in
            try Self.fill(folder)
            let store = try openStore(in: folder)
            try store.writeSync { _ = try $0.deleteItems(for: Recipe.where(\.slug == "stew")) }
            try store.tearDown()
            let aside = folder.appendingPathComponent("recipes.sqlite.before-transfer")
            let new = folder.appendingPathComponent("recipes.lmdb")

            let before = try UntypedStore(reading: .sqlite(at: aside))
            let after = try UntypedStore(reading: .lmdb(at: new))
            let differences = try before.read { before in
                try after.read { after in try StoreComparison(before, after).first(20) }
            }

            #expect(differences == [.onlyLeft(entity: "Recipe", Pantry.recipes[2].id.anyItemID)])
            try before.close()
            try after.close()
        }
    }

    @Test func `a transfer and its cut-over`() throws {
        try Pantry.inFolder { folder in
            try Self.fill(folder)
            let old = folder.appendingPathComponent("recipes.sqlite")
            let new = folder.appendingPathComponent("recipes.lmdb")
            let types = Pantry.types

            let transfer = StoreTransfer(from: .sqlite(at: old), to: .lmdb(at: new))
            let report = try transfer.run()

            let cutOver = StoreCutOver(from: transfer.source, to: transfer.destination)
            try cutOver.probe(LMDBDataStore(at: new, storing: types), storing: types)
            try cutOver.finalize()

            #expect(report.copiedItems == 3)
            #expect(try cutOver.state() == .finalized)
        }
    }

    private static func fill(_ folder: URL) throws {
        let store = SQLiteDataStore(
            at: folder.appendingPathComponent("recipes.sqlite"), storing: Pantry.types)
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: Pantry.recipes) }
        try store.tearDown()
    }

    private static func insertTea(into store: any DataStore) throws {
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: [Recipe(name: "Tea", slug: "tea")]) }
        try store.tearDown()
    }

    private static func isStore(_ name: String, in folder: URL) throws -> Bool {
        try SQLiteDataStore.isStore(at: folder.appendingPathComponent(name))
    }

    private static func isThere(_ name: String, in folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }
}
