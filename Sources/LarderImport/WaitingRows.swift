import LarderKernel

/// The rows that wait for the end of a call, while items that it has left over are deleted.
///
/// Delete rules read stored rows, and rows that wait are new, or may refer to others by then. So the rules pass them over,
/// and the deletions are followed in them here. *Rule:* used by one call, on the thread of its block. *Cost:* memory
/// for the rows that wait, and for the items that go with them, but not for those that the rules delete.
final class WaitingRows: FollowedRows {
    private let graph: ReferenceGraph
    private let schema: StoreSchema
    // reason for unchecked, here and below: used by one call, on the thread of its block.
    @exclusivity(unchecked) private var rows: [KeyedCall.HeldRow]
    /// The positions of the rows by their items.
    @exclusivity(unchecked) private var positions: [Item: Int] = [:]
    /// For each item the rows that refer to it, and what its deletion does to them, until that is followed.
    @exclusivity(unchecked) private var referrers: [Item: [Referrer]] = [:]
    /// The items that are left over, and those that go with them by the rows that wait.
    @exclusivity(unchecked) private var going: Set<Item> = []
    /// The items among them that are still to be deleted.
    @exclusivity(unchecked) private var next: [Item] = []
    /// The items among them, and among those that delete rules have taken, that have not been followed in the rows.
    @exclusivity(unchecked) private var unfollowed: [Item] = []
    @exclusivity(unchecked) private var denials: [(denial: Denial, other: Item)] = []

    struct Item: Hashable {
        let entity: Int
        let identifier: Constant
    }

    private typealias Referrer = (position: Int, consequence: ReferenceGraph.Consequence)

    init(
        _ rows: [KeyedCall.HeldRow], leavingOver items: [Item], in context: BlockContext
    ) {
        graph = context.resources.rules.graph
        schema = context.resources.schema
        self.rows = rows
        let consequences = Dictionary(grouping: graph.consequences.joined(), by: \.reference.entity)
        for (position, row) in rows.enumerated() {
            positions[item(of: row)] = position
            for consequence in consequences[row.entity] ?? [] {
                guard let item = item(of: row, by: consequence.reference) else { continue }
                referrers[item, default: []].append((position, consequence))
            }
        }
        for item in items { go(item) }
    }

    private func item(of row: KeyedCall.HeldRow) -> Item {
        let storage = schema.entities[row.entity].storage(ofColumn: 0)
        return Item(entity: row.entity, identifier: Constant(row.cells[0], storage: storage))
    }

    /// The item to which a row refers; nil if there is none.
    private func item(of row: KeyedCall.HeldRow, by reference: ReferenceGraph.Reference) -> Item? {
        reference.item(row.cells[reference.column], in: schema).map {
            Item(entity: reference.target, identifier: $0)
        }
    }

    /// The rows that do not go.
    var staying: [KeyedCall.HeldRow] { rows.filter { !going.contains(item(of: $0)) } }

    /// The deletions that another item forbids, if it is there at the end.
    var pendingDenials: [(denial: Denial, other: Item)] { denials.filter { !going.contains($0.other) } }
}

// MARK: Following

extension WaitingRows {
    /// Adds an item that is left over, or that goes with another one.
    func go(_ item: Item) {
        guard going.insert(item).inserted else { return }
        next.append(item)
        unfollowed.append(item)
    }

    /// The items that have to be deleted next, as others may go with them, by their types; none at the end.
    ///
    /// The rows are followed first, so that a chain of rows goes at once.
    func takeNext() -> [[Item]] {
        while let item = unfollowed.popLast() { follow(item) }
        let items = Dictionary(grouping: next, by: \.entity).sorted { $0.key < $1.key }
        next = []
        return items.map(\.value)
    }

    /// Follows the deletion of an item in the rows that wait, as delete rules do in stored ones.
    private func follow(_ item: Item) {
        if let position = positions[item] {
            for rule in graph.ownRules[item.entity] {
                guard let other = self.item(of: rows[position], by: rule.reference) else { continue }
                if rule.isCascade {
                    go(other)
                } else {
                    deny(item, with: other, by: rule.reference.names.attribute)
                }
            }
        }
        for (position, consequence) in referrers.removeValue(forKey: item) ?? [] {
            let (row, column) = (rows[position], consequence.reference.column)
            switch consequence.action {
            case .cascade: go(self.item(of: row))
            case .nullify:
                row.cells[column] = .null
                if !row.isNew { rows[position].columns.insert(column) }
            case .deny: deny(item, with: self.item(of: row), by: consequence.name)
            case .unlink: continue
            }
        }
    }

    private func deny(_ item: Item, with other: Item, by name: String) {
        let denial = Denial(
            item: item.identifier, itemType: item.entity, other: other.identifier, otherType: other.entity,
            name: name)
        denials.append((denial, other))
    }
}

// MARK: Stored rows

extension WaitingRows {
    func freed(
        _ rows: [DeletionWaves.Referrer], by reference: ReferenceGraph.Reference
    ) -> [DeletionWaves.Referrer] { rows.filter { !isWaiting($0.row, of: reference.entity) } }

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

    /// True for a row that waits, as it is followed by its new values.
    func hasFollowed(_ reference: ReferenceGraph.Reference, of row: Constant) -> Bool {
        isWaiting(row, of: reference.entity)
    }

    func noteTaken(_ item: Constant, of entity: Int) {
        let item = Item(entity: entity, identifier: item)
        if referrers[item] != nil { unfollowed.append(item) }
    }

    func isWaiting(_ item: Constant, of entity: Int) -> Bool {
        positions[Item(entity: entity, identifier: item)] != nil
    }

    /// True for an item that waits and has to go, whatever its row refers to.
    private func goesLater(_ item: Constant, of entity: Int) -> Bool {
        guard isWaiting(item, of: entity) else { return false }
        go(Item(entity: entity, identifier: item))
        return true
    }
}
