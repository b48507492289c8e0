/// The write transaction of the last block, or of the running one, kept to begin again.
///
/// *Rule:* touched by whoever has the writer's turn.
final class EndedWriting: @unchecked Sendable {
    // reason, also for unchecked: the turn passes from one thread to the next under the lock of the
    // ``WriterQueue``, and nothing here is called while another call runs.
    @exclusivity(unchecked) private var writing = EndedTransaction<any StorageWriting>()

    func begin(in adapter: any StorageAdapter) throws(DataStoreError) -> any StorageWriting {
        let begun = try writing.begin { writing throws(DataStoreError) in
            try writing.beginAgain()
        } anew: { () throws(DataStoreError) in
            try adapter.beginWriting()
        }
        writing.keep(begun)
        return begun
    }

    /// Lets go of it, as the store is being closed.
    func forget() {
        writing.forget()
    }
}
