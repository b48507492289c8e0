import LarderKernel

/// Entries that are read before they are asked for, in ever larger steps.
///
/// A scan then makes one call for many entries, and a request for a single row reads but a few too many.
///
/// *Rule:* the entries are valid as long as the engine's pointers are.
struct ReadAhead: ~Copyable {
    private let entries: UnsafeMutableBufferPointer<KeyValueEntry>
    private var position = 0
    private var count = 0
    /// The number of entries read at once the last time; 0 before the first.
    private var step = 0

    /// - Parameter capacity: The maximum number of entries read at once.
    init(upTo capacity: Int) {
        entries = .allocate(capacity: capacity)
        entries.initialize(repeating: KeyValueEntry())
    }

    deinit {
        entries.deallocate()
    }

    var isEmpty: Bool { position == count }

    /// True if any were read.
    var wasFilled: Bool { step > 0 }

    /// Forgets all entries, so that a cursor is placed before any is read.
    mutating func reset() {
        (position, count, step) = (0, 0, 0)
    }

    /// - Precondition: It is not empty.
    @inline(__always)
    mutating func removeFirst() -> KeyValueEntry {
        let entry = entries[position]
        position &+= 1
        return entry
    }

    /// Removes unwanted entries from the end; reading cannot continue after them.
    mutating func removeLast(while isUnwanted: (KeyValueEntry) -> Bool) {
        while count > position, isUnwanted(entries[count - 1]) { count -= 1 }
    }

    /// Takes the entry at which the cursor was placed.
    mutating func fill(with entry: KeyValueEntry) {
        entries[0] = entry
        (position, count, step) = (0, 1, 1)
    }

    /// Reads the next entries; false when there are none.
    mutating func fill(from cursor: any KeyValueCursor, isAscending: Bool) throws(DataStoreError) -> Bool {
        // A cursor that reached its end would have to be placed again.
        guard count == step else { return false }
        step = min(max(1, 4 * step), entries.count)
        (position, count) = (0, 0)
        count = try cursor.next(.init(rebasing: entries[..<step]), isAscending: isAscending)
        return count > 0
    }
}
