/// The answers of a caller whose list of mutations has decided already about rows that its deletions reach.
///
/// ``DeletionWaves`` ask it before they follow a delete rule. *Rule:* asked on the thread of the block.
package protocol FollowedRows: AnyObject {
    /// True for a row that waits to be stored: stored ones may refer to it, whose deletion is followed though it is not there.
    func isWaiting(_ item: Constant, of entity: Int) -> Bool

    /// The rows whose reference to a deleted row is made nil, or the links that go.
    func freed(
        _ rows: [DeletionWaves.Referrer], by reference: ReferenceGraph.Reference
    ) -> [DeletionWaves.Referrer]

    /// The rows that are deleted with those that they refer to.
    func going(
        _ rows: [DeletionWaves.Referrer], with consequence: ReferenceGraph.Consequence
    ) -> [DeletionWaves.Referrer]

    /// The links whose item at the other end is deleted with the one at this end.
    func going(
        _ links: [DeletionWaves.Referrer], to other: ReferenceGraph.Reference,
        with consequence: ReferenceGraph.Consequence
    ) -> [DeletionWaves.Referrer]

    /// True if an item stays that would go with a row that refers to it.
    func isStaying(_ item: Constant, with row: Constant, by reference: ReferenceGraph.Reference) -> Bool

    /// True if nothing more follows from the reference of a deleted row.
    func hasFollowed(_ reference: ReferenceGraph.Reference, of row: Constant) -> Bool

    /// Notes an item that a wave has deleted.
    func noteTaken(_ item: Constant, of entity: Int)
}
