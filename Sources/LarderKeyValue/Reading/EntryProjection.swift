import LarderKernel

/// The wanted columns of rows, taken from the keys of an index that has all of them: the rows are not read.
struct EntryProjection {
    /// The parts of the keys up to the last one that is wanted.
    private let steps: [Step]
    /// The position of the identifier among the wanted columns.
    private let identifierPositions: [Int]

    private struct Step {
        let part: KeyPart
        /// The position of the value among the wanted columns; nil if it is passed over.
        let position: Int?
    }

    /// - Returns: Nil if the keys do not have all of the columns, or may have them truncated.
    init?(_ columns: RequestPlan.Columns, of form: IndexKeyForm) {
        guard case .some(let columns) = columns, Set(columns).count == columns.count else { return nil }
        let wanted = columns.filter { $0 != 0 }
        let parts = form.parts
        guard wanted.allSatisfy({ column in parts.contains { $0.column == column && $0.form != .text } })
        else { return nil }
        let count = (parts.lastIndex { wanted.contains($0.column) } ?? -1) + 1
        steps = parts.prefix(count).map { Step(part: $0, position: columns.firstIndex(of: $0.column)) }
        identifierPositions = columns.indices.filter { columns[$0] == 0 }
    }

    /// Fills one cell for each column that is wanted; bytes point into the key.
    ///
    /// - Throws: `.damaged` when the bytes are not a key of the index.
    func decode(
        _ key: UnsafeRawBufferPointer, of identifier: Cell, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) {
        var offset = 0
        for step in steps {
            if let position = step.position {
                guard let value = step.part.value(in: key, at: &offset) else { throw Self.damaged(key) }
                cells[position] = value
            } else {
                guard let end = step.part.end(in: key, from: offset) else { throw Self.damaged(key) }
                offset = end.offset
            }
        }
        for position in identifierPositions { cells[position] = identifier }
    }

    private static func damaged(_ key: UnsafeRawBufferPointer) -> DataStoreError {
        DataStoreError(.damaged, "A stored index key of \(key.count) bytes ends too early.")
    }
}

extension AccessPlan {
    /// The way to take the wanted columns from the entries that lead to rows; nil if rows have to be read.
    func entryProjection(_ columns: RequestPlan.Columns) -> EntryProjection? {
        guard case .index(let scan) = path, residual.isEmpty else { return nil }
        switch sorting {
        case .none: return EntryProjection(columns, of: scan.index.form)
        // Only the identifiers are kept of the entries.
        case .identifiers: return columns == .some([0]) ? EntryProjection(columns, of: scan.index.form) : nil
        case .truncatedRuns, .rows: return nil
        }
    }
}
