/// SipHash-2-4 with 128 bits of output: quick, and spread evenly over all bits.
///
/// Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012), and for the long output the authors'
/// reference implementation, <https://github.com/veorq/SipHash>, whose test vectors it is tested with.
///
/// Written by hand, as digests of rows and shapes are kept and compared between processes, in which Swift's
/// `Hasher` differs, and need 128 bits; no dependency is worth 60 lines.
package struct SipHash {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64

    private init(key: (UInt64, UInt64)) {
        v0 = key.0 ^ 0x736F_6D65_7073_6575
        v1 = key.1 ^ 0x646F_7261_6E64_6F6D ^ 0xEE
        v2 = key.0 ^ 0x6C79_6765_6E65_7261
        v3 = key.1 ^ 0x7465_6462_7974_6573
    }

    /// The hash of bytes under a key of two little-endian halves: the low and the high half of a
    /// little-endian number.
    package static func hash(
        _ bytes: UnsafeRawBufferPointer, key: (UInt64, UInt64)
    ) -> (low: UInt64, high: UInt64) {
        var state = SipHash(key: key)
        let whole = bytes.count & ~7
        for offset in stride(from: 0, to: whole, by: 8) {
            state.absorb(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        for offset in whole..<bytes.count { last |= UInt64(bytes[offset]) << UInt64(8 * (offset - whole)) }
        state.absorb(last)
        state.v2 ^= 0xEE
        let low = state.squeeze()
        state.v1 ^= 0xDD
        return (low, state.squeeze())
    }

    private mutating func absorb(_ word: UInt64) {
        v3 ^= word
        mix()
        mix()
        v0 ^= word
    }

    private mutating func squeeze() -> UInt64 {
        for _ in 0..<4 { mix() }
        return v0 ^ v1 ^ v2 ^ v3
    }

    @inline(__always)
    private mutating func mix() {
        v0 &+= v1
        v1 = Self.rotate(v1, 13) ^ v0
        v0 = Self.rotate(v0, 32)
        v2 &+= v3
        v3 = Self.rotate(v3, 16) ^ v2
        v0 &+= v3
        v3 = Self.rotate(v3, 21) ^ v0
        v2 &+= v1
        v1 = Self.rotate(v1, 17) ^ v2
        v2 = Self.rotate(v2, 32)
    }

    @inline(__always)
    private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
        word << count | word >> (64 - count)
    }
}
