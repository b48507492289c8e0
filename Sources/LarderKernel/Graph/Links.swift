import struct Foundation.UUID

/// The items at the other end of one item's relationship, as a write block reads and changes them.
///
/// A change is worked out as a list of ``LinkChange``s first, and only then written.
///
/// *Rule:* the pending sets of handles are saved before it is made.
package struct Links {
    package let block: WriteBlock
    package let relationship: StoreRelationship
    package let owner: AnyItemID
    /// The links that were read for several owners together; nil to read this one's.
    var known: KnownLinks?

    /// - Parameters:
    ///   - number: The number among the relationships of the owner that have no column.
    ///   - entity: The number of the owner's type.
    package init(
        _ number: Int, of owner: AnyItemID, _ entity: Int, in block: WriteBlock
    ) throws(DataStoreError) {
        let schema = block.context.resources.schema
        self.init(of: owner, try schema.relationship(.number(number), of: entity), in: block)
    }

    /// The same without the links that were read, for those who keep it until the end of a call.
    package var withoutKnown: Links { Links(of: owner, relationship, in: block) }

    init(
        of owner: AnyItemID, _ relationship: StoreRelationship, in block: WriteBlock,
        known: KnownLinks? = nil
    ) {
        self.block = block
        self.known = known
        self.relationship = relationship
        self.owner = owner
    }

    var schema: StoreSchema { block.context.resources.schema }
}

/// One item at the other end, and the row that says so.
package struct Link {
    /// The identifier of the row: of a link, or of the item itself if that refers to the owner.
    let id: AnyItemID
    package let target: AnyItemID
    /// Nil if links have no order.
    let rank: String?
}

// MARK: Reading

extension Links {
    /// All of them, in the order of the relationship.
    package func all() throws(DataStoreError) -> [Link] {
        if let links = known?.links(of: owner) { return links }
        return try links(where: nil)
    }

    /// The ones among some items that are linked, in no particular order.
    func links(among targets: [AnyItemID]) throws(DataStoreError) -> [Link] {
        if let links = known?.links(of: owner, among: targets) { return links }
        var found: [Link] = []
        for part in targets.chunks(ofCount: WriteBlock.batchSize) {
            found += try links(where: isOne(of: part))
        }
        return found
    }

    /// The links that lead to items that are there, in the order of the relationship.
    func shown() throws(DataStoreError) -> [Link] { try shown(try all()) }

    /// The items in a window of the app's order, whose positions count the items that are there.
    ///
    /// *Cost:* if links may lead to items that are gone, all of them are read.
    func ranked(offset: Int, limit: Int) throws(DataStoreError) -> [Link] {
        if !relationship.linksMayDangle { return try links(where: nil, offset: offset, limit: limit) }
        return Array(try shown().dropFirst(offset).prefix(limit))
    }

    /// The ones among some links that lead to items that are there.
    func shown(_ links: [Link]) throws(DataStoreError) -> [Link] {
        guard relationship.linksMayDangle, !links.isEmpty else { return links }
        let storage = relationship.targetSchema.storage(ofColumn: 0)
        let targets = links.map { Constant($0.target) }
        let missing = try block.pipeline.judging { reading throws(DataStoreError) in
            Set(try reading.missing(targets.sortedAndDistinct(storage), of: relationship.target))
        }
        return zip(links, targets).filter { !missing.contains($1) }.map(\.0)
    }

    /// The rank of the last link of an owner; nil if it has none.
    func lastRank(ofSource source: AnyItemID, in entity: Int) throws(DataStoreError) -> String? {
        let plan = RequestPlan(
            entity: entity, schema: schema.entities[entity], columns: .some([LinkEntity.rank]),
            predicate: Self.equals(source, LinkEntity.source),
            order: [RequestPlan.SortTerm(column: LinkEntity.rank, isAscending: false)], limit: 1)
        let scan = try block.context.rows(of: plan)
        defer { scan.close() }
        return try scan.next() ? scan.cells[0].string : nil
    }

    /// The error for an item that cannot be found.
    func notStored(_ target: AnyItemID) -> DataStoreError {
        DataStoreError(
            .itemNotFound, "\(title) cannot take the item \(target), which is not stored.",
            advice: "Insert it first, or both in one call by insert(_:with:).",
            itemType: relationship.targetSchema.name, identifier: target)
    }

    /// The relationship and its owner, for errors.
    var title: String {
        "\(schema.entities[relationship.owner].name).\(relationship.propertyName) of \(owner)"
    }

    private func links(
        where condition: RowPredicate?, offset: Int = 0, limit: Int? = nil
    ) throws(DataStoreError) -> [Link] {
        guard let place = relationship.linkPlace else { return [] }
        let isOwned = Self.equals(owner, place.ownerColumn)
        // By rank, if it is the owner whose order it is; but not for some items only, for which an engine
        // would walk all links along its index for the order.
        let column = condition == nil ? place.orderColumn : place.columns[place.columns.count > 1 ? 1 : 0]
        let plan = RequestPlan(
            entity: place.entity, schema: schema.entities[place.entity], columns: .some(place.columns),
            predicate: condition.map { .all([isOwned, $0]) } ?? isOwned,
            order: [RequestPlan.SortTerm(column: column, isAscending: true)], offset: offset, limit: limit)
        let scan = try block.context.rows(of: plan)
        defer { scan.close() }
        var links: [Link] = []
        while try scan.next() {
            if let link = place.link(UnsafePointer(scan.cells), of: plan.schema) { links.append(link) }
        }
        return links
    }

    private func isOne(of targets: ArraySlice<AnyItemID>) -> RowPredicate {
        let column =
            switch relationship.form {
            case .links(let side): side.targetColumn
            case .referrers, .reference: 0
            }
        let storage = relationship.targetSchema.storage(ofColumn: 0)
        return .oneOf(targets.map { Constant($0) }.sortedAndDistinct(storage), inColumn: column)
    }

    private static func equals(_ identifier: AnyItemID, _ column: Int) -> RowPredicate {
        .compare(column: column, .equal, Constant(identifier))
    }
}

// MARK: One link

extension Links {
    /// The side of links without ranks; nil if there are ranks, or items refer to the owner.
    var plainSide: StoreRelationship.LinkSide? {
        guard case .links(let side) = relationship.form,
            !block.context.resources.schema.entities[side.entity].isOrderedLink
        else { return nil }
        return side
    }

    /// The identifier of the link that leads to an item; nil if there is none.
    func link(to target: AnyItemID, _ side: StoreRelationship.LinkSide) throws(DataStoreError) -> AnyItemID? {
        let plan = RequestPlan(
            entity: side.entity, schema: block.context.resources.schema.entities[side.entity],
            columns: Self.identifier,
            predicate: .all([
                Self.equals(owner, side.ownerColumn), Self.equals(target, side.targetColumn),
            ]))
        let scan = try block.context.rows(of: plan)
        defer { scan.close() }
        return try scan.next() ? AnyItemID(scan.cells[0], type: .itemID) : nil
    }

    private static let identifier = RequestPlan.Columns.some([0])

    /// The owner that an item refers to; nil if it refers to none.
    ///
    /// - Throws: `.itemNotFound` if it is not stored.
    func owner(ofStored target: AnyItemID, _ column: Int) throws(DataStoreError) -> AnyItemID? {
        let arena = block.context.resources.arena
        arena.reset()
        let cell = try target.encode(in: arena)
        guard let row = try block.context.findRow(at: cell, of: relationship.target) else {
            throw notStored(target)
        }
        return AnyItemID(
            row[column], type: block.context.resources.schema.entities[relationship.owner].attributes[0].type)
    }

    /// Makes one change of links.
    ///
    /// *Rule:* the owner is stored, as the item of a live handle is.
    func make(_ change: LinkChange, _ side: StoreRelationship.LinkSide) throws(DataStoreError) {
        let arena = block.context.resources.arena
        arena.reset()
        try block.pipeline.apply(try mutation(change, in: arena), knownColumn: side.ownerColumn)
    }
}

// MARK: Writing

/// One change of a relationship, as a change of one row.
package enum LinkChange {
    /// A new link, with a rank if its entity has them.
    case link(source: AnyItemID, target: AnyItemID, rank: String?)
    /// The link with an identifier goes.
    case unlink(AnyItemID)
    /// Another rank for the link with an identifier.
    case rank(AnyItemID, String)
    /// An item refers to another owner, or to none.
    case refer(AnyItemID, to: AnyItemID?)
}

extension Links {
    /// Makes the changes: all, or when it throws none.
    func make(_ changes: [LinkChange]) throws(DataStoreError) {
        if changes.count <= WriteBlock.batchSize {
            try apply(changes[...], in: nil)
            noteReferring(by: changes)
        } else {
            try block.pipeline.allOrNothing { call throws(DataStoreError) in
                try write(changes, in: call, nil)
            }.get()
        }
        try block.pipeline.showChanges()
    }

    /// Remembers the items that refer to another owner by some changes, for their handles.
    private func noteReferring(by changes: [LinkChange]) {
        guard case .referrers = relationship.form, !block.handles.isEmpty else { return }
        for case .refer(let target, _) in changes {
            block.pipeline.noteUnshown(ItemKey(entity: relationship.target, identifier: target))
        }
    }

    /// Takes changes that give an item a unique value which another one still holds, and that were not made.
    package typealias Refusal = ([LinkChange]) throws(DataStoreError) -> Void

    /// Makes the changes up to a thousand at a time.
    func write(_ changes: [LinkChange], in call: UndoneCall, _ refusal: Refusal?) throws(DataStoreError) {
        for part in changes.chunks(ofCount: WriteBlock.batchSize) { try apply(part, in: call, refusal) }
        if !changes.isEmpty { block.pipeline.noteLinked(by: relationship) }
        noteReferring(by: changes)
    }

    private func apply(
        _ changes: ArraySlice<LinkChange>, in call: UndoneCall?, _ refusal: Refusal? = nil
    ) throws(DataStoreError) {
        let arena = block.context.resources.arena
        arena.reset()
        var mutations: [RowMutation] = []
        mutations.reserveCapacity(changes.count)
        for change in changes { mutations.append(try mutation(change, in: arena)) }
        if let call, let refusal, case .referrers = relationship.form {
            let refused = try block.pipeline.applyUnrefused(
                mutations, free: [], of: relationship.target, in: call)
            if !refused.isEmpty { try refusal(refused.sorted().map { changes[changes.startIndex + $0] }) }
        } else {
            try block.pipeline.apply(mutations, in: call)
        }
    }

    /// Gives the owner items at the end of a call too: a later part may bring values that name another owner.
    package func giveAgain(_ targets: [AnyItemID], in call: UndoneCall) {
        for target in targets {
            call.parts?.note(GivenReference(relationship: relationship, target: target), of: withoutKnown)
        }
    }

    /// Gives owners the items that their call has brought after them.
    ///
    /// - Throws: `.itemNotFound` for an item that has not come.
    package static func writeGivenItems(of call: UndoneCall) throws(DataStoreError) {
        guard let parts = call.parts, !parts.givenItems.isEmpty else { return }
        var given = parts.takeGivenItems()[...]
        while let first = given.first {
            let relationship = first.links.relationship
            let part = given.prefix { $0.links.relationship == relationship }
            given = given.dropFirst(part.count)
            let links = OwnersLinks(relationship, in: first.links.block, of: call)
            try links.write(
                part.map { OwnersLinks.Owner($0.links.owner, targets: [$0.target], use: .additions) }
            ) { links, position throws(DataStoreError) in
                try links.additions(of: [part[part.startIndex + position].target])
            }
        }
    }

    private func mutation(_ change: LinkChange, in arena: RowArena) throws(DataStoreError) -> RowMutation {
        let entity: Int
        let column: Int
        switch relationship.form {
        case .links(let side): (entity, column) = (side.entity, LinkEntity.rank)
        case .referrers(let referring): (entity, column) = (relationship.target, referring)
        case .reference(let own): (entity, column) = (relationship.owner, own)
        }
        // Not through `schema`, which would be copied.
        let cells = try arena.makeCells(block.context.resources.schema.entities[entity].attributes.count)
        switch change {
        case .link(let source, let target, let rank):
            let id = ItemID<Link>()
            if relationship.linksMayDangle, block.pipeline.openCalls > 0 {
                block.pipeline.madeLinks.insert(id.anyItemID)
            }
            cells[0] = .integer(id.rawValue)
            cells[LinkEntity.source] = try source.encode(in: arena)
            cells[LinkEntity.target] = try target.encode(in: arena)
            if let rank { cells[LinkEntity.rank] = try rank.encode(in: arena) }
            return RowMutation(.insert, entity: entity, cells: cells)
        case .unlink(let id):
            cells[0] = try id.encode(in: arena)
            return RowMutation(.delete, entity: entity, cells: cells)
        case .rank(let id, let rank):
            cells[0] = try id.encode(in: arena)
            cells[column] = try rank.encode(in: arena)
        case .refer(let target, let owner):
            cells[0] = try target.encode(in: arena)
            if let owner { cells[column] = try owner.encode(in: arena) }
        }
        return RowMutation(.update, entity: entity, cells: cells, columns: ColumnSet([column]))
    }
}

extension EntitySchema {
    /// True if each of its links has a rank.
    package var isOrderedLink: Bool { isLink && attributes.count > LinkEntity.rank }
}
