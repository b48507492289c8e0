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
            (1, 1 << 30, 1), (0, 3000, 64),
        ])
        func `the next rows have at most 4 MB if they are as the last ones`(
            count: Int, bytes: Int, next: Int
        ) {
            var size = BatchSize([.integer, .text])
            #expect(size.rows == 16)

            size.note(rows: count, bytes: bytes)

            #expect(size.rows == next)
        }

        @Test func `more rows are asked for while none are found, until their size is known`() {
            var size = BatchSize([.integer, .text])
            let unknown = (1...3).map { _ in
                size.note(rows: 0, bytes: 100)
                return size.rows
            }

            size.note(rows: 2, bytes: 2 << 20)
            let known = size.rows
            size.note(rows: 0, bytes: 100)

            #expect(unknown == [64, 256, 256])
            #expect((known, size.rows) == (4, 4))
        }

        @Test func `after a large row, more are asked for step by step while the rows are small`() {
            var size = BatchSize([.integer, .text])
            size.note(rows: 16, bytes: 64 << 20)
            let afterLarge = size.rows

            let steps = (1...6).map { _ in
                size.note(rows: size.rows, bytes: size.rows * 100)
                return size.rows
            }

            #expect(afterLarge == 1)
            #expect(steps == [4, 16, 64, 256, 1000, 1000])
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

        @Test(.enabled(if: TestServer.shared != nil))
        func `a request that has had few rows runs without a cursor until it has many`() throws {
            try trial(storing: [Entry.self]) { store, journeys in
                try store.writeSync { try $0.insert(contentsOf: (1...1002).map { Entry($0) }) }
                func journeysToRead(_ count: Int) throws -> [String] {
                    _ = journeys()
                    let found = try store.read { accessor in
                        try accessor.items(for: Entry.where(\.id <= Int64(count)))
                    }
                    #expect(found.map(\.id) == Array(1...Int64(count)))
                    let words = ["DECLARE", "FETCH", "WITH"]
                    return journeys().compactMap { words.first(where: $0.hasPrefix) }
                }

                let first = try journeysToRead(10)
                let next = try journeysToRead(1000)
                let many = try journeysToRead(1001)
                let last = try journeysToRead(10)

                #expect(first == ["DECLARE", "FETCH"])
                #expect(next == ["WITH"])
                #expect(many == ["WITH", "DECLARE", "FETCH", "FETCH"])
                #expect(last == ["DECLARE", "FETCH"])
            }
        }

        /// The number of rows in a FETCH.
        private static func fetched(_ sql: String) -> String? {
            sql.hasPrefix("FETCH ") ? sql.split(separator: " ").dropFirst().first.map(String.init) : nil
        }

        /// Runs a body with a store, and a function that returns the statements since its last call.
        private func trial(
            storing types: [any DataStoreItem.Type] = [Recipe.self],
            _ body: (PostgreSQLDataStore, () -> [String]) throws -> Void
        ) throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let statements = Locked<[String]>([])
            var options = world.options
            options.journeyProbe = { journey in statements.withLock { $0 += journey } }
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: types, options: options)
            try store.setup()
            try body(store) { statements.exchange([]) }
            try store.tearDown()
            try world.cleanUp()
        }
    }
#endif
