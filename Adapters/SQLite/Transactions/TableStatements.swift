import CSQLite
import Larder

/// The statements that change the rows of one table.
///
/// *Cost:* one run of a prepared statement for each row; values are bound where they are and not copied.
final class TableStatements {
    private let table: EntityTable
    private let session: SQLiteSession
    private var insertion: SQLiteStatement?
    private var deletion: SQLiteStatement?
    private var updates: [ColumnSet: SQLiteStatement] = [:]

    /// How many sets of changed columns have a statement at the same time.
    private static let maximumUpdates = 32

    init(table: EntityTable, session: SQLiteSession) {
        self.table = table
        self.session = session
    }

    /// - Throws: `.duplicateIdentifier` when there is a row with this identifier.
    func insert(_ cells: UnsafePointer<Cell>) throws(DataStoreError) -> Int {
        let statement = try insertionStatement()
        var code = SQLITE_OK
        for column in table.storages.indices {
            code |= statement.bind(cells[column], as: table.storages[column], at: Int32(column + 1), .kept)
        }
        do {
            return try run(statement, code)
        } catch {
            throw SQLiteFailure.isDuplicateKey(error) ? table.schema.duplicateIdentifier(cells[0]) : error
        }
    }

    func update(_ cells: UnsafePointer<Cell>, _ columns: ColumnSet) throws(DataStoreError) -> Int {
        guard let statement = try updateStatement(columns) else { return 0 }
        var index: Int32 = 1
        var code = SQLITE_OK
        for column in columns where column > 0 {
            code |= statement.bind(cells[column], as: table.storages[column], at: index, .kept)
            index += 1
        }
        code |= statement.bind(cells[0], as: table.storages[0], at: index, .kept)
        return try run(statement, code)
    }

    func delete(_ identifier: Cell) throws(DataStoreError) -> Int {
        let statement = try deletionStatement()
        return try run(statement, statement.bind(identifier, as: table.storages[0], at: 1, .kept))
    }

    func deleteAll() throws(DataStoreError) -> Int {
        try run(try session.prepare("DELETE FROM \(table.name)"), SQLITE_OK)
    }

    /// Runs a bound statement and returns how many rows it touched.
    @inline(__always)
    private func run(_ statement: SQLiteStatement, _ bindingCode: Int32) throws(DataStoreError) -> Int {
        guard bindingCode == SQLITE_OK else {
            throw DataStoreError(
                .valueTooLarge, "A value is larger than SQLite can store.", itemType: table.schema.name)
        }
        defer { statement.reset() }
        do {
            _ = try session.firstStep(statement)
        } catch {
            throw error.about(itemType: table.schema.name)
        }
        return Int(sqlite3_changes(session.connection.handle))
    }

    private func insertionStatement() throws(DataStoreError) -> SQLiteStatement {
        if let statement = insertion { return statement }
        let columns = table.columns.joined(separator: ", ")
        let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
        let statement = try session.prepare("INSERT INTO \(table.name) (\(columns)) VALUES (\(marks))")
        insertion = statement
        return statement
    }

    private func deletionStatement() throws(DataStoreError) -> SQLiteStatement {
        if let statement = deletion { return statement }
        let statement = try session.prepare("DELETE FROM \(table.name) WHERE \(table.columns[0]) = ?")
        deletion = statement
        return statement
    }

    /// The statement for a set of columns; nil when there is none but the identifier, which never changes.
    private func updateStatement(_ columns: ColumnSet) throws(DataStoreError) -> SQLiteStatement? {
        if let statement = updates[columns] { return statement }
        let assignments = columns.filter { $0 > 0 }.map { table.columns[$0] + " = ?" }
        if assignments.isEmpty { return nil }
        let statement = try session.prepare(
            "UPDATE \(table.name) SET \(assignments.joined(separator: ", ")) WHERE \(table.columns[0]) = ?")
        if updates.count >= Self.maximumUpdates { updates.removeAll() }
        updates[columns] = statement
        return statement
    }
}
