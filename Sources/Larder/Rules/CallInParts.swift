/// The things that rules remember from one part of a call to the next.
///
/// *Rule:* the caller finishes it by ``RowPipeline/finish(_:)`` after the last part.
@usableFromInline
final class CallInParts {
    /// The references to items that a later part may bring.
    let references = WaitingReferences()
    /// The deletions, once there is one with consequences.
    var waves: DeletionWaves?
    /// The items that owners were given and that have not been found yet, as a later part may bring them; the
    /// last owner of an item gets it.
    private(set) var givenItems: [GivenReference: (position: Int, links: Links)] = [:]
    private var givenCount = 0
    /// The unique columns whose values in new rows have just been looked up, and are free; nil for none.
    var freeColumns: FreeColumns?

    /// Remembers an item that its owner could not be given yet.
    func note(_ given: GivenReference, of links: Links) {
        givenItems[given] = (givenCount, links)
        givenCount += 1
    }

    /// Forgets an item that another owner was given.
    func forget(_ given: GivenReference) {
        if !givenItems.isEmpty { givenItems[given] = nil }
    }

    /// The items that could not be given yet, in the order in which they came up, which are forgotten.
    func takeGivenItems() -> [(target: AnyItemID, links: Links)] {
        let given = givenItems.sorted { $0.value.position < $1.value.position }
        givenItems = [:]
        return given.map { ($0.key.target, $0.value.links) }
    }

    /// The columns of a unique index of an item type, in its order.
    struct FreeColumns {
        let entity: Int
        let columns: [Int]
    }
}

/// An item that is to refer to its owner.
struct GivenReference: Hashable {
    let relationship: StoreRelationship
    let target: AnyItemID
}

extension RowPipeline {
    /// Judges what can be judged only after the last part of a call.
    ///
    /// - Throws: `.targetNotFound`, `.deletionDenied`.
    func finish(_ call: CallInParts) throws(DataStoreError) {
        try call.waves?.judge()
        if call.references.isEmpty { return }
        try asking { reading throws(DataStoreError) in try call.references.requireAll(in: reading) }
    }
}
