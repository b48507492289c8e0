import LarderKernel

/// The place where a step puts the links of a relationship.
struct DestinationLinks {
    let name: String
    /// The number of their entity in the schema of the transaction.
    let entity: Int
    let targetType: AttributeType
    let isOrdered: Bool
    /// True if the links of old rows stay, so that a row without an end says whose links are replaced.
    let marksOwners: Bool
    /// The list of the links that stay; nil if they lead to a type whose rows keep their identifiers.
    let followed: FollowedReference?
}

/// A reference of new rows to a type whose rows may get other identifiers in the same step.
///
/// Once all mappings have run, such references are read again, and those to old rows are changed. A reference that
/// a closure has given a new row stays: its row, or its link, is in a list of the step.
struct FollowedReference: Sendable, Hashable {
    /// The number of the rows, or links, that have it, in the schema of the transaction, and the column.
    let entity: Int
    let column: Int
    /// The number of the type that it leads to, in the types of the new version.
    let type: Int
    /// The number of the list of what stays, in the schema of the transaction.
    let list: Int
}

/// A row that a step has made.
struct NewRow: Hashable {
    /// The number of its type in the types of the new version.
    let type: Int
    let id: AnyItemID
}
