#if PostgreSQL && os(Linux)
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// A process that is forked shares the connections' sockets with the other one.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct ForkTests {
        @Test func `a process that is forked inside transactions does not end those of the other one`()
            async throws
        {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            await #expect(processExitsWith: .success) {
                [folder = server.folder as String, schema = world.schema as String] in
                let store = try SchemaOnServer(folder, schema)
                try store.insert([Recipe(1)])
                let reading = try store.beginReading()
                guard try reading.count(Recipe.self) == 1 else { exit(5) }
                let writing = try store.beginWriting()
                try writing.insert([Recipe(2)])
                guard try writing.count(Recipe.self) == 2 else { exit(6) }
                let status = statusOfForkedProcess {
                    let refusals = [
                        code { try reading.items(Recipe.self) }, code { try writing.items(Recipe.self) },
                        code { try writing.insert([Recipe(3)]) }, code { try writing.transaction.commit() },
                        code { try store.beginReading() }, code { try store.beginWriting() },
                    ]
                    writing.transaction.end()
                    reading.transaction.end()
                    let isClosed = code { try store.adapter.close() } == nil
                    return refusals == Array(repeating: .usedAfterFork, count: 6) && isClosed ? 0 : 1
                }
                guard status == 0 else { exit(2) }
                try writing.transaction.commit()
                guard try reading.items(Recipe.self) == [Recipe(1)] else { exit(3) }
                reading.transaction.end()
                guard try store.all(Recipe.self).map(\.id).sorted() == [1, 2] else { exit(4) }
                try store.adapter.close()
            }
            try world.cleanUp()
        }

        @Test func `a forked process opens the store of the other one, once`() async throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            await #expect(processExitsWith: .success) {
                [folder = server.folder as String, schema = world.schema as String] in
                let store = try SchemaOnServer(folder, schema)
                try store.insert([Recipe(1)])
                let child = fork()
                if child == 0 {
                    guard let own = try? SchemaOnServer(folder, schema) else { _exit(1) }
                    let codes = [
                        code { try own.insert([Recipe(2)]) }, code { try SchemaOnServer(folder, schema) },
                        code { try store.adapter.close() }, code { try SchemaOnServer(folder, schema) },
                        code { try own.adapter.close() },
                    ]
                    _exit(codes == [nil, .alreadyOpen, nil, .alreadyOpen, nil] ? 0 : 2)
                }
                var status: Int32 = -1
                waitpid(child, &status, 0)
                guard status == 0 else { exit(2) }
                guard try store.all(Recipe.self).map(\.id).sorted() == [1, 2] else { exit(3) }
                guard code({ try SchemaOnServer(folder, schema) }) == .alreadyOpen else { exit(4) }
                try store.adapter.close()
            }
            try world.cleanUp()
        }
    }

    private struct SchemaOnServer: SeamStore {
        let adapter: PostgreSQLAdapter
        let schema: StoreSchema

        /// - Parameter folder: Of the server's socket.
        init(_ folder: String, _ name: String) throws {
            schema = try StoreSchema(storing: [Recipe.self])
            adapter = PostgreSQLAdapter(
                on: try PostgreSQLConnection("host=\(folder) dbname=postgres user=larder"), schema: name,
                options: PostgreSQLOptions(durability: .normal))
            try adapter.open(schema)
        }

        var seam: any StorageAdapter { adapter }
    }
#endif
