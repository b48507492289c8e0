#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// The journeys to the server that calls take: a network makes each of them slow, and the number is exact.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct JourneyTests {
        @Test func `a block that reads an item is one journey`() throws {
            try trial { store, journeys in
                try store.writeSync { try $0.insert(Recipe(1)) }

                let count = try journeys { try store.read { _ = try $0.item(id: 1, of: Recipe.self) } }

                #expect(count == 1)
            }
        }

        @Test func `a block that reads in a child is one journey more if the child has changes`() throws {
            try trial { store, journeys in
                try store.writeSync { try $0.insert(Recipe(1)) }
                let child = try store.makeChildDataStore()

                let before = try journeys { try child.read { _ = try $0.item(id: 1, of: Recipe.self) } }
                try child.writeSync { try $0.insert(Recipe(2)) }
                let after = try journeys { try child.read { _ = try $0.item(id: 1, of: Recipe.self) } }

                // The snapshot of the store begins before a staged row is shown.
                #expect(before == 1)
                #expect(after == 1 + 1)
            }
        }

        @Test func `a block that inserts an item is two journeys`() throws {
            try trial { store, journeys in
                let count = try journeys {
                    try store.writeSync { accessor in _ = try accessor.insert(Tag("planet")) }
                }

                #expect(count == 2)
            }
        }

        @Test func `an inserted item with a unique value and a reference is two journeys`() throws {
            try trial { store, journeys in
                try store.writeSync { try $0.insert(Page(1, code: "first")) }

                let plain = try journeys {
                    try store.writeSync { accessor in _ = try accessor.insert(Page(2, code: "second")) }
                }
                let referring = try journeys {
                    try store.writeSync { accessor in
                        _ = try accessor.insert(Page(3, code: "third", previous: ToOne(id: 2)))
                    }
                }

                let own = try journeys {
                    try store.writeSync { accessor in
                        _ = try accessor.insert(Page(4, code: "fourth", previous: ToOne(id: 4)))
                    }
                }

                // They are looked for by the statement that inserts; then comes the commit.
                #expect(plain == 1 + 1)
                #expect(referring == 1 + 1)
                #expect(own == 1 + 1)
            }
        }

        @Test func `an inserted item that is refused, or is large, is looked for before`() throws {
            try trial { store, journeys in
                try store.writeSync { try $0.insert(Page(1, code: "first")) }

                let refused = try journeys {
                    let error = thrown {
                        try store.writeSync {
                            _ = try $0.insert(Page(2, code: "first", previous: ToOne(id: 1)))
                        }
                    }
                    #expect(error?.code == .uniqueViolation)
                    #expect(error?.identifier == .integer(1))
                }
                let large = try journeys {
                    let code = String(repeating: "x", count: 1 << 20)
                    try store.writeSync { _ = try $0.insert(Page(2, code: code, previous: ToOne(id: 1))) }
                }

                // The attempt, the reference and the value; nothing waits for the end.
                #expect(refused == 1 + 1 + 1)
                #expect(large == 1 + 1 + 1 + 1)
            }
        }

        @Test(arguments: [1000, 4000])
        func `many items take journeys by batches`(count: Int) throws {
            try trial { store, journeys in
                let recipes = (1...count).map { Recipe(Int64($0)) }

                let inserting = try journeys {
                    try store.writeSync { _ = try $0.insert(contentsOf: recipes) }
                }
                let reading = try journeys {
                    let found = try store.read { try $0.items(for: Recipe.all) }
                    #expect(found == recipes)
                }
                let deleting = try journeys {
                    try store.writeSync { _ = try $0.deleteItems(for: Recipe.all) }
                }

                // 1,000 items at a time: their unique values are looked for, and they are inserted. Then comes the commit.
                let batches = count / 1000
                #expect(inserting == 2 * batches + 1)
                #expect(reading == (count - 256 + 999) / 1000 + 1)
                // The request has had few rows before, so that up to a thousand are asked for without a cursor.
                #expect(deleting == (count > 1000 ? 1 + reading : 1) + batches + 1)
            }
        }

        @Test func `updates are read in two journeys, and written in one if they are judged together`() throws
        {
            try trial { store, journeys in
                try store.writeSync { try $0.insert(contentsOf: Entry.thousand) }

                let count = try journeys {
                    try store.writeSync { accessor in
                        for handle in try accessor.mutableItems(for: Entry.all) { handle.amount += 1 }
                    }
                }

                // Some rows tell how many may follow at once. The last journey is the commit.
                #expect(count == 2 + 1 + 1)
            }
        }

        @Test func `links take journeys by batches`() throws {
            try trial { store, journeys in
                try store.writeSync { accessor in
                    try accessor.insert(contentsOf: Entry.thousand)
                    try accessor.insert(Shelf(1))
                }

                let count = try journeys {
                    try store.writeSync { accessor in
                        let shelf = try #require(try accessor.mutableItem(id: 1, of: Shelf.self))
                        let added = try shelf.entries.add(ids: Entry.thousand.map(\.id))
                        #expect(added == 1000)
                    }
                }

                // The shelf; the links that may be there; again the shelf, the entries, which are one more journey the first time,
                // and the insert; the commit.
                #expect(count == 1 + 1 + (3 + 1) + 1)
            }
        }

        @Test func `an import looks for the keys of a batch, and inserts the batch`() throws {
            try trial { store, journeys in
                let count = try journeys {
                    try store.writeSync { accessor in
                        let counts = try accessor.importItems(from: Entry.thousand, using: Entry.map)
                        #expect(counts.inserted == 1000)
                    }
                }

                #expect(count == 2 + 1)
            }
        }

        @Test func `a merge reads the changed items by batches, and writes them in one journey`() throws {
            try trial { store, journeys in
                try store.writeSync { try $0.insert(contentsOf: Entry.thousand) }
                let child = try store.makeChildDataStore()
                try child.writeSync { accessor in
                    for handle in try accessor.mutableItems(for: Entry.all) { handle.amount += 1 }
                }
                // A list of items with text that the writer reads for the first time is one more journey.
                try store.writeSync { _ = try $0.items(ids: [1, 2], of: Entry.self) }

                let count = try journeys {
                    let result = try store.merge(child)
                    #expect(result.updated == 1000)
                }

                #expect(count == 4 + 1 + 1)
            }
        }

        @Test func `a merge of new items looks for each batch of them, and writes them in one journey`()
            throws
        {
            try trial { store, journeys in
                let child = try store.makeChildDataStore()
                try child.writeSync { try $0.insert(contentsOf: Entry.thousand) }

                let count = try journeys {
                    let result = try store.merge(child)
                    #expect(result.inserted == 1000)
                }

                // The first batch of 256 is asked for in three parts, as long as none is found. Then come the insert, the unique
                // values, and the commit.
                #expect(count == 3 + 3 + 1 + 1 + 1)
            }
        }

        @Test func `a step writes and removes links by batches`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let count = Locked(0)
            var options = world.options
            options.journeyProbe = { _ in count.withLock { $0 += 1 } }
            let versions = [
                SchemaVersion("1", storing: [Shelf.self, Entry.self]),
                SchemaVersion("2", storing: [NotedShelf.self, Entry.self]),
            ]
            // The rows that it leaves out go with their links.
            let step = SchemaStep(from: "1", to: "2") {
                Transform("Shelf") { old, new in
                    guard case .integer(let number) = try old.id, number <= 1000 else { return }
                    try new.make().setLinks("entries", to: [.integer(2), .integer(3)])
                }
            }
            let first = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: SchemaHistory([versions[0]]),
                options: options)
            try first.setup()
            try first.writeSync { accessor in
                try accessor.insert(contentsOf: [Entry(1), Entry(2), Entry(3)])
                let shelves = (1...1500).map { Shelf(Int64($0), entries: ToMany([Entry(1)])) }
                try accessor.insert(contentsOf: shelves)
            }
            try first.tearDown()

            let second = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema,
                storing: SchemaHistory(versions, steps: [step]), options: options)
            count.withLock { $0 = 0 }
            try second.setup()

            // Some for each batch of rows or links, of which there are 7,500: one for each row would be thousands.
            let journeys = count.withLock { $0 }
            #expect(journeys < 300, "\(journeys)")
            #expect(try second.checkIntegrity() == [])
            try second.writeSync { accessor in
                #expect(try accessor.countItems(for: NotedShelf.all) == 1000)
                for id in [1, 1000] as [Int64] {
                    let shelf = try #require(try accessor.mutableItem(id: id, of: NotedShelf.self))
                    #expect(try Set(shelf.entries.ids()) == [2, 3])
                }
            }
            try second.tearDown()
            try world.cleanUp()
        }

        @Test func `a step that replaces many links of one item looks for them once`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let statements = Locked<[String]>([])
            var options = world.options
            options.journeyProbe = { journey in statements.withLock { $0 += journey } }
            let versions = [
                SchemaVersion("1", storing: [Shelf.self, Entry.self]),
                SchemaVersion("2", storing: [NotedShelf.self, Entry.self]),
            ]
            let step = SchemaStep(from: "1", to: "2") {
                Transform("Shelf") { _, new in try new.make().setLinks("entries", to: []) }
            }
            let first = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: SchemaHistory([versions[0]]),
                options: options)
            try first.setup()
            try first.writeSync { accessor in
                let entries = (1...(10 * Int64(WriteBlock.batchSize))).map { Entry($0) }
                try accessor.insert(contentsOf: entries)
                try accessor.insert(Shelf(1, entries: ToMany(entries)))
            }
            try first.tearDown()

            let second = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema,
                storing: SchemaHistory(versions, steps: [step]), options: options)
            statements.withLock { $0 = [] }
            try second.setup()

            // One for each part of them would be eleven; one with many rows goes on with a cursor.
            let searches = statements.withLock { $0.filter { $0.contains("\"source\" = ") }.count }
            #expect((1...2).contains(searches), "\(searches)")
            #expect(try second.checkIntegrity() == [])
            try second.writeSync { accessor in
                let shelf = try #require(try accessor.mutableItem(id: 1, of: NotedShelf.self))
                #expect(try shelf.entries.ids().isEmpty)
            }
            try second.tearDown()
            try world.cleanUp()
        }

        /// Runs a body with a store, and a function that counts the journeys of what it is given.
        private func trial(_ body: (any DataStore, (() throws -> Void) throws -> Int) throws -> Void) throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let count = Locked(0)
            var options = world.options
            options.journeyProbe = { _ in count.withLock { $0 += 1 } }
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema,
                storing: [Recipe.self, Tag.self, Entry.self, Shelf.self, Page.self], options: options)
            try store.setup()
            // Connections are made with the first block of each kind.
            try store.writeSync { try $0.insert(Recipe(-1)) }
            try store.writeSync { _ = try $0.deleteItems(for: Recipe.all) }
            try store.read { _ = try $0.countItems(for: Recipe.all) }
            try body(store) { call in
                count.withLock { $0 = 0 }
                try call()
                return count.withLock { $0 }
            }
            try store.tearDown()
            try world.cleanUp()
        }
    }

    /// An item with links to others.
    private struct Shelf: DataStoreItem {
        let id: Int64
        var entries: ToMany<Entry>

        struct Attributes: StoredAttributes {
            let id = Attribute<Shelf, Int64>(column: 0)
            let entries = RelationshipAttribute<Shelf, ToMany<Entry>>(number: 0)
        }

        static let attributes = Attributes()
        static let schema = EntitySchema(
            "Shelf", attributes: [.attribute("id", Int64.self)],
            relationships: [.relationship("entries", ToMany<Entry>.self)])

        init(_ id: Int64, entries: ToMany<Entry> = []) { (self.id, self.entries) = (id, entries) }

        init(row: borrowing RowReader) throws(DataStoreError) {
            id = try row.value(at: 0)
            entries = try row.value(atRelationship: 0, of: Shelf.self)
        }

        func encode(to row: inout RowWriter) throws(DataStoreError) {
            try row.set(id, at: 0)
            try row.set(entries, atRelationship: 0)
        }
    }

    /// An item with a unique value and a reference.
    private struct Page: DataStoreItem {
        let id: Int64
        var code: String
        var previous: ToOne<Page>?

        struct Attributes: StoredAttributes {
            let id = Attribute<Page, Int64>(column: 0)
            let code = Attribute<Page, String>(column: 1)
            let previous = Attribute<Page, ToOne<Page>?>(indexedColumn: 2)
        }

        static let attributes = Attributes()
        static let schema = EntitySchema(
            "Page",
            attributes: [
                .attribute("id", Int64.self), .attribute("code", String.self),
                .attribute("previous", ToOne<Page>?.self),
            ],
            indexes: [.unique("code")])

        init(_ id: Int64, code: String, previous: ToOne<Page>? = nil) {
            (self.id, self.code, self.previous) = (id, code, previous)
        }

        init(row: borrowing RowReader) throws(DataStoreError) {
            id = try row.value(at: 0)
            code = try row.value(at: 1)
            previous = try row.value(at: 2)
        }

        func encode(to row: inout RowWriter) throws(DataStoreError) {
            try row.set(id, at: 0)
            try row.set(code, at: 1)
            try row.set(previous, at: 2)
        }
    }

    /// The next version of a shelf.
    private struct NotedShelf: DataStoreItem {
        let id: Int64
        var note: String?
        var entries: ToMany<Entry>

        struct Attributes: StoredAttributes {
            let id = Attribute<NotedShelf, Int64>(column: 0)
            let note = Attribute<NotedShelf, String?>(column: 1)
            let entries = RelationshipAttribute<NotedShelf, ToMany<Entry>>(number: 0)
        }

        static let attributes = Attributes()
        static let schema = EntitySchema(
            "Shelf", attributes: [.attribute("id", Int64.self), .attribute("note", String?.self)],
            relationships: [.relationship("entries", ToMany<Entry>.self)])

        init(row: borrowing RowReader) throws(DataStoreError) {
            id = try row.value(at: 0)
            note = try row.value(at: 1)
            entries = try row.value(atRelationship: 0, of: NotedShelf.self)
        }

        func encode(to row: inout RowWriter) throws(DataStoreError) {
            try row.set(id, at: 0)
            try row.set(note, at: 1)
            try row.set(entries, atRelationship: 0)
        }
    }
#endif
