public import LarderKernel

/// One thing that a child store and its parent have both changed, so that only one of the two can be kept.
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

    init(
        itemType: String, identifier: AnyItemID, kind: Kind,
        rows: (base: RowValues?, child: RowValues?, parent: RowValues?)
    ) {
        self.itemType = itemType
        self.identifier = identifier
        self.kind = kind
        self.rows = rows
    }

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
        /// The item at the end of a relationship is not in the parent.
        case targetNotFound(relationship: String, target: AnyItemID)
        /// A delete rule of the parent's present items keeps the item from being deleted, or one that would go
        /// with it; or an item would go with it that the policy keeps.
        case deletionDenied(reason: String)
    }

    public static func == (left: MergeConflict, right: MergeConflict) -> Bool {
        UTF8Text.areEqual(left.itemType, right.itemType) && left.identifier == right.identifier
            && left.kind == right.kind && left.rows == right.rows
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(itemType)
        hasher.combine(identifier)
        hasher.combine(kind)
    }
}

extension MergeConflict.Kind {
    // By the bytes of the names (contract rule 7); the hash of a text is the same for all ways to compose it.
    public static func == (left: Self, right: Self) -> Bool { left.key == right.key }

    private var key: (number: Int, name: UTF8Key, other: AnyItemID?) {
        switch self {
        case .changedOnBothSides(let attribute): (0, UTF8Key(attribute), nil)
        case .deletedInParent: (1, UTF8Key(""), nil)
        case .deletedInChild: (2, UTF8Key(""), nil)
        case .notUnique(let attribute, let holder): (3, UTF8Key(attribute), holder)
        case .targetNotFound(let relationship, let target): (4, UTF8Key(relationship), target)
        case .deletionDenied(let reason): (5, UTF8Key(reason), nil)
        }
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
            row.schema.isLink ? row.schema.attributes.count - 1 : row.schema.column(ofProperty: attribute)
        return column.map { row.values[$0].shown(as: row.schema.attributes[$0].type) }
    }
}
