import LarderPlatform

/// A piece of the file in memory, read within bounds that no damage can leave.
///
/// *Rule:* an offset taken from the file may be anything; what lies outside of the piece is nil, and
/// never read. All reading of a checked file goes through here.
struct PageBytes {
    private var bytes: [UInt8]
    /// The number of bytes read; the rest of the buffer is from earlier.
    private(set) var count = 0

    init(capacity: Int) {
        bytes = [UInt8](repeating: 0, count: max(0, capacity))
    }

    /// A number in the machine's byte order, which is the file's.
    func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type = Number.self, at offset: Int
    ) -> Number? {
        guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }

    /// True if a range of bytes is inside the piece.
    func contains(_ offset: Int, _ length: Int) -> Bool {
        offset >= 0 && length >= 0 && offset <= count && length <= count - offset
    }

    /// Bytes as text, with a replacement character for invalid bytes.
    func text(at offset: Int, _ length: Int) -> String? {
        guard contains(offset, length) else { return nil }
        return String(decoding: bytes[offset..<(offset + length)], as: UTF8.self)
    }

    /// Compares bytes as `memcmp` does; nil when either range is outside.
    func compare(_ offset: Int, with other: PageBytes, _ otherOffset: Int, length: Int) -> Int32? {
        guard contains(offset, length), other.contains(otherOffset, length) else { return nil }
        return bytes.withUnsafeBytes { mine in
            other.bytes.withUnsafeBytes { others in
                guard let mine = mine.baseAddress, let others = others.baseAddress else { return 0 }
                return memcmp(mine + offset, others + otherOffset, length)
            }
        }
    }

    /// Fills the room from an open file, as far as the file goes; the error number when reading fails.
    mutating func fill(from descriptor: Int32, at start: off_t) -> Int32? {
        count = 0
        while count < bytes.count {
            let (filled, room) = (count, bytes.count - count)
            let read = bytes.withUnsafeMutableBytes { buffer in
                // The sum cannot overflow: `start` leaves room for any piece.
                pread(descriptor, buffer.baseAddress.map { $0 + filled }, room, start &+ off_t(filled))
            }
            if read < 0 && errno == EINTR { continue }
            if read < 0 { return errno }
            if read == 0 { break }
            count += read
        }
        return nil
    }
}
