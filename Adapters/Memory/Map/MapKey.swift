import Larder
import LarderKeyValue

/// A key of an ``OrderedMap``: its first 8 bytes as a number, which decides most comparisons, and its bytes.
///
/// The key of an integer table is the number alone, and has no bytes. *Rule:* valid as long as the bytes are.
struct MapKey {
    let head: UInt64
    let bytes: UnsafeRawBufferPointer

    init(_ key: UnsafeRawBufferPointer, _ kind: KeyKind) {
        switch kind {
        case .integer:
            head = key.loadUnaligned(as: UInt64.self)
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
        case .bytes:
            head = Self.head(of: key)
            bytes = key
        }
    }

    init(head: UInt64, bytes: UnsafeRawBufferPointer) {
        self.head = head
        self.bytes = bytes
    }

    /// The first 8 bytes, the first most significant; zeros behind a shorter key.
    private static func head(of key: UnsafeRawBufferPointer) -> UInt64 {
        if key.count >= 8 { return UInt64(bigEndian: key.loadUnaligned(as: UInt64.self)) }
        var head: UInt64 = 0
        for position in 0..<8 { head = head << 8 | (position < key.count ? UInt64(key[position]) : 0) }
        return head
    }
}
