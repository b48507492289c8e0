/// The things that rules remember from one part of a call to the next.
///
/// *Rule:* the caller finishes it by ``RowPipeline/finish(_:)`` after the last part.
@usableFromInline
final class CallInParts {
    /// The references to items that a later part may bring.
    let references = WaitingReferences()
    /// The deletions, once there is one with consequences.
    var waves: DeletionWaves?
    /// The unique column whose values in new rows have just been looked up, and are free; nil for none.
    var freeColumn: FreeColumn?

    /// A column of an item type that is unique by itself.
    struct FreeColumn {
        let entity: Int
        let column: Int
    }
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
