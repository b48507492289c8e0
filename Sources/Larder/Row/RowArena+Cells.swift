extension RowArena {
    /// The same value, with its text or bytes here.
    package func copy(_ cell: Cell) throws(DataStoreError) -> Cell {
        switch cell.kind {
        case .null, .integer, .real: cell
        case .text: .text(try copy(cell.bytes))
        case .blob: .blob(try copy(cell.bytes))
        }
    }
}
