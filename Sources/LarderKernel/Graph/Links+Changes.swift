import LarderValues

// MARK: Adding

extension Links {
    /// Adds an item; false if it is there already.
    func add(_ target: AnyItemID) throws(DataStoreError) -> Bool {
        if case .referrers(let column) = relationship.form {
            if try self.owner(ofStored: target, column) == owner { return false }
            try make([.refer(target, to: owner)])
            return true
        }
        guard let side = plainSide else { return try add([target]) == 1 }
        if try link(to: target, side) != nil { return false }
        let (source, other) = side.isReversed ? (target, owner) : (owner, target)
        try make(.link(source: source, target: other, rank: nil), side)
        return true
    }

    /// Adds items, those that are there already excepted.
    ///
    /// - Returns: The number of those added.
    func add(_ targets: [AnyItemID]) throws(DataStoreError) -> Int {
        let added = try additions(of: targets)
        try make(added)
        return added.count
    }

    /// The changes that add items, those that are there already excepted.
    ///
    /// - Parameters:
    ///   - isNew: True if the owner was only just inserted, so that it has no links.
    ///   - call: The call whose later parts may bring the items; nil if they must be stored.
    /// - Throws: `.itemNotFound` for an item that would have to refer to the owner, and is not stored.
    package func additions(
        of targets: [AnyItemID], isNew: Bool = false, in call: UndoneCall? = nil
    ) throws(DataStoreError) -> [LinkChange] {
        switch relationship.form {
        case .links(let side):
            var known = Set(isNew ? [] : try links(among: targets).map(\.target))
            let added = targets.filter { known.insert($0).inserted }
            return try links(to: added, side, isNew: isNew)
        case .referrers:
            var known: Set<AnyItemID> = []
            var changes: [LinkChange] = []
            let stored = self.known ?? KnownLinks(relationship, in: block)
            try stored.readOwners(of: targets)
            for target in targets where known.insert(target).inserted {
                let given = GivenReference(relationship: relationship, target: target)
                guard let former = stored.owner(of: target) else {
                    guard let parts = call?.parts else { throw notStored(target) }
                    parts.note(given, of: withoutKnown)
                    continue
                }
                call?.parts?.forget(given)
                if former != owner { changes.append(.refer(target, to: owner)) }
            }
            return changes
        case .reference: return []
        }
    }

    private func links(
        to targets: [AnyItemID], _ side: StoreRelationship.LinkSide, isNew: Bool
    ) throws(DataStoreError) -> [LinkChange] {
        let isRanked = schema.entities[side.entity].isOrderedLink
        var changes: [LinkChange] = []
        changes.reserveCapacity(targets.count)
        if side.isReversed {
            for target in targets {
                let rank = isRanked ? try rankAtEnd(ofSource: target, in: side.entity) : nil
                changes.append(.link(source: target, target: owner, rank: rank))
            }
        } else {
            let last = isRanked && !isNew ? try lastRank(ofSource: owner, in: side.entity) : nil
            // If another program has written a rank, it may be unreadable; the next insertion renews it.
            var rank = last.flatMap { Rank($0) }
            for target in targets {
                if isRanked { rank = Rank.between(rank, nil) ?? rank ?? .only }
                changes.append(.link(source: owner, target: target, rank: rank?.text))
            }
        }
        return changes
    }

    private func rankAtEnd(ofSource source: AnyItemID, in entity: Int) throws(DataStoreError) -> String {
        let last = try lastRank(ofSource: source, in: entity).flatMap { Rank($0) }
        return (Rank.between(last, nil) ?? last ?? .only).text
    }
}

// MARK: Removing

extension Links {
    /// Removes an item; false if it is not there.
    func remove(_ target: AnyItemID) throws(DataStoreError) -> Bool {
        guard let side = plainSide else { return try remove([target]) == 1 }
        guard let link = try link(to: target, side) else { return false }
        try make(.unlink(link), side)
        return true
    }

    /// Removes items, those that are not there excepted.
    ///
    /// - Returns: The number of those removed.
    func remove(_ targets: [AnyItemID]) throws(DataStoreError) -> Int {
        let removed = try links(among: targets).map(removal)
        try requireOptional(for: removed)
        try make(removed)
        return removed.count
    }

    /// Removes all items; returns their number.
    func removeAll() throws(DataStoreError) -> Int {
        let removed = try all().map(removal)
        try requireOptional(for: removed)
        try make(removed)
        return removed.count
    }

    private func removal(_ link: Link) -> LinkChange {
        switch relationship.form {
        case .links: .unlink(link.id)
        case .referrers, .reference: .refer(link.target, to: nil)
        }
    }

    /// Refuses to leave an item without a reference that it must have.
    package func requireOptional(for changes: [LinkChange]) throws(DataStoreError) {
        guard case .referrers(let column) = relationship.form,
            !relationship.targetSchema.attributes[column].isOptional
        else { return }
        for case .refer(let target, nil) in changes {
            let (type, name) = (
                relationship.targetSchema.name, relationship.targetSchema.attributes[column].propertyName
            )
            throw DataStoreError(
                .invalidValue,
                "The item \(target) cannot be removed from \(title), as \(type).\(name) must not be nil.",
                advice: "Set its \(name) to another item, or delete it.", itemType: type, attribute: name,
                identifier: target)
        }
    }
}

// MARK: Replacing

extension Links {
    /// Adds the items that are missing, removes all others, and brings them into this order if there is one.
    ///
    /// - Returns: True if anything has changed.
    func replace(by targets: [AnyItemID]) throws(DataStoreError) -> Bool {
        let changes = try replacement(by: targets)
        try make(changes)
        return !changes.isEmpty
    }

    /// The changes for items that an owner is given which was just inserted.
    ///
    /// Links that dangled may be its own again, as if it were the earlier item with its identifier. If other items of the
    /// call were given the owner, it keeps them.
    package func given(_ items: AssignedItems, in call: UndoneCall?) throws(DataStoreError) -> [LinkChange] {
        let mayDangle = relationship.linksMayDangle
        let keepsAll = !mayDangle || items.keepsOthers
        guard block.pipeline.mayHaveLinked(newOwnersOf: relationship) else {
            if !keepsAll { return try replacement(by: items.targets, in: call) }
            return try additions(of: items.targets, isNew: !mayDangle, in: call)
        }
        if keepsAll, relationship.kind != .orderedToMany { return try additions(of: items.targets, in: call) }
        let kept = try all().filter { keepsAll || block.pipeline.madeLinks.contains($0.id) }
        // Its own first, in the order in which it was given them.
        return try replacement(by: items.targets + kept.map(\.target), in: call)
    }

    /// The changes that leave these items only, in this order if there is one.
    package func replacement(
        by targets: [AnyItemID], in call: UndoneCall? = nil
    ) throws(DataStoreError) -> [LinkChange] {
        var wanted: Set<AnyItemID> = []
        let targets = targets.filter { wanted.insert($0).inserted }
        call?.parts?.forgetItems(of: self)
        let stored = try all()
        var changes = stored.filter { !wanted.contains($0.target) }.map(removal)
        try requireOptional(for: changes)
        if case .links(let side) = relationship.form, side.isOrdered {
            if stored.map(\.target) == targets { return [] }
            let known = Dictionary(stored.map { ($0.target, $0) }, uniquingKeysWith: { first, _ in first })
            for (position, target) in targets.enumerated() {
                let rank = Rank.initial(position).text
                if let link = known[target] {
                    if link.rank != rank { changes.append(.rank(link.id, rank)) }
                } else {
                    changes.append(.link(source: owner, target: target, rank: rank))
                }
            }
        } else {
            let known = Set(stored.map(\.target))
            changes += try additions(of: targets.filter { !known.contains($0) }, isNew: true, in: call)
        }
        return changes
    }
}
