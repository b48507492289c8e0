import LarderKernel
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
            head = key.head
            bytes = key
        }
    }

    init(head: UInt64, bytes: UnsafeRawBufferPointer) {
        self.head = head
        self.bytes = bytes
    }
}
