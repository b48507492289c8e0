/// The links of several owners, read together before their changes are worked out, one owner after the other.
///
/// Changes are noted in it, so that an item which one owner takes from another is not among the other's any more.
/// Links that were not read are left to the engine. *Rule:* used for one relationship.
package final class KnownLinks {
    private let relationship: StoreRelationship
    private let block: WriteBlock
    // reason for unchecked: used inside one call, on the thread of its block.
    /// The links that an owner had or was given, in the order of the relationship; those that lead to an item with
    /// another owner in ``owners`` are its no more.
    @exclusivity(unchecked) private var all: [AnyItemID: [Link]] = [:]
    /// The links of an owner that lead to the items it is given.
    @exclusivity(unchecked) private var given: [AnyItemID: [Link]] = [:]
    /// The owners of stored items, as their changes leave them; nil for those that refer to none.
    @exclusivity(unchecked) private var owners: [AnyItemID: AnyItemID?] = [:]
    /// The items whose owners were asked for.
    @exclusivity(unchecked) private var asked: Set<AnyItemID> = []

    package init(_ relationship: StoreRelationship, in block: WriteBlock) {
        self.relationship = relationship
        self.block = block
    }

    // MARK: Known links

    /// All links of an owner; nil if they were not read.
    func links(of owner: AnyItemID) -> [Link]? {
        guard let links = all[owner], !owners.isEmpty else { return all[owner] }
        // One that came back is there twice.
        var seen: Set<AnyItemID> = []
        return links.filter {
            owners[$0.target, default: owner] == owner && seen.insert($0.target).inserted
        }
    }

    /// The links of an owner that lead to some items; nil if they were not read.
    func links(of owner: AnyItemID, among targets: [AnyItemID]) -> [Link]? {
        guard let links = links(of: owner) ?? given[owner] else { return nil }
        let targets = Set(targets)
        return links.filter { targets.contains($0.target) }
    }

    /// The owner that an item refers to, nil for none; nil if the item is not stored.
    ///
    /// *Rule:* after ``readOwners(of:)`` of the item.
    package func owner(of target: AnyItemID) -> AnyItemID?? { owners[target] }

    /// Notes changes of an owner.
    ///
    /// *Rule:* links of that owner are asked for again only after the changes are written.
    func note(_ changes: [LinkChange], of owner: AnyItemID) {
        guard case .referrers = relationship.form else {
            (all[owner], given[owner]) = (nil, nil)
            return
        }
        for case .refer(let target, let owner) in changes {
            owners.updateValue(owner, forKey: target)
            if let owner { all[owner]?.append(Link(id: target, target: target, rank: nil)) }
        }
    }

    // MARK: Reading

    /// Reads all links of some owners.
    func readLinks(of owners: [AnyItemID]) throws(DataStoreError) {
        guard let place = relationship.linkPlace, !owners.isEmpty else { return }
        let storage = block.context.schema.entities[relationship.owner].storage(ofColumn: 0)
        for owner in owners { all[owner] = [] }
        for part in owners.map({ Constant($0) }).sortedAndDistinct(storage).plannedParts {
            // By owner first, as the index has them; an engine would sort them otherwise.
            let plan = RequestPlan(
                entity: place.entity, schema: block.context.schema.entities[place.entity],
                columns: .some(place.columnsWithOwner), predicate: .oneOf(part, inColumn: place.ownerColumn),
                order: [place.ownerColumn, place.orderColumn].map {
                    RequestPlan.SortTerm(column: $0, isAscending: true)
                })
            try read(plan, place) { owner, link in all[owner]?.append(link) }
        }
    }

    /// Reads the links between owners and the items that they are given.
    func readLinks(_ pairs: [(owner: AnyItemID, target: AnyItemID)]) throws(DataStoreError) {
        guard case .links(let side) = relationship.form, let place = relationship.linkPlace, !pairs.isEmpty
        else { return }
        for pair in pairs { given[pair.owner] = [] }
        let plans = RequestPlan.plans(
            finding: pairs.map { UniqueKey(Constant($0.owner), [Constant($0.target)]) },
            at: [side.ownerColumn, side.targetColumn], of: side.entity,
            block.context.schema.entities[side.entity], reading: .some(place.columnsWithOwner))
        for plan in plans { try read(plan, place) { owner, link in given[owner]?.append(link) } }
    }

    /// Reads which owners some items refer to.
    package func readOwners(of targets: [AnyItemID]) throws(DataStoreError) {
        guard case .referrers(let column) = relationship.form else { return }
        let targets = targets.filter { asked.insert($0).inserted }
        let ownerType = block.context.schema.entities[relationship.owner].attributes[0].type
        try block.context.forEachRow(at: targets, of: relationship.target) { position, row in
            guard let row else { return }
            owners.updateValue(AnyItemID(row[column], type: ownerType), forKey: targets[position])
        }
    }

    private func read(
        _ plan: RequestPlan, _ place: LinkPlace, _ body: (AnyItemID, Link) -> Void
    ) throws(DataStoreError) {
        let ownerType = plan.schema.attributes[place.ownerColumn].type
        let scan = try block.context.rows(of: plan)
        defer { scan.close() }
        while try scan.next() {
            guard let owner = AnyItemID(scan.cells[place.columns.count], type: ownerType),
                let link = place.link(UnsafePointer(scan.cells), of: plan.schema)
            else { continue }
            body(owner, link)
        }
    }
}

/// The rows that say which items a relationship has.
struct LinkPlace {
    let entity: Int
    /// The column with the identifier of the owner.
    let ownerColumn: Int
    /// The columns to read: of a link its identifier, the item at the other end, and the rank if there is
    /// one; of an item that refers to the owner its identifier alone.
    let columns: [Int]
    /// The column by which the links are in order.
    let orderColumn: Int

    var columnsWithOwner: [Int] { columns + [ownerColumn] }

    /// The link in a row of the columns; nil if another program has written something else.
    func link(_ cells: UnsafePointer<Cell>, of schema: EntitySchema) -> Link? {
        guard let id = AnyItemID(cells[0], type: schema.attributes[0].type) else { return nil }
        if columns.count == 1 { return Link(id: id, target: id, rank: nil) }
        guard let target = AnyItemID(cells[1], type: schema.attributes[columns[1]].type) else { return nil }
        return Link(id: id, target: target, rank: columns.count > 2 ? cells[2].string : nil)
    }
}

extension StoreRelationship {
    /// The rows that say which items it has; nil for a reference, which has a column of its own.
    var linkPlace: LinkPlace? {
        switch form {
        case .links(let side):
            let columns = [0, side.targetColumn] + (side.isOrdered ? [LinkEntity.rank] : [])
            return LinkPlace(
                entity: side.entity, ownerColumn: side.ownerColumn, columns: columns,
                orderColumn: side.orderColumn)
        case .referrers(let column):
            return LinkPlace(entity: target, ownerColumn: column, columns: [0], orderColumn: 0)
        case .reference: return nil
        }
    }
}
