extension Target {
    /// The rows of "What Larder must reach" that are measured here.
    static let all = sqliteTargets + lmdbTargets

    private static let sqliteTargets: [Target] = [
        sqlite(.bulkInsert, .atMost, 1.15, of: .rawSQLite),
        sqlite(.bulkInsert, .atLeast, 5, of: .grdb),
        sqlite(.bulkInsert, .atMost, 1, of: .rawSQLiteOwnDefaults),

        sqlite(.insertEachNormal, .atMost, 1.25, of: .rawSQLite),
        sqlite(.insertEachNormal, .atLeast, 1.4, of: .grdb),
        sqlite(.insertEachNormal, .atMost, 1, of: .rawSQLiteOwnDefaults),

        sqlite(.insertEachDurable, .atMost, 1.1, of: .rawSQLite),
        sqlite(.insertEachDurable, .atLeast, 1, of: .grdb),
        sqlite(.insertEachDurable, .atMost, 1, of: .rawSQLiteOwnDefaults),

        sqlite(.groupCommit, .atLeast, 25, of: .rawSQLiteOneCommitEach),
        sqlite(.groupCommit, .atLeast, 25, of: .grdb),

        sqlite(.readInOneTransaction, .atMost, 1.3, of: .rawSQLite),
        sqlite(.readInOneTransaction, .atLeast, 18, of: .grdb),
        sqlite(.readInOneTransaction, .atMost, 1, of: .rawSQLiteOwnDefaults),

        sqlite(.readEach, .atMost, 1.2, of: .rawSQLite),
        sqlite(.readEach, .atLeast, 9, of: .grdb),
        sqlite(.readEach, .atMost, 1, of: .rawSQLiteOwnDefaults),

        // Scans are excepted from the comparison with SQLite's own defaults.
        sqlite(.scan, .atMost, 1.1, of: .rawSQLite),
        sqlite(.scan, .atLeast, 1.18, of: .grdb),

        sqlite(.nameLookup, .atMost, 1.3, of: .rawSQLite),
        sqlite(.nameLookup, .atLeast, 9, of: .grdb),
        sqlite(.nameLookup, .atMost, 1, of: .rawSQLiteOwnDefaults),
    ]

    private static let lmdbTargets: [Target] = [
        lmdb(.bulkInsert, .atMost, 1.3, of: .rawLMDB),
        lmdb(.insertEachNormal, .atMost, 1.4, of: .rawLMDB),
        lmdb(.insertEachDurable, .atMost, 1.1, of: .rawLMDB),
        lmdb(.groupCommit, .atLeast, 25, of: .rawLMDBOneCommitEach),
        lmdb(.readInOneTransaction, .atMost, 1.5, of: .rawLMDB),
        lmdb(.readEach, .atMost, 1.4, of: .rawLMDB),
        lmdb(.scan, .atMost, 1.15, of: .rawLMDB),
        lmdb(.nameLookup, .atMost, 1.4, of: .rawLMDB),
    ]

    private static func sqlite(
        _ workload: Workload, _ comparison: Comparison, _ bound: Double, of baseline: ContenderName
    ) -> Target {
        Target(
            workload: workload, contender: .larderSQLite, baseline: baseline, comparison: comparison,
            bound: bound)
    }
    private static func lmdb(
        _ workload: Workload, _ comparison: Comparison, _ bound: Double, of baseline: ContenderName
    ) -> Target {
        Target(
            workload: workload, contender: .larderLMDB, baseline: baseline, comparison: comparison,
            bound: bound)
    }
}
