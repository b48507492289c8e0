#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// A store that does not fit, and openings that set it aside.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct RecoveryTests {
        @Test func `of two openings that set a store aside, the second opens what the first has made`() throws
        {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            func store(_ probe: (@Sendable ([String]) -> Void)? = nil) -> PostgreSQLDataStore {
                var (options, storeOptions) = (world.options, DataStoreOptions())
                options.journeyProbe = probe
                storeOptions.recovery = .recreate(keepingBackup: { _ in })
                return PostgreSQLDataStore(
                    connection: world.connection, schema: world.schema, storing: [Recipe.self],
                    options: options, storeOptions: storeOptions)
            }
            let old = store()
            try old.setup()
            try old.tearDown()
            _ = try server.answer(to: "UPDATE \(world.schema).larder_store SET format = 1000000")

            // Both have found that the store does not fit. The second one stops before the next lock that it takes.
            let (waits, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let hasWaited = Locked(false)
            let second = store { statements in
                guard statements.contains(where: { $0.contains("pg_advisory_xact_lock") }) else { return }
                if hasWaited.exchange(true) { return }
                waits.signal()
                _ = mayGoOn.wait(timeout: .now() + 60)
            }
            let first = store { statements in
                if statements.contains(where: { $0.hasPrefix("ALTER SCHEMA") }) {
                    _ = waits.wait(timeout: .now() + 60)
                }
            }
            try sideBySide([
                {
                    defer { mayGoOn.signal() }
                    try first.setup()
                    try first.writeSync { _ = try $0.insert(Recipe(1)) }
                    try first.tearDown()
                },
                { try second.setup() },
            ])

            #expect(try second.read { try $0.ids(for: Recipe.all) } == [1])
            let aside = try server.answer(
                to: "SELECT nspname FROM pg_namespace WHERE nspname LIKE '\(world.schema)~%'")
            #expect(aside == ["\(world.schema)~set-aside-1"])
            try second.tearDown()
            for schema in aside { _ = try server.answer(to: "DROP SCHEMA \"\(schema)\" CASCADE") }
            try world.cleanUp()
        }
    }
#endif
