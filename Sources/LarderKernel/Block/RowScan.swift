/// Rows being read, one at a time, into the block's cells; each must be decoded before the next.
@usableFromInline
package struct RowScan {
    @usableFromInline package let cursor: any RowCursor
    @usableFromInline package let cells: UnsafeMutablePointer<Cell>
    @usableFromInline package let schema: EntitySchema
    // reason for Unmanaged: the cursor keeps it.
    /// The related items that are read too.
    @usableFromInline let prefetched: Unmanaged<PrefetchedValues>?

    @usableFromInline
    init(
        cursor: any RowCursor, cells: UnsafeMutablePointer<Cell>, schema: EntitySchema,
        prefetched: Unmanaged<PrefetchedValues>? = nil
    ) {
        self.cursor = cursor
        self.cells = cells
        self.schema = schema
        self.prefetched = prefetched
    }

    /// The row that ``next()`` has found.
    @inlinable
    package var row: RowReader { RowReader(cells: cells, of: schema, prefetched: prefetched) }

    @inlinable
    package func next() throws(DataStoreError) -> Bool {
        try cursor.next(into: cells)
    }

    /// A digest of the row, and of the related items that were read with it.
    package var digest: Int {
        let own = RowFingerprint.of(cells, count: schema.attributes.count)
        guard let prefetched else { return own }
        return RowFingerprint.combining([own, prefetched.takeUnretainedValue().digest(for: cells)])
    }

    @inlinable
    package func close() {
        cursor.close()
    }
}
