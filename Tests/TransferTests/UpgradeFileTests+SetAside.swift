import Foundation
import Larder
import LarderSQLite
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance
@testable import LarderFiles

// Stores that a process was setting aside when it was killed.
extension UpgradeFileTests {
    /// Makes what such a process leaves: the store's file by a second name, beside a log.
    private func leaveSetAside(_ url: URL, number: Int = 1) throws {
        let aside = folder.file("store.set-aside-\(number)")
        try FileManager.default.createDirectory(at: aside, withIntermediateDirectories: false)
        #expect(link(url.path, aside.appendingPathComponent("store").path) == 0)
        try Data().write(to: aside.appendingPathComponent("store-wal"))
    }

    /// The item whose commit is in the log that ``leaveWithoutLog(_:)`` moves.
    private static let added = One(8, .integer(60))

    private func open(_ url: URL, isReadOnly: Bool = false) throws -> SQLiteDataStore {
        var options = SQLiteOptions(durability: .none)
        options.isReadOnly = isReadOnly
        let store = SQLiteDataStore(at: url, storing: SchemaHistory([Self.versions[0]]), options: options)
        try store.setup()
        return store
    }

    /// Leaves a store whose log has lost its first name, while the file has both, and returns the log.
    private func leaveWithoutLog(_ url: URL) throws -> Data {
        let whole = try open(url)
        try whole.writeSync { _ = try $0.insert(Self.added) }
        let file = try Data(contentsOf: url)
        let log = try Data(contentsOf: folder.file("store-wal"))
        try whole.tearDown()
        #expect(!log.isEmpty)
        try file.write(to: url)
        try leaveSetAside(url)
        try log.write(to: folder.file("store.set-aside-1").appendingPathComponent("store-wal"))
        return log
    }

    /// - Parameter isChanged: True if a program has changed the file since then, which the log does not belong to any more.
    @Test(arguments: [false, true])
    func `a store gets the log back that a process has taken which was killed as it set it aside`(
        isChanged: Bool
    ) throws {
        let url = try filled(.sqlite)
        let log = try leaveWithoutLog(url)
        if isChanged { try setTime(of: url, 60) }

        let store = try open(url)
        let items = try store.read { try $0.items(for: One.all) }
        try store.tearDown()

        #expect(items == (isChanged ? Self.items : Self.items + [Self.added]))
        #expect(try names() == (isChanged ? ["store", "store.set-aside-1"] : ["store"]))
        if isChanged { #expect(try logAside() == log) }
    }

    /// - Parameter seconds: From now on.
    private func setTime(of url: URL, _ seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: seconds)], ofItemAtPath: url.path)
    }

    @Test func `an old log is not given back if its status changes later`() throws {
        let url = try filled(.sqlite)
        let log = try leaveWithoutLog(url)
        try setTime(of: url, 60)
        try open(url).tearDown()
        // As if the log had got another owner since then.
        try setTime(of: url, -60)

        let store = try open(url)
        let items = try store.read { try $0.items(for: One.all) }
        try store.tearDown()

        #expect(items == Self.items)
        #expect(try logAside() == log)
        let aside = folder.path("store.set-aside-1")
        #expect(try FileManager.default.contentsOfDirectory(atPath: aside) == ["store-wal"])
    }

    /// - Parameter isGone: True if the store's file was removed before.
    @Test(arguments: [false, true])
    func `a destroyed store leaves no log in a folder`(isGone: Bool) throws {
        let url = try filled(.sqlite)
        _ = try leaveWithoutLog(url)
        try setTime(of: url, 60)
        let others = ["elsewhere": ["store-wal"], "store.set-aside-2": ["store", "store-wal"]]
        for (name, files) in others {
            let other = folder.file(name)
            try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
            for file in files { try Data("kept".utf8).write(to: other.appendingPathComponent(file)) }
        }
        #expect(symlink("elsewhere", folder.path("store.set-aside-3")) == 0)
        let store = try open(url)
        let aside = folder.path("store.set-aside-1")
        #expect(try FileManager.default.contentsOfDirectory(atPath: aside) == ["store-wal"])
        if isGone {
            try store.tearDown()
            try FileManager.default.removeItem(at: url)
        }

        try store.destroy()

        #expect(try names() == ["elsewhere", "store.set-aside-2", "store.set-aside-3"])
        for (name, files) in others {
            let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path(name))
            #expect(kept.sorted() == files)
        }
    }

    @Test func `a store that may be written gets its log back before its schema is read`() throws {
        let url = try filled(.sqlite)
        let log = try leaveWithoutLog(url)

        #expect(try SQLiteAdapter(at: url).storedSchema()?.version == "1")

        #expect(try folder.bytes("store-wal") == log)
        let store = try open(url)
        #expect(try store.read { try $0.items(for: One.all) } == Self.items + [Self.added])
        try store.tearDown()
    }

    @Test func `a recovery that has waited for a process that was killed gives the log back first`() throws {
        let url = try filled(.sqlite)
        _ = try leaveWithoutLog(url)
        var (error, items): (DataStoreError?, [One]) = (nil, [])

        let moved = try SQLiteAdapter(at: url).setAside { () throws(DataStoreError) -> Bool in
            error = thrown { () throws -> Void in
                let store = try open(url)
                items = try store.read { try $0.items(for: One.all) }
                try store.tearDown()
            }
            return false
        }

        #expect(moved == nil)
        #expect(error?.code == nil)
        #expect(items == Self.items + [Self.added])
    }

    private func logAside() throws -> Data {
        try Data(contentsOf: folder.file("store.set-aside-1").appendingPathComponent("store-wal"))
    }

    /// The reason why a store does not get its log back.
    enum Obstacle: Sendable, CaseIterable {
        case readOnly, lock, emptyLog
    }

    @Test(arguments: Obstacle.allCases)
    func `a store that does not get its log back is not opened in an older state`(
        _ obstacle: Obstacle
    ) throws {
        let url = try filled(.sqlite)
        let log = try leaveWithoutLog(url)
        // A program that has read the store has made it.
        let empty = folder.file("store-wal")
        if obstacle == .emptyLog { try Data().write(to: empty) }

        let error =
            try obstacle == .lock
            ? FileAccess.whileLocked(folder.path) { () throws(DataStoreError) in
                thrown { try open(url) }
            }
            : thrown { try open(url, isReadOnly: obstacle == .readOnly) }

        #expect(error?.code == (obstacle == .readOnly ? .readOnly : .busy))
        #expect(error?.message.contains("/store.set-aside-1:") == true)
        #expect(try logAside() == log)
        if obstacle == .emptyLog { try FileManager.default.removeItem(at: empty) }
        #expect(try names() == ["store", "store.set-aside-1"])
        let store = try open(url)
        #expect(try store.read { try $0.items(for: One.all) } == Self.items + [Self.added])
        try store.tearDown()
        #expect(try names() == ["store"])
    }

    @Test func `a log that two folders have after two kills is given back once`() throws {
        let url = try filled(.sqlite)
        _ = try leaveWithoutLog(url)
        let aside = folder.file("store.set-aside-2")
        try FileManager.default.createDirectory(at: aside, withIntermediateDirectories: false)
        let first = folder.file("store.set-aside-1")
        for name in ["store", "store-wal"] {
            let path = first.appendingPathComponent(name).path
            #expect(link(path, aside.appendingPathComponent(name).path) == 0)
        }

        let store = try open(url)
        let items = try store.read { try $0.items(for: One.all) }
        try store.tearDown()

        #expect(items == Self.items + [Self.added])
        #expect(try names() == ["store"])
    }

    @Test(arguments: Engine.files)
    func `a name from a setting aside that was killed does not count, and goes`(_ engine: Engine) throws {
        let url = try filled(engine)
        try leaveSetAside(url)
        try leaveSetAside(url, number: 7)

        #expect(try Self.upgrade(engine, at: url, by: .copying()))

        #expect(try names() == ["store"])
        try Self.expectNew(engine, at: url)
    }

    @Test(arguments: Engine.files)
    func `a name from a setting aside that was killed goes before the first change`(
        _ engine: Engine
    ) throws {
        let url = try filled(engine)
        try leaveSetAside(url)
        let other = folder.file("store.set-aside-2")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
        try Data("another store".utf8).write(to: other.appendingPathComponent("store"))
        #expect(symlink(".", folder.path("store.set-aside-3")) == 0)

        let old = Self.makeStore(engine, at: url, storing: SchemaHistory([Self.versions[0]]))
        try old.setup()
        try old.writeSync { _ = try $0.insert(One(8, .integer(60))) }
        try old.tearDown()

        #expect(try names() == ["store", "store.set-aside-2", "store.set-aside-3"])
        #expect(try Data(contentsOf: other.appendingPathComponent("store")) == Data("another store".utf8))
    }

    @Test
    func `names stay while a process sets a store aside, and if the store is there no longer`() throws {
        let url = try filled(.sqlite)
        try leaveSetAside(url)
        let identity = try #require(try FileAccess.status(at: url.path)).identity

        try FileAccess.whileLocked(folder.path) { () throws(DataStoreError) in
            try UnfinishedSetAside.discard(of: url.path, identity, keepingLogs: ["-wal", "-journal"])
        }
        #expect(try names() == ["store", "store.set-aside-1"])

        #expect(unlink(url.path) == 0)
        try UnfinishedSetAside.discard(of: url.path, identity, keepingLogs: ["-wal", "-journal"])
        let aside = folder.file("store.set-aside-1")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: aside.path).sorted() == [
                "store", "store-wal",
            ])
    }
}
