#if os(Linux)
    import Foundation
    import Larder
    import LarderLMDB
    import ProcessFixtures
    import Testing

    @testable import AdapterTestSupport

    /// Stores of another user or group, whose file a new one would replace.
    struct ForeignOwnerTests {
        private static let alice: uid_t = 20_001
        private static let bob: uid_t = 20_002
        /// A group that Bob is in, besides his own.
        private static let services: gid_t = 20_003
        /// A group that he is not in.
        private static let others: gid_t = 20_004

        private static let entries = Entry.entries(ofBlock: 1)

        /// The owner, the group and the mode of a file.
        struct Rights: Equatable, Sendable, CustomTestStringConvertible {
            var owner: uid_t
            var group: gid_t
            let mode: mode_t

            var testDescription: String { "\(owner):\(group) \(String(mode, radix: 8))" }

            init(_ owner: uid_t, _ group: gid_t, _ mode: mode_t) {
                self.owner = owner
                self.group = group
                self.mode = mode
            }

            init(of path: String) throws {
                var status = stat()
                let code = stat(path, &status)
                try #require(code == 0)
                self.init(status.st_uid, status.st_gid, status.st_mode & 0o7777)
            }
        }

        /// Makes the rest of the process run as Bob.
        private static func becomeBob() {
            var groups = [services]
            setgroups(1, &groups)
            setgid(bob)
            setuid(bob)
        }

        private static func makeStore(
            _ engine: Engine, at url: URL, upTo count: Int, upgrading mode: SchemaUpgradeMode
        ) -> any DataStore {
            var options = DataStoreOptions()
            options.schemaUpgrade = mode
            return engine.makeVersion(
                at: url, storing: EntryHistory.history(upTo: count) { _ in }, options: options)
        }

        /// A store of the first version, with these rights, in a folder of Alice's for the services.
        private static func makeFolder(_ engine: Engine, _ rights: Rights) throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            let store = makeStore(engine, at: folder.file("store"), upTo: 1, upgrading: .inPlace)
            try store.setup()
            try store.writeSync { try $0.insert(contentsOf: entries) }
            try store.tearDown()
            for name in try folder.names {
                chown(folder.path(name), rights.owner, rights.group)
                chmod(folder.path(name), rights.mode)
            }
            chown(folder.path, alice, services)
            chmod(folder.path, 0o770)
            return folder
        }

        @Test(
            .enabled(if: geteuid() == 0, "becoming another user needs root"), arguments: Engine.inFiles,
            [Rights(alice, services, 0o660), Rights(alice, services, 0o664), Rights(bob, others, 0o660)])
        func `a file is not replaced if others would lose their rights to it`(
            _ engine: Engine, _ rights: Rights
        ) async throws {
            let folder = try Self.makeFolder(engine, rights)
            let (names, bytes) = (try folder.names, try Data(contentsOf: folder.file("store")))

            await #expect(processExitsWith: .success) {
                [path = folder.path("store") as String, name = engine.rawValue as String] in
                Self.becomeBob()
                guard let engine = Engine(rawValue: name) else { exit(2) }
                let url = URL(fileURLWithPath: path)
                let store = Self.makeStore(engine, at: url, upTo: 3, upgrading: .copying())
                let refused = thrown { try store.setup() }
                guard refused?.code == .permissionDenied else { exit(3) }
                guard refused?.message.contains("belongs to another user or group") == true else { exit(4) }
                guard refused?.advice.contains("or upgrade the store in place") == true else { exit(5) }
                if engine == .sqlite { return }
                let compacted = thrown { try LMDBDataStore(at: url, storing: [Entry.self]).compact() }
                guard compacted?.code == .permissionDenied else { exit(6) }
                guard compacted?.advice.contains("Let a user do it who owns the file") == true else {
                    exit(7)
                }
            }

            #expect(try folder.names == names)
            #expect(try Data(contentsOf: folder.file("store")) == bytes)
            for name in names { #expect(try Rights(of: folder.path(name)) == rights, "\(name)") }
        }

        @Test(
            .enabled(if: geteuid() == 0, "becoming another user needs root"), arguments: Engine.inFiles,
            [
                [Rights(alice, services, 0o666), Rights(bob, services, 0o666)],
                [Rights(bob, services, 0o660), Rights(bob, services, 0o660)],
                [Rights(bob, others, 0o600), Rights(bob, bob, 0o600)],
            ])
        func `a file is replaced by one to which all have the same rights`(
            _ engine: Engine, _ rights: [Rights]
        ) async throws {
            let folder = try Self.makeFolder(engine, rights[0])

            await #expect(processExitsWith: .success) {
                [path = folder.path("store") as String, name = engine.rawValue as String] in
                Self.becomeBob()
                guard let engine = Engine(rawValue: name) else { exit(2) }
                let url = URL(fileURLWithPath: path)
                let store = Self.makeStore(engine, at: url, upTo: 3, upgrading: .copying())
                try store.setup()
                let found = try store.read { try $0.items(for: FinalEntry.all) }
                guard found == Self.entries.map(FinalEntry.init) else { exit(3) }
                try store.tearDown()
            }

            #expect(try Rights(of: folder.path("store")) == rights[1])
            if engine == .lmdb { #expect(try Rights(of: folder.path("store-lock")) == rights[1]) }
        }
    }
#endif
