/// One end of the links of an entity.
struct LinkEnd: Hashable {
    /// The entity of the links.
    let entity: Int
    /// The column with the identifiers of the items at this end.
    let column: Int
}

// A new item has no links, so none are looked up before its own are written: unless items of the same call were given it.

extension RowPipeline {
    /// True if the call that is running may have linked a new owner from the other end.
    func mayHaveLinked(newOwnersOf relationship: StoreRelationship) -> Bool {
        guard !linkedEnds.isEmpty, case .links(let side) = relationship.form else { return false }
        return linkedEnds.contains(LinkEnd(entity: side.entity, column: side.ownerColumn))
    }

    /// Notes that the call has linked the owners of a relationship with items.
    func noteLinked(by relationship: StoreRelationship) {
        guard case .links(let side) = relationship.form else { return }
        linkedEnds.insert(LinkEnd(entity: side.entity, column: side.targetColumn))
    }

    /// Notes that code of the app has run inside the call, which may have linked any items.
    package func noteLinkedByApp() {
        for (number, entity) in resources.schema.entities.enumerated() where entity.isLink {
            linkedEnds.insert(LinkEnd(entity: number, column: LinkEntity.source))
            linkedEnds.insert(LinkEnd(entity: number, column: LinkEntity.target))
        }
    }

    /// Forgets what the last call has linked.
    func forgetLinks() {
        if !linkedEnds.isEmpty { linkedEnds.removeAll() }
        if !madeLinks.isEmpty { madeLinks.removeAll() }
    }
}
