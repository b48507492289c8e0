/// The values of rows and of the items that they refer to, looked up for a batch of rows at a time.
package struct RelatedValues {
    /// The columns that are read of each row.
    private(set) var columns: [Int]
    /// The storage of each value.
    private(set) var storages: [AttributeType.Storage] = []
    private var paths: [Path] = []

    /// The way to one of the values.
    private struct Path {
        /// The position of the first value among the columns that are read.
        let start: Int
        let column: RelatedColumn
    }

    package static let batchCount = 1024

    /// - Parameters:
    ///   - terms: The values, without tests of related items.
    ///   - keepsIdentifiers: True if the first column that is read is the identifier.
    init(
        of terms: [RelatedOrder.Term], _ entity: Int, keepingIdentifiers keepsIdentifiers: Bool,
        in schema: StoreSchema, _ snapshot: any StorageReading
    ) {
        columns = keepsIdentifiers ? [0] : []
        for term in terms { append(term, of: entity, in: schema, snapshot) }
    }

    private mutating func append(
        _ term: RelatedOrder.Term, of own: Int, in schema: StoreSchema, _ snapshot: any StorageReading
    ) {
        let column = RelatedColumn(term.term.column, behind: term.path, of: own, in: schema, snapshot)
        if !columns.contains(column.start) { columns.append(column.start) }
        paths.append(Path(start: columns.firstIndex(of: column.start) ?? 0, column: column))
        storages.append(column.storage)
    }

    /// Reads a batch of rows, and gives for each path the values of all of them; nil where there is no row.
    ///
    /// - Parameter cursor: One that gives ``columns``.
    func next(
        of cursor: any RowCursor, of schema: EntitySchema
    ) throws(DataStoreError) -> [[Constant]]? {
        let row = CellBuffer(count: max(1, columns.count))
        let storages = columns.map { schema.storage(ofColumn: $0) }
        var batch: [[Constant]] = Array(repeating: [], count: columns.count)
        var count = 0
        while count < Self.batchCount, try cursor.next(into: row.start) {
            for position in columns.indices {
                batch[position].append(Constant(row.start[position], storage: storages[position]))
            }
            count += 1
        }
        if count == 0 { return nil }
        var values: [[Constant]] = []
        for path in paths { values.append(try path.column.values(for: batch[path.start])) }
        return values
    }
}
