/// The things that rules remember from one part of a call to the next.
///
/// *Rule:* the caller finishes it by ``RowPipeline/judgeAtEnd(_:)`` after the last part.
final class CallInParts {
    /// The references to items that a later part may bring.
    let references = WaitingReferences()
    /// The deletions, once there is one with consequences.
    var waves: DeletionWaves?
    /// The items that owners were given and that have not been found yet, as a later part may bring them; the
    /// last owner of an item gets it.
    private(set) var givenItems: [GivenReference: (position: Int, links: Links)] = [:]
    private var givenCount = 0
    /// The items that were noted for each owner, some of which may have come or gone to another one since.
    private var targets: [GivingOwner: [AnyItemID]] = [:]
    /// The columns of a unique index, in its order, whose values in new rows have just been looked up, and are free.
    fileprivate(set) var freeColumns: (entity: Int, columns: [Int])?

    /// Remembers an item that its owner could not be given yet.
    func note(_ given: GivenReference, of links: Links) {
        givenItems[given] = (givenCount, links)
        givenCount += 1
        targets[GivingOwner(links), default: []].append(given.target)
    }

    /// Forgets an item that another owner was given.
    func forget(_ given: GivenReference) {
        if !givenItems.isEmpty { givenItems[given] = nil }
    }

    /// Forgets the items of an owner that is given others in their place.
    func forgetItems(of links: Links) {
        if givenItems.isEmpty { return }
        for target in targets.removeValue(forKey: GivingOwner(links)) ?? [] {
            let given = GivenReference(relationship: links.relationship, target: target)
            if givenItems[given]?.links.owner == links.owner { givenItems[given] = nil }
        }
    }

    /// The items that could not be given yet, in the order in which they came up, which are forgotten.
    func takeGivenItems() -> [(target: AnyItemID, links: Links)] {
        let given = givenItems.sorted { $0.value.position < $1.value.position }
        (givenItems, targets) = ([:], [:])
        return given.map { ($0.key.target, $0.value.links) }
    }

    private struct GivingOwner: Hashable {
        let relationship: StoreRelationship
        let owner: AnyItemID

        init(_ links: Links) {
            (relationship, owner) = (links.relationship, links.owner)
        }
    }
}

/// An item that is to refer to its owner.
struct GivenReference: Hashable {
    let relationship: StoreRelationship
    let target: AnyItemID
}

extension RowPipeline {
    /// Applies mutations by all rules, but those that take a unique value which another item still holds.
    ///
    /// - Parameter columns: The columns of a unique index, in its order, whose values in new rows were looked
    ///   up, and are free.
    /// - Returns: The positions of those, which were not applied: a later part may free their values. If many hold the
    ///   values of one another, all of these are among them.
    package func applyUnrefused(
        _ mutations: [RowMutation], free columns: [Int], of entity: Int, in call: UndoneCall
    ) throws(DataStoreError) -> Set<Int> {
        let parts = call.parts
        parts?.freeColumns = (entity: entity, columns: columns)
        defer { parts?.freeColumns = nil }
        var refused: Set<Int> = []
        var positions = Array(mutations.indices)
        var rounds = 0
        while !positions.isEmpty {
            let list = refused.isEmpty ? mutations : positions.map { mutations[$0] }
            let waiting = parts?.references.count ?? 0
            do {
                try apply(list, in: call)
                return refused
            } catch  where error.code == .uniqueViolation && failure == nil {
                parts?.references.keepFirst(waiting)
                let clashes = try list.withUnsafeBufferPointer { list throws(DataStoreError) in
                    try resources.schema.withFolded(list) { list throws(DataStoreError) in
                        try uniquenessClashes(of: list)
                    }
                }
                rounds += 1
                // Another rule has refused them, and does not say which; or each round might find one more.
                let areAll = clashes.isEmpty || rounds > 3
                let clashing = areAll ? Set(list.indices) : Set(clashes.map(\.position))
                refused.formUnion(clashing.map { positions[$0] })
                positions = positions.indices.filter { !clashing.contains($0) }.map { positions[$0] }
            }
        }
        return refused
    }

    /// Judges what can be judged only after the last part of a call.
    ///
    /// - Throws: `.targetNotFound`, `.deletionDenied`.
    package func judgeAtEnd(_ call: UndoneCall) throws(DataStoreError) {
        guard let parts = call.parts else { return }
        try parts.waves?.judge()
        if parts.references.isEmpty { return }
        try judging { reading throws(DataStoreError) in try parts.references.requireAll(in: reading) }
    }
}
