/// One value of a row on its way between an engine and an item: 16 bytes, tagged.
///
/// Text and bytes are an address and a length in memory that the cell does not own: the engine's page,
/// or the ``RowArena`` an item was written to. A cell is therefore only valid as long as that memory is;
/// each place that hands out cells says how long.
@frozen
public struct Cell {
    /// The integer, the bits of the number, or the address.
    public var bits: UInt64
    /// The number of bytes at the address.
    public var length: UInt32
    /// The kind of the cell's value.
    public var kind: Kind

    /// The kinds of values in a cell.
    ///
    /// The attribute's type says how to read it.
    @frozen
    public enum Kind: UInt8, Sendable {
        case null
        /// `Int64`, `Bool` and the narrower integers; `UInt64` by its bit pattern.
        case integer
        case real
        /// UTF-8, not terminated; may hold NUL.
        case text
        case blob
    }

    @inlinable
    package init(bits: UInt64, length: UInt32, kind: Kind) {
        self.bits = bits
        self.length = length
        self.kind = kind
    }
}

extension Cell {
    /// No value.
    @inlinable
    public static var null: Cell { Cell(bits: 0, length: 0, kind: .null) }

    @inlinable
    public static func integer(_ value: Int64) -> Cell {
        Cell(bits: UInt64(bitPattern: value), length: 0, kind: .integer)
    }

    @inlinable
    public static func unsigned(_ value: UInt64) -> Cell {
        Cell(bits: value, length: 0, kind: .integer)
    }

    @inlinable
    public static func real(_ value: Double) -> Cell {
        Cell(bits: value.bitPattern, length: 0, kind: .real)
    }

    /// Text at an address; the memory must outlive the cell.
    @inlinable
    public static func text(_ bytes: UnsafeRawBufferPointer) -> Cell {
        Cell(address: bytes, kind: .text)
    }

    /// Bytes at an address; the memory must outlive the cell.
    @inlinable
    public static func blob(_ bytes: UnsafeRawBufferPointer) -> Cell {
        Cell(address: bytes, kind: .blob)
    }

    @inlinable
    package init(address bytes: UnsafeRawBufferPointer, kind: Kind) {
        self.init(
            bits: UInt64(UInt(bitPattern: bytes.baseAddress)),
            length: UInt32(truncatingIfNeeded: bytes.count), kind: kind)
    }

    @inlinable
    public var isNull: Bool { kind == .null }

    @inlinable
    public var integer: Int64 { Int64(bitPattern: bits) }

    @inlinable
    public var real: Double { Double(bitPattern: bits) }

    /// The bytes of text or blob; empty for other kinds.
    @inlinable
    public var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: UnsafeRawPointer(bitPattern: UInt(truncatingIfNeeded: bits)), count: Int(length))
    }

    /// The bytes as text; invalid UTF-8 is replaced.
    @inlinable
    public var string: String {
        String(decoding: bytes, as: UTF8.self)
    }
}
