#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// The removal of a store in whose schema other tools work too.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct StoreRemovalTests {
        /// An object of another tool: the statements that make and drop it, in a world's schema or in one beside it, and the
        /// name by which an error knows it.
        struct Other: Sendable, CustomTestStringConvertible {
            let making, dropping, name: String

            var testDescription: String { name }

            init(_ kind: String, _ name: String, _ definition: String) {
                making = "CREATE \(kind) \(name)\(definition)"
                dropping = "DROP \(kind) \(name)"
                self.name = name
            }
        }

        @Test(arguments: [
            Other("TABLE", "SCHEMA.notes", " (id bigint)"),
            Other("VIEW", "SCHEMA.names", " AS SELECT name FROM SCHEMA.\"Recipe\""),
            Other("VIEW", "SCHEMA_reports.names", " AS SELECT name FROM SCHEMA.\"Recipe\""),
            Other("SEQUENCE", "SCHEMA.numbers", ""),
            Other("FUNCTION", "SCHEMA.one()", " RETURNS integer LANGUAGE sql AS 'SELECT 1'"),
            Other("TYPE", "SCHEMA.mood", " AS ENUM ('good')"),
        ])
        func `a store with objects of other tools is not destroyed`(_ other: Other) throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            func answer(to sql: String) throws -> [String] {
                try server.answer(to: sql.replacingOccurrences(of: "SCHEMA", with: world.schema))
            }
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Recipe.self],
                options: world.options)
            try store.setup()
            try store.writeSync { _ = try $0.insert(Recipe(1)) }
            _ = try answer(to: "CREATE schema SCHEMA_reports")
            _ = try answer(to: other.making)

            let error = thrown { try store.destroy() }

            #expect(error?.code == .foreignStore)
            let name = other.name.replacingOccurrences(of: "SCHEMA", with: world.schema)
            #expect(error?.message.contains(name) == true)
            #expect(try answer(to: "SELECT id FROM SCHEMA.\"Recipe\"") == ["1"])
            _ = try answer(to: other.dropping)
            try store.destroy()
            #expect(
                try answer(to: "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'SCHEMA%'")
                    == ["\(world.schema)_reports"])
            _ = try answer(to: "DROP schema SCHEMA_reports")
        }

        @Test func `a store with a long name that was set aside can be opened`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let schema = world.schema + String(repeating: "n", count: 50 - world.schema.utf8.count)
            func store(in schema: String) -> PostgreSQLDataStore {
                PostgreSQLDataStore(
                    connection: world.connection, schema: schema, storing: [Recipe.self],
                    options: world.options)
            }
            let first = store(in: schema)
            try first.setup()
            try first.writeSync { _ = try $0.insert(Recipe(1)) }
            try first.tearDown()

            let place = try first.adapter.setAside { () throws(DataStoreError) in true }

            #expect(place?.hasSuffix("?schema=\(schema)~set-aside-1") == true)
            let aside = store(in: schema + "~set-aside-1")
            try aside.setup()
            #expect(try aside.read { try $0.ids(for: Recipe.all) } == [1])
            try aside.destroy()
            let tooLong = thrown { try store(in: schema + "n").setup() }
            #expect(tooLong?.code == .cannotOpen)
        }
    }
#endif
