extension DataStoreReadAccessor {
    /// Runs a body on the block's snapshot, in which links are rows like any other; for checks.
    package final func withSnapshot<Value>(
        _ body: (any StorageReading, StoreSchema) throws(DataStoreError) -> Value
    ) throws(DataStoreError) -> Value {
        let context = try block()
        context.tracker?.noteEverything()
        return try context.withSnapshot { (snapshot) throws(DataStoreError) in
            try body(snapshot, context.resources.schema)
        }
    }
}
