import LarderKernel

/// The rows that wait for the end of a call, while items that it has left over are deleted.
///
/// Delete rules read stored rows, and rows that wait may refer to others by then. So the rules pass them over, and the
/// deletions are followed in them afterwards. *Rule:* used by one call, on the thread of its block.
final class WaitingRows: FollowedRows {
    private let graph: ReferenceGraph
    private let schema: StoreSchema
    // reason for unchecked, here and below: used by one call, on the thread of its block.
    @exclusivity(unchecked) private var waiting: Set<Row> = []
    /// The items that are deleted.
    @exclusivity(unchecked) private var gone: Set<Row> = []
    /// The rows that wait and have to go with deleted items.
    @exclusivity(unchecked) private var doomed: Set<Row> = []

    private struct Row: Hashable {
        let entity: Int
        let identifier: Constant
    }

    init(_ rows: [KeyedCall.HeldRow], in context: BlockContext) {
        graph = context.resources.rules.graph
        schema = context.resources.schema
        for row in rows { waiting.insert(key(of: row)) }
    }

    private func key(of row: KeyedCall.HeldRow) -> Row {
        let storage = schema.entities[row.entity].storage(ofColumn: 0)
        return Row(entity: row.entity, identifier: Constant(row.cells[0], storage: storage))
    }

    /// Follows deletions in the rows that wait, as delete rules do in stored ones.
    ///
    /// - Returns: The rows that go, which are removed from the list. Their items have to be deleted next, as others may go
    ///   with them.
    func follow(
        _ deleted: [(entity: Int, identifiers: [AnyItemID])], in rows: inout [KeyedCall.HeldRow]
    ) -> [KeyedCall.HeldRow] {
        for (entity, identifiers) in deleted {
            for identifier in identifiers { noteTaken(Constant(identifier), of: entity) }
        }
        for target in Set(gone.map(\.entity)) {
            for consequence in graph.consequences[target] { change(&rows, by: consequence) }
        }
        doomed.formUnion(gone)
        let going = rows.filter { doomed.contains(key(of: $0)) }
        rows.removeAll { doomed.contains(key(of: $0)) }
        for row in going { waiting.remove(key(of: row)) }
        return going
    }

    private func change(_ rows: inout [KeyedCall.HeldRow], by consequence: ReferenceGraph.Consequence) {
        let reference = consequence.reference
        for position in rows.indices where rows[position].entity == reference.entity {
            let row = rows[position]
            guard let item = reference.item(row.cells[reference.column], in: schema),
                gone.contains(Row(entity: reference.target, identifier: item))
            else { continue }
            switch consequence.action {
            case .cascade: doomed.insert(key(of: row))
            case .nullify:
                row.cells[reference.column] = .null
                if !row.isNew { rows[position].columns.insert(reference.column) }
            case .deny, .unlink: continue
            }
        }
    }

    /// Lets delete rules pass over no rows any more, as the others are written next.
    func end() { waiting = [] }

    // MARK: Stored rows

    func freed(
        _ rows: [DeletionWaves.Referrer], by reference: ReferenceGraph.Reference
    ) -> [DeletionWaves.Referrer] {
        rows.filter { !waiting.contains(Row(entity: reference.entity, identifier: $0.row)) }
    }

    func going(
        _ rows: [DeletionWaves.Referrer], with consequence: ReferenceGraph.Consequence
    ) -> [DeletionWaves.Referrer] { freed(rows, by: consequence.reference) }

    func going(
        _ links: [DeletionWaves.Referrer], to other: ReferenceGraph.Reference,
        with consequence: ReferenceGraph.Consequence
    ) -> [DeletionWaves.Referrer] { links.filter { !goesLater($0.other, of: other.target) } }

    func isStaying(_ item: Constant, with row: Constant, by reference: ReferenceGraph.Reference) -> Bool {
        goesLater(item, of: reference.target)
    }

    func hasFollowed(_ reference: ReferenceGraph.Reference, of row: Constant) -> Bool { false }

    func noteTaken(_ item: Constant, of entity: Int) {
        if !waiting.isEmpty { gone.insert(Row(entity: entity, identifier: item)) }
    }

    /// True for an item that waits and has to go, whatever its row refers to.
    private func goesLater(_ item: Constant, of entity: Int) -> Bool {
        let row = Row(entity: entity, identifier: item)
        guard waiting.contains(row) else { return false }
        doomed.insert(row)
        return true
    }
}
