extension RowLayout {
    /// Writes the cells as a row.
    ///
    ///     try layout.encode(cells) { count in buffer.grow(by: count) }
    ///
    /// - Parameters:
    ///   - cells: One for each column; that of the identifier is not read.
    ///   - makeRoom: Is called once and returns as many bytes as asked for, in which the row is written.
    /// - Throws: `.wrongType` for a cell that is not of its column's type, `.valueTooLarge`.
    public func encode(
        _ cells: UnsafePointer<Cell>, makeRoom: (_ count: Int) -> UnsafeMutableRawBufferPointer
    ) throws(DataStoreError) {
        let length = try variableLength(of: cells)
        let shift = Self.endShift(forLength: length)
        let variableStart = endsOffset + variableCount &<< shift
        let row = makeRoom(variableStart + length)
        guard let base = row.baseAddress, row.count == variableStart + length else {
            throw DataStoreError(.engine, "A row does not fit \(row.count) bytes.", itemType: entityName)
        }
        // reason: the slots lie before the ends, and the bytes behind them end where the row does: their
        // lengths are those that have just been added up.
        writeHeader(shift: shift, at: base)
        var end = 0
        for column in slots.indices.dropFirst() {
            let slot = slots[column]
            let cell = cells[column]
            if cell.isNull { Self.markNull(slot, at: base) }
            if slot.form.width != nil {
                if cell.isNull { continue }
                guard write(cell, slot.form, at: base + slot.position) else {
                    throw wrongType(cell, at: column)
                }
            } else {
                let bytes = cell.bytes
                if let source = bytes.baseAddress {
                    (base + variableStart + end).copyMemory(from: source, byteCount: bytes.count)
                    end += bytes.count
                }
                Self.writeEnd(end, shift: shift, at: base + endsOffset + slot.position &<< shift)
            }
        }
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
    private func writeHeader(shift: Int, at base: UnsafeMutableRawPointer) {
        base.initializeMemory(as: UInt8.self, repeating: 0, count: endsOffset)
        base.storeBytes(of: UInt8(truncatingIfNeeded: shift), as: UInt8.self)
        base.storeBytes(of: generation.littleEndian, toByteOffset: 1, as: UInt16.self)
    }

    private static func markNull(_ slot: Slot, at base: UnsafeMutableRawPointer) {
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

    @inline(__always)
    private static func writeEnd(_ end: Int, shift: Int, at place: UnsafeMutableRawPointer) {
        switch shift {
        case 0: place.storeBytes(of: UInt8(truncatingIfNeeded: end), as: UInt8.self)
        case 1: place.storeBytes(of: UInt16(truncatingIfNeeded: end).littleEndian, as: UInt16.self)
        default: place.storeBytes(of: UInt32(truncatingIfNeeded: end).littleEndian, as: UInt32.self)
        }
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
