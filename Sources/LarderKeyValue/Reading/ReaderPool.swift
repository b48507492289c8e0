import Larder

/// The catalog of an open store, and the readers that nobody uses, kept for what they have allocated.
final class ReaderPool: @unchecked Sendable {
    // reason: everything is only touched with `lock` held, and a reader belongs to whoever has taken it.
    private let lock = Lock()
    private var catalog: Catalog?
    /// The commit at which the schema was seen to be the catalog's.
    private var checkedCommit: UInt64?
    private var idle: [SnapshotReader] = []

    /// How many readers are kept that nobody uses.
    private static let maximumIdle = 16

    func open(_ opened: Catalog) {
        lock.lock()
        defer { lock.unlock() }
        catalog = opened
    }

    /// Forgets the catalog and the readers.
    func close() {
        lock.lock()
        let readers = idle
        catalog = nil
        checkedCommit = nil
        idle = []
        lock.unlock()
        // They end here, where nobody waits for the lock.
        withExtendedLifetime(readers) {}
    }

    /// The catalog, nil when none is open; the commit it was last compared with; and a reader of it, if there is
    /// one.
    func take() -> (catalog: Catalog?, checkedCommit: UInt64?, reader: SnapshotReader?) {
        lock.lock()
        defer { lock.unlock() }
        return (catalog, checkedCommit, idle.popLast())
    }

    /// The catalog, and the commit it was last compared with.
    func current() -> (catalog: Catalog?, checkedCommit: UInt64?) {
        lock.lock()
        defer { lock.unlock() }
        return (catalog, checkedCommit)
    }

    /// Notes that the schema is still the catalog's.
    func noteChecked(_ checked: Catalog, at commit: UInt64) {
        lock.lock()
        defer { lock.unlock() }
        if checked === catalog { checkedCommit = commit }
    }

    /// Keeps a reader that has ended, unless the store was closed meanwhile.
    func giveBack(_ reader: SnapshotReader) {
        lock.lock()
        defer { lock.unlock() }
        if reader.catalog === catalog, idle.count < Self.maximumIdle { idle.append(reader) }
    }
}
