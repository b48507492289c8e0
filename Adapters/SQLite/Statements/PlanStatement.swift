import CSQLite
import LarderKernel
import LarderSQL

/// The prepared statement of a shape of requests, with the way its rows are read.
///
/// *Rule:* taken by one reading at a time. *Cost:* filling a row's cells allocates nothing.
final class PlanStatement {
    let statement: SQLiteStatement
    private let binding: PlanBinding
    /// True if a reading has it.
    var isTaken = true

    // reason: read for each column of each row; allocated once and freed with the statement.
    private let readings: UnsafeMutableBufferPointer<ColumnReading>

    /// - Parameter parameters: The sources of the statement's parameters, for ``bind(_:in:)``.
    init(
        _ statement: SQLiteStatement, _ parameters: [SQLParameter], columns: [Int], of table: EntityTable
    ) {
        self.statement = statement
        binding = PlanBinding(parameters)
        readings = .allocate(capacity: columns.count)
        for (position, column) in columns.enumerated() {
            readings.initializeElement(
                at: position, to: ColumnReading(table.storages[column], isOptional: table.isOptional(column)))
        }
    }

    deinit {
        readings.deallocate()
    }

    /// Binds the constants of a plan of the shape that the statement was written for.
    func bind(_ plan: RequestPlan, in tables: [EntityTable]) {
        binding.bind(plan, to: statement, in: tables)
    }

    /// Fills the cells with the row the statement is at; they are valid until its next step or reset.
    @inline(__always)
    func fill(_ cells: UnsafeMutablePointer<Cell>) {
        let handle = statement.handle
        for position in readings.indices {
            cells[position] = readings[position].cell(in: handle, at: Int32(truncatingIfNeeded: position))
        }
    }
}

/// The way to read a column; columns that cannot be nil are read without a check.
private enum ColumnReading: UInt8 {
    case integer, optionalInteger, real, optionalReal, unsigned, text, blob

    init(_ storage: AttributeType.Storage, isOptional: Bool) {
        switch storage {
        case .integer: self = isOptional ? .optionalInteger : .integer
        case .real: self = isOptional ? .optionalReal : .real
        case .unsigned: self = .unsigned
        case .text, .decimal, .json: self = .text
        case .blob: self = .blob
        }
    }

    @inline(__always)
    func cell(in handle: OpaquePointer, at column: Int32) -> Cell {
        switch self {
        case .integer: return .integer(sqlite3_column_int64(handle, column))
        case .real: return .real(sqlite3_column_double(handle, column))
        case .text:
            // Only nil has no address: an empty text is still terminated.
            guard let start = sqlite3_column_text(handle, column) else { return .null }
            let count = Int(sqlite3_column_bytes(handle, column))
            return .text(UnsafeRawBufferPointer(start: start, count: count))
        case .optionalInteger, .optionalReal, .unsigned, .blob:
            return checkedCell(in: handle, at: column)
        }
    }

    private func checkedCell(in handle: OpaquePointer, at column: Int32) -> Cell {
        // The column takes a value of any type, as SQL may leave it.
        if self == .unsigned { return SQLiteStatement.cell(in: handle, at: column, as: .unsigned) }
        switch sqlite3_column_type(handle, column) {
        case SQLITE_NULL: return .null
        case SQLITE_BLOB: return .blob(SQLiteStatement.bytes(in: handle, at: column))
        default:
            return self == .optionalReal
                ? .real(sqlite3_column_double(handle, column))
                : .integer(sqlite3_column_int64(handle, column))
        }
    }
}
