import Larder
import LarderTesting
import Testing

/// A commit waits for the disk, so a block that has changed nothing in the end does without.
@Suite struct `A block whose only changes were undone` {
    private struct OwnError: Error {}

    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore(storing: [RankedNote.self])
    }

    private func insertInVain(_ accessor: DataStoreReadWriteAccessor) throws {
        do {
            try accessor.savepoint {
                try accessor.insert(RankedNote(1))
                throw OwnError()
            }
        } catch is OwnError {}
    }

    @Test(arguments: [false, true])
    func `is not committed`(hasRead: Bool) throws {
        let recording = try store.record {
            try store.writeSync { accessor in
                // If the block has neither read nor written, a list is undone by beginning again.
                if hasRead { _ = try accessor.countItems(for: RankedNote.all) }
                let error = #expect(throws: DataStoreError.self) {
                    try accessor.insert(contentsOf: [RankedNote(1), RankedNote(1)])
                }
                #expect(error?.code == .duplicateIdentifier)
                try insertInVain(accessor)
            }
        }

        #expect(recording.count(of: .commit) == 0)
        #expect(try store.read { try $0.countItems(for: RankedNote.all) } == 0)
    }

    @Test func `is not committed when it has only deleted all items of an empty type`() throws {
        let recording = try store.record {
            let deleted = try store.writeSync { try $0.deleteAllItems(of: RankedNote.self) }
            #expect(deleted == 0)
        }

        #expect(recording.count(of: .commit) == 0)
    }

    @Test func `is not committed with others that have changed nothing`() async throws {
        let recording = try await store.record {
            try await store.writeAsync { try insertInVain($0) }
        }

        #expect(recording.count(of: .commit) == 0)
    }

    @Test func `is committed when it has changed something before or after`() throws {
        let recording = try store.record {
            try store.writeSync { accessor in
                try accessor.insert(RankedNote(2))
                try insertInVain(accessor)
            }
            try store.writeSync { accessor in
                try insertInVain(accessor)
                try accessor.insert(RankedNote(3))
            }
        }

        #expect(recording.count(of: .commit) == 2)
        #expect(try store.read { try $0.ids(for: RankedNote.all) } == [2, 3])
    }
}
