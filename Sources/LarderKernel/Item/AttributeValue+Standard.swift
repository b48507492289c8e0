// The standard library's values. Integers narrower than 64 bits travel as Int64.

extension Bool: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .bool }

    @inlinable
    public static func decode(_ cell: Cell) -> Bool? {
        guard cell.kind == .integer, cell.bits <= 1 else { return nil }
        return cell.bits == 1
    }

    @inlinable
    public func encode(in arena: RowArena) throws(DataStoreError) -> Cell { .integer(self ? 1 : 0) }
}

extension FixedWidthInteger where Self: AttributeValue {
    @inlinable
    public static func decode(_ cell: Cell) -> Self? {
        guard cell.kind == .integer else { return nil }
        return Self(exactly: cell.integer)
    }

    @inlinable
    public func encode(in arena: RowArena) throws(DataStoreError) -> Cell {
        .integer(Int64(truncatingIfNeeded: self))
    }
}

extension Int: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .int64 }
}

extension Int8: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .int8 }
}

extension Int16: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .int16 }
}

extension Int32: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .int32 }
}

extension Int64: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .int64 }
}

extension UInt8: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .uint8 }
}

extension UInt16: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .uint16 }
}

extension UInt32: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .uint32 }
}

extension UInt64: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .uint64 }

    @inlinable
    public static func decode(_ cell: Cell) -> UInt64? { cell.kind == .integer ? cell.bits : nil }
}

extension UInt: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .uint64 }

    @inlinable
    public static func decode(_ cell: Cell) -> UInt? {
        cell.kind == .integer ? UInt(exactly: cell.bits) : nil
    }
}

extension Double: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .double }

    @inlinable
    public static func decode(_ cell: Cell) -> Double? { cell.kind == .real ? cell.real : nil }

    @inlinable
    public func encode(in arena: RowArena) throws(DataStoreError) -> Cell {
        if isNaN { throw .notANumber }
        return .real(self == 0 ? 0 : self)  // -0.0 is stored as 0.0 everywhere (contract rule 9)
    }
}

extension Float: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .float }

    @inlinable
    public static func decode(_ cell: Cell) -> Float? {
        cell.kind == .real ? Float(exactly: cell.real) : nil
    }

    @inlinable
    public func encode(in arena: RowArena) throws(DataStoreError) -> Cell {
        try Double(self).encode(in: arena)
    }
}

extension String: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .string }

    @inlinable
    public static func decode(_ cell: Cell) -> String? { cell.kind == .text ? cell.string : nil }

    @inlinable
    public func encode(in arena: RowArena) throws(DataStoreError) -> Cell {
        try arena.reserve(utf8.count)
        let cell = utf8.withContiguousStorageIfAvailable {
            Cell.text(arena.append(UnsafeRawBufferPointer($0)))
        }
        if let cell { return cell }
        // Only bridged text has to be copied first, while `withUTF8` copies any.
        var text = self
        return text.withUTF8 { .text(arena.append(UnsafeRawBufferPointer($0))) }
    }
}

extension DataStoreError {
    @usableFromInline package static var notANumber: DataStoreError {
        DataStoreError(.invalidValue, "NaN cannot be stored, as it equals nothing, not even itself.")
    }
}
