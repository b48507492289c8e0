import Foundation
import Larder
import LarderLMDB
import LarderSQLite
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// What tells one store from another, wherever its files are.
struct StoreIdentityTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func identity(of place: Place) throws -> UUID {
        try #require(try place.address.storedSchema()?.identity)
    }

    @Test(arguments: Engine.pairs)
    func `a copy has an identity of its own and remembers that of its source`(_ pair: Pair) throws {
        let (source, copy) = (folder.place(pair.from, "source"), folder.place(pair.to, "copy"))
        try Cargo.fill(source)
        _ = try StoreTransfer(from: source.address, to: copy.address).run()

        let stored = try #require(try copy.address.storedSchema())

        #expect(stored.identity != (try identity(of: source)))
        #expect(
            stored.transfer?.source
                == StoreReference(
                    engine: source.address.engine, identity: try identity(of: source),
                    location: source.address.location))
    }

    @Test(arguments: Engine.allCases)
    func `an import has an identity of its own and comes from lines`(_ engine: Engine) throws {
        let source = folder.place(.memory, "source")
        try Cargo.fill(source)
        let imported = folder.place(engine, "imported")
        _ = try imported.importing(try source.exported())

        #expect(try identity(of: imported) != identity(of: source))
        #expect(
            try imported.address.storedSchema()?.transfer?.source == StoreReference(engine: "JSON Lines"))
    }

    @Test(arguments: Engine.files)
    func `a store keeps its identity when it is compacted, and its backup has it too`(
        _ engine: Engine
    ) throws {
        let (place, backup) = (folder.place(engine, "store"), folder.place(engine, "backup"))
        try Cargo.fill(place)
        let made = try identity(of: place)
        try place.withStore { store in
            switch store {
            case let store as SQLiteDataStore:
                try store.compact()
                try store.backup(to: folder.file("backup"))
            case let store as LMDBDataStore: try store.backup(to: folder.file("backup"))
            default: Issue.record("a store of neither engine")
            }
        }
        if let store = place.makeStore(storing: Cargo.types) as? LMDBDataStore { try store.compact() }

        #expect(try identity(of: place) == made)
        #expect(try identity(of: backup) == made)
    }

    @Test(arguments: Engine.files)
    func `a transfer from another store says from which the copy was begun, and what helps`(
        _ engine: Engine
    ) throws {
        let (source, other) = (folder.place(engine, "source"), folder.place(engine, "other"))
        let copy = folder.place(engine, "copy")
        try Cargo.fill(source)
        try Cargo.fill(other)
        let plan = CommitPlan(failingAt: 2, isStoredFirst: true)
        expectDeath {
            _ = try StoreTransfer(from: source.address, to: plan.applied(to: copy.address)).run()
        }
        // The other store takes the name of the first.
        for suffix in source.files {
            try FileManager.default.moveItem(
                atPath: source.address.location + suffix, toPath: folder.path("renamed" + suffix))
        }
        for suffix in other.files {
            try FileManager.default.moveItem(
                atPath: other.address.location + suffix, toPath: source.address.location + suffix)
        }

        let error = thrown { _ = try StoreTransfer(from: source.address, to: copy.address).run() }

        #expect(error?.code == .incompleteTransfer)
        #expect(error?.message.contains(source.address.description) == true)
        #expect(error?.path == copy.address.location)
        #expect(error?.advice.hasPrefix("Delete the unfinished copy with destroy()") == true)
        // Both steps of the advice help.
        let renamed = folder.place(engine, "renamed")
        #expect(try StoreTransfer(from: renamed.address, to: copy.address).run().isResumed)
        try copy.makeStore(storing: []).destroy()
        #expect(try !StoreTransfer(from: source.address, to: copy.address).run().isResumed)
    }

    @Test(arguments: Engine.files)
    func `an unfinished copy that an app opens can be deleted and begun again`(_ engine: Engine) throws {
        let (source, copy) = (folder.place(engine, "source"), folder.place(engine, "copy"))
        try Cargo.fill(source)
        let plan = CommitPlan(failingAt: 2, isStoredFirst: true)
        expectDeath {
            _ = try StoreTransfer(from: source.address, to: plan.applied(to: copy.address)).run()
        }

        let error = thrown { try copy.withStore { _ in } }

        #expect(error?.code == .incompleteTransfer)
        #expect(error?.message == "The store is an unfinished copy of \(source.address).")
        #expect(error?.advice.contains("delete it with destroy()") == true)
        try copy.makeStore(storing: []).destroy()
        #expect(copy.files == [])
        _ = try StoreTransfer(from: source.address, to: copy.address).run()
        #expect(try Cargo.isWhole(in: copy))
    }
}
