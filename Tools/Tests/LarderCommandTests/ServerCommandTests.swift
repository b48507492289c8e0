#if PostgreSQL
    import Foundation
    import PostgreSQLTestSupport
    import Testing

    /// Stores on a PostgreSQL server, by their address.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct ServerCommandTests {
        private let folder: TemporaryFolder
        private let world: PostgreSQLWorld
        private let store: String

        init() throws {
            folder = try TemporaryFolder()
            let server = try #require(TestServer.shared)
            world = PostgreSQLWorld(on: server)
            store = "postgresql:///postgres?host=\(server.folder)&user=larder&schema=\(world.schema)"
        }

        @Test(arguments: Engine.allCases)
        func `a store moves to a server and back, and is the same everywhere`(_ engine: Engine) throws {
            try engine.makeStore(at: folder.url.appendingPathComponent("store"))

            let there = try CommandRun(["copy", folder.path("store"), store])
            let back = try CommandRun(["copy", store, folder.path("back"), "--engine", engine.other.rawValue])

            #expect(there.status == 0, "\(there.messages)")
            #expect(there.output.hasPrefix("3 items copied and verified in "))
            #expect(back.status == 0, "\(back.messages)")
            #expect(try CommandRun(["verify", folder.path("store"), store]).status == 0)
            #expect(try CommandRun(["diff", store, folder.path("back")]).output == "")
            #expect(try CommandRun(["copy", folder.path("store"), store]).status == 73)
            try world.cleanUp()
        }

        @Test func `a store on a server is read as one in a file is`() throws {
            try Engine.lmdb.makeStore(at: folder.url.appendingPathComponent("store"))
            #expect(try CommandRun(["copy", folder.path("store"), store]).status == 0)

            for command in [
                ["query", "Recipe", "--where", "views > 5", "--csv"], ["count", "Recipe"],
                ["get", "Recipe", "2"],
                ["export", "-"], ["schema"], ["graph"], ["check"],
            ] {
                let (name, others) = (command[0], Array(command.dropFirst()))
                let fromServer = try CommandRun([name, store] + others)
                let fromFile = try CommandRun([name, folder.path("store")] + others)
                #expect(fromServer.status == 0, "\(command): \(fromServer.messages)")
                #expect(
                    Self.withoutPlaces(fromServer.output) == Self.withoutPlaces(fromFile.output), "\(command)"
                )
            }
            let info = try CommandRun(["info", store])
            #expect(info.output.contains("engine             PostgreSQL\n"))
            #expect(!info.output.contains("size"))
            try world.cleanUp()
        }

        @Test func `lines are imported into a server's store, and half an import leaves none`() throws {
            try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))
            let lines = try CommandRun(["export", folder.path("store"), "-"]).output
            let half = lines.split(separator: "\n").dropLast().joined(separator: "\n")

            let failed = try CommandRun(["import", "-", store], input: half)
            let count = try CommandRun(["count", store])
            let done = try CommandRun(["import", "-", store], input: lines)

            #expect(failed.status == 65)
            #expect(count.status == 66)
            #expect(done.status == 0, "\(done.messages)")
            #expect(try CommandRun(["verify", folder.path("store"), store]).status == 0)
            #expect(try CommandRun(["import", "-", store], input: lines).status == 73)
            try world.cleanUp()
        }

        @Test func `finalize and rollback name both stores without the password`() throws {
            try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))
            let secret = store + "&password=hunter2"
            #expect(try CommandRun(["copy", folder.path("store"), secret]).status == 0)

            let finalized = try CommandRun(["finalize", folder.path("store"), secret])
            let moved = try CommandRun(["count", folder.path("store")])
            let restored = try CommandRun(["rollback", folder.path("store"), secret])

            #expect([finalized, moved, restored].map(\.status) == [0, 66, 0], "\(finalized.messages)")
            for run in [finalized, moved, restored] {
                #expect(!(run.output + run.messages).contains("hunter2"))
            }
            #expect(moved.messages.contains("?schema=\(world.schema)"))
            #expect(try CommandRun(["count", folder.path("store"), "Recipe"]).output == "3\n")
            try world.cleanUp()
        }

        @Test func `import and forecast name a store without the password`() throws {
            try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))
            let secret = store + "&password=hunter2"
            let lines = try CommandRun(["export", folder.path("store"), "-"]).output

            let first = try CommandRun(["import", "-", secret], input: lines)
            let second = try CommandRun(["import", "-", secret], input: lines)
            let forecast = try CommandRun(["forecast", folder.path("store"), "--to", secret])

            #expect([first, second, forecast].map(\.status) == [0, 73, 0], "\(forecast.messages)")
            for run in [first, second, forecast] {
                #expect(!(run.output + run.messages).contains("hunter2"))
            }
            #expect(second.messages.contains("?schema=\(world.schema)"))
            #expect(forecast.output.contains("to       \(world.schema)\n"))
            try world.cleanUp()
        }

        @Test(arguments: ["compact", "backup"])
        func `tools for files refuse a server and name the server's own`(_ command: String) throws {
            let run = try CommandRun([command, store] + (command == "backup" ? [folder.path("copy")] : []))

            #expect(run.status == 64)
            #expect(run.messages.contains("pg_dump"))
            #expect(try folder.contents().isEmpty)
        }

        @Test func `a store that is not there, and a server that is not, end with what they are`() throws {
            let nothing = try CommandRun(["count", store])
            let noServer = try CommandRun(["count", "postgresql:///a?host=\(folder.url.path)&schema=b"])
            let noSchema = try CommandRun(["count", "postgresql:///a?host=\(folder.url.path)"])
            let file = try CommandRun(["copy", store, folder.path("copy"), "--engine", "postgresql"])

            #expect([nothing, noServer, noSchema, file].map(\.status) == [66, 75, 64, 64])
            #expect(noSchema.messages.contains("Add ?schema="))
            #expect(try folder.contents().isEmpty)
        }

        /// The text without the lines that name a store.
        private static func withoutPlaces(_ text: String) -> [Substring] {
            text.split(separator: "\n").filter { !$0.contains("\"exportedAt\"") && !$0.contains("identity") }
        }
    }
#endif
