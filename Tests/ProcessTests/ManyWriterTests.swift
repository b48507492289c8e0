#if PostgreSQL
    import Foundation
    import Larder
    import ProcessFixtures
    import Testing

    @testable import AdapterTestSupport

    /// Several processes that write to a server beside observers.
    @Suite(.enabled(if: Engine.all.contains(.postgresql)))
    struct ManyWriterTests {
        private static let itemsOfEach = 20

        @Test(.timeLimit(.minutes(5)), arguments: [2, 8])
        func `observers follow all writing processes to their last commits`(_ processes: Int) async throws {
            let folder = try TemporaryFolder()
            let file = folder.file("store")
            let store = Engine.postgresql.makeStore(at: file)
            try store.setup()
            let child = try store.makeChildDataStore()
            let total = processes * Self.itemsOfEach

            async let first = Self.counts(in: store, upTo: total)
            async let second = Self.counts(in: store, upTo: total)
            async let inChild = Self.counts(in: child, upTo: total)
            let statuses = try await onOwnThread { try Self.write(to: file, processes) }

            #expect(statuses == Array(repeating: 0, count: processes))
            for counts in [try await first, try await second, try await inChild] {
                #expect(counts.last == total)
                // None is of a state before the last one's.
                #expect(counts == counts.sorted())
            }
            #expect(try store.read { try $0.countItems(for: Entry.all) } == total)
            try child.discard()
            try store.tearDown()
        }

        /// The counts that an observer gets, until it has seen all.
        private static func counts(in store: any DataStore, upTo total: Int) async throws -> [Int] {
            var counts: [Int] = []
            for try await count in store.values(ofCount: Entry.all) {
                counts.append(count)
                if count >= total { break }
            }
            return counts
        }

        /// Has processes write side by side, and returns their statuses.
        private static func write(to file: URL, _ processes: Int) throws -> [Int32] {
            var children: [ChildProcess] = []
            for _ in 0..<processes {
                children.append(
                    try ChildProcess([
                        Engine.postgresql.rawValue, "identify", file.path, "\(itemsOfEach)",
                    ]))
            }
            // All have the store open before the first one writes.
            for child in children { _ = child.nextLine() }
            for child in children { child.answer() }
            return children.map { $0.waitUntilExit() }
        }
    }
#endif
