import CSQLite
import LarderKernel
import LarderSQL

/// A predicate as one function: for those that are too large or too deep to be written as SQL, and for
/// comparisons of calculated values, as SQL's numbers overflow and divide in another way.
///
/// It runs ``RowPredicate/matches(_:of:)`` on every row, so that the answer is the same and only the cost
/// differs. A function of SQLite takes 127 arguments at most, so further columns are handed over by calls
/// inside the call:
///
///     larder_matches(larder_take(?1, 0, c0, …, c99), 100, c100, …)
final class ReferenceFilter {
    static let pointerName: StaticString = "larder_filter"

    fileprivate static let columnsPerCall = 100

    private let predicate: RowPredicate
    private let entity: EntitySchema
    private let columns: [Int]
    /// The cells of a row, by column number.
    private let row: CellBuffer
    /// The texts and bytes of the row that an inner call has handed over.
    private let arena = RowArena()

    init(_ predicate: RowPredicate, of entity: EntitySchema) {
        self.predicate = predicate
        self.entity = entity
        columns = predicate.columns.sorted()
        row = CellBuffer(count: entity.attributes.count)
    }

    /// The call in SQL, with the filter as its only parameter.
    struct Call: SQLCoreFilter {
        func depth(ofColumns count: Int) -> Int { max(1, (count + columnsPerCall - 1) / columnsPerCall) }

        func call(
            _ predicate: RowPredicate, of table: EntityTable, as parameter: SQLParameter
        ) -> SQLFragment {
            let columns = predicate.columns.sorted().map { table.columns[$0] }
            let starts = Array(stride(from: 0, to: max(1, columns.count), by: columnsPerCall))
            var sql = SQLFragment()
            sql.append("larder_matches(" + String(repeating: "larder_take(", count: starts.count - 1))
            sql.append(parameter)
            for start in starts {
                sql.append(", \(start)")
                for column in columns.dropFirst(start).prefix(columnsPerCall) { sql.append(", " + column) }
                sql.append(")")
            }
            return sql
        }
    }
}

// MARK: The functions

extension ReferenceFilter {
    static func register(on connection: OpaquePointer) {
        sqlite3_create_function_v2(
            connection, "larder_matches", -1, SQLFunctions.flags, nil,
            { context, count, arguments in
                guard let call = Arguments(count, arguments) else { return }
                sqlite3_result_int(context, call.filter.passes(call) ? 1 : 0)
            }, nil, nil, nil)
        sqlite3_create_function_v2(
            connection, "larder_take", -1, SQLFunctions.flags, nil,
            { context, count, arguments in
                guard let call = Arguments(count, arguments) else { return }
                do {
                    try call.filter.keep(call)
                } catch {
                    return sqlite3_result_error_nomem(context)
                }
                // The statement keeps the filter as long as it runs.
                let pointer = Unmanaged.passUnretained(call.filter).toOpaque()
                ReferenceFilter.pointerName.withCString {
                    sqlite3_result_pointer(context, pointer, $0, nil)
                }
            }, nil, nil, nil)
    }

    /// The arguments of one call: the filter, the position of the first column, the columns.
    private struct Arguments {
        let filter: ReferenceFilter
        let start: Int
        let values: UnsafeMutableBufferPointer<OpaquePointer?>

        init?(_ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
            guard let arguments, count >= 2,
                let pointer = SQLValue.pointer(arguments[0], named: ReferenceFilter.pointerName)
            else { return nil }
            filter = Unmanaged<ReferenceFilter>.fromOpaque(pointer).takeUnretainedValue()
            start = Int(sqlite3_value_int64(arguments[1]))
            values = UnsafeMutableBufferPointer(start: arguments + 2, count: Int(count) - 2)
        }
    }

    /// Takes values that are gone when the call around this one is made.
    private func keep(_ call: Arguments) throws(DataStoreError) {
        if call.start == 0 { arena.reset() }
        for (column, value) in zip(columns.dropFirst(call.start), call.values) {
            row.start[column] = try arena.copy(
                SQLValue.cell(of: value, storage: entity.storage(ofColumn: column)))
        }
    }

    private func passes(_ call: Arguments) -> Bool {
        for (column, value) in zip(columns.dropFirst(call.start), call.values) {
            row.start[column] = SQLValue.cell(of: value, storage: entity.storage(ofColumn: column))
        }
        return predicate.matches(row.start, of: entity)
    }
}

extension StaticString {
    /// The text as C reads it; it is there as long as the process.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        utf8Start.withMemoryRebound(to: CChar.self, capacity: utf8CodeUnitCount + 1, body)
    }
}
