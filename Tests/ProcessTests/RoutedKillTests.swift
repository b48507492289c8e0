import Foundation
import Larder
import ProcessFixtures
import Testing

@testable import AdapterTestSupport

/// A block over SQLite and LMDB is in both or in neither, wherever between their commits a process is killed.
struct RoutedKillTests {
    @Test func `a store over two engines is whole after each kill`() throws {
        try expectBlocks(
            Repetitions.rounds(60, long: 1000), writtenBy: "route", in: RoutedPlace.makeStore(at:)
        ) { store, comment in
            let (entries, remarks) = try store.read { accessor in
                (
                    try accessor.items(for: Entry.all).map(\.id),
                    try accessor.items(for: Remark.all).map(\.id)
                )
            }
            let blocks = Int64(remarks.count)
            #expect(remarks == Array(1..<blocks + 1), comment)
            #expect(entries == remarks.flatMap { Entry.entries(ofBlock: $0).map(\.id) }, comment)
            return blocks
        }
    }

    @Test func `items that move between two engines are in one of them after each kill`() throws {
        try expectBlocks(
            Repetitions.rounds(20, long: 1000), writtenBy: "move", in: RoutedPlace.makePartitionedStore(at:)
        ) { store, comment in
            let blocks = try store.read { try $0.firstItem(for: Entry.all)?.block ?? 0 }
            let expected = blocks == 0 ? [] : RoutedPlace.entries(afterBlock: blocks)
            try store.expectInParts(expected, comment)
            return blocks
        }
    }

    /// Kills processes that commit one block after the other, and compares the store with their reports.
    ///
    /// - Parameter check: Looks at all of the store, and returns the number of its last block.
    private func expectBlocks(
        _ kills: some Sequence<Int>, writtenBy command: String, in makeStore: (URL) -> any DataStore,
        check: (any DataStore, Comment) throws -> Int64
    ) throws {
        let seed = Seed.ofProcess()
        var generator = seed
        let folder = try TemporaryFolder()
        var file = folder.url.appendingPathComponent("store")
        var acknowledged: Int64 = 0

        for round in kills {
            // A new store now and then, so that looking at all of it does not take longer and longer.
            if round % 20 == 0 {
                file = folder.url.appendingPathComponent("store-\(round)")
                acknowledged = 0
            }
            let child = try ChildProcess(["routed", command, file.path])
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

            let store = makeStore(file)
            try store.setup()
            let blocks = try check(store, "round \(round), \(seed)")
            try store.tearDown()

            #expect(
                blocks == done || blocks == begun, "round \(round), \(seed): \(begun) begun, \(done) done")
            acknowledged = blocks
        }
    }
}

extension DataStore {
    /// Fails unless these are the entries of all parts, and each is in the part that it names.
    func expectInParts(_ entries: [Entry], _ comment: Comment) throws {
        #expect(try read { try $0.items(for: Entry.all) } == entries, comment)
        for part in RoutedPlace.parts {
            // No other part is asked.
            let found = try read { try $0.items(for: Entry.where(\.text == part)) }
            #expect(found == entries.filter { $0.text == part }, comment)
        }
    }
}
