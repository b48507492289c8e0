/// One thing that a child store and its parent have both changed, so that only one of the two can stand.
///
///     do {
///         try store.merge(draft)
///     } catch let error as DataStoreError where error.code == .mergeConflict {
///         for conflict in error.conflicts { print(conflict) }
///     }
///
/// *Rule:* a value; may be kept and sent anywhere.
public struct MergeConflict: Sendable, Hashable {
    /// The stored name of the item's type.
    public let itemType: String
    public let identifier: AnyItemID
    public let kind: Kind
    /// The item as the child first saw it, as the child has it, and as the parent has it.
    let rows: (base: RowValues?, child: RowValues?, parent: RowValues?)

    /// The kinds of conflicts.
    public enum Kind: Sendable, Hashable {
        /// Both sides have given the attribute new values, and not the same; or both have inserted the item.
        ///
        /// For an ordered relationship the name of it: both sides have moved the same link.
        case changedOnBothSides(attribute: String)
        /// The parent has deleted an item that the child has changed.
        case deletedInParent
        /// The child has deleted an item that the parent has changed.
        case deletedInChild
        /// Another item, in the parent or in the child, holds the same value of a unique attribute; or it has the
        /// item that a one-to-one reference leads to.
        case notUnique(attribute: String, holder: AnyItemID)
        /// The item that a relationship leads to is not in the parent.
        case targetNotFound(relationship: String, target: AnyItemID)
        /// A delete rule of the parent's present items keeps the item from being deleted, or one that would go
        /// with it; or an item would go with it that the policy keeps.
        case deletionDenied(reason: String)
    }

    public static func == (left: MergeConflict, right: MergeConflict) -> Bool {
        left.itemType == right.itemType && left.identifier == right.identifier && left.kind == right.kind
            && left.rows == right.rows
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(itemType)
        hasher.combine(identifier)
        hasher.combine(kind)
    }
}

extension MergeConflict {
    /// The item as it was in the parent when the child first touched it; nil if it was not there, or is of
    /// another type.
    ///
    /// - Throws: `.undecodable`.
    public func base<Item: DataStoreItem>(_ type: Item.Type) throws(DataStoreError) -> Item? {
        try rows.base?.item(type)
    }

    /// The item as the child has it; nil if it has deleted it.
    ///
    /// - Throws: `.undecodable`.
    public func child<Item: DataStoreItem>(_ type: Item.Type) throws(DataStoreError) -> Item? {
        try rows.child?.item(type)
    }

    /// The item as the parent has it; nil if it is not there any more.
    ///
    /// - Throws: `.undecodable`.
    public func parent<Item: DataStoreItem>(_ type: Item.Type) throws(DataStoreError) -> Item? {
        try rows.parent?.item(type)
    }
}

extension MergeConflict: CustomStringConvertible {
    public var description: String {
        let title = "\(itemType) \(identifier)"
        switch kind {
        case .changedOnBothSides(let attribute):
            let values = [("base", rows.base), ("child", rows.child), ("parent", rows.parent)].map {
                side, row in
                "\(side) \(row.flatMap { Self.text(of: attribute, in: $0) } ?? "none")"
            }
            return "\(title): \(attribute) was changed on both sides (\(values.joined(separator: ", ")))"
        case .deletedInParent: return "\(title): changed in the child, deleted in the parent"
        case .deletedInChild: return "\(title): deleted in the child, changed in the parent"
        case .notUnique(let attribute, let holder):
            return "\(title): \(holder) already has its \(attribute)"
        case .targetNotFound(let relationship, let target):
            return "\(title): \(relationship) leads to \(target), which is not in the parent"
        case .deletionDenied(let reason): return "\(title): \(reason)"
        }
    }

    /// The value of an attribute as text.
    private static func text(of attribute: String, in row: RowValues) -> String? {
        let column =
            row.schema.isLink ? row.schema.attributes.count - 1 : row.schema.column(named: attribute)
        return column.map { row.values[$0].shown(as: row.schema.attributes[$0].type) }
    }
}

/// The way in which a conflict is settled.
public enum MergeResolution: Sendable {
    /// The child's version is stored.
    ///
    /// Impossible where an item is missing, a value is taken or a rule denies it; such a conflict stays. An
    /// optional one-to-one reference is taken from the parent's holder.
    case child
    /// The parent's version stays, and what the child has staged about it is dropped, with what delete rules have
    /// done because of it.
    case parent
    /// The attribute gets this value in place of both, such as a sum; for a conflict about an attribute.
    case value(any AttributeStorable)
    /// The conflict stays, and the merge fails.
    case none
}

/// The way in which a merge settles conflicts.
public struct MergePolicy: Sendable {
    let resolve: @Sendable (MergeConflict) throws -> MergeResolution

    /// A conflict makes the merge fail, and neither side changes.
    public static let fail = MergePolicy { _ in .none }

    /// Stores everything that the child has staged.
    ///
    /// An item that the parent has deleted comes back alone, without what was deleted with it. Conflicts that
    /// only the parent's side can settle make the merge fail: a value that another item holds, a missing item,
    /// a deletion that a rule denies.
    public static let childWins = MergePolicy { _ in .child }

    /// Keeps what the parent holds, and stores the changes of the child that do not conflict with it.
    public static let parentWins = MergePolicy { _ in .parent }

    /// Each conflict is settled by the app; an error makes the merge fail.
    ///
    ///     try store.merge(draft, policy: .resolve { conflict in
    ///         conflict.kind == .changedOnBothSides(attribute: "note") ? .parent : .child
    ///     })
    ///
    /// *Rule:* called on the writer's thread of the parent, once for each conflict; it may not use the stores.
    public static func resolve(
        _ body: @escaping @Sendable (MergeConflict) throws -> MergeResolution
    ) -> MergePolicy {
        MergePolicy(resolve: body)
    }
}

/// The outcome of a merge, or of a preview of one.
public struct MergeResult: Sendable {
    /// The numbers of items that were inserted, updated and deleted in the parent, with those that delete rules
    /// have taken along or freed.
    public internal(set) var inserted = 0
    public internal(set) var updated = 0
    public internal(set) var deleted = 0
    /// The conflicts that the policy has settled.
    public internal(set) var settled: [MergeConflict] = []
    /// The conflicts that keep the child from being merged; always empty after a merge.
    public internal(set) var conflicts: [MergeConflict] = []
}
