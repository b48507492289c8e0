/// The write transaction of the last block, kept to begin again.
///
/// *Rule:* touched by whoever has the writer's turn.
final class EndedWriting: @unchecked Sendable {
    // reason, also for unchecked: the turn passes from one thread to the next under the lock of the
    // ``WriterQueue``, and nothing here is called while another call runs.
    @exclusivity(unchecked) private var writing: (any StorageWriting)?

    func begin(in adapter: any StorageAdapter) throws(DataStoreError) -> any StorageWriting {
        let ended = writing
        // One that fails to begin is not kept.
        writing = nil
        if let ended, try ended.beginAgain() {
            writing = ended
            return ended
        }
        let begun = try adapter.beginWriting()
        writing = begun
        return begun
    }

    /// Lets go of it, as the store is being closed.
    func forget() {
        writing = nil
    }
}
