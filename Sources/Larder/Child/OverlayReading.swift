/// One snapshot of a child store: the parent's rows, and over them what the child has staged.
///
/// Where nothing is touched in what a plan reaches, the parent's own plan runs. Elsewhere the plan runs on both
/// sides, and the rows are merged in its order (``MergedCursor``). Tests of related items are found by the core
/// in steps (``RelatedLowering``), each of which is such a plan, so that the parent never follows a link whose
/// ends the child has touched.
class OverlayReading: StorageReading {
    final let adapter: OverlayAdapter
    private final var place: ParentPlace
    /// The staged rows; nil while the child has never written.
    private(set) final var staged: (any StorageReading)?
    private(set) final var touched: TouchedItems?
    private final let isCancellable: Bool

    final var parent: any StorageReading { place.reading }

    /// - Parameter staged: Begun before the parent is read. What a merge moves from one to the other in between
    ///   is then seen twice, which is harmless, and not missed.
    init(
        _ adapter: OverlayAdapter, staged: (any StorageReading)?, isCancellable: Bool = false
    ) throws(DataStoreError) {
        self.adapter = adapter
        self.isCancellable = isCancellable
        do {
            place = try adapter.enterParent(isCancellable: isCancellable)
        } catch {
            staged?.end()
            throw error
        }
        setStaged(staged)
    }

    private final func setStaged(_ staged: (any StorageReading)?) {
        self.staged = staged
        touched = staged.flatMap { staged in adapter.stagingSchema.map { TouchedItems(in: staged, $0) } }
    }

    // MARK: Reading

    final func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        if let staged, let touched, try touched.contains(identifier, of: entity) {
            return try staged.row(at: identifier, of: entity, into: cells)
        }
        return try parent.row(at: identifier, of: entity, into: cells)
    }

    final func runsWhole(_ plan: RequestPlan) -> Bool {
        guard parent.runsWhole(plan) else { return false }
        guard let touched else { return true }
        // A failure to count shows when the plan runs in steps.
        return plan.reachedEntities.allSatisfy { (try? touched.isEmpty($0)) == true }
    }

    final func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
        guard let staged, let touched, try !touched.isEmpty(plan.entity) else {
            return try parent.rows(for: plan)
        }
        return try MergedCursor(
            of: plan, touchedCount: try touched.count(of: plan.entity), isChanging: self is OverlayWriting,
            parent: { plan throws(DataStoreError) in try parent.rows(for: plan) },
            staged: { plan throws(DataStoreError) in try staged.rows(for: plan) },
            isTouched: { identifier throws(DataStoreError) in
                try touched.contains(identifier, of: plan.entity)
            })
    }

    final func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        guard let staged, let touched, try !touched.isEmpty(plan.entity) else {
            return try parent.count(for: plan)
        }
        var all = plan
        (all.offset, all.limit) = (0, nil)
        var count = try parent.count(for: all) + staged.count(for: all)
        for part in try touched.identifiers(of: plan.entity).plannedParts {
            var replaced = all
            replaced.predicate = RowPredicate.all([.oneOf(part, inColumn: 0), plan.predicate]).simplified
            count -= try parent.count(for: replaced)
        }
        return min(max(0, count - plan.offset), plan.limit ?? .max)
    }

    final func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] {
        guard let staged, let touched, try !touched.isEmpty(plan.entity) else {
            return try parent.explain(plan)
        }
        let sides = MergedPlan(plan, touchedCount: try touched.count(of: plan.entity))
        return try parent.explain(sides.parent).map { "parent: \($0)" }
            + staged.explain(sides.staged).map { "staged: \($0)" } + ["merge in order"]
    }

    // MARK: Beginning and ending

    final func end() {
        staged?.end()
        place.leave()
    }

    func beginAgain() throws(DataStoreError) -> Bool {
        if let staged {
            guard try staged.beginAgain() else { return false }
            touched?.forgetAll()
        } else {
            setStaged(try adapter.beginReadingStaged())
        }
        return try enterAgain()
    }

    /// Enters the parent again; the staged rows have begun.
    final func enterAgain() throws(DataStoreError) -> Bool {
        do {
            place = try adapter.enterParent(isCancellable: isCancellable)
            return true
        } catch {
            staged?.end()
            throw error
        }
    }

    /// Leaves the parent, as the staged rows are committed.
    final func leaveParent() {
        place.leave()
    }
}

extension RequestPlan {
    /// The item types whose rows decide the rows of the plan, and those of links that lead to them.
    var reachedEntities: Set<Int> {
        var entities: Set<Int> = [entity]
        predicate.collectEntities(&entities)
        for term in relatedOrder?.terms ?? [] {
            for relationship in term.path { relationship.collectEntities(&entities) }
        }
        return entities
    }
}

extension RowPredicate {
    fileprivate func collectEntities(_ entities: inout Set<Int>) {
        switch self {
        case .always, .column: return
        case .all(let parts), .any(let parts):
            for part in parts { part.collectEntities(&entities) }
        case .related(let test):
            test.relationship.collectEntities(&entities)
            switch test.test {
            case .any(let predicate), .none(let predicate): predicate.collectEntities(&entities)
            case .count: return
            }
        }
    }
}

extension StoreRelationship {
    fileprivate func collectEntities(_ entities: inout Set<Int>) {
        entities.insert(owner)
        entities.insert(target)
        if case .links(let side) = form { entities.insert(side.entity) }
    }
}
