package import LarderKernel

/// The tools of every store of this tier, while it is open.
extension KeyValueAdapter {
    /// Returns the defects of the store, one sentence each, up to a limit; empty if it is sound.
    ///
    /// *Cost:* reads everything.
    package func checkTables() throws(DataStoreError) -> [String] {
        try inSnapshot { (snapshot, catalog) throws(DataStoreError) in
            var check = StoreCheck(of: snapshot, catalog)
            try check.run()
            return check.problems
        }
    }

    /// The number of items by the stored name of their type, including types that the app does not know.
    package func itemCounts() throws(DataStoreError) -> [String: Int] {
        try inSnapshot { (snapshot, _) throws(DataStoreError) in
            let stored = try StoredTables(in: snapshot)
            var counts: [String: Int] = [:]
            for entity in stored.schema.entities {
                let table = try stored.table(of: entity, in: snapshot)
                counts[entity.name] = try snapshot.count(of: table.rows)
            }
            return counts
        }
    }

    /// Runs a body in a snapshot of its own.
    ///
    /// - Throws: `.notSetUp`, `.schemaChanged`, what the body throws.
    private func inSnapshot<Result>(
        _ body: (any KeyValueSnapshot, Catalog) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        let (snapshot, catalog) = try beginSnapshot()
        defer { snapshot.end() }
        return try body(snapshot, catalog)
    }
}
