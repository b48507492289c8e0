// MARK: Rows without items

extension DataStoreReadWriteAccessor {
    /// Applies mutations of rows as one call, by all rules; for links, which are rows that no app sees.
    ///
    /// - Returns: The number of rows they have touched, without those that follow from them.
    @discardableResult
    package func apply(_ mutations: [RowMutation]) throws(DataStoreError) -> Int {
        let block = try preparedBlock()
        return try mutations.withUnsafeBufferPointer { mutations throws(DataStoreError) in
            try block.pipeline.apply(mutations)
        }
    }
}

extension DataStoreReadAccessor {
    /// Calls the body with each row of a plan; the cells are valid during the call.
    package func forEachRow(
        of plan: RequestPlan, _ body: (UnsafePointer<Cell>) throws -> Void
    ) throws {
        let context = try block()
        try context.prepareForRequest()
        let scan = try context.rows(of: plan)
        defer { scan.close() }
        while try scan.next() { try body(scan.cells) }
    }
}
