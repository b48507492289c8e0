/// A reference to an item that does not exist.
package struct DanglingReference {
    package let reference: ReferenceGraph.Reference
    /// The position of the mutation that refers, in its list.
    package let position: Int
    /// The identifier of the item that refers.
    let owner: AnyItemID?
    package let target: Constant

    func error(in schema: StoreSchema) -> DataStoreError {
        let targetSchema = schema.entities[reference.target]
        let type = targetSchema.attributes[0].type
        let target = target.withCell { AnyItemID($0, type: type)?.description } ?? "nil"
        let owner = owner.map { " \($0)" } ?? ""
        return DataStoreError(
            .targetNotFound,
            """
            \(reference.names.attribute) of the \(reference.names.itemType)\(owner) refers to the \
            \(targetSchema.name) \(target), which is not in the store.
            """,
            itemType: reference.names.itemType, attribute: reference.names.attribute, identifier: self.owner)
    }
}

/// The references of a call in parts to items that have not been found yet, as a later part may bring them.
final class WaitingReferences {
    private var waiting: [DanglingReference] = []
    /// The number at which it is time to look which of them have come.
    private var room = 4096

    func add(_ reference: DanglingReference) {
        waiting.append(reference)
    }

    var isEmpty: Bool { waiting.isEmpty }

    var isFull: Bool { waiting.count >= room }

    var count: Int { waiting.count }

    /// Forgets those that were added after there were so many, as the rows they were in have been refused.
    func keepFirst(_ count: Int) {
        waiting.removeLast(max(0, waiting.count - count))
    }

    /// Forgets those whose items are there now.
    func keepMissing(in reading: RuleReading) throws(DataStoreError) {
        var missing: [Int: Set<Constant>] = [:]
        for (entity, references) in Dictionary(grouping: waiting, by: \.reference.target) {
            let storage = reading.schema.entities[entity].storage(ofColumn: 0)
            missing[entity] = Set(
                try reading.missing(references.map(\.target).sortedAndDistinct(storage), of: entity))
        }
        waiting = waiting.filter { missing[$0.reference.target]?.contains($0.target) ?? false }
        room = max(4096, 2 * waiting.count)
    }

    /// - Throws: `.targetNotFound` for the first whose item has not come, and that no later part has taken back.
    func requireAll(in reading: RuleReading) throws(DataStoreError) {
        try keepMissing(in: reading)
        for dangling in waiting {
            if try dangling.isStored(in: reading) { throw dangling.error(in: reading.schema) }
        }
    }
}

extension DanglingReference {
    /// True if the item, or a link of it, still leads to the target.
    fileprivate func isStored(in reading: RuleReading) throws(DataStoreError) -> Bool {
        guard let owner = owner.map({ Constant($0) }) else { return true }
        let schema = reading.schema.entities[reference.entity]
        if !schema.isLink {
            let cells = reading.resources.cells
            let isFound = try owner.withCell { cell throws(DataStoreError) in
                try reading.snapshot.row(at: cell, of: reference.entity, into: cells)
            }
            return isFound && reference.item(cells[reference.column], in: reading.schema) == target
        }
        var ends = RowPredicate.compare(column: reference.ownerColumn, .equal, owner)
        // Otherwise it is the owner itself that is missing.
        if reference.column != reference.ownerColumn {
            ends = .all([ends, .compare(column: reference.column, .equal, target)])
        }
        return try reading.snapshot.hasRows(reference.entity, schema, where: ends)
    }
}
