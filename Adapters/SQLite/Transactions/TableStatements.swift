import CSQLite
import LarderKernel
import LarderSQL

/// The statements that change the rows of one table.
///
/// *Cost:* one run of a prepared statement for each row; values are bound where they are and not copied.
final class TableStatements {
    private let table: EntityTable
    private let session: SQLiteSession
    // reason: used by one thread at a time and never while another access to it runs; read with every row.
    @exclusivity(unchecked) private var insertion: SQLiteStatement?
    @exclusivity(unchecked) private var groupInsertion: SQLiteStatement?
    /// True if other tools have triggers on the table; nil before it is asked.
    @exclusivity(unchecked) private var knownTriggers: Bool?
    @exclusivity(unchecked) private var deletion: SQLiteStatement?
    /// The statement that looks for a row.
    private var search: SQLiteStatement?
    @exclusivity(unchecked) private var updates: [ColumnSet: SQLiteStatement] = [:]
    /// The one that was run last: most changes are of the same columns as the one before.
    @exclusivity(unchecked) private var lastUpdate: (columns: ColumnSet, statement: SQLiteStatement)?

    /// The number of rows that one statement inserts if there are enough: it saves a fifth of the time.
    private static let groupSize = 16
    /// The widest table whose rows are inserted in groups; a statement has room for some thousand values.
    private static let maximumGroupColumns = 60

    /// The maximum number of sets of changed columns with a statement.
    private static let maximumUpdates = 32

    init(table: EntityTable, session: SQLiteSession) {
        self.table = table
        self.session = session
    }

    func finalize() {
        forgetInsertions()
        deletion = nil
        search = nil
        updates.removeAll()
        lastUpdate = nil
    }

    /// Inserts rows, in groups as far as they go; one at a time if the table has triggers.
    ///
    /// - Throws: `.duplicateIdentifier` when there is a row with an identifier; the rows before it stay. `.engine`
    ///   if a trigger of another tool has failed, or has left rows out.
    func insert(_ rows: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) {
        var position = 0
        if rows.count >= Self.groupSize, table.storages.count <= Self.maximumGroupColumns,
            try !hasTriggers()
        {
            let statement = try groupInsertionStatement()
            while rows.count - position >= Self.groupSize {
                try insert(rows[position..<(position + Self.groupSize)], by: statement)
                position += Self.groupSize
            }
        }
        if position == rows.count { return }
        let statement = try insertionStatement()
        for row in position..<rows.count { try insert(rows[row...row], by: statement) }
    }

    @inline(__always)
    private func insert(
        _ rows: Slice<UnsafeBufferPointer<RowMutation>>, by statement: SQLiteStatement
    ) throws(DataStoreError) {
        var index: Int32 = 1
        for row in rows {
            bind(row.cells, to: statement, from: index)
            index += Int32(table.storages.count)
        }
        let count: Int
        do {
            count = try run(statement)
        } catch {
            if SQLiteFailure.isDuplicateKey(error) { throw try refusal(of: rows, error) }
            if SQLiteFailure.isBrokenConstraint(error) { forgetInsertions() }
            throw error
        }
        if count < rows.count { throw ignored }
    }

    /// The error for rows with which a key was taken: one of this table, or of another that a trigger writes to.
    private func refusal(
        of rows: Slice<UnsafeBufferPointer<RowMutation>>, _ error: DataStoreError
    ) throws(DataStoreError) -> DataStoreError {
        // A row counts as inserted, even if a trigger has failed after it.
        let next = rows.startIndex + Int(sqlite3_changes(session.connection.handle))
        if next + 1 < rows.endIndex {
            // A younger trigger may have left out rows, which do not count: the one that was refused is not known then.
            knownTriggers = nil
            if try hasTriggers() {
                forgetInsertions()
                if try countOfTriggers("AND sql LIKE '%RAISE%IGNORE%'") > 0 { return error }
            }
        }
        if next < rows.endIndex, try hasRow(rows[next].cells[0]) {
            return table.schema.duplicateIdentifier(rows[next].cells[0])
        }
        forgetInsertions()
        return error
    }

    /// Forgets the statements that insert.
    ///
    /// Something else than the key of a row of this table was in conflict, and a trigger may be younger than they are: the
    /// next ones are written with it in mind.
    private func forgetInsertions() {
        (insertion, groupInsertion, knownTriggers) = (nil, nil, nil)
    }

    private func hasRow(_ identifier: Cell) throws(DataStoreError) -> Bool {
        let statement = if let search { search } else { try searchStatement() }
        defer { statement.reset() }
        statement.bind(identifier, as: table.storages[0], at: 1, .copied)
        return try statement.step()
    }

    private func searchStatement() throws(DataStoreError) -> SQLiteStatement {
        let statement = try session.prepare("SELECT 1 FROM \(table.name) WHERE \(table.columns[0]) = ?")
        search = statement
        return statement
    }

    /// The number of rows that a change of one row has touched; if none, checks that the row is missing.
    ///
    /// - Throws: `.engine` if a trigger of another tool has left the change out.
    @inline(__always)
    private func touched(_ count: Int, at identifier: Cell) throws(DataStoreError) -> Int {
        if count == 0, try hasRow(identifier) { throw ignored }
        return count
    }

    private var ignored: DataStoreError {
        DataStoreError(
            .engine, "A trigger of another tool has left out a change of a row, by RAISE(IGNORE).",
            advice: "Drop the trigger, or let it raise an error.", itemType: table.schema.name,
            path: session.connection.path)
    }

    @inline(__always)
    private func bind(_ cells: UnsafePointer<Cell>, to statement: SQLiteStatement, from first: Int32) {
        for column in table.storages.indices {
            statement.bind(cells[column], as: table.storages[column], at: first + Int32(column), .kept)
        }
    }

    func update(_ cells: UnsafePointer<Cell>, _ columns: ColumnSet) throws(DataStoreError) -> Int {
        guard let statement = try updateStatement(columns) else { return 0 }
        var index: Int32 = 1
        for column in columns where column > 0 {
            statement.bind(cells[column], as: table.storages[column], at: index, .kept)
            index += 1
        }
        statement.bind(cells[0], as: table.storages[0], at: index, .kept)
        return try touched(try run(statement), at: cells[0])
    }

    func delete(_ identifier: Cell) throws(DataStoreError) -> Int {
        let statement = try deletionStatement()
        statement.bind(identifier, as: table.storages[0], at: 1, .kept)
        return try touched(try run(statement), at: identifier)
    }

    func deleteAll() throws(DataStoreError) -> Int {
        try run(try session.prepare("DELETE FROM \(table.name)"))
    }

    /// Runs a bound statement and returns how many rows it touched.
    @inline(__always)
    private func run(_ statement: SQLiteStatement) throws(DataStoreError) -> Int {
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
        let statement = try session.prepare(try insertionSQL(rows: 1))
        insertion = statement
        return statement
    }

    private func groupInsertionStatement() throws(DataStoreError) -> SQLiteStatement {
        if let statement = groupInsertion { return statement }
        let statement = try session.prepare(try insertionSQL(rows: Self.groupSize))
        groupInsertion = statement
        return statement
    }

    /// True if other tools have triggers on the table.
    private func hasTriggers() throws(DataStoreError) -> Bool {
        if let knownTriggers { return knownTriggers }
        let hasTriggers = try countOfTriggers() > 0
        knownTriggers = hasTriggers
        return hasTriggers
    }

    private func countOfTriggers(_ condition: String = "") throws(DataStoreError) -> Int {
        let name = table.plainName.putting("'", before: "'")
        return try session.connection.integer(
            """
            SELECT count(*) FROM main.sqlite_schema \
            WHERE type = 'trigger' AND tbl_name = '\(name)' COLLATE NOCASE \(condition)
            """)
    }

    private func insertionSQL(rows count: Int) throws(DataStoreError) -> String {
        let marks = "(" + table.columns.map { _ in "?" }.joined(separator: ", ") + ")"
        let rows = Array(repeating: marks, count: count).joined(separator: ", ")
        // With FAIL the rows before the one that is refused stay, and SQLite need not copy every page it
        // touches to be able to take them back. In triggers it would replace their own conflict clauses.
        let insert = try hasTriggers() ? "INSERT" : "INSERT OR FAIL"
        return "\(insert) INTO \(table.name) (\(table.columns.joined(separator: ", "))) VALUES \(rows)"
    }

    private func deletionStatement() throws(DataStoreError) -> SQLiteStatement {
        if let statement = deletion { return statement }
        let statement = try session.prepare("DELETE FROM \(table.name) WHERE \(table.columns[0]) = ?")
        deletion = statement
        return statement
    }

    /// The statement for a set of columns; nil when there is none but the identifier, which never changes.
    private func updateStatement(_ columns: ColumnSet) throws(DataStoreError) -> SQLiteStatement? {
        if let lastUpdate, lastUpdate.columns == columns { return lastUpdate.statement }
        let statement = if let known = updates[columns] { known } else { try prepareUpdate(columns) }
        lastUpdate = statement.map { (columns, $0) }
        return statement
    }

    private func prepareUpdate(_ columns: ColumnSet) throws(DataStoreError) -> SQLiteStatement? {
        let assignments = columns.filter { $0 > 0 }.map { table.columns[$0] + " = ?" }
        if assignments.isEmpty { return nil }
        let statement = try session.prepare(
            "UPDATE \(table.name) SET \(assignments.joined(separator: ", ")) WHERE \(table.columns[0]) = ?")
        if updates.count >= Self.maximumUpdates { updates.removeAll() }
        updates[columns] = statement
        return statement
    }
}
