public import LarderKernel

/// Reading by SQL of the app's own, on the snapshot of the block.
extension DataStoreReadAccessor {
    /// True if the engine runs SQL: a store of SQLite or PostgreSQL, but no child store and no store over several parts.
    ///
    /// - Throws: `.accessorExpired`; rethrows errors from the engine.
    public final func runsSQL() throws(DataStoreError) -> Bool {
        try withSnapshot { snapshot, _ throws(DataStoreError) in snapshot.runningSQL != nil }
    }

    /// The rows of a statement, each as a tuple of its first columns.
    ///
    ///     let totals = try accessor.rows(
    ///         sql: "SELECT name, sum(price) FROM \(Recipe.self) GROUP BY name ORDER BY 1", as: String.self, Double?.self)
    ///     for (name, total) in totals { print(name, total ?? 0) }
    ///
    /// The statement is a `SELECT`, `WITH`, `VALUES` or `EXPLAIN`. In a write block it sees the block's own changes. It
    /// reads past everything the library does for a request: nil in a comparison is SQL's, and so is the order of texts.
    ///
    /// *Rule:* as other requests. An observation that reads so reads again after every commit of the store. *Cost:* the
    /// statement is prepared by each call; PostgreSQL sends all rows in one journey.
    ///
    /// - Throws: `.unsupported` if the engine does not run SQL; `.invalidRequest` for other kinds of statements;
    ///   `.readOnly` for one that changes rows; `.undecodable`; `.engine` with the engine's own message for a mistake in the
    ///   text. The block may continue after these.
    public final func rows<each Value: AttributeStorable>(
        sql: SQLText, as types: repeat (each Value).Type
    ) throws(DataStoreError) -> [(repeat each Value)] {
        var rows: [(repeat each Value)] = []
        _ = try run(sql) { columns, arena throws(DataStoreError) in
            var row = SQLValues(columns, arena)
            rows.append((repeat try row.next(as: (each Value).self)))
            return true
        }
        return rows
    }

    /// The values in the first column of a statement, row by row.
    ///
    ///     let lengths = try accessor.rows(sql: "SELECT length(name) FROM \(Recipe.self)", as: Int.self)
    ///
    /// *Rule:* as ``rows(sql:as:)`` with several types.
    ///
    /// - Throws: As ``rows(sql:as:)`` with several types.
    public final func rows<Value: AttributeStorable>(
        sql: SQLText, as type: Value.Type
    ) throws(DataStoreError) -> [Value] {
        var values: [Value] = []
        _ = try run(sql) { columns, arena throws(DataStoreError) in
            values.append(try columns.value(at: 0, in: arena))
            return true
        }
        return values
    }

    /// The items whose identifiers a statement gives in its first column, in its order; identifiers of no item are left
    /// out.
    ///
    ///     let recipes = try accessor.items(
    ///         sql: "SELECT id FROM \(Recipe.self) ORDER BY length(name)", of: Recipe.self)
    ///
    /// *Rule:* as ``rows(sql:as:)``; both readings are on one snapshot. *Cost:* the statement, and one look-up by key for
    /// each identifier.
    ///
    /// - Throws: As ``rows(sql:as:)``, and as `items(ids:)`.
    public final func items<Item: DataStoreItem>(
        sql: SQLText, of type: Item.Type = Item.self
    ) throws(DataStoreError) -> [Item] {
        let found: [Item?] = try items(ids: try rows(sql: sql, as: Item.ID.self), of: type)
        return found.compactMap { $0 }
    }

    /// Calls a body with each row of a statement.
    ///
    ///     try accessor.forEachRow(sql: "SELECT name, rating FROM \(Recipe.self)") { row in
    ///         print(try row.value("name", as: String.self), try row.value("rating", as: Double.self))
    ///     }
    ///
    /// *Rule:* as ``rows(sql:as:)``. Inside a write block, changing items meanwhile throws `.changedDuringIteration`. A
    /// throw ends the walk. *Cost:* SQLite keeps one row in memory, and PostgreSQL all.
    ///
    /// - Throws: As ``rows(sql:as:)``; the body's own error.
    public final func forEachRow(sql: SQLText, _ body: (borrowing SQLRow) throws -> Void) throws {
        let pipeline = (self as? DataStoreReadWriteAccessor)?.writeBlock.pipeline
        let entities = try block().schema.entities.indices
        for entity in entities { pipeline?.iterations.begin(entity) }
        defer { for entity in entities { pipeline?.iterations.end(entity) } }
        var failure: (any Error)?
        _ = try run(sql) { columns, arena throws(DataStoreError) in
            do {
                try body(SQLRow(columns: columns, arena: arena))
            } catch {
                failure = error
            }
            return failure == nil
        }
        if let failure { throw failure }
    }

    /// Runs a statement on the block's transaction.
    final func run(
        _ sql: SQLText, isWriting: Bool = false, _ body: SQLRowBody
    ) throws(DataStoreError) -> Int {
        try block().prepareForRequest()
        do throws(DataStoreError) {
            return try withSnapshot { snapshot, schema throws(DataStoreError) in
                guard let engine = snapshot.runningSQL else { throw .withoutSQL }
                let statement = try SQLStatement(
                    sql, isWriting: isWriting, in: try engine.catalog(), schema)
                return try engine.run(statement, body)
            }
        } catch {
            throw error.about(request: sql.description)
        }
    }
}

extension StorageReading {
    /// The transaction of an engine that runs SQL, below all decorators; nil for other engines.
    var runningSQL: (any SQLReading)? {
        if let engine = self as? any SQLReading { return engine }
        return (self as? any ReadingDecorator)?.wrappedReading.runningSQL
    }
}

extension DataStoreError {
    fileprivate static var withoutSQL: DataStoreError {
        DataStoreError(
            .unsupported, "SQL was given to a store whose engine does not run it, or to a store over others.",
            advice: "Use a request; or a store of SQLite or PostgreSQL itself, and merge its child first.")
    }
}
