import CSQLite
import Larder

/// A whole predicate as one function: for those that are too large or too deep to be written as SQL.
///
/// It runs ``Predicate/matches(_:of:)`` on every row, so that the answer is the same and only the cost differs.
final class ReferenceFilter {
    static let pointerName: StaticString = "larder_filter"

    private let predicate: Predicate
    private let entity: EntitySchema
    private let columns: [Int]
    // reason: room for the cells of a row by column number, allocated once and freed with the filter.
    private let cells: UnsafeMutablePointer<Cell>

    init(_ predicate: Predicate, of entity: EntitySchema) {
        self.predicate = predicate
        self.entity = entity
        columns = predicate.columns.sorted()
        cells = .allocate(capacity: entity.attributes.count)
        cells.initialize(repeating: .null, count: entity.attributes.count)
    }

    deinit {
        cells.deallocate()
    }

    /// The call in SQL, with the filter as its only parameter.
    static func call(_ predicate: Predicate, of table: EntityTable) -> String {
        let columns = predicate.columns.sorted().map { table.columns[$0] }
        return "larder_matches(" + (["?"] + columns).joined(separator: ", ") + ")"
    }

    func bind(to statement: SQLiteStatement, at index: Int32) {
        statement.bind(self, named: Self.pointerName, at: index)
    }

    static func register(on connection: OpaquePointer) {
        sqlite3_create_function_v2(
            connection, "larder_matches", -1, SQLFunctions.flags, nil,
            { context, count, arguments in
                guard let arguments, count > 0,
                    let pointer = SQLValue.pointer(arguments[0], named: ReferenceFilter.pointerName)
                else { return }
                let filter = Unmanaged<ReferenceFilter>.fromOpaque(pointer).takeUnretainedValue()
                sqlite3_result_int(context, filter.passes(arguments + 1, count: Int(count) - 1) ? 1 : 0)
            }, nil, nil, nil)
    }

    private func passes(_ values: UnsafeMutablePointer<OpaquePointer?>, count: Int) -> Bool {
        for (position, column) in columns.enumerated() where position < count {
            cells[column] = SQLValue.cell(of: values[position], storage: entity.storage(ofColumn: column))
        }
        return predicate.matches(cells, of: entity)
    }
}
