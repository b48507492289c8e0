#if PostgreSQL && os(Linux)
    import Foundation
    import Larder
    import LarderPostgreSQL
    import PostgreSQLTestSupport
    import ProcessFixtures
    import Testing

    @testable import AdapterTestSupport

    /// A server whose tablespace is full.
    @Suite(.enabled(if: TestServer.shared != nil && FullTablespace.isPossible))
    struct FullTablespaceTests {
        @Test func `a block that fills the tablespace is refused, and the store works again with room`()
            async throws
        {
            let problems = try await onOwnThread { try Self.fillByBlocks() }

            #expect(problems == [])
        }

        @Test func `an opening that fills the tablespace changes nothing, and succeeds with room`()
            async throws
        {
            let problems = try await onOwnThread { try Self.fillByOpenings() }

            #expect(problems == [])
        }

        /// Some megabytes that the server cannot compress.
        private static func largeEntries() -> [Entry] {
            var random = Seed.ofProcess()
            return (100..<160 as Range<Int64>).map { id in
                var text = ""
                while text.utf8.count < 50_000 { text += String(random.next(), radix: 36) }
                return Entry(id: id, block: 100, text: text)
            }
        }

        private static func fillByBlocks() throws -> [String] {
            let space = try FullTablespace()
            let large = largeEntries()
            var problems: [String] = []
            // The table, its index and its large values take the room one after the other.
            let all = [0, 256, 4, 8, 16, 64, 128, 512, 1024]
            for kilobytes in all.prefix(Repetitions.count(2, long: all.count)) {
                let before = Entry.entries(ofBlock: 1)
                let store = space.store(named: "blocks\(kilobytes)", storing: [Entry.self])
                try store.setup()
                try store.writeSync { try $0.insert(contentsOf: before) }
                try space.disk.fill(leaving: kilobytes << 10)

                let error = thrown { try store.writeSync { try $0.insert(contentsOf: large) } }
                let kept = try store.read { try $0.items(for: Entry.all) }
                try space.disk.makeRoom()
                try store.writeSync { try $0.insert(contentsOf: Entry.entries(ofBlock: 2)) }
                let after = try store.read { try $0.items(for: Entry.all) }

                let place = "\(kilobytes) kB"
                if error?.code != .storeFull { problems.append("\(place): \(error, default: "no error")") }
                if kept != before { problems.append("\(place): \(kept.count) entries are kept, or others") }
                if after != before + Entry.entries(ofBlock: 2) {
                    problems.append("\(place): with room, \(after.count) entries are there, or others")
                }
                try store.destroy()
            }
            try space.end()
            return problems
        }

        private static func fillByOpenings() throws -> [String] {
            let space = try FullTablespace()
            let entries = (1...75 as ClosedRange<Int64>).flatMap(Entry.entries(ofBlock:))
            var problems: [String] = []
            func note(_ place: String, _ error: DataStoreError?) {
                if error?.code != .storeFull { problems.append("\(place): \(error, default: "no error")") }
            }

            // Not even the indexes of empty tables have room.
            let old = space.store(named: "openings", storing: EntryHistory.history(upTo: 1) { _ in })
            try space.disk.fill(leaving: 0)
            note("a new store", thrown { try old.setup() })
            try space.disk.makeRoom()
            let half = try space.address(named: "openings").storedSchema()
            if half != nil { problems.append("half a store is there") }
            try old.setup()
            try old.writeSync { try $0.insert(contentsOf: entries) }
            try old.tearDown()

            // The steps make new tables.
            let new = space.store(named: "openings", storing: EntryHistory.history { _ in })
            try space.disk.fill(leaving: 8 << 10)
            note("a schema step", thrown { try new.setup() })
            let version = try space.address(named: "openings").storedSchema()?.version
            if version != "1" { problems.append("the store has version \(version ?? "nil")") }
            try space.disk.makeRoom()
            try new.setup()
            let made = try new.read { try $0.items(for: FinalEntry.all) }
            if made != entries.map({ FinalEntry($0) }) { problems.append("the last version has \(made)") }
            try new.tearDown()
            try space.end()
            return problems
        }
    }

    /// A tablespace on a small file system, which is the only one of the stores of a server.
    private final class FullTablespace {
        let disk: SmallDisk
        private let server: TestServer
        private let connection: PostgreSQLConnection

        /// True if this machine lets a small file system be mounted; one line says so if not.
        ///
        /// A container without loop devices has to pass too: what is tried here is the server's store, not the machine.
        static let isPossible: Bool = {
            if (try? SmallDisk(bytes: 1 << 20)) != nil { return true }
            print("A small file system cannot be mounted here: the tests of a full tablespace are left out.")
            return false
        }()

        private struct NotPossible: Error {}

        init() throws {
            guard let server = try TestServer.another(), let disk = try SmallDisk(bytes: 24 << 20) else {
                throw NotPossible()
            }
            (self.server, self.disk) = (server, disk)
            let place = disk.url.appendingPathComponent("space")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
            // The server runs as another user, who has to own its tablespaces and to reach them.
            guard let user = getpwnam("nobody"),
                chown(place.path, user.pointee.pw_uid, user.pointee.pw_gid) == 0,
                chmod(disk.url.deletingLastPathComponent().path, 0o755) == 0
            else { throw NotPossible() }
            _ = try server.answer(to: "CREATE TABLESPACE larder_small LOCATION '\(place.path)'")
            let options = "-c default_tablespace=larder_small"
            connection = try PostgreSQLConnection(
                "host=\(server.folder) dbname=postgres user=larder options='\(options)'")
        }

        func store(named schema: String, storing types: [any DataStoreItem.Type]) -> any DataStore {
            PostgreSQLDataStore(connection: connection, schema: schema, storing: types)
        }

        func store(named schema: String, storing history: SchemaHistory) -> any DataStore {
            PostgreSQLDataStore(connection: connection, schema: schema, storing: history)
        }

        func address(named schema: String) -> StoreAddress { .postgreSQL(connection, schema: schema) }

        /// Ends the server, before its tablespace is gone.
        func end() throws { try server.end() }
    }
#endif
