@testable import Larder

extension RowArena {
    /// The constant as a cell; its text and bytes are copied here.
    func cell(holding constant: Constant) throws(DataStoreError) -> Cell {
        let result = constant.withCell { cell in
            Result { () throws(DataStoreError) in
                switch cell.kind {
                case .null, .integer, .real: cell
                case .text: Cell.text(try copy(cell.bytes))
                case .blob: Cell.blob(try copy(cell.bytes))
                }
            }
        }
        return try result.get()
    }
}
