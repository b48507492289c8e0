/// The items that several owners are given for one relationship, on their way to the engine.
///
/// What is stored of all their links is read together first; then the changes of one owner after the other are worked
/// out and written, up to a thousand at a time.
package struct OwnersLinks {
    private let relationship: StoreRelationship
    private let block: WriteBlock
    private let call: UndoneCall
    /// If it is nil, a change that takes a unique value is an error.
    package var refusal: Links.Refusal?

    /// An owner, and the items that it is given.
    package struct Owner {
        let identifier: AnyItemID
        let targets: [AnyItemID]
        let use: Use

        package init(_ identifier: AnyItemID, targets: [AnyItemID], use: Use) {
            self.identifier = identifier
            self.targets = targets
            self.use = use
        }
    }

    /// The links that the changes of an owner depend on.
    package enum Use {
        /// The links between the owner and the items.
        case additions
        /// All of the owner.
        case replacement
        /// None, as the owner was only just inserted.
        case insertion
    }

    package init(_ relationship: StoreRelationship, in block: WriteBlock, of call: UndoneCall) {
        self.relationship = relationship
        self.block = block
        self.call = call
    }

    /// The links that ``Links/given(_:in:)`` depends on.
    package func use(ofNewOwnersItems items: AssignedItems) -> Use {
        let mayDangle = relationship.linksMayDangle
        if mayDangle, !items.keepsOthers { return .replacement }
        let mayBeLinked = block.pipeline.mayHaveLinked(newOwnersOf: relationship)
        guard mayDangle || mayBeLinked, case .links(let side) = relationship.form else { return .insertion }
        return mayBeLinked && side.isOrdered ? .replacement : .additions
    }

    /// Writes the changes that a body works out for the owner at a position.
    package func write(
        _ owners: [Owner], changes: (Links, Int) throws(DataStoreError) -> [LinkChange]
    ) throws(DataStoreError) {
        guard let last = owners.last else { return }
        // New owners have no links yet, and each is there once.
        let areNew = areLinks && owners.allSatisfy { $0.use == .insertion }
        let known = areNew ? KnownLinks(relationship, in: block) : try knownLinks(of: owners)
        let mayRepeat = areLinks && !areNew
        var pending: [LinkChange] = []
        var seen: Set<AnyItemID> = []
        func links(_ owner: Owner) -> Links {
            Links(of: owner.identifier, relationship, in: block, known: known)
        }
        func write(by owner: Owner) throws(DataStoreError) {
            try links(owner).write(pending, in: call, refusal)
            pending.removeAll(keepingCapacity: true)
        }
        for (position, owner) in owners.enumerated() {
            // After a change, only the links of other owners are still known.
            if isShared || mayRepeat && !seen.insert(owner.identifier).inserted { try write(by: owner) }
            let found = try changes(links(owner), position)
            if !areNew { known.note(found, of: owner.identifier) }
            pending += found
            if pending.count >= WriteBlock.batchSize { try write(by: owner) }
        }
        try write(by: last)
    }

    private func knownLinks(of owners: [Owner]) throws(DataStoreError) -> KnownLinks {
        let known = KnownLinks(relationship, in: block)
        let replaced = owners.filter { $0.use == .replacement }.map(\.identifier)
        try known.readLinks(of: replaced)
        if areLinks {
            let isRead = Set(replaced)
            let extended = owners.filter { $0.use == .additions && !isRead.contains($0.identifier) }
            try known.readLinks(
                extended.flatMap { owner in owner.targets.map { (owner: owner.identifier, target: $0) } })
        } else {
            try known.readOwners(of: owners.flatMap(\.targets))
        }
        return known
    }

    private var areLinks: Bool { if case .links = relationship.form { true } else { false } }

    /// True if two owners may want the end of the same order.
    private var isShared: Bool {
        guard case .links(let side) = relationship.form else { return false }
        return side.isReversed && block.context.schema.entities[side.entity].isOrderedLink
    }
}
