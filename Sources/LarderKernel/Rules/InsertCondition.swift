/// The condition on which the library's rules refuse no part of a new row, and add nothing to it.
public struct InsertCondition: Sendable {
    /// Lists of columns whose values no stored row shares, all of one list, unless one of the values is nil.
    public let unshared: [[Int]]
    /// The columns with identifiers of items that are stored, unless they are nil, and the entities of these items.
    public let references: [(column: Int, target: Int)]

    /// - Returns: Nil if the rules need no other row, or more than this.
    init?(toInsert number: Int, in schema: StoreSchema, _ graph: ReferenceGraph) {
        let entity = schema.entities[number]
        // An identifier within a text is read by the core.
        guard graph.references[number].allSatisfy({ $0.prefix == nil }) else { return nil }
        unshared =
            (UniquenessRule().concerns(entity) ? entity.uniqueColumns : [])
            + graph.oneToOnes[number].map { [$0.column] }
        references = graph.references[number].map { ($0.column, $0.target) }
        if unshared.isEmpty && references.isEmpty { return nil }
    }
}
