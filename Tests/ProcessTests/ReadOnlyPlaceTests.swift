import LarderFiles

#if os(Linux)
    import Foundation
    import Larder
    import LarderSQLite
    import ProcessFixtures
    import Testing

    @testable import AdapterTestSupport

    /// Stores that are only read, where nothing can be made beside them.
    struct ReadOnlyPlaceTests {
        /// Makes a store with one entry; returns it open where it is to be left so.
        private static func makeStore(_ engine: Engine, at url: URL) throws -> any DataStore {
            let store = engine.makeStore(at: url)
            try store.setup()
            try store.writeSync { try $0.insert(Entry(id: 1, block: 1, text: "kept")) }
            return store
        }

        private static func ids(in store: any DataStore) throws -> [Int64] {
            try store.setup()
            let ids = try store.read { try $0.items(for: Entry.all).map(\.id) }
            try store.tearDown()
            return ids
        }

        @Test(.enabled(if: SmallDisk.canBeReadOnly), arguments: Engine.inFiles, [false, true])
        func `a store on a read-only disk is read`(_ engine: Engine, hasCompanions: Bool) throws {
            let found = try SmallDisk(bytes: 4 << 20)
            let disk = try #require(found, "a small file system cannot be mounted here")
            try Self.makeStore(engine, at: disk.url.appendingPathComponent("store")).tearDown()
            if !hasCompanions {
                for name in ["store-lock", "store-writer"] {
                    try? FileManager.default.removeItem(at: disk.url.appendingPathComponent(name))
                }
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: disk.url.path)
            let file = try disk.readOnlyView().appendingPathComponent("store")

            let store = engine.makeReadOnlyStore(at: file)
            #expect(try Self.ids(in: store) == [1])
            #expect(try Self.ids(in: store) == [1])
            #expect(try engine.address(at: file).storedSchema()?.entities.map(\.name) == ["Entry"])
            #expect(try Self.ids(in: engine.makeReadOnlyStore(at: file, assumesNoWriter: true)) == [1])
            let refused = thrown { try engine.makeStore(at: file).setup() }
            #expect(refused?.code == .permissionDenied || refused?.code == .readOnly, "\(refused as Any)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == names)
        }

        /// What a killed process leaves, put on a read-only disk.
        @Test(.enabled(if: SmallDisk.canBeReadOnly), arguments: [["", "-wal", "-shm"], ["", "-wal"]])
        func `a log on a read-only disk is read with its index and refused without`(_ suffixes: [String])
            throws
        {
            let found = try SmallDisk(bytes: 4 << 20)
            let disk = try #require(found, "a small file system cannot be mounted here")
            let folder = try TemporaryFolder()
            let origin = folder.file("origin")
            let open = try Self.makeStore(.sqlite, at: origin)
            let copy = disk.url.appendingPathComponent("store")
            for suffix in suffixes {
                try FileManager.default.copyItem(at: origin.adding(suffix), to: copy.adding(suffix))
            }
            try open.tearDown()
            let file = try disk.readOnlyView().appendingPathComponent("store")

            let store = Engine.sqlite.makeReadOnlyStore(at: file)
            if suffixes.contains("-shm") {
                #expect(try Self.ids(in: store) == [1])
            } else {
                let refused = thrown { try store.setup() }
                #expect(refused?.code == .readOnly)
                #expect(refused?.message.contains("store-wal") == true, "\(refused as Any)")
                #expect(refused?.advice.contains("Copy the store and its log") == true, "\(refused as Any)")
            }
        }

        /// Makes the rest of the process run as a user without rights.
        private static func becomeNobody() {
            setgid(65534)
            setuid(65534)
        }

        /// A store of root's, whose files everybody may read, in a folder with the given mode.
        private static func makeFolder(_ engine: Engine, mode: mode_t) throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            try makeStore(engine, at: folder.file("store")).tearDown()
            for name in ["store-lock", "store-writer"] { try FileAccess.remove(folder.path(name)) }
            chmod(folder.path("store"), 0o644)
            chmod(folder.path, mode)
            return folder
        }

        @Test(arguments: Engine.inFiles)
        func `a folder that is closed to everybody is read without the app's word`(_ engine: Engine)
            async throws
        {
            try #require(geteuid() == 0, "becoming another user needs root")
            let folder = try Self.makeFolder(engine, mode: 0o555)
            await #expect(processExitsWith: .success) {
                [path = folder.path("store") as String, name = engine.rawValue as String] in
                Self.becomeNobody()
                guard let engine = Engine(rawValue: name) else { exit(2) }
                let url = URL(fileURLWithPath: path)
                guard try Self.ids(in: engine.makeReadOnlyStore(at: url)) == [1] else { exit(3) }
                guard try engine.address(at: url).storedSchema() != nil else { exit(4) }
            }
            #expect(try folder.names == ["store"])
        }

        @Test(arguments: Engine.inFiles)
        func `a folder in which others may write is refused with advice that helps`(_ engine: Engine)
            async throws
        {
            try #require(geteuid() == 0, "becoming another user needs root")
            let folder = try Self.makeFolder(engine, mode: 0o755)
            await #expect(processExitsWith: .success) {
                [path = folder.path("store") as String, name = engine.rawValue as String] in
                Self.becomeNobody()
                guard let engine = Engine(rawValue: name) else { exit(2) }
                let url = URL(fileURLWithPath: path)
                let refused = thrown { try engine.makeReadOnlyStore(at: url).setup() }
                guard refused?.code == .permissionDenied else { exit(3) }
                guard refused?.advice.contains("assumesNoWriter") == true else { exit(4) }
                let trusting = engine.makeReadOnlyStore(at: url, assumesNoWriter: true)
                guard try Self.ids(in: trusting) == [1] else { exit(5) }
                let writing = code { try engine.makeStore(at: url).setup() }
                guard writing == .permissionDenied else { exit(6) }
            }
            #expect(try folder.names == ["store"])
        }

        /// The owner could not write to a log of theirs.
        @Test func `a user who may not write to a SQLite file makes none beside it`() async throws {
            try #require(geteuid() == 0, "becoming another user needs root")
            let folder = try Self.makeFolder(.sqlite, mode: 0o777)
            await #expect(processExitsWith: .success) { [path = folder.path("store") as String] in
                Self.becomeNobody()
                let url = URL(fileURLWithPath: path)
                let refused = thrown { try Engine.sqlite.makeReadOnlyStore(at: url).setup() }
                guard refused?.code == .permissionDenied else { exit(2) }
                guard refused?.message.contains("has to write to the file to read") == true else { exit(3) }
                guard refused?.advice.contains("assumesNoWriter") == true else { exit(4) }
                let trusting = Engine.sqlite.makeReadOnlyStore(at: url, assumesNoWriter: true)
                guard try Self.ids(in: trusting) == [1] else { exit(5) }
            }
            #expect(try folder.names == ["store"])
        }

        /// A log would get the mode of the file, and keep it when the file has another one.
        @Test func `a SQLite file to which no user may write is read without others`() async throws {
            try #require(geteuid() == 0, "becoming another user needs root")
            let folder = try Self.makeFolder(.sqlite, mode: 0o777)
            chown(folder.path("store"), 65534, 65534)
            chmod(folder.path("store"), 0o444)
            await #expect(processExitsWith: .success) { [path = folder.path("store") as String] in
                Self.becomeNobody()
                let url = URL(fileURLWithPath: path)
                let store = Engine.sqlite.makeReadOnlyStore(at: url)
                try store.setup()
                guard try store.read({ try $0.ids(for: Entry.all) }) == [1] else { exit(2) }
                guard !FileAccess.isTaken(path + "-wal") else { exit(3) }
                try store.tearDown()
                chmod(path, 0o644)
                let writer = Engine.sqlite.makeStore(at: url)
                try writer.setup()
                try await writer.writeAsync { _ = try $0.insert(Entry(id: 2, block: 1, text: "later")) }
                try writer.tearDown()
                guard try Self.ids(in: store) == [1, 2] else { exit(4) }
            }
            #expect(try folder.names == ["store"])
        }

        @Test(arguments: Engine.inFiles)
        func `a file that may not be read is refused, and none is made in a folder of somebody else`(
            _ engine: Engine
        ) async throws {
            try #require(geteuid() == 0, "becoming another user needs root")
            let folder = try Self.makeFolder(engine, mode: 0o755)
            chmod(folder.path("store"), 0o600)
            await #expect(processExitsWith: .success) {
                [path = folder.path as String, name = engine.rawValue as String] in
                Self.becomeNobody()
                guard let engine = Engine(rawValue: name) else { exit(2) }
                for (place, status) in [("store", 3), ("new", 4)] as [(String, Int32)] {
                    let url = URL(fileURLWithPath: path).appendingPathComponent(place)
                    guard code({ try engine.makeStore(at: url).setup() }) == .permissionDenied else {
                        exit(status)
                    }
                }
            }
            #expect(try folder.names == ["store"])
        }

        @Test(arguments: Engine.inFiles)
        func `a store that somebody writes to after all is read no further`(_ engine: Engine) async throws {
            try #require(geteuid() == 0, "becoming another user needs root")
            let folder = try Self.makeFolder(engine, mode: 0o555)
            await #expect(processExitsWith: .success) {
                [path = folder.path("store") as String, name = engine.rawValue as String] in
                guard let engine = Engine(rawValue: name) else { exit(2) }
                let url = URL(fileURLWithPath: path)
                seteuid(65534)
                let store = engine.makeReadOnlyStore(at: url)
                try store.setup()
                guard try store.read({ try $0.countItems(for: Entry.all) }) == 1 else { exit(3) }
                // The superuser is bound by no mode; another process of his, as the file is open in this one.
                seteuid(0)
                let writer = try ChildProcess([engine.rawValue, "append", path])
                guard writer.nextLine() == "begin 2", writer.nextLine() == "done 2" else { exit(4) }
                seteuid(65534)
                guard code({ try store.read { try $0.countItems(for: Entry.all) } }) == .busy else { exit(5) }
                seteuid(0)
                writer.kill()
            }
        }

        /// It has copied its log into the file, of which a reader has old pages in its cache.
        @Test func `a SQLite store that somebody has written to is read no further`() async throws {
            try #require(geteuid() == 0, "becoming another user needs root")
            let folder = try Self.makeFolder(.sqlite, mode: 0o555)
            await #expect(processExitsWith: .success) { [path = folder.path("store") as String] in
                seteuid(65534)
                let store = Engine.sqlite.makeReadOnlyStore(at: URL(fileURLWithPath: path))
                try store.setup()
                guard try store.read({ try $0.ids(for: Entry.all) }) == [1] else { exit(2) }
                seteuid(0)
                let writer = try ChildProcess(["sqlite", "increment", path, "1"])
                guard writer.nextLine() == "done", writer.waitUntilExit() == 0 else { exit(3) }
                guard !FileAccess.isTaken(path + "-wal") else { exit(4) }
                seteuid(65534)
                guard code({ try store.read { try $0.ids(for: Entry.all) } }) == .busy else { exit(5) }
                try store.tearDown()
                guard try Self.ids(in: store) == [0, 1] else { exit(6) }
            }
            #expect(try folder.names == ["store"])
        }
    }
#endif
