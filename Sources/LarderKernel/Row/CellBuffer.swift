/// Memory for the cells of one row, used again and again.
///
/// *Rule:* used by one thread at a time. The addresses are valid as long as the buffer is kept.
package final class CellBuffer {
    // reason: owned by this object alone, and initialized as a whole.
    package let start: UnsafeMutablePointer<Cell>

    package init(count: Int) {
        start = .allocate(capacity: count)
        start.initialize(repeating: .null, count: count)
    }

    // Cells are trivial: there is nothing to deinitialize.
    deinit { start.deallocate() }
}
