// A new item has no links, so none are looked up before its own are written: unless items of the same call were given it.

extension RowPipeline {
    /// True if the call that is running may have linked a new owner from the other end.
    func mayHaveLinked(newOwnersOf relationship: StoreRelationship) -> Bool {
        guard !linkedEnds.isEmpty, case .links(let side) = relationship.form else { return false }
        return linkedEnds[side.entity].contains(side.ownerColumn)
    }

    /// Notes that the call has linked the owners of a relationship with items.
    func noteLinked(by relationship: StoreRelationship) {
        guard case .links(let side) = relationship.form else { return }
        if linkedEnds.isEmpty {
            linkedEnds = Array(repeating: ColumnSet(), count: resources.schema.entities.count)
        }
        linkedEnds[side.entity].insert(side.targetColumn)
    }

    /// Forgets what the last call has linked.
    func forgetLinks() {
        if !linkedEnds.isEmpty { linkedEnds.removeAll(keepingCapacity: true) }
        if !madeLinks.isEmpty { madeLinks.removeAll() }
    }
}
