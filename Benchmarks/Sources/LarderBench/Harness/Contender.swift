import Foundation

/// One storage layer under test: made in a folder of its own, filled once, asked for the workloads.
///
/// Whole loops are asked for, never single operations, so that the harness adds one call per workload to what
/// is timed. Every record that is found goes to `visit`, which compares it or throws it into a black hole.
protocol Contender: AnyObject {
    associatedtype Record: RestaurantRecord

    /// Inserts all records in one write transaction.
    func insertInOneTransaction(_ records: [Record]) throws

    /// Inserts every record in a write transaction of its own.
    func insertOneByOne(_ records: [Record]) throws

    /// Inserts every record as a write of its own, all given at once, so that writes may share a commit.
    func insertInGroups(_ records: [Record]) throws

    /// Reads by id, all inside one read transaction; what does not exist is visited as nil.
    func readInOneTransaction(ids: [Int64], visit: (Record?) -> Void) throws

    /// Reads by id, each in a read transaction of its own; what does not exist is visited as nil.
    func readOneByOne(ids: [Int64], visit: (Record?) -> Void) throws

    /// Reads the whole table into an array.
    func scan() throws -> [Record]

    /// Finds all records of each name in turn, inside one read transaction.
    func lookUp(names: [String], visit: ([Record]) -> Void) throws

    /// Called once, last.
    func close() throws
}

extension Contender {
    /// For layers that have no group commit.
    func insertInGroups(_ records: [Record]) throws {
        try insertOneByOne(records)
    }
}

/// How a store is made for a workload.
struct StoreOptions: Sendable {
    var durability = Durability.normal
    var isNameIndexed = false
}

/// What a commit survives: `normal` a crash of the process, `full` also a power cut.
enum Durability {
    case normal
    case full
}

/// A contender's name and the way to make it.
struct ContenderEntry: Sendable {
    let name: ContenderName
    /// What the contender takes part in.
    var workloads = Set(Workload.allCases)
    let make: @Sendable (_ folder: URL, _ options: StoreOptions) throws -> any Contender
}

/// The contenders' names as reports and targets spell them.
enum ContenderName: String, Codable {
    case rawSQLite = "raw SQLite"
    case rawSQLiteOwnDefaults = "raw SQLite (own defaults)"
    case rawSQLiteOneCommitEach = "raw SQLite (one commit each)"
    case grdb = "GRDB 7.10"
    case larderSQLite = "Larder SQLite"
    case rawLMDB = "raw LMDB"
    case rawLMDBOneCommitEach = "raw LMDB (one commit each)"
    case larderLMDB = "Larder LMDB"
    case larderMemory = "Larder memory"

    /// Whose time the column "x raw" counts in.
    ///
    /// The memory engine has no raw engine and is set beside SQLite's.
    var rawEngine: ContenderName {
        switch self {
        case .rawLMDB, .rawLMDBOneCommitEach, .larderLMDB: .rawLMDB
        case .rawSQLite, .rawSQLiteOwnDefaults, .rawSQLiteOneCommitEach, .grdb, .larderSQLite, .larderMemory:
            .rawSQLite
        }
    }
}
