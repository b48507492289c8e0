import LarderPlatform
package import LarderValues

extension Cell {
    /// Negative, zero or positive as this value comes before, with or after the other; nil comes first.
    public func order(to other: Cell, storage: AttributeType.Storage) -> Int {
        if isNull || other.isNull { return (isNull ? 0 : 1) - (other.isNull ? 0 : 1) }
        switch storage {
        case .integer: return integer < other.integer ? -1 : (integer == other.integer ? 0 : 1)
        case .unsigned: return bits < other.bits ? -1 : (bits == other.bits ? 0 : 1)
        case .real: return real < other.real ? -1 : (real == other.real ? 0 : 1)
        case .decimal: return DecimalText.compare(string, other.string)
        case .text, .blob, .json: return bytes.order(to: other.bytes)
        }
    }
}

extension DecimalText {
    /// Negative, zero or positive as the first number is less, equal or greater; text that is not a number comes
    /// first, by its bytes.
    package static func compare(_ left: String, _ right: String) -> Int {
        switch (decimal(left), decimal(right)) {
        case (let left?, let right?): left < right ? -1 : (left == right ? 0 : 1)
        case (nil, .some): -1
        case (.some, nil): 1
        case (nil, nil): UTF8Text.precedes(left, right) ? -1 : (UTF8Text.areEqual(left, right) ? 0 : 1)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Negative, zero or positive in the order of unsigned bytes, a prefix first.
    package func order(to other: UnsafeRawBufferPointer) -> Int {
        let common = Swift.min(count, other.count)
        if common > 0, let left = baseAddress, let right = other.baseAddress {
            let order = memcmp(left, right, common)
            if order != 0 { return Int(order) }
        }
        return count - other.count
    }

    /// True if both have the same bytes; the standard library compares them one by one.
    package func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard count > 0, let left = baseAddress, let right = other.baseAddress else { return true }
        return memcmp(left, right, count) == 0
    }

    /// The bytes from an offset on that are as many as another's.
    func part(at offset: Int, asLongAs other: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[offset..<(offset + other.count)])
    }

    /// True if these bytes contain the other bytes.
    func contains(bytes needle: UnsafeRawBufferPointer) -> Bool {
        guard let first = needle.first else { return true }
        guard count >= needle.count, let start = baseAddress else { return false }
        var offset = 0
        let end = count - needle.count + 1
        while offset < end, let found = memchr(start + offset, Int32(first), end - offset) {
            offset = UnsafeRawPointer(found) - start
            if part(at: offset, asLongAs: needle).isEqual(to: needle) { return true }
            offset += 1
        }
        return false
    }
}
