import Larder

/// The rows of a plan as its access path gives them, without those its filter refuses.
struct MatchingRows {
    private let source: any RowSource
    private let filter: RowFilter?

    /// - Parameter isChanging: Whether what the engine points to may become invalid while rows are read.
    init(
        _ access: AccessPlan, over entity: EntityTable, in snapshot: any KeyValueSnapshot, isChanging: Bool
    ) throws(DataStoreError) {
        filter = try RowFilter(access.residual, of: entity)
        source = try access.source(over: entity, in: snapshot, isChanging: isChanging)
    }

    /// Gives the next row; false when there is none.
    @inline(__always)
    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        guard let filter else { return try source.next(&row) }
        while try source.next(&row) {
            if try filter.passes(row) { return true }
        }
        return false
    }

    /// Passes over rows; false when there were fewer.
    func skip(_ count: Int) throws(DataStoreError) -> Bool {
        if filter == nil { return try source.skip(count) == count }
        var row = FoundRow()
        for _ in 0..<count {
            guard try next(&row) else { return false }
        }
        return true
    }

    func close() {
        source.close()
    }
}

/// Which columns of a row are wanted, in which order.
struct RowProjection {
    private let layout: RowLayout
    private let identifierType: AttributeType
    /// nil for all of them.
    private let columns: [Int]?
    /// Where the identifier is wanted among some columns.
    private let identifierPositions: [Int]

    init(_ columns: RequestPlan.Columns, of entity: EntityTable) {
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

    /// Fills one cell for each column that is wanted.
    ///
    /// - Throws: `.damaged`, naming the item, when the bytes are no row.
    @inline(__always)
    func decode(_ row: FoundRow, into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) {
        do {
            if let columns {
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
