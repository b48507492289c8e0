#if PostgreSQL
    import CPostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// The connection of libpq, lent to the app inside a block.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct ConnectionAccessTests {
        /// A statement that has failed in code of the app.
        private struct Failure: Error, Equatable {
            let state: String
        }

        /// Runs statements, and returns the first value of the last one.
        @discardableResult
        private static func run(_ sql: String, on connection: OpaquePointer) throws -> String {
            let result = PQexec(connection, sql)
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK: return PQgetvalue(result, 0, 0).map { String(cString: $0) } ?? ""
            case PGRES_COMMAND_OK: return ""
            default:
                let state = PQresultErrorField(result, Int32(UnicodeScalar("C").value))
                throw Failure(state: state.map { String(cString: $0) } ?? "")
            }
        }

        @Test func `a read block lends its snapshot, and refuses to write`() throws {
            try trial { store, table in
                let other = try Self.admin()
                defer { other.close() }
                let counts = try store.read { accessor in
                    let first = try accessor.withPostgreSQLConnection {
                        try Self.run("SELECT count(*) FROM \(table)", on: $0)
                    }
                    try other.execute("DELETE FROM \(table)")
                    #expect(throws: Failure(state: "25006")) {
                        try accessor.withPostgreSQLConnection { try Self.run("DELETE FROM \(table)", on: $0) }
                    }
                    let second = try accessor.withPostgreSQLConnection {
                        try Self.run("SELECT count(*) FROM \(table)", on: $0)
                    }
                    return [first, second, String(try accessor.countItems(for: Recipe.all))]
                }

                #expect(counts == ["3", "3", "3"])
                #expect(try store.read { try $0.countItems(for: Recipe.all) } == 0)
            }
        }

        @Test func `a write block lends its transaction, and its handles show the new values`() throws {
            try trial { store, table in
                try store.writeSync { accessor in
                    let handle = try accessor.insert(Recipe(4))
                    try accessor.withPostgreSQLConnection { connection in
                        #expect(try Self.run("SELECT count(*) FROM \(table)", on: connection) == "4")
                        try Self.run("SAVEPOINT own; DELETE FROM \(table); ROLLBACK TO own", on: connection)
                        try Self.run("UPDATE \(table) SET slug = 'new' || id WHERE id > 2", on: connection)
                    }
                    #expect(handle.slug == "new4")
                }

                let slugs = try store.read { try $0.items(for: Recipe.all) }.map(\.slug)
                #expect(slugs == ["recipe-1", "recipe-2", "new3", "new4"])
            }
        }

        @Test func `an error undoes the call alone, also one that the body ignores`() throws {
            try trial { store, table in
                try store.writeSync { accessor in
                    try accessor.insert(Recipe(4))
                    let mistake = "DELETE FROM \(table); SELECT nothing_of_this_name"
                    #expect(throws: Failure(state: "42703")) {
                        try accessor.withPostgreSQLConnection { try Self.run(mistake, on: $0) }
                    }
                    let ignored = thrown {
                        try accessor.withPostgreSQLConnection { connection in
                            try Self.run("DELETE FROM \(table)", on: connection)
                            _ = try? Self.run(mistake, on: connection)
                        }
                    }
                    #expect(ignored?.code == .engine)
                    #expect(ignored?.underlying?.message.contains("nothing_of_this_name") == true)
                    try accessor.insert(Recipe(5))
                }

                #expect(try store.read { try $0.ids(for: Recipe.all) } == [1, 2, 3, 4, 5])
            }
        }

        @Test(arguments: ["COMMIT", "ROLLBACK", "COMMIT; BEGIN"])
        func `a transaction that the body ends fails its block`(_ text: String) throws {
            try trial { store, _ in
                let writing = thrown {
                    try store.writeSync { accessor in
                        try accessor.insert(Recipe(4))
                        let call = thrown {
                            try accessor.withPostgreSQLConnection { try Self.run(text, on: $0) }
                        }
                        #expect(call?.code == .invalidRequest)
                        #expect(thrown { _ = try accessor.countItems(for: Recipe.all) } == call)
                    }
                }
                let reading = thrown {
                    try store.read { accessor in
                        let call = thrown {
                            try accessor.withPostgreSQLConnection { try Self.run(text, on: $0) }
                        }
                        #expect(call?.code == .invalidRequest)
                        _ = try accessor.countItems(for: Recipe.all)
                    }
                }

                #expect(writing?.code == .invalidRequest)
                #expect(reading?.code == .invalidRequest)
                try store.writeSync { _ = try $0.insert(Recipe(5)) }
                let count = try store.read { try $0.countItems(for: Recipe.all) }
                #expect(count == (text.hasPrefix("COMMIT") ? 5 : 4))
            }
        }

        @Test func `a body that deallocates the store's statements fails its block, and the next ones go on`()
            throws
        {
            try trial { store, _ in
                let errors = [
                    thrown {
                        try store.writeSync { accessor in
                            try accessor.insert(Recipe(4))
                            _ = try accessor.withPostgreSQLConnection {
                                try Self.run("DEALLOCATE ALL", on: $0)
                            }
                        }
                    },
                    thrown {
                        try store.read { accessor in
                            try accessor.withPostgreSQLConnection { try Self.run("DEALLOCATE ALL", on: $0) }
                        }
                    },
                ]

                #expect(errors.map { $0?.code } == [.invalidRequest, .invalidRequest])
                let sentence = "The store's prepared statements were removed in withPostgreSQLConnection."
                #expect(errors.map { $0?.message } == [sentence, sentence])
                try store.writeSync { _ = try $0.insert(Recipe(5)) }
                #expect(try store.read { try $0.ids(for: Recipe.all) } == [1, 2, 3, 5])
            }
        }

        @Test func `a result that is left unread fails its block, and the next one goes on`() throws {
            try trial { store, _ in
                let failure = thrown {
                    try store.writeSync { accessor in
                        try accessor.insert(Recipe(4))
                        try accessor.withPostgreSQLConnection { _ = PQsendQuery($0, "SELECT 1") }
                    }
                }

                #expect(failure?.code == .invalidRequest)
                #expect(failure?.message.contains("left unread") == true)
                try store.writeSync { _ = try $0.insert(Recipe(5)) }
                #expect(try store.read { try $0.ids(for: Recipe.all) } == [1, 2, 3, 5])
            }
        }

        @Test func `the accessor refuses requests while its connection is lent`() throws {
            try trial { store, _ in
                try store.read { accessor in
                    let refused = try accessor.withPostgreSQLConnection { _ in
                        thrown { try accessor.countItems(for: Recipe.all) }
                    }
                    #expect(refused?.code == .invalidRequest)
                    #expect(try accessor.countItems(for: Recipe.all) == 3)
                }
            }
        }

        @Test func `the connection is lent in the middle of a walk, and not to one that writes`() throws {
            try trial { store, table in
                let ids = try store.read { accessor in
                    var ids: [Int64] = []
                    try accessor.forEachItem(for: Recipe.all) { item in
                        ids.append(item.id)
                        try accessor.withPostgreSQLConnection {
                            _ = try Self.run("SELECT count(*) FROM \(table)", on: $0)
                        }
                    }
                    return ids
                }
                try store.writeSync { accessor in
                    try accessor.forEachItem(for: Recipe.all) { _ in
                        let refused = thrown { try accessor.withPostgreSQLConnection { _ in } }
                        #expect(refused?.code == .changedDuringIteration)
                    }
                }

                #expect(ids == [1, 2, 3])
            }
        }

        @Test func `a child store lends no connection`() throws {
            try trial { store, _ in
                let child = try store.makeChildDataStore()
                let refused = thrown { try child.writeSync { try $0.withPostgreSQLConnection { _ in } } }

                #expect(refused?.code == .unsupported)
                #expect(child.hasChanges == false)
            }
        }

        private static func admin() throws -> ServerConnection {
            let server = try #require(TestServer.shared)
            return try ServerConnection(ServerHosts(server.connection, PostgreSQLOptions(), path: "admin"))
        }

        /// Runs a body with a store of three recipes, and the name of their table.
        private func trial(_ body: (PostgreSQLDataStore, String) throws -> Void) throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Recipe.self],
                options: world.options)
            try store.setup()
            try store.writeSync { try $0.insert(contentsOf: (1...3).map { Recipe($0) }) }
            try body(store, "\(world.schema).\"Recipe\"")
            try store.tearDown()
            try world.cleanUp()
        }
    }
#endif
