#if PostgreSQL
    import Foundation
    import Larder
    import ProcessFixtures
    import Testing

    @testable import AdapterTestSupport

    /// Upgrades of a store on a server whose process is killed.
    @Suite(.enabled(if: Engine.all.contains(.postgresql)))
    struct ServerUpgradeProcessTests {
        private static let entries = (1...75 as ClosedRange<Int64>).flatMap(Entry.entries(ofBlock:))
        /// The places at which the process waits: before the first row of a step, after 256, and after all.
        private static let pauses = [
            "1 → 2: 0", "1 → 2: 256", "1 → 2: 300", "2 → 3: 0", "2 → 3: 256", "2 → 3: 300",
        ]

        @Test func `an upgrade killed at a pause leaves the first version, and the next one is complete`()
            async throws
        {
            var random = Seed.ofProcess()
            let chosen = Array(0..<Self.pauses.count).shuffled(using: &random)
                .prefix(Repetitions.count(1, long: Self.pauses.count))

            let problems = try await onOwnThread { try chosen.flatMap { try Self.kill(atPause: $0) } }

            #expect(problems == [])
        }

        @Test func `an upgrade killed at its commit leaves the first version or the last one`()
            async throws
        {
            let trials = Repetitions.count(1, long: 100)

            let problems = try await onOwnThread {
                try (0..<trials).flatMap { _ in try Self.killAfterLastPause() }
            }

            #expect(problems == [])
        }

        private struct Place {
            let folder: TemporaryFolder
            let file: URL

            /// Makes a store of the first version.
            init() throws {
                folder = try TemporaryFolder()
                file = folder.file("store")
                let store = Engine.postgresql.makeVersion(at: file, upTo: 1)
                try store.setup()
                try store.writeSync { try $0.insert(contentsOf: ServerUpgradeProcessTests.entries) }
                try store.tearDown()
            }

            /// Starts an upgrade, and lets it come to a pause.
            func upgrade(toPause number: Int, _ problems: inout [String]) throws -> ChildProcess {
                let child = try ChildProcess([Engine.postgresql.rawValue, "upgrade", file.path])
                let pauses = ServerUpgradeProcessTests.pauses.prefix(number + 1)
                for (position, pause) in pauses.enumerated() {
                    let line = child.nextLine()
                    if line != pause { problems.append("\(line ?? "nothing") came, and not \(pause)") }
                    if position < number { child.answer() }
                }
                return child
            }

            /// Opens the store by the last version, and compares what it holds.
            func finish(_ problems: inout [String]) throws {
                let new = Engine.postgresql.makeVersion(at: file)
                try new.setup()
                let found = try new.read { try $0.items(for: FinalEntry.all) }
                if found != ServerUpgradeProcessTests.entries.map({ FinalEntry($0) }) {
                    problems.append("the last version has \(found.count) entries, or others")
                }
                try new.destroy()
            }
        }

        private static func kill(atPause number: Int) throws -> [String] {
            var problems: [String] = []
            let place = try Place()
            let child = try place.upgrade(toPause: number, &problems)
            child.kill()

            let version = try Engine.postgresql.address(at: place.file).storedSchema()?.version
            if version != "1" { problems.append("the store has version \(version ?? "nil")") }
            let old = Engine.postgresql.makeVersion(at: place.file, upTo: 1)
            try old.setup()
            let kept = try old.read { try $0.items(for: Entry.all) }
            if kept != entries { problems.append("the first version has \(kept.count) entries, or others") }
            try old.tearDown()
            try place.finish(&problems)
            return problems.map { "pause \(number): \($0)" }
        }

        private static func killAfterLastPause() throws -> [String] {
            var problems: [String] = []
            let place = try Place()
            let child = try place.upgrade(toPause: pauses.count - 1, &problems)
            child.answer()
            child.kill()

            // The server may still be at work for the process; the lock of the store is waited for.
            try place.finish(&problems)
            return problems
        }
    }
#endif
