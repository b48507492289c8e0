import CSQLite
import LarderKernel

/// Keeps the log beside the file small: copies it into the file after commits, and makes a gap between
/// readers when they keep it from being emptied.
///
/// It takes the place of SQLite's automatic checkpoints, which run with every commit as soon as a reader
/// holds on to the log. *Rule:* used by the writer alone.
final class WriteAheadLog {
    private let connection: SQLiteConnection
    private let policy: CheckpointPolicy
    // A log may have more bytes than an Int of 32 bits can count.
    private let pageBytes: Int64
    // reason: SQLite keeps the address for its hook; freed after the connection has been closed.
    private let pages: UnsafeMutablePointer<Int32>
    private var lastBytes: Int64 = 0
    /// The length at which the next checkpoint is tried, and the next gap.
    private var nextStart: Int64
    private var nextGap: Int64

    init(connection: SQLiteConnection, policy: CheckpointPolicy) throws(DataStoreError) {
        self.connection = connection
        self.policy = policy
        pageBytes = Int64(try connection.integer("PRAGMA page_size"))
        nextStart = Int64(policy.start)
        nextGap = Int64(policy.gap)
        // The part of the log that is kept when it starts from its beginning again.
        try connection.execute("PRAGMA journal_size_limit = \(policy.start)")
        pages = .allocate(capacity: 1)
        pages.initialize(to: 0)
        sqlite3_wal_hook(
            connection.handle,
            { context, _, _, pages in
                context?.assumingMemoryBound(to: Int32.self).pointee = pages
                return SQLITE_OK
            }, pages)
    }

    func deallocate() {
        pages.deallocate()
    }

    /// Does what is due after a commit.
    ///
    /// *Cost:* a comparison, unless a checkpoint is due.
    ///
    /// A checkpoint that fails is tried again later: the commit is safe in the log.
    func committed(beside readers: ReaderGate) {
        let bytes = Int64(pages.pointee) * pageBytes
        if bytes < lastBytes {  // it has started again
            nextStart = Int64(policy.start)
            nextGap = Int64(policy.gap)
        }
        lastBytes = bytes
        if bytes >= nextGap || (bytes >= policy.gap && readers.withLock(readers.takeBlockersGone)) {
            let code = readers.inGap(limit: policy.gapLimit) { empty(waiting: policy.gapLimit) }
            // After a long reading the next try is when it has ended, or much later.
            if code != SQLITE_OK { nextGap = bytes * 2 }
        } else if bytes >= nextStart {
            sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
            nextStart = bytes + max(Int64(policy.start), bytes) / 4
        }
    }

    /// Copies the whole log into the file and cuts it to nothing; SQLite's result.
    func empty(waiting limit: Duration) -> Int32 {
        connection.busyHandler.withLimit(limit) {
            sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        }
    }
}
