extension Target {
    /// At most so many times the figure of the baseline.
    static func atMost(_ bound: Double, of baseline: ContenderName, by contender: ContenderName) -> Target {
        Target(contender: contender, comparison: .atMost, bound: bound, baseline: baseline)
    }

    /// At least so many times faster than the baseline.
    static func faster(_ bound: Double, than baseline: ContenderName, by contender: ContenderName) -> Target {
        Target(contender: contender, comparison: .atLeast, bound: bound, baseline: baseline)
    }

    /// At most so much more than the baseline.
    static func atMost(plus bound: Double, over baseline: ContenderName, by contender: ContenderName)
        -> Target
    {
        Target(contender: contender, comparison: .atMostMore, bound: bound, baseline: baseline)
    }

    /// At most a figure that does not depend on anybody else's.
    static func atMost(_ bound: Double, by contender: ContenderName) -> Target {
        Target(contender: contender, comparison: .atMost, bound: bound, baseline: nil)
    }
}

extension [Target] {
    /// So many items do not fit in SQLite's own cache of 2 MB, which is what our defaults are better at.
    private static var itemsBeyondOwnCache: Int { 50_000 }

    /// A line of the table of targets; what is nil has none.
    ///
    /// - Parameters:
    ///   - sqlite: Larder's SQLite against raw SQLite with the same settings.
    ///   - defaults: Larder's SQLite against raw SQLite with its own settings, where there are enough items.
    ///   - grdb: How many times faster than GRDB's records Larder's SQLite is.
    ///   - lmdb: Larder's LMDB against raw LMDB.
    ///   - postgreSQL: Larder's PostgreSQL against raw libpq.
    ///   - plainSwift: Larder's memory engine against Swift's own collections.
    ///   - memory: Larder's memory engine against its LMDB.
    static func line(
        sqlite: Double? = nil, defaults: Double? = nil, grdb: Double? = nil, lmdb: Double? = nil,
        postgreSQL: Double? = nil, plainSwift: Double? = nil, memory: Double? = 1.5
    ) -> [Target] {
        var ownDefaults = defaults.map { Target.atMost($0, of: .rawSQLiteOwnDefaults, by: .larderSQLite) }
        ownDefaults?.leastItems = itemsBeyondOwnCache
        let targets: [Target?] = [
            sqlite.map { .atMost($0, of: .rawSQLite, by: .larderSQLite) },
            ownDefaults,
            grdb.map { .faster($0, than: .grdb, by: .larderSQLite) },
            lmdb.map { .atMost($0, of: .rawLMDB, by: .larderLMDB) },
            postgreSQL.map { .atMost($0, of: .rawLibpq, by: .larderPostgreSQL) },
            plainSwift.map { .atMost($0, of: .plainSwift, by: .larderMemory) },
            memory.map { .atMost($0, of: .larderLMDB, by: .larderMemory) },
        ]
        return targets.compactMap { $0 }
    }
}
