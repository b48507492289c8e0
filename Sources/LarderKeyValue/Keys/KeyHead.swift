extension UnsafeRawBufferPointer {
    /// The first 8 bytes as a number, the first most significant; zeros stand behind fewer.
    ///
    /// Where two of these differ, their order is that of the bytes.
    package var head: UInt64 {
        if count >= 8 { return UInt64(bigEndian: loadUnaligned(as: UInt64.self)) }
        var head: UInt64 = 0
        for position in 0..<8 { head = head << 8 | (position < count ? UInt64(self[position]) : 0) }
        return head
    }
}
