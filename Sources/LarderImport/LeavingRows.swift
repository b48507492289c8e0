import LarderKernel

/// The rows that wait for the end of a call, while code of the app deletes items in it, or in calls inside it.
///
/// One that has left a deleted item for another does not go with it, nor loses its reference, nor forbids the deletion,
/// though it is stored as before. *Rule:* used by one call, on the thread of its block.
final class LeavingRows: FollowedRows {
    private let call: KeyedCall

    init(of call: KeyedCall) {
        self.call = call
    }

    // Code of the app deletes what it sees.
    var followsMissing: Bool { false }

    func freed(
        _ rows: [DeletionWaves.Referrer], by reference: ReferenceGraph.Reference
    ) -> [DeletionWaves.Referrer] { rows.filter { !isLeaving($0, by: reference) } }

    func isLeaving(_ row: DeletionWaves.Referrer, by reference: ReferenceGraph.Reference) -> Bool {
        let key = UniqueKey(row.row)
        guard let position = call.heldPosition(of: key, in: [0], of: reference.entity) else { return false }
        let held = call.held[position]
        // As stored: code of the app may have changed it since the row was kept back.
        if !held.isNew, !held.columns.contains(reference.column) { return false }
        let cell = held.cells[reference.column]
        return reference.item(cell, in: call.context.resources.schema) != row.item
    }

    func going(
        _ rows: [DeletionWaves.Referrer], with consequence: ReferenceGraph.Consequence
    ) -> [DeletionWaves.Referrer] { freed(rows, by: consequence.reference) }

    // Links are stored as the sources say, and so are the rows that do not wait.
    func going(
        _ links: [DeletionWaves.Referrer], to other: ReferenceGraph.Reference,
        with consequence: ReferenceGraph.Consequence
    ) -> [DeletionWaves.Referrer] { links }

    func isStaying(_ item: Constant, with row: Constant, by reference: ReferenceGraph.Reference) -> Bool {
        false
    }

    func hasFollowed(_ reference: ReferenceGraph.Reference, of row: Constant) -> Bool { false }

    func noteTaken(_ item: Constant, of entity: Int) {}
}
