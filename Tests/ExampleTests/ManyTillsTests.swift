#if PostgreSQL
    import Foundation
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport

    /// The example of several processes on one server.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct ManyTillsTests {
        @Test func `the kitchen sees the orders of all tills`() throws {
            let server = try #require(try TestServer.another())
            let address = "postgresql:///postgres?host=\(server.folder)&user=larder"

            let kitchen = try start(address, "kitchen", "20")
            let tills = try [start(address, "till", "bar", "10"), start(address, "till", "garden", "10")]

            #expect(tills.map { $0.lines() } == [["bar: 10 orders taken"], ["garden: 10 orders taken"]])
            let lines = kitchen.lines()
            let totals = lines.compactMap { Int($0.prefix { $0 != " " }) }
            #expect(totals == totals.sorted() && totals.count == lines.count, "\(lines)")
            #expect(lines.last == "20 orders, 10 from bar, 10 from garden")
            try server.end()
        }

        @Test func `a server that is not there is an error and no crash`() throws {
            let run = try start("postgresql:///postgres?host=/nowhere", "kitchen", "1")

            #expect(run.lines() == [])
            #expect(run.status == 1)
        }

        @Test(arguments: [["till", "garden", "-1"], ["till", "garden", "ten"], ["kitchen", "0"]])
        func `a count that is none ends with the usage`(_ arguments: [String]) throws {
            let run = try Run(["postgresql:///postgres?host=/nowhere"] + arguments)

            #expect(run.lines() == [])
            #expect(run.status == 1)
            #expect(
                run.errors
                    == "ManyTills: Use ManyTills ADDRESS till NAME COUNT, or ManyTills ADDRESS kitchen COUNT.\n"
            )
        }

        private func start(_ arguments: String...) throws -> Run { try Run(arguments) }

        private final class Run {
            private let process = Process()
            private let output = Pipe()
            // So few lines that the pipe has room for them.
            private let messages = Pipe()

            init(_ arguments: [String]) throws {
                process.executableURL = BuiltProgram.url(of: "ManyTills")
                process.arguments = arguments
                process.standardOutput = output
                process.standardError = messages
                try process.run()
                for pipe in [output, messages] { try pipe.fileHandleForWriting.close() }
            }

            /// What it prints until it ends.
            func lines() -> [String] {
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                return text.split(separator: "\n").map(String.init)
            }

            /// What it prints as an error.
            var errors: String {
                String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            }

            var status: Int32 {
                process.waitUntilExit()
                return process.terminationStatus
            }
        }
    }
#endif
