import Foundation
import Larder
import LarderSQLite
import ProcessFixtures
import Testing

@testable import AdapterTestSupport

/// A process that is killed while it opens a store leaves what was there before, or all of the new store.
struct OpeningKillTests {
    private static let kills = Repetitions.count(10, long: 300)

    @Test(arguments: Engine.inFiles)
    func `a store that begins with a copy is whole or not there after each kill`(_ engine: Engine) throws {
        let folder = try TemporaryFolder()
        let source = folder.file("source")
        let entries = (Int64(1)...1000).flatMap(Entry.entries(ofBlock:))
        let made = engine.makeStore(at: source)
        try made.setup()
        try made.writeSync { try $0.insert(contentsOf: entries) }
        try made.tearDown()
        let before = try folder.contents

        try forEachKill { round in
            [engine.rawValue, "begin", folder.path("store-\(round)"), source.path]
        } check: { round, comment in
            let place = folder.file("store-\(round)")
            let isThere = place.fileExists
            if isThere { try expect(entries, in: engine, at: place, from: nil, comment) }
            try expect(entries, in: engine, at: place, from: source, comment)
            // A store that is there may have its hidden name too, until the next one is made.
            if !isThere {
                #expect(try folder.names.filter { $0.hasPrefix(".store-\(round).") } == [], comment)
            }
        }

        #expect(try folder.contents.filter { $0.key.hasPrefix("source") } == before)
    }

    /// Opens a store, and fails unless it is sound and has these entries.
    private func expect(
        _ entries: [Entry], in engine: Engine, at place: URL, from source: URL?, _ comment: Comment
    ) throws {
        let store = PrepopulatedPlace.makeStore(engine.rawValue, at: place, from: source)
        try store.setup()
        // Thousands of entries say nothing in a report.
        let isWhole = try store.read { try $0.items(for: Entry.all) } == entries
        #expect(isWhole, comment)
        #expect(try Engine.problems(in: store) == [], comment)
        try store.tearDown()
    }

    @Test func `items that move because a part is added are all there after each kill`() throws {
        let folder = try TemporaryFolder()
        let entries = RoutedPlace.entries(afterBlock: 1, count: 400)

        try forEachKill { round in
            let place = folder.file("store-\(round)")
            // All are in what becomes the first part.
            let made = SQLiteDataStore(at: RoutedPlace.firstFile(at: place), storing: [Entry.self])
            try made.setup()
            try made.writeSync { try $0.insert(contentsOf: entries) }
            try made.tearDown()
            return ["routed", "deal", place.path]
        } check: { round, comment in
            let store = RoutedPlace.makePartitionedStore(at: folder.file("store-\(round)"))
            try store.setup()
            try store.expectInParts(entries, comment)
            try store.tearDown()
        }
    }

    /// Kills processes that open a store, at random moments of the time that one takes which is not killed.
    ///
    /// - Parameters:
    ///   - arguments: Makes everything ready, and returns the words for a process that says "ready" and "done".
    ///   - check: Looks at what a process has left.
    private func forEachKill(
        _ arguments: (_ round: Int) throws -> [String],
        check: (_ round: Int, _ comment: Comment) throws -> Void
    ) throws {
        let seed = Seed.ofProcess()
        var generator = seed
        var time = Duration.zero
        var unfinished = 0

        for round in 0...Self.kills {
            let child = try ChildProcess(arguments(round))
            #expect(child.nextLine() == "ready")
            let start = ContinuousClock.now
            if round == 0 {
                #expect(child.nextLine() == "done")
                time = ContinuousClock.now - start
                #expect(child.waitUntilExit() == 0)
            } else {
                let moment = start + time * Int.random(in: 0...100, using: &generator) / 100
                while ContinuousClock.now < moment {}
                child.kill()
                if child.nextLine() == nil { unfinished += 1 }
            }
            try check(round, "round \(round), \(seed)")
        }
        print("\(unfinished) of \(Self.kills) processes were killed before the store was open")
    }
}
