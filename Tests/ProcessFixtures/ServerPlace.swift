public import Foundation
public import Larder

#if PostgreSQL
    import LarderPostgreSQL
#endif

/// The store on the tests' PostgreSQL server that belongs to a path, so that tests name it as they name files.
///
/// Other processes find the server by the environment: the folder of its socket or the names of its hosts,
/// and after them further words of the connection's text.
public enum ServerPlace {
    /// The variable of the environment by which they find it.
    public static let variable = "LARDER_TEST_SERVER"

    /// The folder of its socket in the process that has started it; nil in others.
    ///
    /// The variable is not set there: other threads read the environment meanwhile.
    package static let server = Locked<String?>(nil)

    #if PostgreSQL
        public static func makeStore(
            at url: URL, storing types: [any DataStoreItem.Type], busyTimeout: Duration = .seconds(5),
            connectTimeout: Duration = .seconds(10), isReadOnly: Bool = false,
            storeOptions: DataStoreOptions = DataStoreOptions()
        ) -> any DataStore {
            PostgreSQLDataStore(
                connection: connection, schema: schema(of: url), storing: types,
                options: PostgreSQLOptions(
                    busyTimeout: busyTimeout, connectTimeout: connectTimeout, isReadOnly: isReadOnly),
                storeOptions: storeOptions)
        }

        public static func makeStore(
            at url: URL, storing history: SchemaHistory, storeOptions: DataStoreOptions
        ) -> any DataStore {
            PostgreSQLDataStore(
                connection: connection, schema: schema(of: url), storing: history, storeOptions: storeOptions)
        }

        public static func address(at url: URL) -> StoreAddress {
            .postgreSQL(connection, schema: schema(of: url))
        }

        private static var connection: PostgreSQLConnection {
            let folder = server.withLock { $0 } ?? ProcessInfo.processInfo.environment[variable] ?? ""
            do {
                return try PostgreSQLConnection("host=\(folder) dbname=postgres user=larder")
            } catch {
                fatalError("\(error)")
            }
        }

        /// The schema of the store that belongs to a path.
        ///
        /// The paths of the tests end with a random folder and a name.
        package static func schema(of url: URL) -> String {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in url.path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return "p" + String(hash, radix: 16)
        }
    #else
        public static func makeStore(
            at url: URL, storing types: [any DataStoreItem.Type], busyTimeout: Duration = .seconds(5),
            connectTimeout: Duration = .seconds(10), isReadOnly: Bool = false,
            storeOptions: DataStoreOptions = DataStoreOptions()
        ) -> any DataStore {
            fatalError("PostgreSQL is not built.")
        }

        public static func makeStore(
            at url: URL, storing history: SchemaHistory, storeOptions: DataStoreOptions
        ) -> any DataStore {
            fatalError("PostgreSQL is not built.")
        }

        public static func address(at url: URL) -> StoreAddress { fatalError("PostgreSQL is not built.") }
    #endif
}
