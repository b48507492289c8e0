#if PostgreSQL
    import Larder
    import LarderRouting
    import LarderSQLite
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// A store whose recipes are in a file, and whose tags are on a server.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct PartOnServerTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func opened(_ world: PostgreSQLWorld) throws -> RoutedDataStore {
            var options = PostgreSQLOptions()
            options.connectTimeout = .seconds(1)
            let server = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Tag.self], options: options)
            let store = RoutedDataStore([
                StorePart(
                    "file", SQLiteDataStore(at: folder.file("recipes.larder"), storing: [Recipe.self])),
                StorePart("server", server),
            ])
            try store.setup()
            return store
        }

        private func contents(of store: any DataStore) throws -> [String] {
            try store.read { accessor in
                try accessor.items(for: Recipe.all).map(\.name) + accessor.items(for: Tag.all).map(\.id)
            }
        }

        @Test func `a block is stored in the file and on the server, or in neither`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let store = try opened(world)

            try store.writeSync { accessor in
                try accessor.insert(Recipe(1))
                try accessor.insert(Tag("sweet"))
            }
            let refused = thrown {
                try store.writeSync { accessor in
                    try accessor.insert(Recipe(2))
                    try accessor.insert(Tag("sweet"))
                }
            }
            let found = try contents(of: store)
            try store.tearDown()
            let again = try opened(world)

            #expect(refused?.code == .duplicateIdentifier)
            #expect(found == ["Recipe 1", "sweet"])
            #expect(try contents(of: again) == ["Recipe 1", "sweet"])
            try again.destroy()
        }

        @Test func `without the server no block reads, and one about the file alone writes`() throws {
            let server = try #require(try TestServer.another())
            let store = try opened(PostgreSQLWorld(on: server))
            try store.writeSync { accessor in
                try accessor.insert(Recipe(1))
                try accessor.insert(Tag("sweet"))
            }

            let lost = thrown {
                try store.writeSync { accessor in
                    try accessor.insert(Recipe(2))
                    try accessor.insert(Tag("sour"))
                    try server.crash()
                }
            }
            let unread = thrown { _ = try store.read { try $0.items(for: Recipe.all) } }
            let seen = try store.writeSync { accessor in
                try accessor.insert(Recipe(3))
                return try accessor.items(for: Recipe.all).map(\.name)
            }
            try server.start()
            try server.waitUntilReady()

            #expect(lost?.code == .connectionLost)
            #expect(unread?.code == .connectionLost)
            #expect(seen == ["Recipe 1", "Recipe 3"])
            #expect(try contents(of: store) == ["Recipe 1", "Recipe 3", "sweet"])
            try store.tearDown()
            try server.end()
        }
    }
#endif
