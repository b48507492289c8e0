import LarderKernel

/// The deletions of a child that may have followed from each other by its delete rules.
///
/// Told from what the child shows: of two deleted rows one referred to the other when it was deleted, by a relationship that
/// deletes one with the other. *Cost:* a walk over what the child has touched, when it is first needed; memory for the
/// deleted rows.
final class FollowedDeletions {
    private let staged: any StorageReading
    private let staging: StagingSchema
    private let graph: ReferenceGraph
    private lazy var found: Result<Found, DataStoreError> = Result { () throws(DataStoreError) in try find() }

    private struct Found {
        var pairs: [Pair] = []
        /// For each row those that go with it.
        var followers: [RowKey: [RowKey]] = [:]
        /// For each row those with which it goes, and those that are not deleted without it.
        var causes: [RowKey: [Pair]] = [:]
    }

    /// Two deleted rows, of which one goes with the other, or the other is not deleted without it.
    struct Pair {
        let cause: RowKey
        let follower: RowKey
        let relationship: String
        /// The column by which one of the rows refers to the other; nil if a link does.
        var column: (row: RowKey, number: Int)?
        /// True if the one would not have gone by itself.
        var isDenial = false
    }

    init(from staged: any StorageReading, _ staging: StagingSchema, by graph: ReferenceGraph) {
        self.staged = staged
        self.staging = staging
        self.graph = graph
    }

    /// The deleted rows that go with some others, directly or through further ones.
    func followers(of rows: some Sequence<RowKey>) throws(DataStoreError) -> Set<RowKey> {
        let followers = try found.get().followers
        var front = Array(rows)
        var reached: Set<RowKey> = []
        while let cause = front.popLast() {
            for follower in followers[cause] ?? [] where reached.insert(follower).inserted {
                front.append(follower)
            }
        }
        return reached
    }

    /// All pairs, in the order in which they are found.
    func pairs() throws(DataStoreError) -> [Pair] { try found.get().pairs }

    /// The pairs of a deleted row and those with which it goes directly, or which are not deleted without it.
    func causes(of row: RowKey) throws(DataStoreError) -> [Pair] {
        try found.get().causes[row] ?? []
    }

    private func find() throws(DataStoreError) -> Found {
        var found = Found()
        var deleted: Set<RowKey> = []
        // The rows among them that the parent did not have. If it has one by now, its own rows refer to that one.
        var own: Set<RowKey> = []
        var (pairs, pairsOfBases): ([Pair], [Pair]) = ([], [])
        for entity in 0..<staging.count {
            var changed: Set<RowKey> = []
            if let last = staging.last(of: entity) {
                let plan = RequestPlan(entity: last, schema: staging.schema.entities[last])
                try staged.forEachRow(of: plan) { row in
                    changed.insert(RowKey(row[0], of: entity, in: staging.schema))
                    pairs += cascades(of: row, entity)
                }
            }
            let walk = try StagedRowWalk(of: entity, in: staged, staging)
            defer { walk.close() }
            while try walk.next() {
                if walk.child != nil { continue }
                let key = RowKey(walk.identifier, of: entity, in: staging.schema)
                deleted.insert(key)
                guard let base = walk.base else {
                    own.insert(key)
                    continue
                }
                let ofBase = cascades(of: base, entity)
                pairsOfBases += ofBase
                if !changed.contains(key) { pairs += ofBase }
            }
        }
        let known = pairs.filter { !own.contains($0.cause) } + pairsOfBases.filter { own.contains($0.cause) }
        // A chain does not lead through a row that the child has kept.
        found.pairs = known.filter { deleted.contains($0.cause) && deleted.contains($0.follower) }
        for pair in found.pairs {
            if !pair.isDenial { found.followers[pair.cause, default: []].append(pair.follower) }
            found.causes[pair.follower, default: []].append(pair)
        }
        return found
    }

    /// The deletions that may follow from each other by one row: its own from the deletions of the items it
    /// refers to, theirs from its own, and for a link one end's from the other's; and those that its own may need.
    private func cascades(of cells: UnsafePointer<Cell>, _ entity: Int) -> [Pair] {
        func target(_ reference: ReferenceGraph.Reference) -> RowKey? {
            reference.row(cells[reference.column], in: staging.schema)
        }
        let row = RowKey(cells[0], of: entity, in: staging.schema)
        var pairs: [Pair] = []
        for reference in graph.references[entity] {
            guard let cause = target(reference) else { continue }
            for consequence in graph.consequences[reference.target]
            where consequence.reference.entity == entity && consequence.reference.column == reference.column {
                switch consequence.action {
                case .cascade:
                    pairs.append(
                        Pair(
                            cause: cause, follower: row, relationship: consequence.name,
                            column: (row, reference.column)))
                case .unlink(let other, .cascade):
                    if let follower = target(other) {
                        pairs.append(Pair(cause: cause, follower: follower, relationship: consequence.name))
                    }
                case .unlink, .nullify, .deny: continue
                }
            }
        }
        for rule in graph.ownRules[entity] {
            if let follower = target(rule.reference) {
                pairs.append(
                    Pair(
                        cause: row, follower: follower, relationship: rule.reference.names.attribute,
                        column: (row, rule.reference.column), isDenial: !rule.isCascade))
            }
        }
        return pairs
    }
}
