/// The items that a request has read together with their owner.
///
/// An object, so that an item may hold items of its own type.
@usableFromInline
final class PrefetchedItems<Item: DataStoreItem>: Sendable {
    @usableFromInline let items: [Item]
    /// True if they are all items of their owner, in its order if it has one.
    let areAll: Bool

    init(_ items: [Item], areAll: Bool) {
        (self.items, self.areAll) = (items, areAll)
    }
}

/// A ``PrefetchedItems`` of any type.
@usableFromInline typealias PrefetchedObject = any AnyObject & Sendable

/// The related items of the rows that a scan is going to give.
///
/// *Rule:* used on the thread of its block.
@usableFromInline
final class PrefetchedValues {
    // reason for unchecked: see BlockContext.
    @exclusivity(unchecked) private var tables: [PrefetchedTable] = []

    /// Replaces what was there by the items for the next rows.
    func replace(by tables: [PrefetchedTable]) {
        self.tables = tables
    }

    /// The items of an owner's relationship, by its number; see ``object(at:for:)``.
    @usableFromInline
    func object(ofRelationship number: Int, for owner: AnyItemID) -> PrefetchedObject? {
        object(at: .number(number), for: owner)
    }

    /// The items of a relationship: the items of an owner, or the one of a reference.
    ///
    /// Nil if the relationship was not read, and for a reference to an item that does not exist.
    func object(at relationship: RelationshipReference, for identifier: AnyItemID) -> PrefetchedObject? {
        for table in tables where table.relationship == relationship {
            return table.objects[identifier] ?? table.none
        }
        return nil
    }

    /// A digest of the items that were read for a row.
    func digest(for row: UnsafePointer<Cell>) -> Int {
        RowFingerprint.combining(tables.lazy.map { $0.digest(for: row) })
    }
}

/// The items at the other end of one relationship.
struct PrefetchedTable {
    let relationship: RelationshipReference
    /// By the identifier of the owner; for a reference, by the item's.
    var objects: [AnyItemID: PrefetchedObject] = [:]
    /// The object of an owner without items.
    var none: PrefetchedObject?
    /// The type of the identifiers in ``objects``.
    let keyType: AttributeType
    /// Digests of the items, if a list is read; by the identifiers of ``objects``.
    var digests: [AnyItemID: Int] = [:]

    fileprivate func digest(for row: UnsafePointer<Cell>) -> Int {
        let column = if case .column(let column) = relationship { column } else { 0 }
        return AnyItemID(row[column], type: keyType).flatMap { digests[$0] } ?? 0
    }
}
