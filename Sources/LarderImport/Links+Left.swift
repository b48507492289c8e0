import LarderKernel

extension Links {
    /// For each item that an owner had: true if it is stored, and has no other owner.
    ///
    /// - Parameter items: The links and targets of one relationship.
    static func areLeft(_ items: [(links: Links, target: AnyItemID)]) throws(DataStoreError) -> [Bool] {
        guard let links = items.first?.links else { return [] }
        switch links.relationship.form {
        case .referrers:
            let known = KnownLinks(links.relationship, in: links.block)
            try known.readOwners(of: items.map(\.target))
            return items.map { item in
                guard let owner = known.owner(of: item.target) else { return false }
                return owner == nil || owner == item.links.owner
            }
        case .links(let side):
            let owned = try links.ownedItems(items.map(\.target), side)
            return items.map { !owned.contains($0.target) }
        case .reference: return items.map { _ in false }
        }
    }

    /// The ones among some items that are linked with any owner.
    private func ownedItems(
        _ targets: [AnyItemID], _ side: StoreRelationship.LinkSide
    ) throws(DataStoreError) -> Set<AnyItemID> {
        let entity = block.context.schema.entities[side.entity]
        let storage = entity.storage(ofColumn: side.targetColumn)
        var owned: Set<AnyItemID> = []
        for part in targets.map({ Constant($0) }).sortedAndDistinct(storage).plannedParts {
            let scan = try block.context.rows(
                of:
                    RequestPlan(
                        entity: side.entity, schema: entity, columns: .some([side.targetColumn]),
                        predicate: .oneOf(part, inColumn: side.targetColumn)))
            defer { scan.close() }
            while try scan.next() {
                if let target = AnyItemID(scan.cells[0], type: entity.attributes[side.targetColumn].type) {
                    owned.insert(target)
                }
            }
        }
        return owned
    }
}
