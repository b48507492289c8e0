import Foundation
import Larder
import ProcessFixtures
import Testing

@testable import AdapterTestSupport

/// A block over SQLite and LMDB is in both or in neither, wherever between their commits a process is killed.
struct RoutedKillTests {
    private static let kills = Repetitions.count(60, long: 1000)

    @Test func `a store over two engines is whole after each kill`() throws {
        let seed = Seed.ofProcess()
        var generator = seed
        let folder = try TemporaryFolder()
        var file = folder.url.appendingPathComponent("store")
        var acknowledged: Int64 = 0

        for round in 0..<Self.kills {
            // A new store now and then, so that looking at all of it does not take longer and longer.
            if round % 20 == 0 {
                file = folder.url.appendingPathComponent("store-\(round)")
                acknowledged = 0
            }
            let child = try ChildProcess(["routed", "route", file.path])
            let lines = Int.random(in: 0...30, using: &generator)
            var (begun, done) = (acknowledged, acknowledged)
            func note(_ line: String) {
                let words = line.split(separator: " ")
                guard words.count == 2, let number = Int64(words[1]) else { return }
                if words[0] == "begin" { begun = number } else { done = number }
            }
            for _ in 0..<lines {
                if let line = child.nextLine() { note(line) }
            }
            child.kill()
            while let line = child.nextLine() { note(line) }

            let store = RoutedPlace.makeStore(at: file)
            try store.setup()
            let (entries, remarks) = try store.read { accessor in
                (
                    try accessor.items(for: Entry.all).map(\.id),
                    try accessor.items(for: Remark.all).map(\.id)
                )
            }
            try store.tearDown()

            let blocks = Int64(remarks.count)
            #expect(remarks == Array(1..<blocks + 1), "round \(round), \(seed)")
            let expected = remarks.flatMap { Entry.entries(ofBlock: $0).map(\.id) }
            #expect(entries == expected, "round \(round), \(seed)")
            #expect(
                blocks == done || blocks == begun, "round \(round), \(seed): \(begun) begun, \(done) done")
            acknowledged = blocks
        }
    }
}
