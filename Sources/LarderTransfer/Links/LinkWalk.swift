import LarderKernel

/// The links of one relationship, owner by owner, in the order of the owners' identifiers.
///
/// *Rule:* used by one thread at a time. *Cost:* keeps the links of one owner.
final class LinkWalk {
    let relationship: StoreRelationship
    private let rows: RowWalk
    private let owners: RowWalk
    private let side: StoreRelationship.LinkSide
    private let undecodable: UndecodableRows
    /// The links of the owner that is next.
    private var next: (owner: Constant, target: Constant)?

    /// - Parameters:
    ///   - owners: The walk through the items that the links start from.
    ///   - undecodable: Takes links that start from no item too.
    /// - Returns: Nil for a relationship that is not kept as links, or starts at the other end.
    init?(
        _ relationship: StoreRelationship, from owners: RowWalk, of schema: StoreSchema,
        in transaction: any StorageReading, undecodable: UndecodableRows
    ) throws(DataStoreError) {
        guard case .links(let side) = relationship.form, !side.isReversed else { return nil }
        self.relationship = relationship
        self.side = side
        self.undecodable = undecodable
        self.owners = owners
        rows = try RowWalk(
            over: side.entity, of: schema, in: transaction, undecodable: undecodable,
            order: schema.entities[side.entity].linkOrder)
        next = try read()
    }

    /// The identifiers of the items that an owner is linked with, in their order.
    ///
    /// *Rule:* owners are asked for by ascending identifiers.
    func targets(of identifier: Cell) throws(DataStoreError) -> [Constant] {
        let storage = owners.entity.storage(ofColumn: 0)
        var targets: [Constant] = []
        while let link = next {
            let order = link.owner.withCell { $0.order(to: identifier, storage: storage) }
            if order > 0 { break }
            if order < 0 { try refuse(link) } else { targets.append(link.target) }
            next = try read()
        }
        return targets
    }

    /// Refuses the links that are left after the last owner.
    func finish() throws(DataStoreError) {
        while let link = next {
            try refuse(link)
            next = try read()
        }
    }

    func close() {
        rows.close()
    }

    private func read() throws(DataStoreError) -> (owner: Constant, target: Constant)? {
        guard let cells = try rows.next() else { return nil }
        return (
            Constant(cells[side.ownerColumn], storage: rows.entity.storage(ofColumn: side.ownerColumn)),
            Constant(cells[side.targetColumn], storage: rows.entity.storage(ofColumn: side.targetColumn))
        )
    }

    /// Refuses a link that starts from no item, but not one that starts from a row that was refused itself.
    private func refuse(_ link: (owner: Constant, target: Constant)) throws(DataStoreError) {
        let owner = owners.entity
        let identifier = link.owner.withCell { AnyItemID($0, type: owner.attributes[0].type) }
        if let identifier, owners.refused.contains(identifier) { return }
        try undecodable.refuse(
            DataStoreError(
                .damaged,
                "\(owner.name) \(identifier?.description ?? "?"), which does not exist, has a link by "
                    + "\(relationship.name).",
                itemType: owner.name, attribute: relationship.name, identifier: identifier))
    }
}

extension EntitySchema {
    /// The order of links: owner by owner, and for each owner by rank, or by the other end if they have
    /// none.
    var linkOrder: [RequestPlan.SortTerm] {
        [LinkEntity.source, isOrderedLink ? LinkEntity.rank : LinkEntity.target].map {
            RequestPlan.SortTerm(column: $0, isAscending: true)
        }
    }
}

extension StoreSchema {
    /// The numbers of the entities with links whose relationship the store does not describe, as a part of a routed
    /// store has them.
    var linksOnTheirOwn: [Int] {
        let described = Set(relationships.joined().compactMap(\.linkEntity))
        return entities.indices.filter { entities[$0].isLink && !described.contains($0) }
    }

    /// The links of an item type's own relationships, to be read together with its rows.
    func linkWalks(
        from owners: RowWalk, ofEntity number: Int, in transaction: any StorageReading,
        _ undecodable: UndecodableRows
    ) throws(DataStoreError) -> [LinkWalk] {
        var walks: [LinkWalk] = []
        for relationship in relationships[number] {
            let walk = try LinkWalk(
                relationship, from: owners, of: self, in: transaction, undecodable: undecodable)
            if let walk { walks.append(walk) }
        }
        return walks
    }
}
