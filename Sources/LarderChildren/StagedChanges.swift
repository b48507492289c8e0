public import LarderKernel

/// Everything that a child store has staged: how what it shows differs from what its parent held.
///
///     let changes = try draft.stagedChanges
///     print(changes)                              // updated Order 0ABC…: quantity 2 -> 3
///     for order in try changes.inserted(Order.self) { … }
///
/// Compared with each item as the child first saw it; an item that was changed and changed back is left out.
/// Changes that followed by a delete rule are included.
///
/// *Rule:* a value; may be kept and sent anywhere. *Cost:* a copy of each changed row.
public struct StagedChanges: Sendable {
    /// The items with changes, type by type, in the order of their identifiers.
    let rows: [RowChange]

    public var isEmpty: Bool { rows.isEmpty }
}

// MARK: Items

extension StagedChanges {
    /// The change of one item.
    public struct Change: Sendable {
        /// The stored name of the item's type.
        public let itemType: String
        public let identifier: AnyItemID
        public let kind: Kind
    }

    /// The kinds of change.
    public enum Kind: Sendable {
        case inserted
        /// With the attributes that have other values, in the order of their declaration.
        case updated([AttributeChange])
        case deleted
    }

    /// The changed items of all types.
    public var changes: [Change] {
        rows.compactMap { row in
            guard let known = row.new ?? row.old, !known.schema.isLink, let identifier = known.identifier
            else {
                return nil
            }
            return Change(itemType: known.schema.name, identifier: identifier, kind: row.kind)
        }
    }

    /// The new items of a type.
    ///
    /// - Throws: `.undecodable`.
    public func inserted<Item: DataStoreItem>(_ type: Item.Type) throws(DataStoreError) -> [Item] {
        try items(type) { $0.old == nil ? $0.new : nil }
    }

    /// The items of a type that were deleted, as the child first saw them.
    ///
    /// - Throws: `.undecodable`.
    public func deleted<Item: DataStoreItem>(_ type: Item.Type) throws(DataStoreError) -> [Item] {
        try items(type) { $0.new == nil ? $0.old : nil }
    }

    /// The changed items of a type: as the child first saw them, as it has them, and the names of the
    /// attributes with other values.
    ///
    /// - Throws: `.undecodable`.
    public func updated<Item: DataStoreItem>(
        _ type: Item.Type
    ) throws(DataStoreError) -> [(old: Item, new: Item, attributes: Set<String>)] {
        var updated: [(old: Item, new: Item, attributes: Set<String>)] = []
        for row in rows {
            guard let old = try row.old?.item(type), let new = try row.new?.item(type) else { continue }
            updated.append((old, new, row.attributes))
        }
        return updated
    }

    private func items<Item: DataStoreItem>(
        _ type: Item.Type, _ chosen: (RowChange) -> RowValues?
    ) throws(DataStoreError) -> [Item] {
        var items: [Item] = []
        for row in rows {
            if let item = try chosen(row)?.item(type) { items.append(item) }
        }
        return items
    }
}

extension RowChange {
    fileprivate var kind: StagedChanges.Kind {
        if old == nil { return .inserted }
        return new == nil ? .deleted : .updated(attributeChanges)
    }
}

// MARK: Links

extension StagedChanges {
    /// A link of a many-to-many relationship.
    public struct Link: Sendable, Hashable {
        /// The stored name of the item type that stores the relationship.
        public let itemType: String
        /// The name of the property.
        public let relationship: String
        public let source: AnyItemID
        public let target: AnyItemID

        // By the bytes of the names (contract rule 7).
        public static func == (left: Link, right: Link) -> Bool {
            UTF8Text.areEqual(left.itemType, right.itemType)
                && UTF8Text.areEqual(left.relationship, right.relationship)
                && left.source == right.source && left.target == right.target
        }
    }

    /// The links that were added.
    public var linked: [Link] { links { $0.old == nil ? $0.new : nil } }

    /// The links that were removed.
    public var unlinked: [Link] { links { $0.new == nil ? $0.old : nil } }

    /// The links that have another place in an ordered relationship.
    public var moved: [Link] { links { $0.old == nil ? nil : $0.new } }

    private func links(_ chosen: (RowChange) -> RowValues?) -> [Link] {
        rows.compactMap { chosen($0)?.link }
    }
}

extension RowValues {
    fileprivate var link: StagedChanges.Link? {
        guard schema.isLink, let owner else { return nil }
        let target = values[LinkEntity.target].withCell {
            AnyItemID($0, type: schema.attributes[LinkEntity.target].type)
        }
        return target.map {
            StagedChanges.Link(
                itemType: owner.itemType, relationship: schema.relationshipOfLinks, source: owner.identifier,
                target: $0)
        }
    }
}

extension StagedChanges: CustomStringConvertible {
    /// A line for each changed item and link.
    public var description: String {
        let items = changes.map { change in
            let title = "\(change.itemType) \(change.identifier)"
            switch change.kind {
            case .inserted: return "inserted \(title)"
            case .deleted: return "deleted \(title)"
            case .updated(let attributes):
                return "updated \(title): \(attributes.map(\.description).joined(separator: ", "))"
            }
        }
        func lines(_ word: String, _ links: [Link]) -> [String] {
            links.map { "\(word) \($0.itemType).\($0.relationship): \($0.source) - \($0.target)" }
        }
        let links = lines("linked", linked) + lines("unlinked", unlinked) + lines("moved", moved)
        return (items + links).joined(separator: "\n")
    }
}

// MARK: Finding them

extension ChildDataStore {
    /// Everything that is staged now.
    ///
    /// *Rule:* from any thread; what blocks have committed in the child, as of now.
    ///
    /// - Throws: `.discarded`, `.closed`.
    public var stagedChanges: StagedChanges {
        get throws(DataStoreError) {
            try coordinator.reporting("stagedChanges") { () throws(DataStoreError) -> StagedChanges in
                var rows: [RowChange] = []
                try coordinator.forEachStagedChange { change in
                    rows.append(change)
                    return true
                }
                return StagedChanges(rows: rows)
            }
        }
    }

    /// True if a merge would have anything to store; false also for a store that was discarded, and while it or an
    /// ancestor is closed.
    ///
    /// *Cost:* as of finding the first changed item.
    public var hasChanges: Bool {
        var isFound = false
        // A store that cannot be read has nothing that could be stored.
        try? coordinator.forEachStagedChange { _ in
            isFound = true
            return false
        }
        return isFound
    }
}

extension StoreCoordinator {
    /// Calls the body for each row that differs from its base, until it returns false.
    fileprivate func forEachStagedChange(
        _ body: (RowChange) -> Bool
    ) throws(DataStoreError) {
        try whileOpen { () throws(DataStoreError) in
            guard let overlay, let staging = overlay.stagingSchema,
                let staged = try overlay.beginReadingStaged()
            else { return }
            defer { staged.end() }
            try staging.forEachChange(in: staged, body)
        }
    }
}

extension StagingSchema {
    /// Calls the body for each staged row that differs from its base, until it returns false.
    fileprivate func forEachChange(
        in staged: any StorageReading, _ body: (RowChange) -> Bool
    ) throws(DataStoreError) {
        for entity in 0..<count {
            let type = schema.entities[entity]
            let arena = RowArena()
            defer { withExtendedLifetime(arena) {} }
            let walk = try StagedRowWalk(of: entity, in: staged, self)
            defer { walk.close() }
            var removed: Set<StagedLinks.Ends> = []
            while try walk.next() {
                var base = walk.base
                if type.isLink, (base == nil) != (walk.child == nil), let known = base ?? walk.child {
                    let link = StagedLinks.Ends(known, of: type)
                    let ends = link.predicate
                    // A link that was removed and added again is one: the row that was added stands for both.
                    if walk.child == nil, try staged.hasRows(entity, type, where: ends) { continue }
                    // The parent may have added it again meanwhile, and the child has removed both rows.
                    if walk.child == nil, !removed.insert(link).inserted { continue }
                    if base == nil { base = try removedLink(entity, ends, in: staged, arena) }
                }
                var changed = ColumnSet()
                switch (base, walk.child) {
                case (nil, nil): continue
                case (let old?, let new?):
                    changed = type.changedColumns(from: old, to: new)
                    if changed.isEmpty { continue }
                case (nil, _?), (_?, nil): break
                }
                let change = RowChange(
                    old: base.map { RowValues($0, of: type) },
                    new: walk.child.map { RowValues($0, of: type) }, columns: changed)
                if !body(change) { return }
            }
        }
    }

    /// The link of the parent between two items; nil if it had none when the child first touched it.
    private func removedLink(
        _ entity: Int, _ ends: RowPredicate, in staged: any StorageReading, _ arena: RowArena
    ) throws(DataStoreError) -> UnsafePointer<Cell>? {
        let base = base(of: entity)
        let plan = RequestPlan(entity: base, schema: schema.entities[base], predicate: ends)
        var found: UnsafePointer<Cell>?
        // The base of a link that the child has added has no ends.
        try staged.forEachRow(of: plan) { row throws(DataStoreError) in
            found = UnsafePointer(try arena.copy(row: row, schema.entities[entity].attributes.count))
        }
        return found
    }
}
