import CLMDB
import LarderKernel
import LarderFiles

/// Makes what was deleted usable if there is little room.
///
/// LMDB does not use the pages a commit has freed in the transaction that follows, only in those after it. In
/// a store that has reached its limit, a block that needs them would fail, and would continue to fail, as one
/// that fails does not count as the next one.
struct FreedPages {
    private let store: LMDBStore
    private let environment: LMDBEnvironment

    /// Fewer than these are not worth a commit.
    private static let leastCount = 32

    init(of store: LMDBStore) {
        self.store = store
        environment = store.environment
    }

    /// Commits next to nothing when the last commit has freed many pages and there is little room.
    ///
    /// *Rule:* called by the writer, before it begins. *Cost:* a reading, and a commit when it helps.
    func hasten() throws(DataStoreError) {
        // If all places of readers are taken, writing must continue nevertheless.
        guard let snapshot = try store.beginReadingIfFree() else { return }
        let isWorthIt = try isWorthACommit(snapshot)
        snapshot.end()
        if isWorthIt { try commitMark() }
    }

    private func isWorthACommit(_ snapshot: LMDBSnapshot) throws(DataStoreError) -> Bool {
        let usedBytes = environment.pageCount * environment.pageBytes
        guard usedBytes > environment.mapBytes / 2, let freed = try snapshot.newestFreePages() else {
            return false
        }
        return freed.transaction == environment.lastTransaction && freed.count >= Self.leastCount
    }

    /// Writes the store's mark again; a failure does no harm.
    private func commitMark() throws(DataStoreError) {
        try store.readers.gate.enterAsWriter()
        defer { store.readers.gate.leaveAsWriter() }
        // A reader may have lost it meanwhile, as it looked for a larger one.
        guard environment.isMapped else { return }
        let last = environment.lastTransaction
        _ = StoreMark.put(into: environment, flags: 0)
        store.noteCommit(last + 1)
    }
}
