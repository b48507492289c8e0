import Larder

extension RowArena {
    /// The constant as a cell; its text and bytes are copied here.
    func cell(of constant: Constant) throws(DataStoreError) -> Cell {
        let result = constant.withCell { cell in
            Result { () throws(DataStoreError) in try self.cell(copying: cell) }
        }
        return try result.get()
    }

    /// The same value, with its text and bytes here.
    func cell(copying cell: Cell) throws(DataStoreError) -> Cell {
        switch cell.kind {
        case .null, .integer, .real: cell
        case .text: .text(try copy(cell.bytes))
        case .blob: .blob(try copy(cell.bytes))
        }
    }
}
