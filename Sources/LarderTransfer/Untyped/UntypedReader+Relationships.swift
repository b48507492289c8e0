import LarderVersions
import LarderText
public import LarderKernel

extension UntypedReader {
    /// The relationships of an item type, those without a column first.
    ///
    /// - Throws: `.unknownItemType`.
    public func relationships(of entity: String) throws(DataStoreError) -> [StoreRelationship] {
        schema.relationships[try schema.number(ofEntityNamed: entity)]
    }

    /// The relationship that shows the same from the other end; nil if none does.
    public func inverse(of relationship: StoreRelationship) -> StoreRelationship? {
        relationship.inverse(in: schema)
    }

    /// The identifiers of the items that a relationship without a column leads to from an item, in their
    /// order.
    ///
    ///     let tags = try reader.identifiers(related: "tags", to: row, limit: 20)
    ///
    /// - Throws: `.unknownAttribute` when the item type has no such relationship; rethrows errors of the
    ///   engine.
    public func identifiers(
        related name: String, to row: UntypedRow, limit: Int? = nil
    ) throws(DataStoreError) -> [AnyItemID] {
        let number = try schema.number(ofEntityNamed: row.schema.name)
        return try row.values[0].withCell { cell throws(DataStoreError) in
            try transaction.identifiers(related: name, to: cell, of: number, in: schema, limit: limit)
        }
    }

    /// The number of items that a relationship without a column leads to from an item.
    ///
    /// - Throws: As ``identifiers(related:to:limit:)``.
    public func count(related name: String, to row: UntypedRow) throws(DataStoreError) -> Int {
        let number = try schema.number(ofEntityNamed: row.schema.name)
        guard
            let (plan, _) = try schema.plan(
                related: name, to: row.values[0], of: number, limit: nil)
        else { return 0 }
        return try transaction.count(for: plan)
    }
}
