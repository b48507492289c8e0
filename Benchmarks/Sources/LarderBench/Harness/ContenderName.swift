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
    case plainSwift = "plain Swift"
    case larderMemory = "Larder memory"

    /// Whose figure the column "x raw" counts in; plain Swift is the raw engine of memory.
    var rawEngine: ContenderName {
        switch self {
        case .rawLMDB, .rawLMDBOneCommitEach, .rawLMDBBegunAnew, .larderLMDB: .rawLMDB
        case .rawSQLite, .rawSQLiteOwnDefaults, .rawSQLiteOneCommitEach, .grdb, .grdbCodable, .larderSQLite:
            .rawSQLite
        case .plainSwift, .larderMemory: .plainSwift
        }
    }

    /// How the target column names a baseline.
    var shortName: String {
        switch self {
        case .rawSQLite, .rawLMDB: "raw"
        case .rawSQLiteOwnDefaults: "defaults"
        case .rawSQLiteOneCommitEach, .rawLMDBOneCommitEach: "one commit each"
        case .rawLMDBBegunAnew: "begin and abort"
        case .grdb: "GRDB"
        case .grdbCodable: "Codable"
        case .larderSQLite, .larderLMDB, .plainSwift, .larderMemory: rawValue
        }
    }
}

extension Set<ContenderName> {
    /// Those that keep a file.
    static let onDisk: Self = [
        .rawSQLite, .rawSQLiteOwnDefaults, .grdb, .larderSQLite, .rawLMDB, .larderLMDB,
    ]
    static let general = onDisk.union([.larderMemory])
    static let generalAndPlainSwift = general.union([.plainSwift])
    /// Larder's engines with a file, and what each is set against.
    static let rawAndLarder: Self = [.rawSQLite, .larderSQLite, .rawLMDB, .larderLMDB]
    /// Those that take part in most workloads on relationships.
    static let graph = rawAndLarder.union([.grdb, .larderMemory])
}
