import LarderKernel

/// The wanted columns of a row, in order.
struct RowProjection {
    private let layout: RowLayout
    private let identifierType: AttributeType
    /// nil for all of them.
    private let columns: [Int]?
    /// The position of the identifier among the wanted columns.
    private let identifierPositions: [Int]
    /// The same for rows that were found without being read; nil if they always are.
    private let entry: EntryProjection?

    init(_ columns: RequestPlan.Columns, of entity: EntityTable, _ access: AccessPlan) {
        entry = access.entryProjection(columns)
        layout = entity.layout
        identifierType = entity.schema.attributes[0].type
        switch columns {
        case .all:
            self.columns = nil
            identifierPositions = []
        case .some(let columns):
            self.columns = columns
            identifierPositions = columns.indices.filter { columns[$0] == 0 }
        }
    }

    /// True if rows need not be read unless they have to be tested.
    var knowsEntries: Bool { entry != nil }

    /// Fills one cell for each column that is wanted.
    ///
    /// - Parameter isRead: False if the row was not read, but only the key that leads to it.
    /// - Throws: `.damaged`, naming the item, when the bytes are not a row.
    @inline(__always)
    func decode(
        _ row: FoundRow, isRead: Bool, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) {
        do {
            if !isRead, let entry {
                try entry.decode(row.bytes, of: row.identifier, into: cells)
            } else if let columns {
                try layout.decode(row.bytes, columns: columns, into: cells)
                for position in identifierPositions { cells[position] = row.identifier }
            } else {
                try layout.decode(row.bytes, into: cells)
                cells[0] = row.identifier
            }
        } catch {
            throw error.about(identifier: AnyItemID(row.identifier, type: identifierType))
        }
    }
}
