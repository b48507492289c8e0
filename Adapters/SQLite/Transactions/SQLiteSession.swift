import CSQLite
import LarderEngine
import LarderKernel
import LarderSQL

/// A connection with everything that is prepared on it; serves one transaction after the other.
///
/// *Rule:* used by one transaction at a time. Statements are reset before the transaction ends, as one that
/// is not keeps the write-ahead log from being emptied.
final class SQLiteSession {
    let connection: SQLiteConnection
    let tables: [EntityTable]
    /// The tables, and the words for statements about them.
    let catalog: SQLCatalog
    let commands: TransactionCommands
    /// The ticket of the reading that has the session; managed by ``SQLiteReaders``.
    var ticket = 0
    /// True if the session has read since its cache was freed; managed by ``SQLiteReaders``.
    var mayHaveCache = true
    private let generation: Int
    private var generationStatement: SQLiteStatement?
    // Unchecked, as CONTRIBUTING says of what one thread uses at a time.
    @exclusivity(unchecked) var cache: ShapeCache<PlanStatement>
    @exclusivity(unchecked) var groupings = GroupingUses()
    @exclusivity(unchecked) private var cursors: [SQLiteRowCursor] = []
    @exclusivity(unchecked) private var pointStatements: [PlanStatement?]
    /// The statement whose row the caller may still be reading.
    @exclusivity(unchecked) private var rowStatement: SQLiteStatement?
    /// True if the schema the connection works with is the one we opened.
    @exclusivity(unchecked) private var isSchemaKnown: Bool

    /// - Parameter isSchemaKnown: True if the connection has read the schema that the tables are made from.
    init(
        connection: SQLiteConnection, tables: [EntityTable], generation: Int, isSchemaKnown: Bool = false,
        callsFunctions: Bool = true
    ) {
        self.isSchemaKnown = isSchemaKnown
        self.connection = connection
        self.tables = tables
        commands = TransactionCommands(connection: connection)
        self.generation = generation
        let parameterLimit = sqlite3_limit(connection.handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1)
        catalog = SQLCatalog(
            tables, SQLiteDialect(maximumParameters: Int(parameterLimit), callsFunctions: callsFunctions))
        cache = ShapeCache(capacity: 128, longList: catalog.dialect.longList)
        pointStatements = Array(repeating: nil, count: tables.count)
    }

    /// Closes the connection and everything prepared on it.
    func close() {
        reset()
        cache = ShapeCache(capacity: 0)
        pointStatements.removeAll()
        generationStatement = nil
        commands.finalize()
        connection.close()
    }

    /// Resets every statement; cursors that are still open give no more rows.
    func reset() {
        resetRowStatement()
        while let cursor = cursors.last { cursor.close() }
    }

    /// Undoes the changes since the innermost savepoint and forgets it.
    func rollBackToSavepoint() throws(DataStoreError) {
        resetRowStatement()
        try commands.run(.rollBackToSavepoint)
        try commands.run(.releaseSavepoint)
    }

    /// Resets the statement whose row was read last.
    @inline(__always)
    func resetRowStatement() {
        if let statement = rowStatement {
            statement.reset()
            rowStatement = nil
        }
    }
}

// MARK: Reading

extension SQLiteSession {
    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        resetRowStatement()
        let prepared = try pointStatement(entity)
        let statement = prepared.statement
        statement.bind(identifier, as: tables[entity].storages[0], at: 1, .copied)
        rowStatement = statement
        guard try firstStep(statement) else {
            resetRowStatement()
            return false
        }
        prepared.fill(cells)
        return true
    }

    func forEachRow(
        at identifiers: UnsafeBufferPointer<Cell>, of entity: Int, into cells: UnsafeMutablePointer<Cell>,
        _ body: (_ position: Int) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        try lookUpEachRow(at: identifiers, of: entity, into: cells, body)
    }

    private func pointStatement(_ entity: Int) throws(DataStoreError) -> PlanStatement {
        if let statement = pointStatements[entity] { return statement }
        let table = tables[entity]
        let sql = """
            SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name) WHERE \(table.columns[0]) = ?
            """
        let statement = PlanStatement(
            try prepare(sql), [], columns: Array(table.columns.indices), of: table)
        pointStatements[entity] = statement
        return statement
    }

    func runsWhole(_ plan: RequestPlan) -> Bool {
        catalog.runsWhole(plan)
    }

    func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
        if !catalog.callsCore, let partial = PartialPlan(plan, in: catalog) {
            return try partial.rows(from: try rows(for: partial.engine))
        }
        resetRowStatement()
        let prepared = try statement(for: plan, use: .rows)
        do {
            let isAtRow = try firstStep(prepared.statement)
            let cursor = SQLiteRowCursor(prepared, in: self, isAtRow: isAtRow)
            if isAtRow { cursors.append(cursor) } else { release(prepared) }
            return cursor
        } catch {
            release(prepared)
            throw error
        }
    }

    func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        if !catalog.callsCore, let partial = PartialPlan(plan, in: catalog, isOrdered: false) {
            return try partial.count(from: try rows(for: partial.engine))
        }
        resetRowStatement()
        let prepared = try statement(for: plan, use: .count)
        defer { release(prepared) }
        return try firstStep(prepared.statement) ? Int(prepared.statement.integer(at: 0)) : 0
    }

    func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] {
        if let partial = PartialPlan(plan, in: catalog) {
            return try explain(partial.engine) + partial.lines
        }
        resetRowStatement()
        let select = PlanSQL(plan, in: catalog, isOrdered: true)
        return try explanation(of: select.rows, of: plan.entity)
    }

    func explanation(of sql: SQLFragment, of entity: Int) throws(DataStoreError) -> [String] {
        var explaining = SQLFragment("EXPLAIN QUERY PLAN ")
        explaining.append(sql)
        let statement = try prepare(explaining)
        var details: [String] = []
        var hasRow = try firstStep(statement)
        while hasRow {
            details.append(statement.text(at: 3))
            hasRow = try statement.step()
        }
        return PlanExplanation(details: details, of: entity, in: tables).lines
    }

    /// Takes a cursor's statement back.
    func release(_ cursor: SQLiteRowCursor, _ statement: PlanStatement) {
        release(statement)
        if let position = cursors.lastIndex(where: { $0 === cursor }) { cursors.remove(at: position) }
    }
}

// MARK: Statements

extension SQLiteSession {
    private enum Use: UInt32 {
        case rows = 1
        case count = 2
    }

    /// The statement of a plan, taken and bound.
    private func statement(for plan: RequestPlan, use: Use) throws(DataStoreError) -> PlanStatement {
        try statement(for: plan, use: use.rawValue) { () throws(DataStoreError) in
            try prepare(plan, use: use)
        }
    }

    /// The statement for the shape of a plan, taken and bound; made where there is none, or another reading has it.
    @inline(__always)
    func statement(
        for plan: RequestPlan, use: UInt32, _ make: () throws(DataStoreError) -> PlanStatement
    ) throws(DataStoreError) -> PlanStatement {
        let cached = cache.value(for: plan, use: use)
        if let cached, !cached.isTaken {
            cached.isTaken = true
            cached.bind(plan, in: tables)
            return cached
        }
        let prepared = try make()
        if cached == nil { cache.insert(prepared, for: plan, use: use) }
        prepared.bind(plan, in: tables)
        return prepared
    }

    private func prepare(_ plan: RequestPlan, use: Use) throws(DataStoreError) -> PlanStatement {
        let table = tables[plan.entity]
        let select = PlanSQL(plan, in: catalog, isOrdered: use == .rows)
        let sql = use == .rows ? select.rows : select.count
        do {
            let columns = use == .rows ? plan.columns.numbers(of: table.schema) : []
            return PlanStatement(try prepare(sql), sql.parameters, columns: columns, of: table)
        } catch {
            throw error.about(itemType: table.schema.name, request: plan.description)
        }
    }

    func release(_ prepared: PlanStatement) {
        prepared.statement.reset()
        sqlite3_clear_bindings(prepared.statement.handle)
        prepared.isTaken = false
    }
}

// MARK: The schema

extension SQLiteSession {
    /// A new statement for plans, to be kept.
    func prepare(_ sql: SQLFragment) throws(DataStoreError) -> SQLiteStatement {
        let text = sql.text(in: catalog.dialect)
        if catalog.callsCore, text.contains(SQLFunctions.prefix) { connection.registerFunctions() }
        return try prepare(text)
    }

    /// A new statement to be kept.
    func prepare(_ sql: String) throws(DataStoreError) -> SQLiteStatement {
        if !isSchemaKnown { try requireGeneration() }
        do {
            return try connection.prepareToKeep(sql)
        } catch {
            try requireGeneration()
            throw error
        }
    }

    /// The first step of a statement, which is when SQLite notices that the schema has changed.
    ///
    /// It then prepares the statement again by itself, and counts that; so no request has to ask for the
    /// schema.
    @inline(__always)
    func firstStep(_ statement: SQLiteStatement) throws(DataStoreError) -> Bool {
        let hasRow: Bool
        do {
            hasRow = try statement.step()
        } catch {
            // Its words are about a missing table or column then.
            if error.code == .engine || error.code == .schemaChanged { try requireGeneration() }
            throw error
        }
        if statement.wasPreparedAnew() || !isSchemaKnown { try requireGeneration() }
        return hasRow
    }

    /// Asks the store which schema it has now.
    ///
    /// - Throws: `.schemaChanged` when another process has changed it.
    func requireGeneration() throws(DataStoreError) {
        // Until the answer is known; a statement that was prepared again is not noticed a second time.
        isSchemaKnown = false
        let statement: SQLiteStatement
        if let kept = generationStatement {
            statement = kept
        } else {
            statement = try connection.prepareToKeep(StoreMetadata.generationQuery)
            generationStatement = statement
        }
        defer { statement.reset() }
        let current = try statement.step() ? Int(statement.integer(at: 0)) : nil
        guard current == generation else {
            throw DataStoreError(
                .schemaChanged, "Another process changed the schema of the store.", path: connection.path)
        }
        isSchemaKnown = true
    }
}
