import Larder

extension RowArena {
    /// The constant as a cell; its text and bytes are copied here.
    func cell(of constant: Constant) throws(DataStoreError) -> Cell {
        let result = constant.withCell { cell in
            Result { () throws(DataStoreError) in try copy(cell) }
        }
        return try result.get()
    }
}
