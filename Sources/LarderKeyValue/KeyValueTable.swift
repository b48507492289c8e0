/// The kind of a table's keys, which decides how they are compared.
public enum KeyKind: UInt8, Sendable, Hashable {
    /// 8 bytes in the machine's own order, compared as an unsigned integer. The keys of `Int64` have their
    /// sign bit flipped, so that this is their order.
    case integer
    /// Compared as unsigned bytes, a prefix first.
    case bytes
}

/// A table of an engine, by the number the engine gave it.
public struct KeyValueTable: Sendable, Hashable {
    public let number: Int
    public let keys: KeyKind

    public init(number: Int, keys: KeyKind) {
        self.number = number
        self.keys = keys
    }
}

/// The present entry of a cursor; valid as long as documented in ``KeyValueSnapshot``.
public struct KeyValueEntry {
    public var key: UnsafeRawBufferPointer
    public var value: UnsafeRawBufferPointer

    /// An entry of nothing, for a cursor to fill.
    public init() {
        key = UnsafeRawBufferPointer(start: nil, count: 0)
        value = key
    }
}
