import Foundation
import Larder
import ProcessFixtures
import Testing

@testable import AdapterTestSupport

/// What a killed process had acknowledged is there, whole; what it had not is there whole or not at all.
struct DurabilityTests {
    @Test(arguments: Engine.all)
    func `a store killed again and again holds exactly the acknowledged blocks`(_ engine: Engine) throws {
        try expectAcknowledged(engine, writingBy: "append", kills: Repetitions.rounds(100, long: 500))
    }

    @Test(arguments: Engine.all)
    func `a store killed while children are merged holds exactly the acknowledged merges`(
        _ engine: Engine
    ) throws {
        try expectAcknowledged(engine, writingBy: "merge", kills: Repetitions.rounds(3, long: 500))
    }

    /// Kills processes that write one block after the other, and compares the store with their reports.
    private func expectAcknowledged(
        _ engine: Engine, writingBy command: String, kills: some Sequence<Int>
    ) throws {
        let seed = Seed.ofProcess()
        var generator = seed
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("store")
        var acknowledged: Int64 = 0

        for round in kills {
            let child = try ChildProcess([engine.rawValue, command, file.path])
            let linesToRead = Int.random(in: 0...30, using: &generator)
            var progress = Progress(reading: linesToRead, from: child, after: acknowledged)
            // Further processes may all be killed before their first block.
            if round == 0 { progress.readUntilAcknowledged(from: child) }
            child.kill()
            let rest = Progress(readingTheRestOf: child, after: progress)

            let store = engine.makeStore(at: file)
            try store.setup()
            let stored = try store.storedAfterKill()
            try store.tearDown()

            let blocks = Int64(stored.count) / Entry.entriesPerBlock
            let expected = blocks == 0 ? [] : (1...blocks).flatMap(Entry.entries(ofBlock:))
            #expect(stored == expected, "round \(round), \(seed)")
            #expect(
                blocks == rest.acknowledged || blocks == rest.begun,
                "round \(round), \(seed): \(blocks) blocks stored, \(rest)")
            acknowledged = blocks
        }
        #expect(acknowledged > 0, "\(seed)")
    }

    @Test(arguments: Engine.all)
    func `a store killed while blocks share commits holds every acknowledged one and no part of one`(
        _ engine: Engine
    ) throws {
        let seed = Seed.ofProcess()
        var generator = seed
        let folder = try TemporaryFolder()
        var file = folder.url.appendingPathComponent("store-0")
        var acknowledged: Int64 = 0
        var unacknowledged: Int64 = 0

        for round in Repetitions.rounds(40, long: 500) {
            // A new store now and then, so that looking at all of it does not take longer and longer.
            if round % 20 == 0 {
                file = folder.url.appendingPathComponent("store-\(round)")
                acknowledged = 0
            }
            let child = try ChildProcess([engine.rawValue, "flood", file.path])
            let linesToRead = Int.random(in: 0...150, using: &generator)
            let progress = Progress(reading: linesToRead, from: child, after: acknowledged)
            child.kill()
            let rest = Progress(readingTheRestOf: child, after: progress)

            let store = engine.makeStore(at: file)
            try store.setup()
            let stored = try store.storedAfterKill()
            #expect(try Engine.problems(in: store) == [], "round \(round), \(seed)")
            try store.tearDown()

            let blocks = Int64(stored.count) / Entry.entriesPerBlock
            let expected = blocks == 0 ? [] : (1...blocks).flatMap(Entry.entries(ofBlock:))
            #expect(stored == expected, "round \(round), \(seed)")
            #expect(blocks >= rest.acknowledged, "round \(round), \(seed): \(blocks) stored, \(rest)")
            unacknowledged += blocks - rest.acknowledged
            acknowledged = blocks
        }
        print("\(engine): \(unacknowledged) blocks were stored before they could be acknowledged")
        #expect(acknowledged > 0)
    }

    @Test(arguments: Engine.all)
    func `a process that dies inside a write block leaves nothing of it and no lock`(
        _ engine: Engine
    ) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("store")
        let child = try ChildProcess([engine.rawValue, "hold", file.path])
        #expect(child.nextLine() == "inside")

        child.kill()
        let store = engine.makeStore(at: file)
        try store.setup()
        try store.writeSync { try $0.insert(Entry(id: 1, block: 1, text: "")) }

        #expect(try store.read { try $0.ids(for: Entry.all) } == [1])
        try store.tearDown()
    }
}

extension DataStore {
    /// The entries, read in a write block: a server may still be at work for a client that was killed.
    func storedAfterKill() throws -> [Entry] {
        try writeSync { try $0.items(for: Entry.all) }
    }
}

/// How far a writing process has come, by what it printed.
private struct Progress: CustomStringConvertible {
    var begun: Int64
    var acknowledged: Int64

    init(reading lines: Int, from child: ChildProcess, after block: Int64) {
        (begun, acknowledged) = (block, block)
        for _ in 0..<lines {
            guard let line = child.nextLine() else { return }
            note(line)
        }
    }

    /// Reads on until the first block of a store is acknowledged.
    mutating func readUntilAcknowledged(from child: ChildProcess) {
        while acknowledged == 0, let line = child.nextLine() { note(line) }
    }

    init(readingTheRestOf child: ChildProcess, after progress: Progress) {
        self = progress
        while let line = child.nextLine() { note(line) }
    }

    private mutating func note(_ line: String) {
        let words = line.split(separator: " ")
        guard words.count == 2, let number = Int64(words[1]) else { return }
        if words[0] == "begin" { begun = number } else { acknowledged = max(acknowledged, number) }
    }

    var description: String { "\(begun) begun, \(acknowledged) acknowledged" }
}
