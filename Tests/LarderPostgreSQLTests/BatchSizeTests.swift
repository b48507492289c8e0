#if PostgreSQL
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// The number of rows that the server is asked for at once.
    struct BatchSizeTests {
        @Test(arguments: [
            (10, 1000, 1000), (16, 64 << 10, 1000), (16, 16 << 16, 64), (16, 32 << 20, 2), (16, 33 << 20, 1),
            (1, 1 << 30, 1), (0, 3000, 16),
        ])
        func `the next rows have at most 4 MB if they are as the last ones`(
            count: Int, bytes: Int, next: Int
        ) {
            var size = BatchSize([.integer, .text])
            #expect(size.rows == 16)

            size.note(rows: count, bytes: bytes)

            #expect(size.rows == next)
        }

        @Test func `rows of numbers need no measure`() {
            var size = BatchSize([.integer, .unsigned, .real, .decimal])

            size.note(rows: 1, bytes: 1 << 20)

            #expect(size.rows == 1000)
        }

        @Test(.enabled(if: TestServer.shared != nil))
        func `rows of 2 MB are read one at a time after the first ones`() throws {
            try trial { store, journeys in
                let note = String(repeating: "n", count: 2 << 20)
                let recipes = (1...20).map { Recipe($0, note: note) }
                try store.writeSync { try $0.insert(contentsOf: recipes) }

                _ = journeys()
                let found = try store.read { try $0.items(for: Recipe.all) }
                let counts = journeys().compactMap(Self.fetched)
                let page = try store.read { try $0.items(for: Recipe.all.limit(3)) }
                let ofPage = journeys().compactMap(Self.fetched)

                #expect(found == recipes)
                #expect(counts == ["16", "1", "1", "1", "1", "1"])
                #expect(page == Array(recipes.prefix(3)))
                // The size of rows of another request is not known, and three are few.
                #expect(ofPage == [])
            }
        }

        @Test(.enabled(if: TestServer.shared != nil))
        func `rows of 2 MB are read by their identifiers one at a time after the first ones`() throws {
            try trial { store, journeys in
                let note = String(repeating: "n", count: 2 << 20)
                try store.writeSync { try $0.insert(contentsOf: (1...20).map { Recipe($0, note: note) }) }
                let identifiers = (1...21).map { Cell.integer($0) }
                let row = UnsafeMutablePointer<Cell>.allocate(capacity: 5)
                defer { row.deallocate() }
                let reading = try store.adapter.beginReading()
                defer { reading.end() }
                var found: [Int] = []

                _ = journeys()
                try identifiers.withUnsafeBufferPointer { identifiers in
                    try reading.forEachRow(at: identifiers, of: 0, into: row) { position in
                        #expect(row[0].integer == Int64(position + 1) && row[4].length == 2 << 20)
                        found.append(position)
                    }
                }

                #expect(found == Array(0..<20))
                #expect(journeys().filter { $0.contains("WITH ORDINALITY") }.count == 1 + 5)
            }
        }

        @Test(.enabled(if: TestServer.shared != nil))
        func `a page of small rows is one journey once their size is known`() throws {
            try trial { store, journeys in
                try store.writeSync { try $0.insert(contentsOf: (1...200).map { Recipe($0) }) }

                _ = journeys()
                for _ in 1...2 { _ = try store.read { try $0.items(for: Recipe.all.limit(100)) } }

                #expect(journeys().compactMap(Self.fetched) == ["16", "1000"])
            }
        }

        /// The number of rows in a FETCH.
        private static func fetched(_ sql: String) -> String? {
            sql.hasPrefix("FETCH ") ? sql.split(separator: " ").dropFirst().first.map(String.init) : nil
        }

        /// Runs a body with a store, and a function that returns the statements since its last call.
        private func trial(_ body: (PostgreSQLDataStore, () -> [String]) throws -> Void) throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let statements = Locked<[String]>([])
            var options = world.options
            options.journeyProbe = { journey in statements.withLock { $0 += journey } }
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Recipe.self], options: options)
            try store.setup()
            try body(store) {
                statements.withLock { all in
                    defer { all = [] }
                    return all
                }
            }
            try store.tearDown()
            try world.cleanUp()
        }
    }
#endif
