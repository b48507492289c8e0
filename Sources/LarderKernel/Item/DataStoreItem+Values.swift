import struct Foundation.Date
import struct Foundation.Data
import struct Foundation.Decimal
import struct Foundation.URL
import struct Foundation.UUID

extension DataStoreItem {
    /// The value of an attribute, by its column.
    ///
    /// - Throws: `.invalidValue` when the item could not be stored.
    package func value<Value: AttributeStorable>(
        at column: Int, as type: Value.Type
    ) throws(DataStoreError) -> Value {
        let arena = RowArena(chunkBytes: 1024)
        let cells = try encoded(in: arena)
        defer { withExtendedLifetime(arena) {} }
        return try RowReader(cells: cells, of: Self.schema).value(at: column)
    }

    /// The cells of the item, which live as long as the arena.
    package func encoded(in arena: RowArena) throws(DataStoreError) -> UnsafeMutablePointer<Cell> {
        let cells = try arena.makeCells(Self.schema.attributes.count)
        var row = RowWriter(cells: cells, arena: arena, of: Self.schema)
        try encode(to: &row)
        return cells
    }
}

extension AttributeSchema {
    /// The cell for a value given by name: one of the attribute's type, or a number that it holds exactly.
    ///
    /// - Throws: `.wrongType`, even if the attribute has a fallback; `.invalidValue` for a value that cannot be stored.
    package func cell(
        for value: (any AttributeStorable)?, in arena: RowArena
    ) throws(DataStoreError) -> Cell {
        let cell = try value?.encode(in: arena) ?? .null
        guard let value, !cell.isNull else {
            if isOptional { return .null }
            throw wrongType(nil)
        }
        let given = Swift.type(of: value).attributeType
        // An item would show its fallback for a cell that its Swift type refuses, and have that stored.
        guard let taken = given.widens(to: type) ? cell : adapted(cell, of: given),
            valueType.map({ $0.decode(taken) != nil }) ?? true
        else { throw wrongType(value) }
        return taken
    }

    /// The cell for a number of another type; nil if the attribute cannot hold it.
    ///
    /// A narrow integer refuses a wider one by its Swift type.
    private func adapted(_ cell: Cell, of given: AttributeType) -> Cell? {
        // By kind: dates are stored as numbers too, and truth values and identifiers as integers.
        switch (ValueKind(given), ValueKind(type)) {
        case (.integer, .integer), (.integer, .itemID): cell
        case (.integer, .unsigned): cell.integer >= 0 ? cell : nil
        case (.integer, .real): Double(exactly: cell.integer).map { .real($0) }
        case (.integer, .float): Float(exactly: cell.integer).map { .real(Double($0)) }
        case (.real, .float): Float(exactly: cell.real) == nil ? nil : cell
        case (_, _): nil
        }
    }

    package func wrongType(_ value: (any AttributeStorable)?) -> DataStoreError {
        let given = value.map { "\($0), of the type \(Swift.type(of: $0))," } ?? "nil"
        return DataStoreError(
            .wrongType, "The value \(given) is not a valid \(self.type.rawValue).", attribute: propertyName)
    }
}

extension Cell {
    /// The value in the cell, in the standard type for its attribute type.
    package func value(of type: AttributeType) -> (any AttributeStorable)? {
        if isNull { return nil }
        switch type {
        case .bool: return Bool.decode(self)
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .itemID: return integer
        case .uint64: return UInt64.decode(self)
        case .float: return Float(real)
        case .double: return real
        case .string, .json: return string
        case .data: return Data.decode(self)
        case .date: return Date.decode(self)
        case .uuid: return UUID.decode(self)
        case .url: return URL.decode(self)
        case .decimal: return Decimal.decode(self)
        }
    }
}
