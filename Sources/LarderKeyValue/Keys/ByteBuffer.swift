/// Bytes being put together, in memory that is used again and again.
///
/// *Rule:* used by one thread. The result of ``bytes`` is valid until the next change.
final class ByteBuffer {
    // reason: the memory is owned by this object alone, and `count` never exceeds its size. reason for
    // unchecked: used by one thread at a time, and never by functions it calls; the checks cost more than a
    // short key.
    @exclusivity(unchecked) private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    @exclusivity(unchecked) private(set) var count = 0

    /// The capacity allocated for the first byte.
    private static let leastBytes = 256
    /// The capacity kept for a later transaction.
    private static let mostKeptBytes = 64 << 10

    deinit {
        memory.deallocate()
    }

    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory[..<count])
    }

    /// Removes all bytes after a position.
    func truncate(to count: Int = 0) {
        self.count = min(self.count, count)
    }

    /// Removes all bytes, and frees memory that only a large value has needed.
    func reset() {
        count = 0
        guard memory.count > Self.mostKeptBytes else { return }
        memory.deallocate()
        memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }

    /// Makes room for more bytes at the end, which count from now on, and returns it.
    func grow(by more: Int) -> UnsafeMutableRawBufferPointer {
        if count + more > memory.count { enlarge(to: count + more) }
        let start = count
        count += more
        return UnsafeMutableRawBufferPointer(rebasing: memory[start..<count])
    }

    func append(_ byte: UInt8) {
        grow(by: 1)[0] = byte
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
        grow(by: bytes.count).copyMemory(from: bytes)
    }

    /// Appends bytes that are here already.
    func append(copyOf range: Range<Int>) {
        let copy = grow(by: range.count)
        copy.copyMemory(from: self[range])
    }

    subscript(range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory[range])
    }

    /// Replaces the bytes from an offset on by the first bytes that come after all keys that begin with them;
    /// leaves none if no bytes do.
    func moveToEndOfKeys(from start: Int) {
        while count > start {
            let last = memory[count - 1]
            if last < .max {
                memory[count - 1] = last + 1
                return
            }
            count -= 1
        }
    }

    func append(bigEndian value: UInt64) {
        grow(by: 8).storeBytes(of: value.bigEndian, as: UInt64.self)
    }

    private func enlarge(to needed: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(needed, 2 * memory.count, Self.leastBytes), alignment: 16)
        larger.copyMemory(from: bytes)
        memory.deallocate()
        memory = larger
    }
}
