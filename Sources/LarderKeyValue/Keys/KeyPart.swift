import LarderKernel

/// One column's share of an index key: bytes whose order is the order of the values, and which show where
/// they end, so that several may follow each other.
///
/// | value | bytes |
/// |---|---|
/// | nil | `00` |
/// | integers | `01`, then 8 bytes, most significant first, the sign bit flipped |
/// | unsigned integers | `01`, then 8 bytes, most significant first |
/// | numbers | `01`, then 8 bytes, most significant first: the bits of the Double, all flipped if it is
/// negative, else only the sign |
/// | uuid | `01`, then its 16 bytes |
/// | text | `01`, then its bytes with `00` as `00 FF`, then `00 00` |
/// | text too long for its share | `01`, then as many of these bytes as fit, then `00 01` |
///
/// Values that are truncated at the same place look alike; code that reads such an entry compares the row.
struct KeyPart: Sendable {
    let column: Int
    let form: Form
    /// The maximum number of bytes of text between the tag and the end mark; 0 for a fixed width.
    let textLimit: Int

    enum Form: Sendable, Hashable {
        case integer, unsigned, real, uuid, text
    }

    /// The extent to which a value fits its share.
    enum Extent: Sendable {
        case whole
        case cut
    }

    enum Mark {
        static let null: UInt8 = 0
        static let value: UInt8 = 1
        static let escaped: UInt8 = 0xFF
        static let end: UInt8 = 0
        static let cut: UInt8 = 1
    }

    /// Appends the value of the column.
    func append(_ cell: Cell, to key: ByteBuffer) -> Extent {
        if cell.isNull {
            key.append(Mark.null)
            return .whole
        }
        key.append(Mark.value)
        switch form {
        case .integer: key.append(bigEndian: cell.bits ^ Self.sign)
        case .unsigned: key.append(bigEndian: cell.bits)
        case .real: key.append(bigEndian: Self.ordered(cell.real))
        case .uuid: key.append(cell.bytes)
        case .text: return append(text: cell.bytes, to: key)
        }
        return .whole
    }

    /// The offset of the next part, and the extent of this one; nil if the bytes are not such a part.
    func end(in key: UnsafeRawBufferPointer, from start: Int) -> (offset: Int, extent: Extent)? {
        guard start < key.count else { return nil }
        if key[start] == Mark.null { return (start + 1, .whole) }
        switch form {
        case .integer, .unsigned, .real: return start + 9 <= key.count ? (start + 9, .whole) : nil
        case .uuid: return start + 17 <= key.count ? (start + 17, .whole) : nil
        case .text: return endOfText(in: key, from: start + 1)
        }
    }

    /// The value of the part at an offset, which moves on to the next part; bytes point into the key.
    ///
    /// *Rule:* not for text, which may be truncated.
    /// - Returns: Nil if the bytes are not such a part.
    func value(in key: UnsafeRawBufferPointer, at offset: inout Int) -> Cell? {
        let start = offset
        guard let end = end(in: key, from: start) else { return nil }
        offset = end.offset
        if key[start] == Mark.null { return .null }
        switch form {
        case .integer: return .unsigned(Self.number(in: key, at: start + 1) ^ Self.sign)
        case .unsigned: return .unsigned(Self.number(in: key, at: start + 1))
        case .real: return .real(Self.real(ordered: Self.number(in: key, at: start + 1)))
        case .uuid: return .blob(UnsafeRawBufferPointer(rebasing: key[start + 1..<end.offset]))
        case .text: return nil
        }
    }

    private static func number(in key: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
        UInt64(bigEndian: key.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// True if the part that begins here stands for nil.
    static func isNull(_ key: UnsafeRawBufferPointer, at start: Int) -> Bool {
        key[start] == Mark.null
    }

    /// The bytes of a part at most, without its text.
    var fixedWidth: Int {
        switch form {
        case .integer, .unsigned, .real: 9
        case .uuid: 17
        case .text: 3
        }
    }

    /// The bits of a number, so that bits sort as numbers do.
    static func ordered(_ value: Double) -> UInt64 {
        let bits = value.bitPattern
        return bits & sign != 0 ? ~bits : bits ^ sign
    }

    /// The number whose bits in order these are.
    private static func real(ordered bits: UInt64) -> Double {
        Double(bitPattern: bits & sign != 0 ? bits ^ sign : ~bits)
    }

    /// The sign bit of an `Int64` or a `Double`.
    static let sign: UInt64 = 1 << 63

    private func append(text: UnsafeRawBufferPointer, to key: ByteBuffer) -> Extent {
        // Text that has no NUL and fits, nearly all of it, is copied at once.
        if text.count <= textLimit, !text.contains(0) {
            key.append(text)
            key.append(Mark.end)
            key.append(Mark.end)
            return .whole
        }
        var length = 0
        for byte in text {
            let width = byte == 0 ? 2 : 1
            if length + width > textLimit {
                key.append(Mark.end)
                key.append(Mark.cut)
                return .cut
            }
            key.append(byte)
            if byte == 0 { key.append(Mark.escaped) }
            length += width
        }
        key.append(Mark.end)
        key.append(Mark.end)
        return .whole
    }

    private func endOfText(
        in key: UnsafeRawBufferPointer, from start: Int
    ) -> (offset: Int, extent: Extent)? {
        var offset = start
        while offset + 1 < key.count {
            if key[offset] != 0 {
                offset += 1
            } else if key[offset + 1] == Mark.escaped {
                offset += 2
            } else {
                return (offset + 2, key[offset + 1] == Mark.cut ? .cut : .whole)
            }
        }
        return nil
    }
}

extension KeyPart.Form {
    /// The form of an attribute's values; nil for what cannot be indexed.
    init?(_ type: AttributeType) {
        switch type.storage {
        case .integer: self = .integer
        case .unsigned: self = .unsigned
        case .real: self = .real
        case .text: self = .text
        case .blob:
            guard type == .uuid else { return nil }
            self = .uuid
        case .decimal, .json: return nil
        }
    }
}
