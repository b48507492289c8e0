/// Follows the changes of a write block, and has the last word before they are committed: the hooks of item types.
///
/// *Rule:* used on the thread of the block, for one block.
package protocol BlockWatch: AnyObject {
    /// Called before mutations go to the engine, by whichever call, rule or merge they are made.
    func willApply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError)

    /// Called after the engine has applied them; a savepoint may still undo them.
    func didApply()

    /// Called when all changes so far are undone and a new transaction has begun, which may find other rows.
    func transactionRestarted()

    /// Called before each commit; may change more, and refuses the block by throwing.
    func blockEnds() throws(DataStoreError)
}
