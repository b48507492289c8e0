import LarderKernel

/// A row in the engine: its identifier and its bytes, or instead of these the key of the index entry that
/// leads to it, if the key has all that is wanted.
///
/// *Rule:* valid as long as the engine's pointers are.
struct FoundRow {
    var identifier: Cell
    var bytes: UnsafeRawBufferPointer

    /// No row yet.
    init() {
        identifier = .null
        bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    }
}

extension RowLayout {
    /// The value of any column of a row, its identifier among them.
    @inline(__always)
    func cell(at column: Int, in row: FoundRow) throws(DataStoreError) -> Cell {
        column == 0 ? row.identifier : try cell(at: column, in: row.bytes)
    }
}
