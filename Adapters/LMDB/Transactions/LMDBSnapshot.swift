import CLMDB
import LarderKernel
import LarderKeyValue

/// One state of the store, in a transaction that is kept for the next reading.
final class LMDBSnapshot: LMDBReading, KeyValueSnapshot {
    deinit {
        end()
    }

    var commitNumber: UInt64 {
        transaction.map { UInt64(mdb_txn_id($0)) } ?? 0
    }

    func beginAgain() throws(DataStoreError) -> Bool {
        transaction = try store.acquireReading()
        return true
    }

    func table(named name: String, _ keys: KeyKind) throws(DataStoreError) -> KeyValueTable? {
        try store.tables.table(named: name, keys)
    }

    func end() {
        guard let transaction else { return }
        closeCursors()
        self.transaction = nil
        store.endReading(transaction)
    }
}
