/// Holds the texts of one row while SQLite reads them in place.
struct TextArena: ~Copyable {
    private var bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4096)
    private var used = 0

    deinit {
        bytes.deallocate()
    }

    /// Forgets the row before, and makes room for all texts of the next one: none may move afterwards.
    mutating func beginRow(byteCount: Int) {
        used = 0
        guard byteCount > bytes.count else { return }
        bytes.deallocate()
        bytes = .allocate(capacity: byteCount * 2)
    }

    /// Copies a text that `beginRow` made room for.
    mutating func store(_ text: String) -> UnsafeBufferPointer<UInt8> {
        let count = text.utf8.count
        let place = UnsafeMutableBufferPointer(rebasing: bytes[used..<(used + count)])
        _ = place.initialize(from: text.utf8)
        used += count
        return UnsafeBufferPointer(place)
    }
}
