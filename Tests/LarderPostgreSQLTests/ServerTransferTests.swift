#if PostgreSQL
    import Foundation
    import Larder
    import LarderLMDB
    import LarderMemory
    import LarderPostgreSQL
    import LarderSQLite
    import LarderTransfer
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport

    /// Stores that move between files, memory and a server.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct ServerTransferTests {
        @Test func `items of every kind of value are the same after each move`() throws {
            let server = try #require(TestServer.shared)
            let folder = try TemporaryFolder()
            let worlds = (0..<4).map { _ in PostgreSQLWorld(on: server) }
            let servers = worlds.map { StoreAddress.postgreSQL($0.connection, schema: $0.schema) }
            let places: [StoreAddress] = [
                .sqlite(at: folder.file("a")), servers[0], servers[1], .lmdb(at: folder.file("b")),
                servers[2], .memory(MemoryStorage()), servers[3],
            ]
            let source = SQLiteDataStore(at: folder.file("a"), storing: [Sample.self, Recipe.self])
            try source.setup()
            let samples = Self.samples()
            try source.writeSync { accessor in
                try accessor.insert(contentsOf: samples)
                try accessor.insert(
                    contentsOf: (0..<3000).map { Recipe($0, note: $0 % 2 == 0 ? nil : "\0\u{1}") })
            }
            let recipes = try source.read { try $0.items(for: Recipe.all) }
            try source.tearDown()

            var digests: [[EntityDigest]] = []
            for (from, to) in zip(places, places.dropFirst()) {
                digests.append(try StoreTransfer(from: from, to: to).run().digests)
            }

            #expect(Set(digests).count == 1)
            let last = try worlds[3].makeStore(
                storing: [Sample.self, Recipe.self], options: DataStoreOptions())
            try last.setup()
            #expect(try last.read { try $0.items(for: Recipe.all) } == recipes)
            #expect(
                try last.read { try $0.items(for: Sample.all) }
                    == samples.sorted { $0.id.uuidString < $1.id.uuidString })
            try last.tearDown()
            for world in worlds { try world.cleanUp() }
        }

        @Test func `a zero that SQL has given a sign arrives without it, in a file and from lines`() throws {
            let server = try #require(TestServer.shared)
            let folder = try TemporaryFolder()
            let world = PostgreSQLWorld(on: server)
            let store = try world.makeStore(storing: [Recipe.self], options: DataStoreOptions())
            try store.setup()
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Recipe(1)])
                try accessor.execute(sql: "UPDATE \(Recipe.self) SET rating = -rating")
            }
            #expect(try store.read { try $0.items(for: Recipe.all) }.map(\.rating.sign) == [.minus])
            try store.tearDown()
            let source = StoreAddress.postgreSQL(world.connection, schema: world.schema)

            let copied = try StoreTransfer(from: source, to: .sqlite(at: folder.file("copy"))).run()
            var lines = Data()
            let untyped = try UntypedStore(reading: source)
            _ = try untyped.read { reader in try JSONLinesExport(of: reader).run { lines += $0 } }
            try untyped.close()
            let imported = try JSONLinesImport(into: .memory(MemoryStorage())).run {
                defer { lines = Data() }
                return lines
            }

            #expect(copied.digests == imported.digests)
            #expect(copied.digests.map(\.count) == [1])
            try world.cleanUp()
        }

        private static func samples() -> [Sample] {
            var full = Sample()
            full.flag = true
            full.tiny = -128
            full.large = .min
            full.unsigned = .max
            full.single = 1.5
            full.real = -.infinity
            full.text = "\0\u{1}\u{10FFFF}é"
            full.data = Data([0, 255])
            full.date = Date(timeIntervalSince1970: 0.1)
            full.uuid = UUID()
            full.url = URL(string: "https://example.com/a?b")
            full.decimal = Decimal(string: "-0.00000000000000000000000000000000000012")
            full.json = Sample.Nutrition(energy: 7)
            return [full, Sample()]
        }
    }
#endif
