#if PostgreSQL
    import Foundation
    import Larder
    import ProcessFixtures
    import Testing

    @testable import AdapterTestSupport

    /// Many readers and writing processes on one server.
    @Suite(.enabled(if: Engine.all.contains(.postgresql)))
    struct ServerSoakTests {
        private static let writers: Int64 = 4
        private static let readers = 8
        /// The blocks of each writer: seconds of work, or minutes.
        private static let blocks = Repetitions.count(40, long: 10_000)

        @Test func `every snapshot adds up while four processes write, and nothing they reported is lost`()
            async throws
        {
            let folder = try TemporaryFolder()

            let outcome = try await onOwnThread { try Self.run(at: folder.file("store")) }

            #expect(outcome.problems == [])
            #expect(outcome.readings.count == Self.readers)
            #expect(!outcome.readings.contains(0))
            #expect(outcome.statuses == Array(repeating: 0, count: Int(Self.writers)))
            #expect(outcome.reported.count == Int(Self.writers) * Self.blocks)
            #expect(outcome.stored == outcome.reported)
        }

        private struct Outcome: Sendable {
            var problems: [String] = []
            /// The number of snapshots that each reader has read.
            var readings: [Int] = []
            /// The identifiers of the entries that list the blocks which were reported.
            var reported: Set<Int64> = []
            var stored: Set<Int64> = []
            var statuses: [Int32] = []
        }

        private static func run(at file: URL) throws -> Outcome {
            let store = Engine.postgresql.makeStore(at: file)
            try store.setup()
            try store.writeSync { try $0.insert(contentsOf: EntryPairs.entries()) }
            let outcome = Locked(Outcome())
            var bodies: [@Sendable () throws -> Void] = []
            for _ in 0..<readers { bodies.append { try Self.read(store, outcome) } }
            for writer in 0..<writers { bodies.append { try Self.follow(writer, at: file, outcome) } }

            try sideBySide(bodies)

            let stored = try store.read { try EntryPairs.listed(in: $0) }
            try store.tearDown()
            var last = outcome.withLock { $0 }
            last.stored = stored
            return last
        }

        /// Reads one snapshot after the other until all writers have ended.
        private static func read(_ store: any DataStore, _ outcome: Locked<Outcome>) throws {
            var count = 0
            var isLast = false
            while !isLast {
                // Before the snapshot, so that the last one is of all blocks.
                isLast = outcome.withLock { $0.statuses.count == Int(writers) }
                let problem = try store.read { try EntryPairs.problem(in: $0) }
                count += 1
                if let problem {
                    outcome.withLock { $0.problems.append(problem) }
                    isLast = true
                }
            }
            outcome.withLock { $0.readings.append(count) }
        }

        /// Starts a writing process, and notes what it reports until it ends.
        private static func follow(_ writer: Int64, at file: URL, _ outcome: Locked<Outcome>) throws {
            do {
                let child = try ChildProcess([
                    Engine.postgresql.rawValue, "pairs", file.path, "\(writer)", "\(blocks)",
                ])
                for number in 0..<Int64(blocks) {
                    guard child.nextLine() == "done \(number)" else {
                        child.kill()
                        break
                    }
                    let identifier = EntryPairs.identifier(of: number, by: writer)
                    outcome.withLock { _ = $0.reported.insert(identifier) }
                }
                let status = child.waitUntilExit()
                outcome.withLock { $0.statuses.append(status) }
            } catch {
                // The readers end too.
                outcome.withLock { $0.statuses.append(-1) }
                throw error
            }
        }
    }
#endif
