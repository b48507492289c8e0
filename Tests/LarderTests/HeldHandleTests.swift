import Larder
import LarderTesting
import Testing

@testable import func AdapterTestSupport.thrown

@Suite struct `A commit in the middle of a block` {
    /// A block that commits after each of many parts would read the handles of all parts again and again.
    @Test func `reads the handles again that the app still holds, and no others`() throws {
        let store = try TemporaryStore(storing: [RankedNote.self])
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: (0..<1000 as Range<Int64>).map { RankedNote($0) })
        }

        let recording = try store.record {
            try store.writeSync { accessor in
                let held = try #require(try accessor.mutableItem(id: 3, of: RankedNote.self))
                for note in try accessor.mutableItems(for: RankedNote.all) { note.rank += 1 }
                try accessor.commit()
                held.rank += 1
            }
        }

        // The one of the handle, and the one after the commit.
        #expect(recording.count(of: .lookUp) == 2)
        #expect(recording.count(of: .commit) == 2)
        let ranks = try store.read { try $0.items(for: RankedNote.all.limit(5)).map(\.rank) }
        #expect(ranks == [1, 2, 3, 5, 5])
    }

    /// A caller of `commit()` that gets an error would repeat what is stored.
    @Test func `returns if it is stored and only the rest of the block cannot begin`() throws {
        let store = try TemporaryStore(storing: [RankedNote.self])
        var isCommitted = false

        let failure = thrown {
            try store.writeSync { accessor in
                try accessor.insert(RankedNote(1))
                store.faults.failAlways(.beginWriting, with: .simulated(.busy))
                try accessor.commit()
                isCommitted = true
                _ = try? accessor.insert(RankedNote(2))
            }
        }
        store.faults.removeAll()

        #expect(isCommitted)
        #expect(failure?.code == .busy)
        #expect(failure?.advice == "Repeat only the part after commit(): everything before it is stored.")
        #expect(try store.read { try $0.items(for: RankedNote.all).map(\.id) } == [1])
    }

    @Test func `is followed by no roll-back if only the rest of the block cannot begin`() throws {
        let heard = Locked<[String]>([])
        var options = DataStoreOptions()
        options.diagnostics = [
            { diagnostic in
                switch diagnostic.event {
                case .committed(let rows, _): heard.withLock { $0.append("committed \(rows)") }
                case .rolledBack: heard.withLock { $0.append("undone") }
                default: break
                }
            }
        ]
        let store = try TemporaryStore(storing: [RankedNote.self], options: options)

        let failure = thrown {
            try store.writeSync { accessor in
                try accessor.insert(RankedNote(1))
                store.faults.failAlways(.beginWriting, with: .simulated(.busy))
                try accessor.commit()
            }
        }

        #expect(failure?.code == .busy)
        #expect(heard.withLock { $0 } == ["committed 1"])
    }
}

@Suite struct `A savepoint that fails` {
    private struct OwnError: Error {}

    /// A block that skips many failing lines would read the handles of all lines before again and again.
    @Test func `reads the handles again that the app still holds, and no others`() throws {
        let store = try TemporaryStore(storing: [RankedNote.self])

        let recording = try store.record {
            try store.writeSync { accessor in
                let held = try accessor.insert(RankedNote(-1))
                for number: Int64 in 0..<1000 { try accessor.insert(RankedNote(number)) }
                for _ in 0..<10 {
                    do {
                        try accessor.savepoint {
                            held.rank += 5
                            throw OwnError()
                        }
                    } catch is OwnError {}
                    #expect(held.rank == -1)
                }
                held.rank += 1
                let again = try #require(try accessor.mutableItem(id: 999, of: RankedNote.self))
                again.rank += 1
            }
        }

        // The one of the handle after each savepoint, and the one of the handle that was released.
        #expect(recording.count(of: .lookUp) == 11)
        let ranks = try store.read { try $0.items(for: RankedNote.all).map(\.rank) }
        let expected: [Int64] = [0] + (0..<999) + [1000]
        #expect(ranks == expected)
    }
}
