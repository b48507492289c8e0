import Larder
import LarderTesting
import Testing

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
}
