public import LarderKernel

/// The way in which a conflict is settled.
///
///     let policy = MergePolicy.resolve { conflict in
///         if case .changedOnBothSides = conflict.kind { .child } else { .unsettled }
///     }
///
/// *Rule:* a value; may be kept and sent anywhere.
public enum MergeResolution: Sendable {
    /// The child's version is stored.
    ///
    /// Impossible if an item is missing, a value is taken or a rule denies it; such a conflict stays. An
    /// optional one-to-one reference is taken from the parent's holder.
    case child
    /// The parent's version stays, and what the child has staged about it is dropped, with what delete rules have
    /// done because of it.
    case parent
    /// The attribute gets this value in place of both, such as a sum; for a conflict about an attribute.
    case value(any AttributeStorable)
    /// The conflict stays, and the merge fails.
    case unsettled
}

/// The way in which a merge settles conflicts.
///
///     try store.merge(draft, policy: .childWins)
///
/// *Rule:* a value; may be kept and sent anywhere.
public struct MergePolicy: Sendable {
    let resolve: @Sendable (MergeConflict) throws -> MergeResolution

    /// A conflict makes the merge fail, and neither side changes.
    public static let fail = MergePolicy { _ in .unsettled }

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
    /// *Rule:* called on the thread that merges, once for each conflict; on the writer's thread of the parent if the merge is
    /// awaited. It may not use the stores.
    public static func resolve(
        _ body: @escaping @Sendable (MergeConflict) throws -> MergeResolution
    ) -> MergePolicy {
        MergePolicy(resolve: body)
    }
}

/// The outcome of a merge, or of a preview of one.
///
///     let result = try store.merge(draft, policy: .parentWins)
///     print(result.inserted, result.updated, result.deleted, result.settled)
///
/// *Rule:* a value; may be kept and sent anywhere.
public struct MergeResult: Sendable {
    /// The numbers of items that were inserted, updated and deleted in the parent, with those that delete rules
    /// have taken along or freed.
    public internal(set) var inserted = 0
    public internal(set) var updated = 0
    public internal(set) var deleted = 0
    /// The conflicts that the policy has settled, without deletions that are left out with another one.
    public internal(set) var settled: [MergeConflict] = []
    /// The conflicts that keep the child from being merged; always empty after a merge.
    public internal(set) var conflicts: [MergeConflict] = []
}
