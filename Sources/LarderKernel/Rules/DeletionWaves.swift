/// The consequences of deletions: what cascades, becomes nil, or forbids them.
///
/// Rows are deleted first, up to a thousand at a time; then those that refer to them are read, up to a thousand at a
/// time, and deleted or freed, until there are none left. So nothing is done by recursion, and cycles end
/// because what is deleted is gone. *Rule:* used inside the call that undoes it. *Cost:* a plan
/// for each relationship of up to a thousand deleted rows; memory for up to a thousand identifiers for each item type
/// and each level.
package final class DeletionWaves {
    private let pipeline: RowPipeline
    private let call: UndoneCall
    let graph: ReferenceGraph
    private var schema: StoreSchema { pipeline.resources.schema }
    /// For each entity its deleted rows whose consequences have not been looked for.
    private var deleted: [[Constant]]
    /// For each entity the rows that must be deleted next.
    private var doomed: [[Constant]]
    /// The deleted rows to which more rows refer than one wave can hold, the latest last.
    private var frames: [Frame] = []
    var denials = PendingDenials()
    /// As the pipeline has them now: a later part of the call may bring others.
    private var followed: (any FollowedRows)? { pipeline.followed }

    private struct Frame {
        let entity: Int
        /// Distinct and in order.
        let identifiers: [Constant]
        /// The number of consequences that are done with.
        var position = 0
        /// The last row that was read for the next consequence.
        ///
        /// They are read in order, so none is left before it, and a child need not pass over all it has deleted.
        var last: Referrer?
    }

    private static var size: Int { WriteBlock.batchSize }

    init(in pipeline: RowPipeline, of call: UndoneCall) {
        self.pipeline = pipeline
        // The parts keep the waves.
        self.call = call.withoutParts
        graph = pipeline.rules.graph
        deleted = graph.references.map { _ in [] }
        doomed = deleted
    }

    /// The identifiers that are held in memory.
    private var heldCount: Int {
        deleted.reduce(0) { $0 + $1.count } + doomed.reduce(0) { $0 + $1.count }
            + frames.reduce(0) { $0 + $1.identifiers.count } + denials.count
    }

    private func storage(of reference: ReferenceGraph.Reference) -> AttributeType.Storage {
        schema.entities[reference.entity].storage(ofColumn: reference.column)
    }

    private func identifierStorage(_ entity: Int) -> AttributeType.Storage {
        schema.entities[entity].storage(ofColumn: 0)
    }

    /// Calls the body with each row of a plan.
    private func forEachRow(
        of plan: RequestPlan, _ body: (UnsafePointer<Cell>) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        try pipeline.judging { reading throws(DataStoreError) in
            try reading.forEachRow(of: plan, body)
        }
    }
}

// MARK: The first wave

extension DeletionWaves {
    /// Applies a list of mutations and all that follows from its deletions.
    ///
    /// - Parameter asked: The number of mutations that the caller has asked for, which come first.
    /// - Returns: The number of rows that those have touched.
    func apply(_ mutations: UnsafeBufferPointer<RowMutation>, asked: Int) throws(DataStoreError) -> Int {
        var count = 0
        var start = 0
        for position in mutations.indices where mutations[position].kind == .deleteAll {
            let entity = mutations[position].entity
            guard graph.followsDeletion(of: entity) else { continue }
            count += try applyFirst(mutations, start..<position, asked: asked)
            let all = try deleteAll(entity)
            if position < asked { count += all }
            start = position + 1
        }
        return count + (try applyFirst(mutations, start..<mutations.count, asked: asked))
    }

    private func applyFirst(
        _ mutations: UnsafeBufferPointer<RowMutation>, _ range: Range<Int>, asked: Int
    ) throws(DataStoreError) -> Int {
        if range.isEmpty { return 0 }
        let part = UnsafeBufferPointer(rebasing: mutations[range])
        try noteOwnItems(of: part)
        let touched = try pipeline.write(part, addedFrom: max(0, asked - range.lowerBound), in: call)
        // A row that the list inserts again stays.
        var gone: [ItemKey: Bool] = [:]
        var order: [(ItemKey, Int, Constant)] = []
        for position in part.indices {
            let mutation = part[position]
            guard mutation.kind == .insert || mutation.kind == .delete,
                graph.followsDeletion(of: mutation.entity), let key = mutation.key(in: pipeline.resources)
            else { continue }
            let identifier = Constant(mutation.cells[0], storage: identifierStorage(mutation.entity))
            if touched[position] == 0, followed?.isWaiting(identifier, of: mutation.entity) != true {
                continue
            }
            let isDeletion = mutation.kind == .delete
            if gone.updateValue(isDeletion, forKey: key) == nil, isDeletion || part.count > 1 {
                order.append((key, mutation.entity, identifier))
            }
        }
        for (key, entity, identifier) in order where gone[key] == true { deleted[entity].append(identifier) }
        try run()
        return (0..<min(part.count, max(0, asked - range.lowerBound))).reduce(0) { $0 + touched[$1] }
    }

    /// Reads what the rows of a list's deletions refer to, while they are there.
    private func noteOwnItems(of mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) {
        var identifiers: [Int: [Constant]] = [:]
        for position in mutations.indices where mutations[position].kind == .delete {
            let entity = mutations[position].entity
            if graph.ownRules[entity].isEmpty { continue }
            identifiers[entity, default: []].append(
                Constant(mutations[position].cells[0], storage: identifierStorage(entity)))
        }
        for (entity, all) in identifiers.sorted(by: { $0.key < $1.key }) {
            for part in all.sortedAndDistinct(identifierStorage(entity)).plannedParts {
                try noteOwnItems(of: part, entity)
            }
        }
    }

    /// Deletes all rows of an item type, up to a thousand at a time.
    ///
    /// - Returns: Their number, with those that went with others.
    private func deleteAll(_ entity: Int) throws(DataStoreError) -> Int {
        let plan = RequestPlan(
            entity: entity, schema: schema.entities[entity], columns: .some([0]), limit: Self.size)
        var unlimited = plan
        unlimited.limit = nil
        let count = try pipeline.context.count(of: unlimited)
        var next = plan
        while true {
            var identifiers: [Constant] = []
            try forEachRow(of: next) { cells in
                identifiers.append(Constant(cells[0], storage: identifierStorage(entity)))
            }
            guard let last = identifiers.last else { return count }
            try require(try delete(identifiers, of: entity) > 0, entity)
            try run()
            next.predicate = .compare(column: 0, .greater, last)
        }
    }
}

// MARK: The next waves

extension DeletionWaves {
    /// Deletes and changes rows until nothing more follows.
    private func run() throws(DataStoreError) {
        while true {
            if let probe = pipeline.context.store.options.deletionProbe { probe(heldCount) }
            if let entity = deleted.firstIndex(where: { $0.count >= Self.size }) {
                try examineDeleted(entity)
            } else if let entity = doomed.firstIndex(where: { $0.count >= Self.size }) {
                try deleteDoomed(entity)
            } else if let frame = frames.popLast() {
                try examine(frame)
            } else if let entity = doomed.firstIndex(where: { !$0.isEmpty }) {
                try deleteDoomed(entity)
            } else if let entity = deleted.firstIndex(where: { !$0.isEmpty }) {
                try examineDeleted(entity)
            } else {
                return
            }
        }
    }

    private func examineDeleted(_ entity: Int) throws(DataStoreError) {
        let identifiers = Array(deleted[entity].suffix(Self.size))
        deleted[entity].removeLast(identifiers.count)
        try examine(
            Frame(entity: entity, identifiers: identifiers.sortedAndDistinct(identifierStorage(entity))))
    }

    private func deleteDoomed(_ entity: Int) throws(DataStoreError) {
        let identifiers = Array(doomed[entity].suffix(Self.size - deleted[entity].count))
        doomed[entity].removeLast(identifiers.count)
        _ = try delete(identifiers.sortedAndDistinct(identifierStorage(entity)), of: entity)
    }

    private func examine(_ frame: Frame) throws(DataStoreError) {
        var frame = frame
        let consequences = graph.consequences[frame.entity]
        while frame.position < consequences.count {
            // A frame that is done with is not kept while others are, so that a chain needs one.
            guard try isDone(consequences[frame.position], of: frame.identifiers, after: &frame.last) else {
                frames.append(frame)
                return
            }
            frame.position += 1
            frame.last = nil
        }
    }

    /// Does what follows for the rows that refer to deleted ones, as far as there is room for it.
    ///
    /// - Parameter last: The last row that was read.
    /// - Returns: True if no row is left that refers to them.
    private func isDone(
        _ consequence: ReferenceGraph.Consequence, of identifiers: [Constant], after last: inout Referrer?
    ) throws(DataStoreError) -> Bool {
        let reference = consequence.reference
        switch consequence.action {
        case .nullify:
            while true {
                let rows = try rows(referringTo: identifiers, by: reference, limit: Self.size, after: &last)
                let freed = followed?.freed(rows, by: reference) ?? rows
                if !freed.isEmpty { try nullify(freed.map(\.row), reference) }
                if rows.count < Self.size { return true }
            }
        case .cascade:
            while true {
                let room = Self.size - deleted[reference.entity].count
                if room <= 0 { return false }
                let rows = try rows(referringTo: identifiers, by: reference, limit: room, after: &last)
                let going = followed?.going(rows, with: consequence) ?? rows
                if !going.isEmpty {
                    try require(try delete(going.map(\.row), of: reference.entity) > 0, reference.entity)
                }
                if rows.count < room { return true }
            }
        case .deny:
            var first: Referrer?
            if try !rows(referringTo: identifiers, by: reference, limit: 1, after: &first).isEmpty {
                try denials.add(identifiers, to: consequence, in: pipeline)
            }
            return true
        case .unlink(let other, let rule):
            while true {
                if rule == .cascade, doomed[other.target].count >= Self.size { return false }
                let found = try rows(
                    referringTo: identifiers, by: reference, limit: Self.size, and: other.column, after: &last
                )
                let links = followed?.freed(found, by: reference) ?? found
                if !links.isEmpty {
                    try require(try delete(links.map(\.row), of: reference.entity) > 0, reference.entity)
                }
                if rule == .cascade {
                    let going = followed?.going(links, to: other, with: consequence) ?? links
                    doomed[other.target] += going.map(\.other)
                }
                if rule == .deny {
                    for link in links {
                        try denials.add(
                            link.other, of: other.target, by: (link.item, reference.target), reference,
                            name: consequence.name, in: pipeline)
                    }
                }
                if found.count < Self.size { return true }
            }
        }
    }
}

// MARK: Rows

extension DeletionWaves {
    /// A row that refers to a deleted one.
    package typealias Referrer = (row: Constant, item: Constant, other: Constant)

    /// The next rows that refer to some deleted ones, with the value of another column.
    ///
    /// - Parameter last: The last row that was read before, and then the last one of these.
    private func rows(
        referringTo identifiers: [Constant], by reference: ReferenceGraph.Reference, limit: Int,
        and other: Int = 0, after last: inout Referrer?
    ) throws(DataStoreError) -> [Referrer] {
        var rows: [Referrer] = []
        var rest = reference.values(of: identifiers, in: schema)[...]
        if let last {
            let (storage, lastValue) = (storage(of: reference), reference.value(of: last.item, in: schema))
            rest = rest.drop { $0.order(to: lastValue, storage: storage) < 0 }
            if let same = rest.first, same.order(to: lastValue, storage: storage) == 0 {
                let predicate = RowPredicate.all([
                    .compare(column: reference.column, .equal, same),
                    .compare(column: 0, .greater, last.row),
                ])
                try read(predicate, by: reference, limit, other, into: &rows)
                rest = rest.dropFirst()
            }
        }
        if rows.count < limit, !rest.isEmpty {
            let predicate = RowPredicate.oneOf(Array(rest), inColumn: reference.column)
            try read(predicate, by: reference, limit - rows.count, other, into: &rows)
        }
        last = rows.last ?? last
        return rows
    }

    private func read(
        _ predicate: RowPredicate, by reference: ReferenceGraph.Reference, _ limit: Int, _ other: Int,
        into rows: inout [Referrer]
    ) throws(DataStoreError) {
        let entity = schema.entities[reference.entity]
        // No column twice: the cells of a block hold one row of the widest type, and it may have only two.
        let columns = [0, reference.column] + (other == 0 ? [] : [other])
        // In this order the index on the column leads to them, and nothing is sorted.
        let plan = RequestPlan(
            entity: reference.entity, schema: entity, columns: .some(columns),
            predicate: predicate,
            order: [RequestPlan.SortTerm(column: reference.column, isAscending: true)], limit: limit)
        try forEachRow(of: plan) { cells in
            rows.append(
                (
                    Constant(cells[0], storage: entity.storage(ofColumn: 0)),
                    reference.item(cells[1], in: schema) ?? .null,
                    Constant(cells[other == 0 ? 0 : 2], storage: entity.storage(ofColumn: other))
                ))
        }
    }

    /// Deletes rows, and notes what may follow; returns how many were there.
    private func delete(_ identifiers: [Constant], of entity: Int) throws(DataStoreError) -> Int {
        try noteOwnItems(of: identifiers, entity)
        let touched = try write(.delete, identifiers, of: entity, cellCount: 1)
        let gone = identifiers.indices.compactMap { touched[$0] > 0 ? identifiers[$0] : nil }
        if let followed, !schema.entities[entity].isLink {
            for identifier in gone { followed.noteTaken(identifier, of: entity) }
        }
        if !graph.consequences[entity].isEmpty { deleted[entity] += gone }
        return touched.count
    }

    private func nullify(
        _ identifiers: [Constant], _ reference: ReferenceGraph.Reference
    ) throws(DataStoreError) {
        let touched = try write(
            .update, identifiers, of: reference.entity,
            cellCount: schema.entities[reference.entity].attributes.count,
            columns: schema.entities[reference.entity].addingFolded(to: ColumnSet([reference.column])))
        try require(touched.count > 0, reference.entity)
    }

    private func write(
        _ kind: RowMutation.Kind, _ identifiers: [Constant], of entity: Int, cellCount: Int,
        columns: ColumnSet = ColumnSet()
    ) throws(DataStoreError) -> TouchedRows {
        let arena = pipeline.resources.waveArena
        arena.reset()
        var mutations: [RowMutation] = []
        mutations.reserveCapacity(identifiers.count)
        for identifier in identifiers {
            let cells = try arena.makeCells(cellCount)
            cells[0] = try arena.cell(of: identifier)
            mutations.append(RowMutation(kind, entity: entity, cells: cells, columns: columns))
        }
        return try mutations.withUnsafeBufferPointer { mutations throws(DataStoreError) in
            if pipeline.iterations.isIterating { try pipeline.iterations.require(mutations, schema) }
            return try pipeline.write(mutations, addedFrom: 0, in: call)
        }
    }

    /// Fails rather than looking for the same rows for ever.
    private func require(_ isProgress: Bool, _ entity: Int) throws(DataStoreError) {
        if isProgress { return }
        throw DataStoreError(
            .damaged, "Items that a request has found could not be changed.",
            itemType: schema.entities[entity].name)
    }

    /// Reads what rows refer to before they are deleted, if a rule is about it.
    private func noteOwnItems(of identifiers: [Constant], _ entity: Int) throws(DataStoreError) {
        let rules = graph.ownRules[entity]
        if rules.isEmpty { return }
        let schema = schema.entities[entity]
        // They come in the order of what they refer to, and a list in a plan is in its own.
        let sorted = identifiers.sortedAndDistinct(identifierStorage(entity))
        let plan = RequestPlan(
            entity: entity, schema: schema, columns: .some([0] + rules.map(\.reference.column)),
            predicate: .oneOf(sorted, inColumn: 0))
        var items: [(rule: Int, row: Constant, item: Constant)] = []
        var seen: Set<Constant> = []
        try forEachRow(of: plan) { cells in
            let row = Constant(cells[0], storage: schema.storage(ofColumn: 0))
            for (number, rule) in rules.enumerated() where !cells[number + 1].isNull {
                let item = Constant(cells[number + 1], storage: storage(of: rule.reference))
                if followed?.hasFollowed(rule.reference, of: row) == true { continue }
                if rule.isCascade, rules.count == 1, !seen.insert(item).inserted { continue }
                items.append((number, row, item))
            }
        }
        for (number, row, item) in items {
            let rule = rules[number]
            if rule.isCascade {
                let isStaying = followed?.isStaying(item, with: row, by: rule.reference) == true
                if !isStaying { doomed[rule.reference.target].append(item) }
            } else {
                try denials.add(
                    item, of: rule.reference.target, by: (row, rule.reference.entity), rule.reference,
                    name: rule.reference.names.attribute, in: pipeline)
            }
        }
    }

    /// Refuses the deletions to which others still refer.
    ///
    /// - Throws: `.deletionDenied`.
    func judge() throws(DataStoreError) {
        if let denial = try denials.found(in: pipeline, limit: 1).first { throw denial.error(in: schema) }
    }
}
