import LarderKernel

/// A call that finds rows by a key, changes those that are there and inserts the others, batch by batch.
///
/// ``KeyedBatch`` is a batch of one item type. *Rule:* the caller calls ``finish()`` after the last batch.
@usableFromInline
final class KeyedCall {
    let block: WriteBlock
    /// In parts, as a later batch may bring the items that rows refer to.
    let parts: UndoneCall
    /// True if an item that an owner is given goes to it, whatever owner the item's own value names.
    private let isUpsert: Bool
    // reason for unchecked, here and below: used by one call, on the thread of its block.
    /// The rows that the uniqueness rule has refused so far: a later row may free their values.
    @exclusivity(unchecked) private(set) var held: [HeldRow] = []
    /// Their positions by the values in some columns, for the columns that were asked for.
    @exclusivity(unchecked) private var heldIndexes: [HeldIndex] = []
    /// The rows among them that have a value which no two rows share.
    @exclusivity(unchecked) private var holders: [Holding: Int] = [:]
    private let heldArena = RowArena()
    /// The items that sources have left over, for the end of the call.
    @exclusivity(unchecked) var leftOver = LeftOverItems()

    init(in block: WriteBlock, of call: UndoneCall, isUpsert: Bool = false) {
        self.block = block
        self.isUpsert = isUpsert
        parts = call.inParts()
    }

    var context: BlockContext { block.context }
}

// MARK: Rows that wait

extension KeyedCall {
    /// The position among the rows that wait of the last one with a key; nil if there is none.
    func heldPosition(of key: UniqueKey, in columns: [Int], of entity: Int) -> Int? {
        heldPositions(of: key, in: columns, of: entity).max()
    }

    /// The position of the row of an item; nil if it does not wait.
    private func heldPosition(of item: AnyItemID, of entity: Int) -> Int? {
        held.isEmpty ? nil : heldPosition(of: UniqueKey(Constant(item)), in: [0], of: entity)
    }

    /// The positions of all that have a key.
    private func heldPositions(of key: UniqueKey, in columns: [Int], of entity: Int) -> Set<Int> {
        if held.isEmpty { return [] }
        if let index = heldIndexes.first(where: { $0.entity == entity && $0.columns == columns }) {
            return index.positions[key] ?? []
        }
        let schema = context.resources.schema.entities[entity]
        var index = HeldIndex(entity: entity, columns: columns)
        for (position, row) in held.enumerated() where row.entity == entity {
            index.add(position, row.cells, of: schema)
        }
        heldIndexes.append(index)
        return index.positions[key] ?? []
    }

    /// Reads the stored rows of some keys, without those that wait, whose stored values count no more.
    ///
    /// - Returns: False if one that waits has such a key in the store until the end of the call.
    @discardableResult
    func forEachStored(
        _ keys: [UniqueKey], in columns: [Int], of entity: Int, reading: RequestPlan.Columns = .all,
        _ body: (UnsafePointer<Cell>) throws(DataStoreError) -> Void
    ) throws(DataStoreError) -> Bool {
        let schema = context.resources.schema.entities[entity]
        let storage = schema.storage(ofColumn: 0)
        var areAllSeen = true
        for plan in RequestPlan.plans(finding: keys, at: columns, of: entity, schema, reading: reading) {
            let scan = try context.rows(of: plan)
            defer { scan.close() }
            while try scan.next() {
                if !held.isEmpty,
                    heldPosition(
                        of: UniqueKey(Constant(scan.cells[0], storage: storage)), in: [0], of: entity) != nil
                {
                    areAllSeen = false
                } else {
                    try body(UnsafePointer(scan.cells))
                }
            }
        }
        return areAllSeen
    }

    /// True if an item that waits will refer to its owner or to none, false if to another; nil if it does not wait, or is
    /// linked.
    func isLeft(_ item: AnyItemID, by links: Links) -> Bool? {
        guard case .referrers(let column) = links.relationship.form,
            let position = heldPosition(of: item, of: links.relationship.target)
        else { return nil }
        let storage = links.relationship.targetSchema.storage(ofColumn: column)
        let owner = Constant(held[position].cells[column], storage: storage)
        return owner.isNull || owner == Constant(links.owner)
    }

    /// Keeps a row back until the end of the call.
    ///
    /// - Returns: Its position among those that wait.
    @discardableResult
    func hold(_ row: HeldRow) throws(DataStoreError) -> Int {
        let schema = context.resources.schema.entities[row.entity]
        var row = row
        row.cells = try heldArena.copy(row: row.cells, schema.attributes.count)
        for number in heldIndexes.indices where heldIndexes[number].entity == row.entity {
            heldIndexes[number].add(held.count, row.cells, of: schema)
        }
        held.append(row)
        return held.count - 1
    }

    /// Changes a value of a row that waits, and where the row is found by it, and writes it at the end.
    private func change(_ position: Int, at column: Int, to cell: Cell) {
        let row = held[position]
        let schema = context.resources.schema.entities[row.entity]
        let indexes = heldIndexes.indices.filter { number in
            heldIndexes[number].entity == row.entity
                && heldIndexes[number].columns.contains { schema.declaredColumn(of: $0) == column }
        }
        for number in indexes { heldIndexes[number].remove(position, row.cells, of: schema) }
        row.cells[column] = cell
        for number in indexes { heldIndexes[number].add(position, row.cells, of: schema) }
        if !row.isNew { held[position].columns.insert(column) }
    }

    /// Gives a value to a row that waits, or to one that does not: an earlier one that waits loses it, if it may.
    func give(_ holding: Holding, to position: Int?) {
        let former = holders[holding]
        holders[holding] = position
        guard let former, former != position else { return }
        let schema = context.resources.schema.entities[holding.entity]
        let storage = schema.storage(ofColumn: holding.column)
        guard schema.attributes[holding.column].isOptional,
            Constant(held[former].cells[holding.column], storage: storage) == holding.value
        else { return }
        change(former, at: holding.column, to: .null)
    }

    /// Sets a value of a row that waits.
    func setHeld(_ cell: Cell, at column: Int, of position: Int) throws(DataStoreError) {
        change(position, at: column, to: try heldArena.copy(cell))
    }

    /// The rows that wait, which do so no more.
    func takeHeld() -> [HeldRow] {
        defer { (held, heldIndexes) = ([], []) }
        return held
    }
}

// MARK: Writing

extension KeyedCall {
    /// Writes the items that were given to relationships of some owners in place of those that are there.
    ///
    /// Items refer at once to an owner that waits: references are judged at the end. So the items of all owners are
    /// written in the order of the sources, and no delete rule takes an item along with an owner that it has left.
    ///
    /// - Returns: The numbers of the sources that have changed something.
    func write(_ given: [GivenItems], of entity: Int) throws(DataStoreError) -> Set<Int> {
        let given = given.bySources
        let numbers = Set(given.map(\.assigned.relationship)).sorted()
        var changed: Set<Int> = []
        // Items given to one owner at one end may change another owner's at the other end, and one that is given to an
        // owner of a single item frees the one before.
        if try dependOnEachOther(given, numbers, of: entity) {
            // So each is written by itself.
            for items in given {
                changed.formUnion(try write([items], items.assigned.relationship, of: entity))
            }
        } else {
            for number in numbers {
                let part = given.filter { $0.assigned.relationship == number }
                changed.formUnion(try write(part, number, of: entity))
            }
        }
        return changed
    }

    private func dependOnEachOther(
        _ given: [GivenItems], _ numbers: [Int], of entity: Int
    ) throws(DataStoreError) -> Bool {
        var relationships: [StoreRelationship] = []
        for number in numbers {
            relationships.append(try context.schema.relationship(.number(number), of: entity))
        }
        let areGivenAgain = given.contains(where: \.isGivenAgain)
        return relationships.contains { relationship in
            areGivenAgain && relationship.kind == .toOneInverse
                || relationship.target == entity
                    && relationships.contains { $0.number == relationship.inverse }
        }
    }

    /// Writes the items that were given to one relationship.
    ///
    /// - Returns: As ``write(_:of:)``.
    private func write(
        _ given: [GivenItems], _ number: Int, of entity: Int
    ) throws(DataStoreError) -> Set<Int> {
        let relationship = try context.schema.relationship(.number(number), of: entity)
        var changed: Set<Int> = []
        var links = OwnersLinks(relationship, in: block, of: parts)
        links.refusal = { [self] changes throws(DataStoreError) in try hold(changes, of: relationship) }
        try links.write(
            given.map { items in
                OwnersLinks.Owner(
                    items.owner, targets: items.assigned.targets,
                    use: items.isNew
                        ? links.use(ofNewOwnersItems: items.assigned)
                        : items.assigned.keepsOthers ? .additions : .replacement)
            }
        ) { links, number throws(DataStoreError) in
            let items = given[number]
            let (changes, isChanged) = try linkChanges(by: items, of: links)
            if isChanged { changed.insert(items.turn) }
            if isUpsert, relationship.target == entity, case .referrers = relationship.form {
                links.giveAgain(items.assigned.targets, in: parts)
            }
            return changes
        }
        return changed
    }

    /// The changes of stored items and links by the items that an owner is given; rows that wait are changed at once.
    ///
    /// - Returns: The changes, and true if there are any in stored rows or in others.
    private func linkChanges(
        by items: GivenItems, of links: Links
    ) throws(DataStoreError) -> (changes: [LinkChange], isChanged: Bool) {
        let (targets, isReplacing) = (items.assigned.targets, !items.isNew && !items.assigned.keepsOthers)
        leftOver.forget(targets, of: links.relationship)
        var isChanged = false
        var mayLoseOwner = true
        if case .referrers(let column) = links.relationship.form {
            mayLoseOwner = links.relationship.targetSchema.attributes[column].isOptional
        }
        let leavesOver = items.deletesLeftOver || !mayLoseOwner
        if isReplacing, leavesOver {
            let left = try others(of: links, besides: targets)
            leftOver.note(left, of: links, areDeleted: items.deletesLeftOver)
            isChanged = !left.isEmpty
        }
        var changes: [LinkChange] = []
        if case .referrers(let column) = links.relationship.form {
            if isReplacing, !leavesOver {
                changes = try others(of: links, besides: targets).map { LinkChange.refer($0, to: nil) }
            }
            let entity = links.relationship.target
            let waiting = targets.filter { heldPosition(of: $0, of: entity) != nil }
            let stored = targets.filter { heldPosition(of: $0, of: entity) == nil }
            if isReplacing {
                // The others were removed above, or are left over.
                changes += try links.replacement(by: stored + links.all().map(\.target), in: parts)
            } else {
                changes += try links.additions(of: stored, in: parts)
            }
            changes += waiting.map { LinkChange.refer($0, to: links.owner) }
            if try makeInHeldRows(&changes, at: column, of: links.relationship) { isChanged = true }
            if links.relationship.kind == .toOneInverse, !held.isEmpty {
                // Or an earlier item that waits would take the owner back at the end.
                let holding = Holding(entity: entity, column: column, value: Constant(links.owner))
                for target in targets { give(holding, to: heldPosition(of: target, of: entity)) }
            }
        } else if items.isNew {
            changes = try links.given(items.assigned, in: parts)
        } else if isReplacing {
            changes = try links.replacement(by: targets, in: parts)
        } else {
            changes = try links.additions(of: targets, in: parts)
        }
        return (changes, isChanged || !changes.isEmpty)
    }

    /// Notes the items of some owners as left over, before others are written, which free them.
    func noteLeft(by owners: [AnyItemID], of relationship: StoreRelationship) throws(DataStoreError) {
        let links = OwnersLinks(relationship, in: block, of: parts)
        try links.write(
            owners.map { OwnersLinks.Owner($0, targets: [], use: .replacement) }
        ) { links, _ throws(DataStoreError) in
            leftOver.note(try others(of: links, besides: []), of: links, areDeleted: true)
            return []
        }
    }

    /// The items of an owner besides some; one that waits is the item of the owner to which it will refer.
    private func others(of links: Links, besides targets: [AnyItemID]) throws(DataStoreError) -> [AnyItemID] {
        let (kept, entity) = (Set(targets), links.relationship.target)
        let others = try links.all().map(\.target).filter { !kept.contains($0) }
        guard !held.isEmpty, case .referrers(let column) = links.relationship.form else { return others }
        let owner = UniqueKey(Constant(links.owner))
        let waiting = heldPositions(of: owner, in: [column], of: entity).sorted().compactMap { position in
            key(of: held[position])?.identifier
        }
        return others.filter { heldPosition(of: $0, of: entity) == nil }
            + waiting.filter { !kept.contains($0) }
    }

    /// Takes the changes of items that wait out of a list, and makes them in their rows; true if anything changes.
    private func makeInHeldRows(
        _ changes: inout [LinkChange], at column: Int, of relationship: StoreRelationship
    ) throws(DataStoreError) -> Bool {
        if held.isEmpty { return false }
        var rest: [LinkChange] = []
        var isChanged = false
        for link in changes {
            guard case .refer(let item, let owner) = link,
                let position = heldPosition(of: item, of: relationship.target)
            else {
                rest.append(link)
                continue
            }
            let old = held[position].cells[column]
            let new = try owner?.encode(in: heldArena) ?? .null
            if relationship.targetSchema.isUnchanged(at: column, from: old, to: new) { continue }
            change(position, at: column, to: new)
            isChanged = true
        }
        changes = rest
        return isChanged
    }

    /// Lets items wait that cannot refer to their owners yet, as other items have their unique values there.
    private func hold(
        _ changes: [LinkChange], of relationship: StoreRelationship
    ) throws(DataStoreError) {
        guard case .referrers(let column) = relationship.form else { return }
        let entity = relationship.target
        var targets: [AnyItemID] = []
        var owners: [Cell] = []
        for case .refer(let target, let owner) in changes {
            targets.append(target)
            owners.append(try owner?.encode(in: heldArena) ?? .null)
        }
        try context.forEachRow(at: targets, of: entity) { number, row throws(DataStoreError) in
            guard let row else { return }
            if let position = heldPosition(of: targets[number], of: entity) {
                change(position, at: column, to: owners[number])
            } else {
                row[column] = owners[number]
                try hold(HeldRow(entity: entity, cells: row, isNew: false, columns: ColumnSet([column])))
            }
        }
    }

    /// The item of a row that waits.
    func key(of row: HeldRow) -> ItemKey? { row.mutation.key(in: context.resources) }
}
