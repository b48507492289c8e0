#if PostgreSQL
    import Foundation
    import Larder
    import LarderConformance
    import LarderPostgreSQL

    /// A schema of the tests' server.
    struct PostgreSQLWorld: ConformanceMedium {
        let connection: PostgreSQLConnection
        let schema: String

        init(on server: TestServer) {
            connection = server.connection
            schema = "t" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
        }

        var options: PostgreSQLOptions { PostgreSQLOptions(durability: .normal) }

        func makeStore(storing types: [any DataStoreItem.Type], options: DataStoreOptions) throws
            -> any DataStore
        {
            PostgreSQLDataStore(
                connection: connection, schema: schema, storing: types, options: self.options,
                storeOptions: options)
        }

        func cleanUp() throws {
            try PostgreSQLAdapter(on: connection, schema: schema, options: options).destroy()
        }
    }
#endif
