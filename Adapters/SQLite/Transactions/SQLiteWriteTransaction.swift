import LarderKernel
import LarderSQL

/// The write transaction of a store; its own changes are seen by its own requests.
final class SQLiteWriteTransaction: SessionWriting {
    private let writer: SQLiteWriter
    private let store: SQLiteStore
    // Unchecked, as CONTRIBUTING says of what one thread uses at a time.
    @exclusivity(unchecked) var failure: DataStoreError?
    @exclusivity(unchecked) private var isEnded = false

    /// - Parameter writer: Has begun the transaction, and is given back to the store at its end.
    init(writer: SQLiteWriter, store: SQLiteStore) {
        self.writer = writer
        self.store = store
    }

    deinit {
        end()
    }

    var session: SQLiteSession { writer.session }

    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        try attempt { _ throws(DataStoreError) in try writer.apply(mutations) }
    }

    func commit() throws(DataStoreError) {
        defer { end() }
        try attempt { session throws(DataStoreError) in
            session.reset()
            try session.commands.run(.commit)
            writer.log.committed(beside: store.readers.gate)
        }
    }

    func end() {
        if isEnded { return }
        isEnded = true
        failure = .transactionEnded
        // In a forked process the transaction is the other one's.
        if session.connection.isForked { return }
        session.reset()
        session.commands.rollBackIfNeeded()
        // The pages it has left in the cache would be kept in addition to the pages that readers will read.
        if writer.endedLargeWrite() { store.readers.noteLargeWrite() }
        store.releaseWriter()
    }
}
