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
@usableFromInline
final class WaitingReferences {
    private var waiting: [DanglingReference] = []
    /// The number at which it is time to look which of them have come.
    private(set) var isFull = false
    private var room = 4096

    func add(_ reference: DanglingReference) {
        waiting.append(reference)
        if waiting.count >= room { isFull = true }
    }

    var isEmpty: Bool { waiting.isEmpty }

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
        isFull = false
        room = max(4096, 2 * waiting.count)
    }

    /// - Throws: `.targetNotFound` for the first whose item has not come.
    func requireAll(in reading: RuleReading) throws(DataStoreError) {
        if waiting.isEmpty { return }
        try keepMissing(in: reading)
        if let first = waiting.first { throw first.error(in: reading.schema) }
    }
}
