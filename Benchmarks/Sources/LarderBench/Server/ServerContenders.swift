import Foundation

#if PostgreSQL
    import Larder
    import LarderPostgreSQL

    /// Makes stores on the benchmark's server for a workload, and removes them.
    enum ServerContenders {
        /// - Parameter beginsAndEnds: True if the transactions of single reads and inserts are begun and ended.
        static func raw(in folder: URL, options: StoreOptions, beginsAndEnds: Bool) throws -> any Contender {
            try RawLibpqContender(in: try ServerPlace(of: folder), options, beginsAndEnds: beginsAndEnds)
        }

        static func larder(in folder: URL, options: StoreOptions) throws -> any Contender {
            try LarderEngines.contender(
                options, asksInBatches: true, try makeStore(in: folder, options.durability))
        }

        static func rawGraph(in folder: URL) throws -> any GraphContender {
            try RawLibpqGraphContender(in: try ServerPlace(of: folder))
        }

        static func larderGraph(in folder: URL) throws -> any GraphContender {
            try LarderGraphContender(asksInBatches: true, try makeStore(in: folder, .normal))
        }

        static func rawEntries(in folder: URL) throws -> any EntryContender {
            try RawLibpqEntryContender(in: try ServerPlace(of: folder))
        }

        static func larderEntries(in folder: URL) throws -> any EntryContender {
            try LarderEntryContender(try makeStore(in: folder, .normal))
        }

        /// Has the server clean its tables and count their values, as it would do by itself within minutes.
        static func settle(in folder: URL) throws {
            let place = try ServerPlace(of: folder)
            for table in try place.tables() { try place.server.run("VACUUM (ANALYZE) \(table)") }
        }

        /// The bytes that a store takes on the server's disk.
        static func size(in folder: URL) throws -> Int { try ServerPlace(of: folder).size() }

        /// Removes a closed store.
        static func remove(in folder: URL) throws {
            let place = try ServerPlace(of: folder)
            try place.server.run("DROP SCHEMA IF EXISTS \(place.schema) CASCADE")
        }

        /// Ends the server if it was started.
        static func end() { BenchServer.end() }

        private static func makeStore(
            in folder: URL, _ durability: Durability
        ) throws -> LarderEngines.MakeStore {
            let place = try ServerPlace(of: folder)
            let schema: String = place.schema
            let connection = try PostgreSQLConnection(place.address)
            let isDurable: Bool = durability == .full
            let options = PostgreSQLOptions(durability: isDurable ? .full : .normal)
            return { (types: [any DataStoreItem.Type]) -> any DataStore in
                PostgreSQLDataStore(
                    connection: connection, schema: schema, storing: types, options: options)
            }
        }
    }
#else
    /// Stores on a server, of which this program has none.
    enum ServerContenders {
        static func raw(in folder: URL, options: StoreOptions, beginsAndEnds: Bool) throws -> any Contender {
            throw NotBuilt()
        }

        static func larder(in folder: URL, options: StoreOptions) throws -> any Contender { throw NotBuilt() }

        static func rawGraph(in folder: URL) throws -> any GraphContender { throw NotBuilt() }

        static func larderGraph(in folder: URL) throws -> any GraphContender { throw NotBuilt() }

        static func rawEntries(in folder: URL) throws -> any EntryContender { throw NotBuilt() }

        static func larderEntries(in folder: URL) throws -> any EntryContender { throw NotBuilt() }

        static func settle(in folder: URL) throws { throw NotBuilt() }

        static func size(in folder: URL) throws -> Int { throw NotBuilt() }

        static func remove(in folder: URL) throws { throw NotBuilt() }

        static func end() {}

        private struct NotBuilt: Error, CustomStringConvertible {
            var description: String { "This program was built without LARDER_POSTGRESQL." }
        }
    }
#endif
