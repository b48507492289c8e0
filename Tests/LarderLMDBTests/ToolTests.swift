import CLMDB
import Foundation
import Larder
import LarderLMDB
import Testing
@testable import AdapterTestSupport

@Suite struct `The tools of a store` {
    let folder: TemporaryFolder
    let url: URL
    let store: TestStore

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.mdb")
        store = try TestStore(at: url, storing: [Recipe.self, Tag.self])
        try store.insert((1...3).map { Recipe($0) })
    }

    @Test(arguments: ["-lock", "-writer"])
    func `a backup does not replace what stands beside it`(_ suffix: String) throws {
        let copy = folder.file("copy.mdb")
        try Data("mine".utf8).write(to: copy.adding(suffix))

        #expect(code { try store.adapter.backup(to: copy) } == .cannotOpen)

        #expect(try Data(contentsOf: copy.adding(suffix)) == Data("mine".utf8))
        #expect(try folder.names.contains { $0.hasPrefix(".") } == false)
    }

    /// Changes the tables behind the adapter's back: `e1` holds recipes, `i1` and `i2` their indexes.
    private func tamper(_ change: (OpaquePointer) throws -> Void) throws {
        try store.close()
        try RawEnvironment(url).write(change)
        try store.open()
    }

    @Test func `an index entry without its item is a problem`() throws {
        try tamper { try RawEnvironment.put([], at: "nobody", in: "i1", $0) }

        #expect(
            try store.adapter.checkIntegrity() == ["The index Recipe(rating) has 4 entries for 3 items."])
    }

    @Test func `an item that an index lacks is a problem`() throws {
        try tamper { transaction in
            var table: MDB_dbi = 0
            mdb_dbi_open(transaction, "i2", 0, &table)
            mdb_drop(transaction, table, 0)
        }

        #expect(
            try store.adapter.checkIntegrity() == [
                "The index Recipe(slug) lacks the item 1.", "The index Recipe(slug) lacks the item 2.",
                "The index Recipe(slug) lacks the item 3.",
                "The index Recipe(slug) has 0 entries for 3 items.",
            ])
    }

    @Test func `a row that is none is a problem`() throws {
        try tamper { transaction in
            var table: MDB_dbi = 0
            mdb_dbi_open(transaction, "e1", 0, &table)
            var id = UInt64(2) ^ (1 << 63)
            var row: [UInt8] = [9, 9, 9]
            withUnsafeMutableBytes(of: &id) { id in
                row.withUnsafeMutableBytes { row in
                    var key = MDB_val(mv_size: id.count, mv_data: id.baseAddress)
                    var value = MDB_val(mv_size: row.count, mv_data: row.baseAddress)
                    mdb_put(transaction, table, &key, &value, 0)
                }
            }
        }

        let problems = try store.adapter.checkIntegrity()
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("A stored row of Recipe") == true)
    }

    @Test func `compacting gives room back`() throws {
        try store.insert((10..<3000).map { Recipe($0) })
        _ = try store.write { try $0.delete(Recipe.self, Array(10..<3000)) }
        let before = try store.adapter.statistics()
        try store.close()

        try store.store.compact()

        #expect(try folder.names == ["store.mdb", "store.mdb-lock", "store.mdb-writer"])
        try store.open()
        let after = try store.adapter.statistics()
        #expect(before.freePageCount > 20)
        #expect(after.freePageCount == 0)
        #expect(after.fileBytes < before.fileBytes / 2)
        #expect(after.fileBytes == after.pageCount * after.pageBytes)
        #expect(try url.permissions == 0o600)
        #expect(try store.all(Recipe.self).map(\.id) == [1, 2, 3])
        try store.insert([Recipe(4)])
        #expect(try store.adapter.checkIntegrity() == [])
    }

    @Test func `compacting is refused while the store is open`() throws {
        let before = try Data(contentsOf: url)

        #expect(code { try store.store.compact() } == .alreadyOpen)

        #expect(try Data(contentsOf: url) == before)
        #expect(code { try LMDBDataStore(at: folder.file("other"), storing: []).compact() } == .cannotOpen)
    }

    @Test(arguments: [0, 1])
    func `a compacted file is whole though another process has waited in LMDB for the old one's locks`(
        _ more: Int
    ) throws {
        // The number of the last commit decides which of the two first pages LMDB reads.
        for number in 0..<(6 + more) { try store.insert([Recipe(Int64(10 + number))]) }
        let items = try store.all(Recipe.self)
        try store.close()
        let waiting = WaitingProcess(for: url.adding("-lock"))

        try store.store.compact()
        #if os(Linux)
            #expect(waiting.takeLock())
        #endif
        try store.open()

        #expect(try store.all(Recipe.self) == items)
        try store.insert([Recipe(4)])
        try store.close()
        #expect(try TestStore(at: url).all(Recipe.self).count == items.count + 1)
    }

    /// A process killed between the two renames of a replacement leaves the new file and the old locks.
    @Test(arguments: [0, 1])
    func `a file is not opened with locks of the one before it, while another process holds them`(
        _ more: Int
    ) throws {
        for number in 0..<(6 + more) { try store.insert([Recipe(Int64(10 + number))]) }
        let items = try store.all(Recipe.self)
        try store.close()
        let lockURL = url.adding("-lock")
        let oldLocks = try Data(contentsOf: lockURL)
        try store.store.compact()
        try oldLocks.write(to: lockURL)
        let waiting = WaitingProcess(for: lockURL)
        #if os(Linux)
            #expect(waiting.takeLock())
            #expect(code { try store.open() } == .busy)
        #endif
        waiting.exit()

        try store.open()
        #expect(try store.all(Recipe.self) == items)
        try store.insert([Recipe(4)])
        try store.close()
        #expect(try TestStore(at: url).all(Recipe.self).count == items.count + 1)
    }

    @Test func `a compacted file has the mode of the old one, and so have its locks`() throws {
        try store.close()
        for suffix in ["", "-lock"] { #expect(chmod(url.path + suffix, 0o660) == 0) }

        try store.store.compact()

        #expect(try url.permissions == 0o660)
        #expect(try url.adding("-lock").permissions == 0o660)
        try FileManager.default.removeItem(at: url.adding("-lock"))
        try store.store.compact()
        #expect(try folder.names == ["store.mdb", "store.mdb-writer"])
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser gives files to another user"))
    func `a compacted file has the owner of the old one, and so have its locks`() throws {
        try store.close()
        // The system takes these bits of the mode away when the owner changes.
        for suffix in ["", "-lock"] {
            #expect(chown(url.path + suffix, 12_345, 23_456) == 0)
            #expect(chmod(url.path + suffix, 0o6770) == 0)
        }

        try store.store.compact()

        for suffix in ["", "-lock"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path + suffix)
            #expect(attributes[.ownerAccountID] as? Int == 12_345)
            #expect(attributes[.groupOwnerAccountID] as? Int == 23_456)
            #expect(attributes[.posixPermissions] as? Int == 0o6770)
        }
        try store.open()
        #expect(try store.all(Recipe.self).map(\.id) == [1, 2, 3])
    }

    @Test func `a file with several names is not compacted`() throws {
        try store.close()
        #expect(link(url.path, folder.file("other").path) == 0)
        let before = try Data(contentsOf: url)

        let error = thrown { try store.store.compact() }

        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("has 2 names (hard links)") == true)
        #expect(error?.advice == "Remove the other names.")
        #expect(try Data(contentsOf: url) == before)
    }

    @Test func `a new file with the number of a replaced one is no store that is open`() async throws {
        try store.close()
        let other = folder.file("other.mdb")

        async let compacted: Void = Self.compact(store.store, times: 400)
        for _ in 0..<400 {
            let new = try TestStore(at: other, storing: [Tag.self])
            try new.close()
            try new.store.destroy()
        }

        try await compacted
    }

    /// Each time, the number of the store's old file is free for the next new file.
    @concurrent private static func compact(_ store: LMDBDataStore, times count: Int) async throws {
        for _ in 0..<count { try store.compact() }
    }

    @Test func `statistics tell the size and the number of the pages`() throws {
        let statistics = try store.adapter.statistics()

        #expect(statistics.pageBytes == 4096 || statistics.pageBytes == 16384)
        #expect(statistics.pageCount * statistics.pageBytes == statistics.fileBytes)
        #expect(try statistics.fileBytes == url.fileBytes)
        #expect(statistics.itemCounts == ["Recipe": 3, "Tag": 0])
    }

    @Test func `the environment is given with a transaction that reads the last commit`() throws {
        let store = try openedElsewhere()
        let (isOfEnvironment, items, number, last) = try store.withEnvironment { environment, transaction in
            var (table, statistics, information) = (MDB_dbi(), MDB_stat(), MDB_envinfo())
            mdb_env_info(environment, &information)
            let opened = mdb_dbi_open(transaction, nil, 0, &table)
            let counted = mdb_stat(transaction, table, &statistics)
            return (
                mdb_txn_env(transaction) == environment,
                opened == 0 && counted == 0 ? statistics.ms_entries : 0,
                mdb_txn_id(transaction), information.me_last_txnid
            )
        }

        #expect(isOfEnvironment)
        #expect(items > 0)
        #expect(number > 0 && number == last)
        #expect(throws: CancellationError.self) {
            try store.withEnvironment { _, _ in throw CancellationError() }
        }
        try store.writeSync { _ = try $0.insert(Recipe(4)) }
        let next = try store.withEnvironment { mdb_txn_id($1) }
        #expect(next == number + 1)
    }

    @Test func `the environment is not given inside a block`() throws {
        let store = try openedElsewhere()

        let error = thrown {
            try store.read { _ in try store.withEnvironment { _, _ in } }
        }

        #expect(error?.code == .nestedTransaction)
    }

    private func openedElsewhere() throws -> LMDBDataStore {
        let store = LMDBDataStore(at: folder.file("other.mdb"), storing: [Recipe.self], options: .forTests)
        try store.setup()
        return store
    }
}
