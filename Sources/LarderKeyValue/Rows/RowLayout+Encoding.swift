import LarderKernel

extension RowLayout {
    /// Writes the cells as a row.
    ///
    ///     try layout.encode(cells) { count in buffer.grow(by: count) }
    ///
    /// - Parameters:
    ///   - cells: One for each column; the identifier's is not read.
    ///   - makeRoom: Is called once and returns as many bytes as asked for, in which the row is written.
    /// - Throws: `.wrongType` for a cell that is not of its column's type, `.valueTooLarge`.
    func encode(
        _ cells: UnsafePointer<Cell>, makeRoom: (_ count: Int) -> UnsafeMutableRawBufferPointer
    ) throws(DataStoreError) {
        let length = try variableLength(of: cells)
        let shift = Self.endShift(forLength: length)
        let variableStart = endsOffset + variableCount &<< shift
        let row = makeRoom(variableStart + length)
        guard let base = row.baseAddress, row.count == variableStart + length else {
            throw DataStoreError(.engine, "A row does not fit \(row.count) bytes.", itemType: entityName)
        }
        // reason: the slots lie before the ends, and the bytes after them end where the row does: their
        // lengths are those that have just been added up.
        writeHeader(shift: shift, at: base)
        // Kind by kind, as rows are decoded.
        for slot in wideSlots {
            let cell = cells[slot.column]
            if cell.kind == slot.kind {
                base.storeBytes(of: cell.bits.littleEndian, toByteOffset: slot.position, as: UInt64.self)
            } else {
                try markNull(cell, in: slot, at: base)
            }
        }
        switch shift {
        case 0: try encodeVariable(cells, endsOf: UInt8.self, at: base, variableStart)
        case 1: try encodeVariable(cells, endsOf: UInt16.self, at: base, variableStart)
        default: try encodeVariable(cells, endsOf: UInt32.self, at: base, variableStart)
        }
        for slot in otherSlots {
            let cell = cells[slot.column]
            if cell.kind != slot.kind {
                try markNull(cell, in: slot, at: base)
            } else if !write(cell, slot.form, at: base + slot.position) {
                throw wrongType(cell, at: slot.column)
            }
        }
    }

    @inline(__always)
    private func encodeVariable<End: FixedWidthInteger>(
        _ cells: UnsafePointer<Cell>, endsOf type: End.Type, at base: UnsafeMutableRawPointer,
        _ variableStart: Int
    ) throws(DataStoreError) {
        var end = 0
        var place = base + endsOffset
        for slot in variableSlots {
            let cell = cells[slot.column]
            if cell.kind == slot.kind {
                let bytes = cell.bytes
                if let source = bytes.baseAddress {
                    (base + variableStart + end).copyMemory(from: source, byteCount: bytes.count)
                    end += bytes.count
                }
            } else {
                try markNull(cell, in: slot, at: base)
            }
            place.storeBytes(of: End(truncatingIfNeeded: end).littleEndian, as: End.self)
            place += MemoryLayout<End>.size
        }
    }

    /// The length of the variable part.
    private func variableLength(of cells: UnsafePointer<Cell>) throws(DataStoreError) -> Int {
        var length = 0
        for slot in variableSlots {
            let cell = cells[slot.column]
            if cell.kind == slot.kind { length += Int(cell.length) }
        }
        guard length <= UInt32.max / 2 else {
            throw DataStoreError(
                .valueTooLarge, "The text and bytes of one item take \(length) bytes.", itemType: entityName)
        }
        return length
    }

    /// Writes what stands before the ends; the fixed part and the null bits are zero afterwards.
    private func writeHeader(shift: Int, at base: UnsafeMutableRawPointer) {
        base.initializeMemory(as: UInt8.self, repeating: 0, count: endsOffset)
        base.storeBytes(of: UInt8(truncatingIfNeeded: shift), as: UInt8.self)
        base.storeBytes(of: generation.littleEndian, toByteOffset: 1, as: UInt16.self)
    }

    /// Marks a column as nil.
    ///
    /// - Throws: `.wrongType` for a cell that is not.
    @inline(__always)
    private func markNull(
        _ cell: Cell, in slot: Slot, at base: UnsafeMutableRawPointer
    ) throws(DataStoreError) {
        guard cell.isNull else { throw wrongType(cell, at: slot.column) }
        let bits = base.load(fromByteOffset: slot.nullByte, as: UInt8.self)
        base.storeBytes(of: bits | slot.nullMask, toByteOffset: slot.nullByte, as: UInt8.self)
    }

    /// Writes a value of fixed width, unless it does not fit.
    @inline(__always)
    private func write(_ cell: Cell, _ form: Form, at place: UnsafeMutableRawPointer) -> Bool {
        switch form {
        case .bool: return store(cell.bits <= 1 ? UInt8(truncatingIfNeeded: cell.bits) : nil, at: place)
        case .int8: return store(Int8(exactly: cell.integer), at: place)
        case .int16: return store(Int16(exactly: cell.integer), at: place)
        case .int32: return store(Int32(exactly: cell.integer), at: place)
        case .int64, .uint64, .double: return store(cell.bits, at: place)
        case .uint8: return store(UInt8(exactly: cell.integer), at: place)
        case .uint16: return store(UInt16(exactly: cell.integer), at: place)
        case .uint32: return store(UInt32(exactly: cell.integer), at: place)
        case .float: return store(Float(exactly: cell.real)?.bitPattern, at: place)
        case .uuid:
            guard cell.length == 16, let source = cell.bytes.baseAddress else { return false }
            place.copyMemory(from: source, byteCount: 16)
            return true
        case .text, .blob: return false
        }
    }

    @inline(__always)
    private func store<Value: FixedWidthInteger>(_ value: Value?, at place: UnsafeMutableRawPointer) -> Bool {
        guard let value else { return false }
        place.storeBytes(of: value.littleEndian, as: Value.self)
        return true
    }

    private static func endShift(forLength length: Int) -> Int {
        length <= UInt8.max ? 0 : (length <= UInt16.max ? 1 : 2)
    }

    private func wrongType(_ cell: Cell, at column: Int) -> DataStoreError {
        DataStoreError(
            .wrongType, "The value \(cell.rawDescription) for column \(column) is not of the column's type.",
            itemType: entityName)
    }
}
