/// The things that rules have done in a child, and which of them the parent's rules will do again.
///
/// The merge makes the deletions again that the app has asked for, by the rules and on the items that the
/// parent has now. A change by a rule is therefore left out where the deletion it has followed from is merged.
/// It is merged like one that was asked for where that deletion left no trace: the item was inserted again, or
/// was related to the other one in the child only.
final class FollowedChanges {
    private let staged: any StorageReading
    private let staging: StagingSchema
    private let graph: ReferenceGraph
    private let cells: (base: CellBuffer, child: CellBuffer)
    private lazy var reached: Result<Set<Row>, DataStoreError> = Result {
        () throws(DataStoreError) in try findReached()
    }

    /// A row of an item or link.
    private struct Row: Hashable {
        let entity: Int
        let identifier: Constant
    }

    init(from staged: any StorageReading, _ staging: StagingSchema, by graph: ReferenceGraph) {
        self.staged = staged
        self.staging = staging
        self.graph = graph
        let width = staging.schema.entities.map(\.attributes.count).max() ?? 1
        cells = (CellBuffer(count: width), CellBuffer(count: width))
    }

    /// True if the deletion of an item follows again from deletions that were asked for.
    func followsAgain(_ identifier: Cell, of entity: Int) throws(DataStoreError) -> Bool {
        try reached.get().contains(Row(entity: entity, identifier: constant(identifier, of: entity)))
    }

    /// True if the child has deleted an item to which one of these columns of a base row refers.
    ///
    /// - Parameter columns: Nil for all columns.
    func referToDeleted(
        _ base: UnsafePointer<Cell>, of entity: Int, columns: ColumnSet? = nil
    ) throws(DataStoreError) -> Bool {
        for reference in graph.references[entity] {
            if let columns, !columns.contains(reference.column) { continue }
            if base[reference.column].isNull { continue }
            if try isDeleted(base[reference.column], of: reference.target) { return true }
        }
        return false
    }

    /// The references of an item type that rules may have made nil.
    func references(of entity: Int) -> ColumnSet { ColumnSet(graph.references[entity].map(\.column)) }

    private func isDeleted(_ identifier: Cell, of entity: Int) throws(DataStoreError) -> Bool {
        let exists = BaseRow(of: staging.schema.entities[entity]).exists
        guard try staged.row(at: identifier, of: staging.base(of: entity), into: cells.base.start),
            cells.base.start[exists].integer != 0
        else { return false }
        return try !staged.row(at: identifier, of: entity, into: cells.child.start)
    }

    private func constant(_ cell: Cell, of entity: Int, _ column: Int = 0) -> Constant {
        Constant(cell, storage: staging.schema.entities[entity].storage(ofColumn: column))
    }

    // MARK: Following deletions

    /// The items that are deleted with others, by the rows as they were, beginning with what was asked for.
    private func findReached() throws(DataStoreError) -> Set<Row> {
        var followers: [Row: [Row]] = [:]
        var front: [Row] = []
        for entity in 0..<staging.count {
            try forEachDeleted(entity) { base, isAsked in
                if isAsked { front.append(Row(entity: entity, identifier: constant(base[0], of: entity))) }
                for (cause, follower) in cascades(of: base, entity) {
                    followers[cause, default: []].append(follower)
                }
            }
        }
        var reached: Set<Row> = []
        while let cause = front.popLast() {
            for follower in followers[cause] ?? [] where reached.insert(follower).inserted {
                front.append(follower)
            }
        }
        return reached
    }

    /// The deletions that may follow from each other by one row: its own from those of the items it refers
    /// to, theirs from its own, and for a link one end's from the other's.
    private func cascades(of base: UnsafePointer<Cell>, _ entity: Int) -> [(cause: Row, follower: Row)] {
        let row = Row(entity: entity, identifier: constant(base[0], of: entity))
        var pairs: [(cause: Row, follower: Row)] = []
        func target(_ reference: ReferenceGraph.Reference) -> Row? {
            if base[reference.column].isNull { return nil }
            let identifier = constant(base[reference.column], of: entity, reference.column)
            return Row(entity: reference.target, identifier: identifier)
        }
        for reference in graph.references[entity] {
            guard let cause = target(reference) else { continue }
            for consequence in graph.consequences[reference.target]
            where consequence.reference.entity == entity && consequence.reference.column == reference.column {
                switch consequence.action {
                case .cascade: pairs.append((cause, row))
                case .unlink(let other, .cascade):
                    if let follower = target(other) { pairs.append((cause, follower)) }
                case .unlink, .nullify, .deny: continue
                }
            }
        }
        for rule in graph.ownRules[entity] where rule.isCascade {
            if let follower = target(rule.reference) { pairs.append((row, follower)) }
        }
        return pairs
    }

    /// Calls the body with the base row of everything that the child has deleted.
    private func forEachDeleted(
        _ entity: Int, _ body: (UnsafePointer<Cell>, _ isAsked: Bool) -> Void
    ) throws(DataStoreError) {
        let walk = try TouchedRowWalk(of: entity, in: staged, staging)
        defer { walk.close() }
        while try walk.next() {
            if let base = walk.base, walk.child == nil { body(base, walk.asked.contains(0)) }
        }
    }
}
