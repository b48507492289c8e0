import ArgumentParser

/// The contenders, in the order of the table, by the names that reports and targets have for them.
enum ContenderName: String, Codable, CaseIterable, ExpressibleByArgument {
    case rawSQLite = "raw SQLite"
    case rawSQLiteOwnDefaults = "raw SQLite (own defaults)"
    case rawSQLiteOneCommitEach = "raw SQLite (one commit each)"
    case grdb = "GRDB 7.10"
    case grdbCodable = "GRDB 7.10 Codable"
    case larderSQLite = "Larder SQLite"
    case rawLMDB = "raw LMDB"
    case rawLMDBOneCommitEach = "raw LMDB (one commit each)"
    case rawLMDBBegunAnew = "raw LMDB (begin and abort)"
    case larderLMDB = "Larder LMDB"
    case rawLibpq = "raw libpq"
    case rawLibpqBegunAnew = "raw libpq (begin and end)"
    case larderPostgreSQL = "Larder PostgreSQL"
    case plainSwift = "plain Swift"
    case larderMemory = "Larder memory"

    /// Whose figure the column "x raw" counts in; plain Swift is the raw engine of memory.
    var rawEngine: ContenderName {
        switch self {
        case .rawLMDB, .rawLMDBOneCommitEach, .rawLMDBBegunAnew, .larderLMDB: .rawLMDB
        case .rawSQLite, .rawSQLiteOwnDefaults, .rawSQLiteOneCommitEach, .grdb, .grdbCodable, .larderSQLite:
            .rawSQLite
        case .rawLibpq, .rawLibpqBegunAnew, .larderPostgreSQL: .rawLibpq
        case .plainSwift, .larderMemory: .plainSwift
        }
    }

    /// True if its stores are on a server, which the benchmark starts.
    var isOnServer: Bool { Set<ContenderName>.onServer.contains(self) }

    /// The contenders that this program was built with.
    static var available: [ContenderName] {
        #if PostgreSQL
            return allCases
        #else
            return allCases.filter { !$0.isOnServer }
        #endif
    }

    /// How the target column names a baseline.
    var shortName: String {
        switch self {
        case .rawSQLite, .rawLMDB, .rawLibpq: "raw"
        case .rawSQLiteOwnDefaults: "defaults"
        case .rawSQLiteOneCommitEach, .rawLMDBOneCommitEach: "one commit each"
        case .rawLMDBBegunAnew: "begin and abort"
        case .rawLibpqBegunAnew: "begin and end"
        case .grdb: "GRDB"
        case .grdbCodable: "Codable"
        case .larderSQLite, .larderLMDB, .larderPostgreSQL, .plainSwift, .larderMemory: rawValue
        }
    }
}

extension Set<ContenderName> {
    /// The contenders with a store on a server.
    static let onServer: Self = [.rawLibpq, .rawLibpqBegunAnew, .larderPostgreSQL]
    /// The two of them that take part in all workloads.
    static let server: Self = [.rawLibpq, .larderPostgreSQL]
    /// Those that keep a file, or whose server does.
    static let onDisk: Self = [
        .rawSQLite, .rawSQLiteOwnDefaults, .grdb, .larderSQLite, .rawLMDB, .larderLMDB, .rawLibpq,
        .larderPostgreSQL,
    ]
    static let general = onDisk.union([.larderMemory])
    static let generalAndPlainSwift = general.union([.plainSwift])
    /// Larder's engines with a file or a server, and what each is set against.
    static let rawAndLarder: Self = [
        .rawSQLite, .larderSQLite, .rawLMDB, .larderLMDB, .rawLibpq, .larderPostgreSQL,
    ]
    /// Those that take part in most workloads on relationships.
    static let graph = rawAndLarder.union([.grdb, .larderMemory])
}
