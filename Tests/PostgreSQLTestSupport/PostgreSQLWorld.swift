#if PostgreSQL
    package import Larder
    package import LarderPostgreSQL
    import Foundation

    /// A schema of the tests' server.
    package struct PostgreSQLWorld: Sendable {
        package let connection: PostgreSQLConnection
        package let schema: String

        package init(on server: TestServer) {
            connection = server.connection
            schema = "t" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
        }

        package var options: PostgreSQLOptions { PostgreSQLOptions(durability: .normal) }

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
