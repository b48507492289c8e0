import Larder
import Testing

/// A commit waits for the disk, so a block that has changed nothing in the end does without.
@Suite struct `A block whose only changes were undone` {
    private struct OwnError: Error {}

    private let store = TroubledDataStore(storing: [RankedNote.self])

    init() throws {
        try store.setup()
    }

    private var commits: Int { store.adapter.plan.withLock { $0.commits } }

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
        try store.writeSync { accessor in
            // A block that has neither read nor written is undone by beginning again.
            if hasRead { _ = try accessor.countItems(for: RankedNote.all) }
            try insertInVain(accessor)
        }

        #expect(commits == 0)
        #expect(try store.read { try $0.countItems(for: RankedNote.all) } == 0)
    }

    @Test func `is not committed when it has only deleted all items of an empty type`() throws {
        let deleted = try store.writeSync { try $0.deleteAllItems(of: RankedNote.self) }

        #expect(deleted == 0)
        #expect(commits == 0)
    }

    @Test func `is not committed with others that have changed nothing`() async throws {
        try await store.writeAsync { try insertInVain($0) }

        #expect(commits == 0)
    }

    @Test func `is committed when it has changed something before or after`() throws {
        try store.writeSync { accessor in
            try accessor.insert(RankedNote(2))
            try insertInVain(accessor)
        }
        try store.writeSync { accessor in
            try insertInVain(accessor)
            try accessor.insert(RankedNote(3))
        }

        #expect(commits == 2)
        #expect(try store.read { try $0.ids(for: RankedNote.all) } == [2, 3])
    }
}
