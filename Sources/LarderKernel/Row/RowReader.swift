/// One stored item, ready to be decoded column by column.
///
///     init(row: borrowing RowReader) throws(DataStoreError) {
///         id = try row.value(at: 0)
///         name = try row.value(at: 1)
///     }
///
/// *Rule:* valid only during the call it is passed to. *Cost:* numbers cost a load, text an allocation when
/// it is longer than 15 bytes.
// Copyable, as the optimizer of Swift 6.3 crashes when it inlines a reader that is not; a parameter that is
// `borrowing` cannot be copied by accident either.
public struct RowReader {
    @usableFromInline let cells: UnsafePointer<Cell>
    @usableFromInline let entity: EntitySchema
    // reason for Unmanaged: the scan that makes the reader keeps it; counting would cost as much as a column.
    /// The related items that the request has read too; nil for most requests.
    @usableFromInline let prefetched: Unmanaged<PrefetchedValues>?

    /// Reads the cells of one row, one for each attribute of the entity.
    ///
    /// *Rule:* the cells, and what they point to, must stay valid as long as the reader is used.
    @inlinable
    public init(cells: UnsafePointer<Cell>, of entity: EntitySchema) {
        self.init(cells: cells, of: entity, prefetched: nil)
    }

    @inlinable
    init(cells: UnsafePointer<Cell>, of entity: EntitySchema, prefetched: Unmanaged<PrefetchedValues>?) {
        self.cells = cells
        self.entity = entity
        self.prefetched = prefetched
    }

    /// The value of an attribute, by its column number.
    ///
    /// - Throws: `.undecodable` when the stored value does not have the attribute's type; `.damaged` for nil in a
    ///   required attribute.
    @inlinable
    @inline(__always)
    public func value<Value: AttributeStorable>(
        at column: Int, as type: Value.Type = Value.self
    ) throws(DataStoreError) -> Value {
        guard let value = Value.decode(self, at: column) else { throw undecodable(at: column) }
        return value
    }

    /// The value of an attribute, or the fallback if the stored value is not known to this app.
    @inlinable
    public func value<Value: AttributeStorable>(
        at column: Int, fallback: @autoclosure () -> Value
    ) throws(DataStoreError) -> Value {
        Value.decode(self, at: column) ?? fallback()
    }

    /// A relationship without a column, by its number.
    ///
    /// - Throws: `.undecodable` when the row has no identifier.
    // Inlined, as it runs for each relationship of each row, and generic code would look up three types.
    @inlinable
    public func value<Owner: DataStoreItem, Value: RelationshipValue>(
        atRelationship number: Int, of owner: Owner.Type, as type: Value.Type = Value.self
    ) throws(DataStoreError) -> Value {
        let identifier = try value(at: 0, as: Owner.ID.self).anyItemID
        let items = prefetched?.takeUnretainedValue().object(ofRelationship: number, for: identifier)
        return Value(
            RelationshipSource(owner: identifier, ownerType: owner, number: number, prefetched: items))
    }

    // Not inlined, so that only a call is repeated for each attribute.
    @usableFromInline
    @inline(never)
    package func undecodable(at column: Int) -> DataStoreError {
        entity.undecodable(cells[column], at: column, in: cells)
    }
}
