extension RowLayout {
    /// The number of bytes that ``encode(_:into:)`` will write for these cells.
    ///
    /// - Parameter cells: One for each column; that of the identifier is not read.
    /// - Throws: `.wrongType` for a cell that is not of its column's type, `.valueTooLarge`.
    public func encodedCount(of cells: UnsafePointer<Cell>) throws(DataStoreError) -> Int {
        let length = try variableLength(of: cells)
        return endsOffset + variableCount << Self.endShift(forLength: length) + length
    }

    /// Writes the cells as a row and returns the number of its bytes.
    ///
    /// - Parameters:
    ///   - cells: One for each column; that of the identifier is not read.
    ///   - buffer: At least ``encodedCount(of:)`` bytes.
    /// - Throws: `.wrongType` for a cell that is not of its column's type, `.valueTooLarge`.
    @discardableResult
    public func encode(
        _ cells: UnsafePointer<Cell>, into buffer: UnsafeMutableRawBufferPointer
    ) throws(DataStoreError) -> Int {
        let shift = Self.endShift(forLength: try variableLength(of: cells))
        let variableStart = endsOffset + variableCount << shift
        writeHeader(shift: shift, into: buffer)
        var end = 0
        for column in slots.indices.dropFirst() {
            let slot = slots[column]
            let cell = cells[column]
            if cell.isNull { buffer[slot.nullByte] |= slot.nullMask }
            if slot.form.width != nil {
                if !cell.isNull, !write(cell, slot.form, at: slot.position, of: buffer) {
                    throw wrongType(cell, at: column)
                }
            } else {
                let bytes = cell.bytes
                UnsafeMutableRawBufferPointer(rebasing: buffer[(variableStart + end)...]).copyMemory(from: bytes)
                end += bytes.count
                Self.writeEnd(end, shift: shift, at: endsOffset + slot.position << shift, of: buffer)
            }
        }
        return variableStart + end
    }

    /// The length of the variable part, once every cell is known to be of its column's kind.
    private func variableLength(of cells: UnsafePointer<Cell>) throws(DataStoreError) -> Int {
        var length = 0
        for column in slots.indices.dropFirst() {
            let cell = cells[column]
            let form = slots[column].form
            guard cell.isNull || cell.kind == form.cellKind else { throw wrongType(cell, at: column) }
            if form.width == nil { length += Int(cell.length) }
        }
        guard length <= UInt32.max / 2 else {
            throw DataStoreError(
                .valueTooLarge, "The text and bytes of one item take \(length) bytes.", itemType: entityName)
        }
        return length
    }

    /// Writes what stands before the ends; the fixed part and the null bits are zero afterwards.
    private func writeHeader(shift: Int, into buffer: UnsafeMutableRawBufferPointer) {
        UnsafeMutableRawBufferPointer(rebasing: buffer[..<endsOffset]).initializeMemory(
            as: UInt8.self, repeating: 0)
        buffer[0] = UInt8(truncatingIfNeeded: shift)
        buffer.storeBytes(of: generation.littleEndian, toByteOffset: 1, as: UInt16.self)
    }

    /// Writes a value of fixed width, unless it does not fit.
    private func write(
        _ cell: Cell, _ form: Form, at offset: Int, of buffer: UnsafeMutableRawBufferPointer
    ) -> Bool {
        func store(_ value: (some FixedWidthInteger)?) -> Bool {
            guard let value else { return false }
            buffer.storeBytes(of: value.littleEndian, toByteOffset: offset, as: type(of: value))
            return true
        }
        switch form {
        case .bool: return store(cell.bits <= 1 ? UInt8(truncatingIfNeeded: cell.bits) : nil)
        case .int8: return store(Int8(exactly: cell.integer))
        case .int16: return store(Int16(exactly: cell.integer))
        case .int32: return store(Int32(exactly: cell.integer))
        case .int64, .uint64, .double: return store(Optional(cell.bits))
        case .uint8: return store(UInt8(exactly: cell.integer))
        case .uint16: return store(UInt16(exactly: cell.integer))
        case .uint32: return store(UInt32(exactly: cell.integer))
        case .float: return store(Float(exactly: cell.real)?.bitPattern)
        case .uuid:
            guard cell.length == 16 else { return false }
            UnsafeMutableRawBufferPointer(rebasing: buffer[offset...]).copyMemory(from: cell.bytes)
            return true
        case .text, .blob: return false
        }
    }

    private static func endShift(forLength length: Int) -> Int {
        length <= UInt8.max ? 0 : (length <= UInt16.max ? 1 : 2)
    }

    private static func writeEnd(
        _ end: Int, shift: Int, at offset: Int, of buffer: UnsafeMutableRawBufferPointer
    ) {
        switch shift {
        case 0: buffer[offset] = UInt8(truncatingIfNeeded: end)
        case 1:
            let value = UInt16(truncatingIfNeeded: end).littleEndian
            buffer.storeBytes(of: value, toByteOffset: offset, as: UInt16.self)
        default:
            let value = UInt32(truncatingIfNeeded: end).littleEndian
            buffer.storeBytes(of: value, toByteOffset: offset, as: UInt32.self)
        }
    }

    private func wrongType(_ cell: Cell, at column: Int) -> DataStoreError {
        DataStoreError(
            .wrongType, "The value \(cell.rawDescription) for column \(column) is not of the column's type.",
            itemType: entityName)
    }
}
