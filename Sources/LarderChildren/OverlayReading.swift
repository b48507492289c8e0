import LarderKernel

/// One snapshot of a child store: the parent's rows, and over them what the child has staged.
///
/// If nothing is touched in what a plan reaches, the parent's own plan runs. Elsewhere the plan runs on both
/// sides, and the rows are merged in its order (``OverlayCursor``). Tests of related items are found by the core
/// in steps (``RelatedLowering``), each of which is such a plan, so that the parent never follows a link whose
/// ends the child has touched.
class OverlayReading: StorageReading {
    final let adapter: OverlayAdapter
    final var place: ParentPlace
    /// The staged rows; nil while the child has never written.
    private(set) final var staged: (any StorageReading)?
    /// For each item type the touched items; empty while the child has never written.
    private final var touched: [StagedRows] = []
    /// As of ``OverlayAdapter/losses`` when it was made.
    private final let losses: Int
    private final let isCancellable: Bool
    /// True if staged rows may change while they are read.
    private final let isChanging: Bool

    final var parent: any StorageReading { get throws(DataStoreError) { try place.reading } }
    /// True if the snapshot of the parent or of a store above is one of a block that was running on the thread.
    final var sharesPlace: Bool {
        place.isShared || ((try? place.reading) as? OverlayReading)?.sharesPlace ?? false
    }

    /// - Parameters:
    ///   - staged: Begun before the parent is read. Rows that a merge moves from one to the other in between
    ///     are then seen twice, which is harmless, and are not missed.
    ///   - losses: As of ``OverlayAdapter/losses`` before that.
    init(
        _ adapter: OverlayAdapter, staged: (any StorageReading)?, after losses: Int,
        isCancellable: Bool = false, isChanging: Bool = false
    ) throws(DataStoreError) {
        self.adapter = adapter
        self.losses = losses
        self.isChanging = isChanging
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
        guard let staged, let schema = adapter.stagingSchema else { return touched = [] }
        touched = (0..<schema.count).map {
            let (base, type) = (schema.base(of: $0), schema.schema.entities[$0])
            return StagedRows(
                in: staged, base: base, schema.schema.entities[base],
                links: type.isLink ? StagedLinks(in: staged, of: $0, schema) : nil)
        }
    }

    /// The touched items of a type, and what is staged; nil if there are none.
    final func overlaid(
        _ entity: Int
    ) throws(DataStoreError) -> (touched: StagedRows, staged: any StorageReading)? {
        guard let staged, try touched[entity].count() > 0 else { return nil }
        return (touched[entity], staged)
    }

    /// The touched rows of a type, for a transaction that writes.
    final func stagedRows(_ entity: Int) -> StagedRows { touched[entity] }

    final func forgetTouched() {
        for items in touched { items.forget() }
    }

    // MARK: Reading

    final func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        if let staged, try touched[entity].contains(identifier) {
            return try staged.row(at: identifier, of: entity, into: cells)
        }
        return try parent.row(at: identifier, of: entity, into: cells)
    }

    final func forEachRow(
        at identifiers: UnsafeBufferPointer<Cell>, of entity: Int, into cells: UnsafeMutablePointer<Cell>,
        _ body: (_ position: Int) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        guard let (touched, staged) = try overlaid(entity), let schema = adapter.stagingSchema else {
            return try parent.forEachRow(at: identifiers, of: entity, into: cells, body)
        }
        var (theirs, positions): ([Cell], [Int]) = ([], [])
        for (position, identifier) in identifiers.enumerated() where try !touched.contains(identifier) {
            theirs.append(identifier)
            positions.append(position)
        }
        let width = schema.schema.entities[entity].attributes.count
        let row = CellBuffer(count: width)
        var (next, nextOfParent) = (0, 0)
        func giveStaged(before end: Int) throws(DataStoreError) {
            while next < end {
                if nextOfParent < positions.count, positions[nextOfParent] == next {
                    nextOfParent += 1
                } else if try staged.row(at: identifiers[next], of: entity, into: cells) {
                    try body(next)
                }
                next += 1
            }
        }
        if theirs.isEmpty { return try giveStaged(before: identifiers.count) }
        try theirs.withUnsafeBufferPointer { theirs throws(DataStoreError) in
            try parent.forEachRow(at: theirs, of: entity, into: row.start) { found throws(DataStoreError) in
                try giveStaged(before: positions[found])
                cells.update(from: row.start, count: width)
                try body(positions[found])
            }
        }
        try giveStaged(before: identifiers.count)
    }

    final func runsWhole(_ plan: RequestPlan) -> Bool {
        guard (try? parent.runsWhole(plan)) ?? false else { return false }
        if touched.isEmpty { return true }
        // A failure to count shows when the plan runs in steps.
        return plan.reachedEntities.allSatisfy { (try? touched[$0].count()) == 0 }
    }

    final func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
        guard let (touched, staged) = try overlaid(plan.entity) else { return try parent.rows(for: plan) }
        return try OverlayCursor(
            of: plan, touched: touched, isChanging: isChanging, parent: parent, staged: staged)
    }

    final func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        guard let (touched, staged) = try overlaid(plan.entity) else { return try parent.count(for: plan) }
        let touchedCount = try touched.count()
        var all = plan
        all.offset = 0
        // So many rows of the parent fill the window, even if some of them are touched.
        all.limit = OverlayPlan(plan, touchedCount: touchedCount).parent.limit
        var count = try parent.count(for: all)
        if count == all.limit { return plan.countInWindow(of: count) }
        all.limit = nil
        // Read the parent's rows or the touched rows in it, whichever are fewer. Links are compared by their ends too.
        if touched.links != nil || count <= touchedCount {
            count = try countShown(all, touched) + staged.count(for: all)
            return plan.countInWindow(of: count)
        }
        count += try staged.count(for: all)
        for part in try touched.identifiers().parts(of: Self.countedAtOnce) {
            var replaced = all
            replaced.predicate = RowPredicate.all([.oneOf(part, inColumn: 0), plan.predicate]).simplified
            count -= try parent.count(for: replaced)
        }
        return plan.countInWindow(of: count)
    }

    /// The touched items that one plan counts in the parent: many, as none of their rows comes back.
    private static let countedAtOnce = 4096

    /// The number of the parent's rows of a plan that the child shows.
    private func countShown(_ plan: RequestPlan, _ touched: StagedRows) throws(DataStoreError) -> Int {
        var plan = plan
        let columns = touched.links == nil ? [0] : [0, LinkEntity.source, LinkEntity.target]
        plan.columns = .some(columns)
        plan.setOrder([])
        var count = 0
        try parent.forEachRow(of: plan) { row throws(DataStoreError) in
            if try !touched.hides(row) { count += 1 }
        }
        return count
    }

    /// Leaves groups of merged rows to the core.
    final func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? {
        try overlaid(plan.rows.entity) == nil ? try parent.groups(for: plan) : nil
    }

    final func explain(_ plan: AggregatePlan) throws(DataStoreError) -> [String]? {
        try overlaid(plan.rows.entity) == nil ? try parent.explain(plan) : nil
    }

    final func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] {
        guard let (touched, staged) = try overlaid(plan.entity) else { return try parent.explain(plan) }
        let sides = OverlayPlan(plan, touchedCount: try touched.count())
        return try parent.explain(sides.parent).map { "parent: \($0)" }
            + staged.explain(sides.staged).map { "staged: \($0)" } + ["merge in order"]
    }

    // MARK: Beginning and ending

    /// Begins the snapshot of the parent if the child has touched anything; ends the transaction if that fails.
    ///
    /// An engine may take it with the first request, which staged rows may answer: a later merge would be in it then. The
    /// request here counts at most one row, as it decodes none. It is put to the store at the top: a child between the two
    /// would ask it for all that the child has touched.
    final func beginParent() throws(DataStoreError) {
        guard let schema = adapter.stagingSchema?.schema else { return }
        do throws(DataStoreError) {
            for entity in touched.indices where try touched[entity].count() > 0 {
                var top = try parent
                while let child = top as? OverlayReading { top = try child.parent }
                _ = try top.hasRows(entity, schema.entities[entity])
                return
            }
        } catch {
            end()
            throw error
        }
    }

    final func end() {
        staged?.end()
        place.leave()
    }

    /// False if the memory of its staged rows was given up since: it would show what was merged, and keep what is lost.
    final var canBeginAgain: Bool { losses == adapter.losses }

    func beginAgain() throws(DataStoreError) -> Bool {
        let merges = adapter.merges
        guard canBeginAgain else { return false }
        if let staged {
            guard try staged.beginAgain() else { return false }
            forgetTouched()
        } else {
            setStaged(try adapter.beginReadingStaged())
        }
        guard try enterAgain() else { return false }
        try beginParent()
        if merges == adapter.merges { return true }
        end()
        return false
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
}

extension RequestPlan {
    /// The item types whose rows decide the rows of the plan, and the types of links that lead to them.
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
        case .expression(let test):
            test.forEachRelated { path, _ in
                for relationship in path { relationship.collectEntities(&entities) }
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
