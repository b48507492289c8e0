#if PostgreSQL
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// The savepoint that a list of inserts sets for itself, inside of the caller's.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct ListSavepointTests {
        @Test(arguments: [false, true])
        func `a list that fails leaves the caller's savepoint as the last one`(isTaken: Bool) throws {
            try trial { writing, mutations in
                try apply(mutations(1...2), in: writing)
                try writing.setSavepoint()
                try apply(mutations(3...4), in: writing)

                // An identifier that is taken, or a value that another tool's rule refuses.
                let error = #expect(throws: DataStoreError.self) {
                    try apply(mutations(isTaken ? 4...5 : 99...101), in: writing)
                }
                #expect(error?.code == (isTaken ? .duplicateIdentifier : .engine))
                try writing.rollBackToSavepoint()

                #expect(try identifiers(in: writing) == [1, 2])
            }
        }

        @Test func `a list that fails can be followed by others`() throws {
            try trial { writing, mutations in
                try apply(mutations(1...4), in: writing)
                #expect(throws: DataStoreError.self) { try apply(mutations(4...5), in: writing) }

                try apply(mutations(6...7), in: writing)

                // The part of the list that was not taken is there, as the caller undoes the call.
                #expect(try identifiers(in: writing) == [1, 2, 3, 4, 5, 6, 7])
            }
        }

        private func apply(_ mutations: [RowMutation], in writing: any StorageWriting) throws {
            try mutations.withUnsafeBufferPointer { _ = try writing.apply($0) }
        }

        private func identifiers(in writing: any StorageWriting) throws -> [Int64] {
            let rows = try writing.rows(for: RequestPlan(entity: 0, schema: Entry.schema))
            defer { rows.close() }
            let cells = UnsafeMutablePointer<Cell>.allocate(capacity: 3)
            defer { cells.deallocate() }
            var found: [Int64] = []
            while try rows.next(into: cells) { found.append(cells[0].integer) }
            return found
        }

        /// Runs a body in a write transaction of a table that takes amounts below 100 alone, with a maker of inserts.
        private func trial(
            _ body: (any StorageWriting, (ClosedRange<Int64>) throws -> [RowMutation]) throws -> Void
        ) throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Entry.self],
                options: world.options)
            try store.setup()
            _ = try server.answer(to: "ALTER TABLE \(world.schema).\"Entry\" ADD CHECK (amount < 100)")
            let writing = try store.adapter.beginWriting()
            let arena = RowArena(chunkBytes: 4096)
            try body(writing) { identifiers in
                try identifiers.map { id in
                    let cells = try arena.makeCells(3)
                    cells[0] = .integer(id)
                    cells[1] = try "code-\(id)".encode(in: arena)
                    cells[2] = .integer(id)
                    return RowMutation(.insert, entity: 0, cells: UnsafePointer(cells))
                }
            }
            writing.end()
            try store.tearDown()
            try world.cleanUp()
        }
    }
#endif
