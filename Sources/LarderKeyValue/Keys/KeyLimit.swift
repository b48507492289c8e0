import LarderKernel

/// In which direction entries are gone through, and how far.
///
/// *Rule:* for tables whose keys are compared as bytes; valid as long as the bytes of the end are.
public struct KeyLimit {
    /// True if keys rise.
    public let isAscending: Bool
    /// Going up, the first key that is too far; going down, the last one that is not; nil if nothing is.
    @usableFromInline let end: UnsafeRawBufferPointer?
    @usableFromInline let endHead: UInt64

    public init(isAscending: Bool, end: UnsafeRawBufferPointer?) {
        self.isAscending = isAscending
        self.end = end
        endHead = end?.head ?? 0
    }

    /// True if a key reached in this direction is within the limit.
    @inlinable
    public func allows(_ key: UnsafeRawBufferPointer) -> Bool {
        guard let end else { return true }
        // Most keys differ in their heads, so that no function has to be called.
        let head = key.head
        let isBefore = head == endHead ? key.isBefore(end) : head < endHead
        return isBefore == isAscending
    }
}

extension UnsafeRawBufferPointer {
    /// The first 8 bytes as a number, the first most significant; shorter keys are padded with zeros.
    ///
    /// If two of these differ, the bytes decide their order.
    @inlinable
    package var head: UInt64 {
        if count >= 8 { return UInt64(bigEndian: loadUnaligned(as: UInt64.self)) }
        var head: UInt64 = 0
        for position in 0..<8 { head = head &<< 8 | (position < count ? UInt64(self[position]) : 0) }
        return head
    }

    @usableFromInline
    func isBefore(_ other: UnsafeRawBufferPointer) -> Bool { order(to: other) < 0 }

    package func begins(with other: UnsafeRawBufferPointer) -> Bool {
        count >= other.count && UnsafeRawBufferPointer(rebasing: self[..<other.count]).isEqual(to: other)
    }
}
