/// The write transaction of the last block, kept to begin again.
///
/// *Rule:* touched by whoever has the writer's turn.
final class EndedWriting: @unchecked Sendable {
    // reason: the turn passes from one thread to the next under the lock of the ``WriterQueue``.
    @exclusivity(unchecked) private var writing: (any StorageWriting)?

    func begin(in adapter: any StorageAdapter) throws(DataStoreError) -> any StorageWriting {
        if let writing, try writing.beginAgain() { return writing }
        let begun = try adapter.beginWriting()
        writing = begun
        return begun
    }

    /// Lets go of it, as the store is being closed.
    func forget() {
        writing = nil
    }
}
