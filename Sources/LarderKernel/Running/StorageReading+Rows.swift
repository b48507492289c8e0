extension StorageReading {
    /// Calls the body with each row of a plan; the cells, in the order of the plan's columns, are valid during the call.
    package func forEachRow(
        of plan: RequestPlan, _ body: (UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let cursor = try rows(for: plan)
        defer { cursor.close() }
        let cells = CellBuffer(count: plan.columns.numbers(of: plan.schema).count)
        while try cursor.next(into: cells.start) { try body(cells.start) }
    }
}
