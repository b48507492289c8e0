import CSQLite
import LarderKernel

/// Functions that our statements need and SQL does not have, registered on each of our connections and never
/// used in the schema, so that other tools can read every table.
enum SQLFunctions {
    /// The prefix of all their names.
    static let prefix = "larder_"

    static func register(on connection: OpaquePointer) {
        for number in TextTestFunction.numbers {
            TextTestFunction(number: number)?.register(on: connection)
        }
        PatternFunction.register(on: connection)
        FoldingFunction.register(on: connection)
        DecimalCollation.register(on: connection)
        ConstantList.register(on: connection)
        ReferenceFilter.register(on: connection)
        SumFunction.register(on: connection)
    }

    static let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
}

/// The order of decimal numbers in their text form, as a collation.
enum DecimalCollation {
    static let name = "larder_decimal"

    static func register(on connection: OpaquePointer) {
        sqlite3_create_collation_v2(
            connection, name, SQLITE_UTF8, nil,
            { _, leftCount, left, rightCount, right in
                let left = UnsafeRawBufferPointer(start: left, count: Int(leftCount))
                let right = UnsafeRawBufferPointer(start: right, count: Int(rightCount))
                return Int32(Cell.text(left).order(to: .text(right), storage: .decimal))
            }, nil)
    }
}

/// Values that SQLite passes to a function.
enum SQLValue {
    static func bytes(of value: OpaquePointer?) -> UnsafeRawBufferPointer {
        // In this order: asking for the blob may change how many bytes there are.
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    /// The object that was bound under this name.
    static func pointer(_ value: OpaquePointer?, named name: StaticString) -> UnsafeMutableRawPointer? {
        name.withCString { sqlite3_value_pointer(value, $0) }
    }

    /// Makes SQLite copy what it is given.
    static var copied: sqlite3_destructor_type {
        // reason: this is how SQLite's header defines SQLITE_TRANSIENT, which Swift cannot import.
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    /// The value as the cell of a column of this kind; valid during the call.
    static func cell(of value: OpaquePointer?, storage: AttributeType.Storage) -> Cell {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: .integer(sqlite3_value_int64(value), storedAs: storage)
        case SQLITE_FLOAT: .real(sqlite3_value_double(value))
        case SQLITE_TEXT: .text(bytes(of: value))
        case SQLITE_BLOB: storage == .unsigned ? .largeUnsigned(bytes(of: value)) : .blob(bytes(of: value))
        default: .null
        }
    }
}

extension Cell {
    /// An integer from a column of this kind.
    ///
    /// SQL may leave a negative one in a column of unsigned numbers; it is given as a number that cannot be read as one of
    /// them.
    static func integer(_ value: Int64, storedAs storage: AttributeType.Storage) -> Cell {
        storage == .unsigned && value < 0 ? .real(Double(value)) : .integer(value)
    }

    /// A number above `Int64.max` from its stored bytes.
    static func largeUnsigned(_ bytes: UnsafeRawBufferPointer) -> Cell {
        guard bytes.count == 8 else { return .blob(bytes) }
        return .unsigned(UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    }
}
