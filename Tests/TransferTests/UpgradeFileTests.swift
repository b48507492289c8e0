import Foundation
import Larder
import LarderEngine
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance
@testable import LarderFiles
@testable import LarderLMDB
@testable import LarderSQLite

/// Upgrades in a copy, and what they find and leave in the folder.
struct UpgradeFileTests {
    typealias One = HistoryCases.One
    typealias Three = HistoryCases.Three

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    static let versions = HistoryCases.versions
    static let history = HistoryCases.history()
    static let items = (1...7).map { One($0, .integer(60)) }
    static let upgraded = (1...7).map { Three($0, .real(1), .null) }

    // MARK: Stores

    static func makeStore(
        _ engine: Engine, at url: URL, storing history: SchemaHistory = history,
        upgrading mode: SchemaUpgradeMode = .automatic
    ) -> any DataStore {
        var options = DataStoreOptions()
        options.schemaUpgrade = mode
        return engine == .sqlite
            ? SQLiteDataStore(
                at: url, storing: history, options: SQLiteOptions(durability: .none), storeOptions: options)
            : LMDBDataStore(
                at: url, storing: history, options: LMDBOptions(durability: .none), storeOptions: options)
    }

    /// A store of the first version with seven items.
    func filled(_ engine: Engine, _ name: String = "store") throws -> URL {
        let url = folder.file(name)
        let store = Self.makeStore(engine, at: url, storing: SchemaHistory([Self.versions[0]]))
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: Self.items) }
        try store.tearDown()
        return url
    }

    static func upgrade(
        _ engine: Engine, at url: URL, by mode: SchemaUpgradeMode,
        calls: UpgradeFileCalls = UpgradeFileCalls()
    ) throws -> Bool {
        var plan = history.plan()
        plan.mode = mode
        let file = file(engine, at: url)
        return try FileUpgrade(of: file, to: try history.current().schema(), by: plan, calls: calls).run()
    }

    private static func file(_ engine: Engine, at url: URL) -> any UpgradableFile {
        let place = StorePlace(url)
        return engine == .sqlite
            ? UpgradableSQLiteFile(place: place, options: SQLiteOptions())
            : UpgradableLMDBFile(place: place, options: LMDBOptions())
    }

    static func version(_ engine: Engine, at url: URL) throws -> String? {
        try Place(engine, at: url).address.storedSchema()?.version
    }

    static func expectOld(_ engine: Engine, at url: URL) throws {
        let old = makeStore(engine, at: url, storing: SchemaHistory([versions[0]]))
        try old.setup()
        #expect(try old.read { try $0.items(for: One.all) } == items)
        try old.tearDown()
    }

    static func expectNew(_ engine: Engine, at url: URL) throws {
        let new = makeStore(engine, at: url)
        try new.setup()
        #expect(try new.read { try $0.items(for: Three.all) } == upgraded)
        try new.tearDown()
    }

    /// The names in the folder without those of LMDB's locks.
    func names() throws -> [String] {
        try folder.names.filter { !$0.hasSuffix("-lock") && !$0.hasSuffix("-writer") }
    }

    /// The backups that an upgrade tells of.
    final class Backups: Sendable {
        private let kept = Locked<[String]>([])

        var mode: SchemaUpgradeMode {
            .copying(keepingBackup: { backup in self.kept.withLock { $0.append(backup.location) } })
        }

        var names: [String] { kept.withLock { $0.map { FileAccess.parts(of: $0).name } } }
    }

    // MARK: The end

    @Test(arguments: Engine.files)
    func `a folder that cannot be synced behind the rename is told of, with the backup`(
        _ engine: Engine
    ) throws {
        let url = try filled(engine)
        let backups = Backups()
        var calls = UpgradeFileCalls()
        calls.synchronizeFolder = { path throws(DataStoreError) in
            throw FileAccess.failure(EIO, "The file cannot be synced.", path: path)
        }

        let error = thrown { try Self.upgrade(engine, at: url, by: backups.mode, calls: calls) }

        #expect(error?.code == .inputOutput)
        #expect(
            error?.message
                == "The upgraded store is in its place, but its folder could not be synced: The file cannot be synced."
        )
        #expect(error?.path.map { FileAccess.parts(of: $0).name } == "store")
        #expect(error?.underlying?.code == Int(EIO))
        #expect(backups.names == ["store.backup-1"])
        #expect(try names() == ["store", "store.backup-1"])
        try Self.expectNew(engine, at: url)
        try Self.expectOld(engine, at: folder.file("store.backup-1"))
    }

    // MARK: Other processes

    @Test(arguments: Engine.files)
    func `a store that another process upgrades after its schema was read is opened again`(
        _ engine: Engine
    ) throws {
        let url = try filled(engine)
        let openings = Locked(0)
        let file = OvertakenFile(file: Self.file(engine, at: url)) { () throws(DataStoreError) in
            let number = openings.withLock { openings in
                openings += 1
                return openings
            }
            if number > 1 { return }
            let other = Self.makeStore(engine, at: url)
            try other.setup()
            try other.tearDown()
        }
        let upgrade = FileUpgrade(
            of: file, to: try Self.history.current().schema(), by: Self.history.plan())

        #expect(code { try upgrade.run() } == .storeFileMoved)

        #expect(openings.withLock { $0 } == 1)
        try Self.expectNew(engine, at: url)
    }

    // MARK: Backups

    @Test(arguments: Engine.files)
    func `a link with the name of a backup is not taken for one`(_ engine: Engine) throws {
        let url = try filled(engine)
        #expect(symlink("store", folder.path("store.backup-1")) == 0)
        let backups = Backups()

        #expect(try Self.upgrade(engine, at: url, by: backups.mode))

        #expect(backups.names == ["store.backup-2"])
        try Self.expectOld(engine, at: folder.file("store.backup-2"))
        try Self.expectNew(engine, at: url)
        #expect(try names() == ["store", "store.backup-1", "store.backup-2"])
    }

    @Test(arguments: Engine.files)
    func `where the file system has no hard links, the backup is a copy`(_ engine: Engine) throws {
        let url = try filled(engine)
        try Data("taken".utf8).write(to: folder.file("store.backup-1"))
        let backups = Backups()
        var calls = UpgradeFileCalls()
        calls.addLink = { _, _ throws(DataStoreError) in nil }

        #expect(try Self.upgrade(engine, at: url, by: backups.mode, calls: calls))

        #expect(backups.names == ["store.backup-2"])
        #expect(try folder.bytes("store.backup-1") == Data("taken".utf8))
        try Self.expectOld(engine, at: folder.file("store.backup-2"))
        try Self.expectNew(engine, at: url)
        #expect(try names() == ["store", "store.backup-1", "store.backup-2"])
    }

    @Test(arguments: Engine.files)
    func `a backup that is copied stops with its task, and the old store stays`(_ engine: Engine) async throws
    {
        let url = try filled(engine)
        var calls = UpgradeFileCalls()
        calls.addLink = { _, _ throws(DataStoreError) in
            withUnsafeCurrentTask { $0?.cancel() }
            return nil
        }

        let error = await Task { [calls] in
            thrown { try Self.upgrade(engine, at: url, by: Backups().mode, calls: calls) }
        }.value

        #expect(error?.code == .cancelled)
        #expect(try Self.version(engine, at: url) == "1")
        // The copy waits for the next run.
        #expect(try names().filter { !$0.hasPrefix(".store.larder-upgrade-") } == ["store"])
        try Self.expectOld(engine, at: url)
    }

    @Test(arguments: Engine.files)
    func `a closure that throws a cancellation leaves the copy to the next run`(
        _ engine: Engine
    ) throws {
        let url = try filled(engine)
        let stopped = Self.makeStore(
            engine, at: url, storing: HistoryCases.history { throw CancellationError() },
            upgrading: .copying())

        let error = thrown { try stopped.setup() }

        #expect(error?.code == .cancelled)
        #expect(try names().filter { $0.hasPrefix(".store.larder-upgrade-") }.count == 1)
        #expect(try Self.version(engine, at: url) == "1")
        try Self.expectOld(engine, at: url)
    }

    @Test
    func `the copying of a file stops with its task`() async throws {
        let (source, copy) = (folder.path("source"), folder.path("copy"))
        try Data(repeating: 7, count: 3 << 20).write(to: folder.file("source"))
        try FileAccess.makeFile(copy)

        let error = await thrownWhenCancelled {
            try FileAccess.fill(copy, with: source, stopping: "The copy")
        }

        #expect(error?.code == .cancelled)
        #expect(try folder.file("copy").fileBytes == 0)
        try FileAccess.fill(copy, with: source, stopping: "The copy")
        #expect(try folder.bytes("copy") == folder.bytes("source"))
    }

    // MARK: Several names

    @Test(arguments: Engine.files)
    func `a store with several names is not replaced by a copy`(_ engine: Engine) throws {
        let url = try filled(engine)
        let other = folder.file("other")
        #expect(link(url.path, other.path) == 0)

        let error = thrown { try Self.makeStore(engine, at: url, upgrading: .copying()).setup() }

        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("has 2 names (hard links)") == true)
        #expect(try names() == ["other", "store"])
        #expect(try Self.version(engine, at: url) == "1")
        let needs = UpgradeNeeds(of: try migration(of: engine, at: url), counts: [:], storeBytes: 0)
        let place = UpgradePlace(of: Place(engine, at: url).address)
        #expect(!place.canCopy(needs))
        let new = Self.makeStore(engine, at: url)
        try new.setup()
        try new.tearDown()
        #expect(try Self.version(engine, at: other) == "3")
        try FileAccess.remove(other.path)
        #expect(place.canCopy(needs))
    }

    func migration(of engine: Engine, at url: URL) throws -> SchemaMigration {
        let stored = try #require(try Place(engine, at: url).address.storedSchema())
        return try SchemaMigration(
            from: stored, to: try Self.history.current().schema(), by: Self.history.plan())
    }

    @Test(arguments: Engine.files)
    func `the name that a killed upgrade has made for a backup does not count`(_ engine: Engine) throws {
        let url = try filled(engine)
        #expect(link(url.path, folder.path("store.backup-4")) == 0)
        let backups = Backups()

        #expect(try Self.upgrade(engine, at: url, by: backups.mode))

        #expect(backups.names == ["store.backup-4"])
        #expect(try names() == ["store", "store.backup-4"])
        try Self.expectOld(engine, at: folder.file("store.backup-4"))
        try Self.expectNew(engine, at: url)
    }

    @Test(arguments: Engine.files, [false, true])
    func `an upgrade in place removes what a killed one has made ready`(
        _ engine: Engine, _ hasCopy: Bool
    ) throws {
        let url = try filled(engine)
        #expect(link(url.path, folder.path("store.backup-1")) == 0)
        if hasCopy { try Data("half".utf8).write(to: folder.file(".store.larder-upgrade-partial")) }

        let new = Self.makeStore(engine, at: url, upgrading: .inPlace)
        try new.setup()
        try new.tearDown()

        #expect(try names() == ["store"])
        try Self.expectNew(engine, at: url)
    }

    @Test(arguments: Engine.files)
    func `an upgrade that keeps no backup removes the name that a killed one has made`(
        _ engine: Engine
    ) throws {
        let url = try filled(engine)
        #expect(link(url.path, folder.path("store.backup-1")) == 0)

        #expect(try Self.upgrade(engine, at: url, by: .copying()))

        #expect(try names() == ["store"])
        try Self.expectNew(engine, at: url)
    }

    @Test(arguments: Engine.files)
    func `the first name of a store whose maker was killed does not count`(_ engine: Engine) throws {
        let url = try filled(engine)
        #expect(link(url.path, folder.path(".store.larder-new-0000000999999999")) == 0)

        #expect(try Self.upgrade(engine, at: url, by: .copying()))

        #expect(try names() == ["store"])
        try Self.expectNew(engine, at: url)
    }

    @Test(arguments: Engine.files)
    func `a store that is destroyed by a symbolic link leaves no copy`(_ engine: Engine) throws {
        let url = try filled(engine)
        #expect(symlink("store", folder.path("link")) == 0)
        let copy = UpgradeCopy(of: url.path, state: "other", companionSuffixes: [])
        try copy.make { path throws(DataStoreError) in try FileAccess.write([1], to: path) }

        try Self.makeStore(engine, at: folder.file("link")).destroy()

        #expect(try names() == ["link"])
    }

    // LMDB trusts its pages: a damaged one may end the process.
    @Test
    func `a store that is damaged is what the error of its copy says`() throws {
        let url = try filled(.sqlite)
        let old = Self.makeStore(.sqlite, at: url, storing: SchemaHistory([Self.versions[0]]))
        try old.setup()
        try old.writeSync { accessor in
            try accessor.insert(contentsOf: (100..<20_000).map { One($0, .integer(1)) })
        }
        try old.tearDown()
        var bytes = try Data(contentsOf: url)
        let page = bytes.count / 2 / 8192 * 8192
        bytes.replaceSubrange(page..<page + 200, with: Data(repeating: 0xA5, count: 200))
        try bytes.write(to: url)

        let error = thrown { try Self.upgrade(.sqlite, at: url, by: .copying()) }

        #expect(error?.code == .damaged)
        #expect(error?.path.map { FileAccess.parts(of: $0).name } == "store")
        #expect(try names() == ["store"])
    }
}

/// A store beside another process that does something as soon as the store is to be opened.
private struct OvertakenFile: UpgradableFile {
    let file: any UpgradableFile
    let overtake: @Sendable () throws(DataStoreError) -> Void

    var address: StoreAddress {
        let (own, overtakes) = (file.address, overtake)
        return StoreAddress(
            engine: own.engine, location: own.location, fileSuffixes: own.fileSuffixes
        ) { _, access in OvertakenAdapter(own.adapter(for: access), overtakes) }
    }

    var stateSuffixes: [String] { file.stateSuffixes }

    func whileAlone(
        _ body: (any SoleFile) throws(DataStoreError) -> Void
    ) throws(DataStoreError) -> Bool {
        try file.whileAlone(body)
    }
}

private final class OvertakenAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    private let overtake: @Sendable () throws(DataStoreError) -> Void

    init(_ adapter: any StorageAdapter, _ overtake: @escaping @Sendable () throws(DataStoreError) -> Void) {
        wrappedAdapter = adapter
        self.overtake = overtake
    }

    func open(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) {
        try overtake()
        try wrappedAdapter.open(schema, by: plan)
    }
}
