#if PostgreSQL
    import Foundation
    import Larder
    import LarderPostgreSQL
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport

    /// The users of a database, with the rights that `Documentation/ManyMachines.md` gives them.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct RoleTests {
        @Test func `each user may do what the commands of the page allow`() throws {
            let server = try #require(try TestServer.another())
            let commands = try Self.commands()
            // The user and the database; then the roles and their rights, once the store is there.
            try #require(commands.map(\.count) == [2, 5])
            for command in commands[0] { _ = try server.answer(to: command) }
            func run(_ command: String) throws { _ = try server.answer(to: command, in: "kitchen") }
            func store(
                of user: String, _ types: [any DataStoreItem.Type] = [Recipe.self],
                schema: String = "recipes",
                isReadOnly: Bool = false
            ) throws -> PostgreSQLDataStore {
                PostgreSQLDataStore(
                    connection: try PostgreSQLConnection("host=\(server.folder) dbname=kitchen user=\(user)"),
                    schema: schema, storing: types, options: PostgreSQLOptions(isReadOnly: isReadOnly))
            }
            let owner = try store(of: "app")
            try owner.setup()
            try owner.writeSync { _ = try $0.insert(Recipe(1)) }
            try owner.tearDown()
            for command in commands[1] { try run(command) }
            try run("CREATE ROLE till LOGIN IN ROLE kitchen_writer")
            try run("CREATE ROLE guest LOGIN IN ROLE kitchen_reader")
            try run("CREATE ROLE stranger LOGIN")

            let writer = try store(of: "till")
            try writer.setup()
            try writer.writeSync { _ = try $0.insert(Recipe(2)) }
            try writer.writeSync { _ = try $0.deleteItems(for: Recipe.all.limit(1)) }
            try writer.tearDown()
            // Only the owner changes the schema.
            let upgrade = try store(of: "till", [Recipe.self, Tag.self])
            #expect(thrown { try upgrade.setup() }?.code == .permissionDenied)

            let reader = try store(of: "guest", isReadOnly: true)
            try reader.setup()
            #expect(try reader.read { try $0.ids(for: Recipe.all) } == [2])
            try reader.tearDown()
            let forWriting = try store(of: "guest")
            try forWriting.setup()
            #expect(
                thrown { try forWriting.writeSync { _ = try $0.insert(Recipe(3)) } }?.code
                    == .permissionDenied)
            #expect(try forWriting.read { try $0.ids(for: Recipe.all) } == [2])
            try forWriting.tearDown()

            // It may not look into the store, and not make another one.
            #expect(thrown { try store(of: "stranger").setup() }?.code == .permissionDenied)
            #expect(thrown { try store(of: "stranger", isReadOnly: true).setup() }?.code == .permissionDenied)
            #expect(thrown { try store(of: "stranger", schema: "other").setup() }?.code == .permissionDenied)
            // A server may refuse to tell which cluster it is.
            try run("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC")
            try run("CREATE SCHEMA other AUTHORIZATION stranger")
            let own = try store(of: "stranger", schema: "other")
            try own.setup()
            try own.writeSync { _ = try $0.insert(Recipe(4)) }
            try own.tearDown()
            try server.end()
        }

        @Test func `an operator of another user does not judge a store that a pooler leads to`() throws {
            let server = try #require(try TestServer.another())
            let world = PostgreSQLWorld(on: server, through: nil)
            let store = try world.makeStore(storing: [Recipe.self], options: DataStoreOptions())
            try store.setup()
            try store.writeSync { _ = try $0.insert(Recipe(1)) }
            try store.tearDown()
            let commands = [
                "CREATE ROLE stranger", "GRANT CREATE ON SCHEMA public TO stranger", "SET ROLE stranger",
                """
                CREATE FUNCTION public.refuse(oid, regcollation) RETURNS boolean LANGUAGE plpgsql \
                AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$
                """,
                "CREATE OPERATOR public.= (LEFTARG = oid, RIGHTARG = regcollation, FUNCTION = public.refuse)",
            ]
            _ = try server.answer(to: commands.joined(separator: "; "))

            try store.setup()

            #expect(try store.read { try $0.ids(for: Recipe.all) } == [1])
            try store.tearDown()
            try server.end()
        }

        /// The commands of the page, one list for each block of SQL.
        private static func commands() throws -> [[String]] {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let page = try String(
                contentsOf: root.appendingPathComponent("Documentation/ManyMachines.md"), encoding: .utf8)
            return page.components(separatedBy: "```sql").dropFirst().map { rest in
                let block = rest.components(separatedBy: "```")[0]
                return block.components(separatedBy: ";").map {
                    $0.trimmingCharacters(in: .whitespacesAndNewlines)
                }
                .filter { !$0.isEmpty }
            }
        }
    }
#endif
