public import LarderKernel

/// Changes by SQL of the app's own, in the transaction of the block.
extension DataStoreReadWriteAccessor {
    /// Runs a statement that changes rows; returns their number.
    ///
    ///     let count = try accessor.execute(
    ///         sql: "UPDATE \(Recipe.self) SET \(\.name, of: Recipe.self) = trim(\(\.name, of: Recipe.self))")
    ///
    /// The statement is an `INSERT`, `UPDATE`, `DELETE`, `REPLACE`, `MERGE` or `WITH`. It takes the block's turn among the
    /// writes, and is undone with the block. Handles show the new values, and every observation of the store reads
    /// again. The change set of the block does not have the changes, as the store does not know them. On PostgreSQL, rows
    /// that a statement inside its `WITH` changes are not counted.
    ///
    /// *Rule:* the statement bypasses the rules of the store: unique values, references, delete rules, hooks and the forms
    /// of values. If it breaks one, nothing is refused and nothing is repaired; requests may then give an item twice, or
    /// throw `.undecodable` or `.damaged`, and `checkIntegrity()` of the store lists what is wrong. If two items have one
    /// unique value, a test of it through a reference may follow the lower identifier alone. An item whose reference leads to
    /// nothing may be missing in a test through it, and in a window sorted through it. A text with
    /// `@Indexed(.caseInsensitive)` or the like has a second column with its folded form, such as `name_folded`, which the
    /// statement does not change: give the text to a handle or `update` instead, or requests find the old one. Do not
    /// write to the tables whose names begin with `larder_`. *Cost:* prepares it; a look-up for each handle still held.
    ///
    /// - Throws: `.unsupported` if the engine does not run SQL; `.invalidRequest` for other kinds of statements, such as
    ///   `COMMIT` and `CREATE`; `.changedDuringIteration` inside `forEachItem` and ``forEachRow(sql:_:)``; `.invalidValue`;
    ///   `.engine` with the engine's own message. A statement that throws has changed nothing.
    @discardableResult
    public func execute(sql: SQLText) throws(DataStoreError) -> Int {
        let block = try blockForUnknownChanges(by: sql.description)
        let pipeline = block.pipeline
        let outcome = try pipeline.allOrNothing { _ throws(DataStoreError) in
            try run(sql, isWriting: true) { _, _ in true }
        }
        let count = try outcome.get()
        pipeline.changeLog.noteUnknownWrite()
        try block.reloadHandles()
        return count
    }

    /// The block, ready for changes of rows that the store does not see.
    ///
    /// - Throws: `.changedDuringIteration` while items or rows are read one after the other.
    func blockForUnknownChanges(by request: String) throws(DataStoreError) -> WriteBlock {
        let block = try preparedBlock()
        if block.pipeline.iterations.isIterating {
            throw DataStoreError(
                .changedDuringIteration, "A statement was to change rows while items or rows were read.",
                advice: "Run it after the walk.", request: request)
        }
        return block
    }
}
