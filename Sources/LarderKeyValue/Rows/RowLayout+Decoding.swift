import LarderKernel

/// A row whose outline has been checked: where its parts are, and that they end where the bytes end.
///
/// *Rule:* valid as long as the bytes are.
struct RowOutline {
    let base: UnsafeRawPointer
    /// Two to the power of this is the number of bytes an end takes.
    let endShift: Int
    let variableStart: Int
    let variableLength: Int
}

extension RowLayout {
    /// Checks the outline of a row, so that its columns can be read.
    ///
    /// - Throws: `.damaged` when the bytes are not a row of this layout.
    @inline(__always)
    func outline(of bytes: UnsafeRawBufferPointer) throws(DataStoreError) -> RowOutline {
        guard let base = bytes.baseAddress, bytes.count >= endsOffset, bytes[0] <= 2 else {
            throw damaged("of \(bytes.count) bytes begins like no row")
        }
        let stored = UInt16(littleEndian: base.loadUnaligned(fromByteOffset: 1, as: UInt16.self))
        guard stored == generation else {
            throw damaged("is of generation \(stored), not \(generation)")
        }
        let shift = Int(bytes[0])
        let variableStart = endsOffset + variableCount &<< shift
        guard bytes.count >= variableStart else {
            throw damaged("of \(bytes.count) bytes ends before its columns do")
        }
        let length =
            variableCount == 0 ? 0 : Self.end(at: endsOffset + (variableCount - 1) &<< shift, shift, of: base)
        guard length == bytes.count - variableStart else {
            throw damaged("has \(bytes.count) bytes, not \(variableStart + length)")
        }
        return RowOutline(
            base: base, endShift: shift, variableStart: variableStart, variableLength: length)
    }

    /// The value of one column other than the identifier's; text and bytes point into the row.
    ///
    /// - Throws: `.damaged` when the row is inconsistent about the column.
    func cell(at column: Int, of row: RowOutline) throws(DataStoreError) -> Cell {
        try cell(in: slots[column], of: row)
    }

    /// The value of one column other than the identifier's, of a row of which no more is checked than is
    /// read.
    ///
    /// For tests of rows that are then decoded or not wanted. *Cost:* about 3 ns for a number of eight bytes.
    /// - Throws: `.damaged` when the bytes that are read are not a row of this layout.
    @inline(__always)
    func cell(at column: Int, in bytes: UnsafeRawBufferPointer) throws(DataStoreError) -> Cell {
        let slot = slots[column]
        guard slot.isWide, bytes.count >= endsOffset, let base = bytes.baseAddress,
            UInt16(littleEndian: base.loadUnaligned(fromByteOffset: 1, as: UInt16.self)) == generation
        else { return try narrowCell(at: column, in: bytes) }
        if isNull(slot, at: base) { return .null }
        let bits = base.loadUnaligned(fromByteOffset: slot.position, as: UInt64.self)
        return Cell(bits: UInt64(littleEndian: bits), length: 0, kind: slot.kind)
    }

    // Not inlined, so that only the short way is repeated wherever a column is tested.
    @inline(never)
    func narrowCell(at column: Int, in bytes: UnsafeRawBufferPointer) throws(DataStoreError) -> Cell {
        try cell(in: slots[column], of: try outline(of: bytes))
    }
    @inline(__always)
    func isNull(_ slot: Slot, at base: UnsafeRawPointer) -> Bool {
        base.load(fromByteOffset: slot.nullByte, as: UInt8.self) & slot.nullMask != 0
    }

    // Inlined into the loops below, which would otherwise call it for every column of every row.
    @inline(__always)
    private func cell(in slot: Slot, of row: RowOutline) throws(DataStoreError) -> Cell {
        if isNull(slot, at: row.base) { return .null }
        let value = row.base + slot.position
        switch slot.form {
        case .bool, .uint8: return .integer(Int64(value.load(as: UInt8.self)))
        case .int8: return .integer(Int64(value.load(as: Int8.self)))
        case .int16: return .integer(Int64(Int16(littleEndian: value.loadUnaligned(as: Int16.self))))
        case .int32: return .integer(Int64(Int32(littleEndian: value.loadUnaligned(as: Int32.self))))
        case .uint16: return .integer(Int64(UInt16(littleEndian: value.loadUnaligned(as: UInt16.self))))
        case .uint32: return .integer(Int64(UInt32(littleEndian: value.loadUnaligned(as: UInt32.self))))
        case .int64, .uint64: return .unsigned(UInt64(littleEndian: value.loadUnaligned(as: UInt64.self)))
        case .float:
            let bits = UInt32(littleEndian: value.loadUnaligned(as: UInt32.self))
            return .real(Double(Float(bitPattern: bits)))
        case .double:
            let bits = UInt64(littleEndian: value.loadUnaligned(as: UInt64.self))
            return .real(Double(bitPattern: bits))
        case .uuid: return .blob(UnsafeRawBufferPointer(start: value, count: 16))
        case .text: return .text(try variableBytes(slot.position, of: row))
        case .blob: return .blob(try variableBytes(slot.position, of: row))
        }
    }

    /// Fills one cell for each column except the identifier's, which does not change.
    ///
    /// *Rule:* the cells are valid as long as the bytes are.
    /// - Throws: `.damaged` when the bytes are not a row of this layout.
    func decode(
        _ bytes: UnsafeRawBufferPointer, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) {
        let row = try outline(of: bytes)
        // Kind by kind rather than column by column: every row of a scan comes through here, and half of the
        // time went into finding out what kind the next column is.
        for slot in wideSlots {
            let bits = row.base.loadUnaligned(fromByteOffset: slot.position, as: UInt64.self)
            let cell = Cell(bits: UInt64(littleEndian: bits), length: 0, kind: slot.kind)
            cells[slot.column] = isNull(slot, at: row.base) ? .null : cell
        }
        switch row.endShift {
        case 0: try decodeVariable(row, endsOf: UInt8.self, into: cells)
        case 1: try decodeVariable(row, endsOf: UInt16.self, into: cells)
        default: try decodeVariable(row, endsOf: UInt32.self, into: cells)
        }
        for slot in otherSlots { cells[slot.column] = try cell(in: slot, of: row) }
    }

    @inline(__always)
    private func decodeVariable<End: FixedWidthInteger>(
        _ row: RowOutline, endsOf type: End.Type, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) {
        var start = 0
        var place = row.base + endsOffset
        for slot in variableSlots {
            let end = Int(truncatingIfNeeded: End(littleEndian: place.loadUnaligned(as: type)))
            let cell = Cell(address: try variableBytes(from: start, to: end, of: row), kind: slot.kind)
            cells[slot.column] = isNull(slot, at: row.base) ? .null : cell
            start = end
            place += MemoryLayout<End>.size
        }
    }

    /// Fills one cell for each of these columns, in their order; if the identifier's is named, its cell does
    /// not change.
    ///
    /// *Rule:* the cells are valid as long as the bytes are.
    /// - Throws: `.damaged` when the bytes are not a row of this layout.
    func decode(
        _ bytes: UnsafeRawBufferPointer, columns: [Int], into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) {
        let row = try outline(of: bytes)
        for (position, column) in columns.enumerated() where column != 0 {
            cells[position] = try cell(in: slots[column], of: row)
        }
    }

    @inline(__always)
    private func variableBytes(
        _ number: Int, of row: RowOutline
    ) throws(DataStoreError) -> UnsafeRawBufferPointer {
        let place = endsOffset + number &<< row.endShift
        let start = number == 0 ? 0 : Self.end(at: place - 1 &<< row.endShift, row.endShift, of: row.base)
        return try variableBytes(
            from: start, to: Self.end(at: place, row.endShift, of: row.base), of: row)
    }

    @inline(__always)
    private func variableBytes(
        from start: Int, to end: Int, of row: RowOutline
    ) throws(DataStoreError) -> UnsafeRawBufferPointer {
        guard start <= end, end <= row.variableLength else {
            throw damaged(start, end, row.variableLength)
        }
        return UnsafeRawBufferPointer(start: row.base + row.variableStart + start, count: end - start)
    }

    private static func end(at offset: Int, _ shift: Int, of base: UnsafeRawPointer) -> Int {
        switch shift {
        case 0: Int(base.load(fromByteOffset: offset, as: UInt8.self))
        case 1: Int(UInt16(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
        default: Int(UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
    }

    private func damaged(_ start: Int, _ end: Int, _ length: Int) -> DataStoreError {
        damaged("names the bytes \(start) to \(end) of \(length)")
    }

    private func damaged(_ what: String) -> DataStoreError {
        DataStoreError(.damaged, "A stored row of \(entityName) \(what).", itemType: entityName)
    }
}
