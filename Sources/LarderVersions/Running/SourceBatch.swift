import LarderKernel

/// The old rows that a mapping goes through now, and the rows that their columns lead to.
///
/// The first call for a column reads the rows for the whole batch, each of them once.
final class SourceBatch {
    /// The type of the rows.
    let entity: Int
    private let rows: [UnsafePointer<Cell>]
    private let arena = RowArena()
    // reason for unchecked: used by one thread at a time, with every row.
    /// The rows that were read, by their identifiers, and nil for those that are not there; some are left out if they are
    /// larger than a batch may be, or one of them cannot be read.
    @exclusivity(unchecked) private var found: [Way: [AnyItemID: UnsafePointer<Cell>?]] = [:]
    /// The bytes of these rows, whatever column leads to them.
    private var bytes = 0
    private var isFull: Bool { bytes >= RowBatches.maximumBytes }
    /// Ends a look-up when the batch is full; no caller gets it.
    private static let full = DataStoreError(.valueTooLarge, "The rows are larger than a batch may be.")

    /// A column, and the type of the rows that it leads to.
    private struct Way: Hashable {
        let column: Int
        let other: Int
    }

    init(_ rows: [UnsafePointer<Cell>], of entity: Int) {
        self.rows = rows
        self.entity = entity
    }

    /// The row of another type whose identifier is in a column of a row; nil if there is none.
    ///
    /// *Rule:* valid during the present call of the reader. The row may be one that is not of this batch.
    func row(
        of other: Int, at column: Int, of cells: UnsafePointer<Cell>, by reader: SourceReader
    ) throws(DataStoreError) -> SourceRow? {
        if cells[column].isNull { return nil }
        let way = Way(column: column, other: other)
        // If one of the rows cannot be read, only the calls that it is for fail.
        if found[way] == nil { try? read(other, at: column, by: reader) }
        if let id = AnyItemID(cells[column], type: reader.types[other][0]), let known = found[way]?[id] {
            return known.map {
                SourceRow(reader: reader, entity: other, cells: $0, epoch: reader.epoch)
            }
        }
        return try reader.row(at: cells[column], of: other)
    }

    /// Reads the rows that a column of the batch's rows leads to, until the batch is full.
    func read(_ other: Int, at column: Int, by reader: SourceReader) throws(DataStoreError) {
        let way = Way(column: column, other: other)
        if isFull {
            found[way] = [:]
            return
        }
        let type = reader.types[other][0]
        var known: [AnyItemID: UnsafePointer<Cell>?] = [:]
        var (ids, cellsOfIDs): ([AnyItemID], [Cell]) = ([], [])
        for cells in rows {
            guard let id = AnyItemID(cells[column], type: type), !known.keys.contains(id) else { continue }
            known.updateValue(nil, forKey: id)
            ids.append(id)
            cellsOfIDs.append(cells[column])
        }
        let count = reader.types[other].count
        let buffer = CellBuffer(count: count)
        var end = 0
        defer {
            // Each of the others is looked up alone.
            for id in ids[end...] { known.removeValue(forKey: id) }
            found[way] = known
        }
        do throws(DataStoreError) {
            try reader.transaction.forEachRow(inBatches: cellsOfIDs, of: other, into: buffer.start) {
                number throws(DataStoreError) in
                let cells = try arena.copy(row: buffer.start, count)
                for column in 0..<count { bytes += Int(cells[column].length) }
                known.updateValue(UnsafePointer(cells), forKey: ids[number])
                end = number + 1
                if isFull { throw Self.full }
            }
            end = ids.count
        } catch {
            if !isFull { throw error }
        }
    }
}

extension PreparedStep.MappingRun {
    /// The type of the rows that it joins to the old ones, and the column that leads to them; nil if it joins none.
    func join(in reader: SourceReader) -> (other: Int, column: Int)? {
        guard case .joined(let reference, _) = mapping.body, let source, let other else { return nil }
        return (other, reference.flatMap { reader.columns[source].position(of: $0) } ?? 0)
    }
}
