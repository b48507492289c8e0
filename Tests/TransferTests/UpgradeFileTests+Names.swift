import Foundation
import Larder
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance
@testable import LarderFiles
@testable import LarderLMDB
@testable import LarderSQLite

// Stores with long names.
extension UpgradeFileTests {
    /// A name of so many bytes, of characters that have two.
    private static func name(_ bytes: Int, _ first: String = "s") -> String {
        first + String(repeating: "é", count: (bytes - 1) / 2) + (bytes % 2 == 0 ? "x" : "")
    }

    /// The longest names of a store, as a suffix of 8 or 7 bytes is appended.
    private static func longest(_ engine: Engine) -> Int { engine == .sqlite ? 247 : 248 }

    @Test(arguments: Engine.files, [198, 199, 234, nil])
    func `a store with a long name is upgraded, kept and removed as any other`(
        _ engine: Engine, _ bytes: Int?
    ) throws {
        let name = Self.name(bytes ?? Self.longest(engine))
        let neighbor = Self.name(bytes ?? Self.longest(engine), "n")
        let url = try filled(engine, name)
        let backups = Backups()
        let copies = [name, neighbor].map { name in
            UpgradeCopy(of: folder.path(name), state: "other", companionSuffixes: [])
        }
        for copy in copies {
            try copy.make { path throws(DataStoreError) in try FileAccess.write([1], to: path) }
        }

        let new = Self.makeStore(engine, at: url, upgrading: backups.mode)
        try new.setup()
        #expect(try new.read { try $0.items(for: Three.all) } == Self.upgraded)
        try new.tearDown()

        let backup = try #require(backups.names.first)
        #expect(backup.hasSuffix(".backup-1") && backup.hasPrefix(name.prefix(100)))
        #expect((bytes ?? 255 < 231) == (backup == name + ".backup-1"))
        try Self.expectOld(engine, at: folder.file(backup))
        // Copies of the neighbor stay.
        let kept = FileAccess.parts(of: copies[1].path).name
        #expect(try Set(names()) == [name, backup, kept])
        try Self.setAside(engine, at: url)
        let copy = UpgradeCopy(of: url.path, state: "other", companionSuffixes: [])
        try copy.make { path throws(DataStoreError) in try FileAccess.write([1], to: path) }
        try Self.makeStore(engine, at: url).destroy()
        #expect(try names().filter { !$0.contains(".set-aside-") }.sorted() == [backup, kept].sorted())
    }

    @Test func `a link under the name of an unfinished copy is replaced, and not followed`() throws {
        try Data("other".utf8).write(to: folder.file("other"))
        #expect(symlink("other", folder.path(".store.larder-upgrade-partial")) == 0)
        let copy = UpgradeCopy(of: folder.path("store"), state: "one", companionSuffixes: [])

        try copy.make { path throws(DataStoreError) in try FileAccess.write([1], to: path) }

        #expect(try folder.bytes("other") == Data("other".utf8))
        #expect(try FileAccess.firstBytes(9, of: copy.path).bytes == [1])
        #expect(try names() == [FileAccess.parts(of: copy.path).name, "other"])
    }

    /// Opens a store of the current version as an app of the first one, which has no way to it.
    private static func setAside(_ engine: Engine, at url: URL) throws {
        let aside = Locked(0)
        var options = DataStoreOptions()
        options.recovery = .recreate(keepingBackup: { _ in aside.withLock { $0 += 1 } })
        let first = SchemaHistory([versions[0]])
        let store: any DataStore =
            engine == .sqlite
            ? SQLiteDataStore(at: url, storing: first, storeOptions: options)
            : LMDBDataStore(at: url, storing: first, storeOptions: options)
        try store.setup()
        try store.tearDown()
        #expect(aside.withLock { $0 } == 1)
    }

    @Test(arguments: Engine.files, [1, 7, 40])
    func `a name that leaves no room for the files beside the store is refused`(
        _ engine: Engine, _ more: Int
    ) throws {
        let limit = Self.longest(engine)
        let url = folder.file(Self.name(limit + more))

        let error = thrown { try Self.makeStore(engine, at: url).setup() }

        #expect(error?.code == .cannotOpen)
        #expect(
            error?.message.hasPrefix("The name of the store's file has \(limit + more) bytes, and -") == true)
        #expect(error?.advice == "Choose a name of at most \(limit) bytes.")
        #expect(try folder.names == [])
    }
}
