import Larder

/// Memory for the cells of one row, used again and again.
final class CellBuffer {
    // reason: owned by this object alone, and initialised as a whole.
    let start: UnsafeMutablePointer<Cell>
    private let count: Int

    init(count: Int) {
        start = .allocate(capacity: count)
        start.initialize(repeating: .null, count: count)
        self.count = count
    }

    deinit {
        start.deinitialize(count: count)
        start.deallocate()
    }

    subscript(column: Int) -> Cell {
        get { start[column] }
        set { start[column] = newValue }
    }
}
