#if PostgreSQL
    package import Larder
    package import LarderPostgreSQL
    import Foundation

    /// A schema of the tests' server.
    package struct PostgreSQLWorld: Sendable {
        package let connection: PostgreSQLConnection
        package let schema: String

        package let options: PostgreSQLOptions

        package init(on server: TestServer) {
            self.init(server.connection)
        }

        /// A world whose blocks read from a standby.
        package init(on server: TestServer, readingFrom standby: TestServer) {
            self.init(server.connection(or: standby), PostgreSQLOptions(durability: .normal, reads: .standby))
        }

        /// A world that reaches the server through a pooler; without one, it only behaves as if there were.
        package init(on server: TestServer, through pooler: TestPooler?) {
            self.init(
                pooler?.connection ?? server.connection,
                PostgreSQLOptions(durability: .normal, pooler: .transaction))
        }

        private init(
            _ connection: PostgreSQLConnection,
            _ options: PostgreSQLOptions = PostgreSQLOptions(durability: .normal)
        ) {
            self.connection = connection
            self.options = options
            schema = "t" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
        }

        package func makeStore(storing types: [any DataStoreItem.Type], options: DataStoreOptions) throws
            -> any DataStore
        {
            PostgreSQLDataStore(
                connection: connection, schema: schema, storing: types, options: self.options,
                storeOptions: options)
        }

        package func cleanUp() throws {
            try PostgreSQLAdapter(on: connection, schema: schema, options: options).destroy()
        }
    }
#endif
