import Foundation
import LarderMemory

extension ContenderName {
    /// Makes the contender, with an empty store in an empty folder.
    func makeContender(in folder: URL, options: StoreOptions) throws -> any Contender {
        switch self {
        case .rawSQLite: try RawSQLiteContender(in: folder, options: options, settings: .asLarder)
        case .rawSQLiteOwnDefaults:
            try RawSQLiteContender(in: folder, options: options, settings: .ownDefaults)
        case .rawSQLiteOneCommitEach:
            try RawSQLiteContender(in: folder, options: options, settings: .asLarder, insertsPerCommit: 1)
        case .grdb: try GRDBContender<Restaurant>(in: folder, options: options)
        case .grdbCodable: try GRDBContender<CodableRestaurant>(in: folder, options: options)
        case .larderSQLite: try LarderEngines.sqlite(in: folder, options: options)
        case .rawLMDB: try RawLMDBContender(in: folder, options: options)
        case .rawLMDBOneCommitEach: try RawLMDBContender(in: folder, options: options, insertsPerCommit: 1)
        case .rawLMDBBegunAnew: try RawLMDBContender(in: folder, options: options, renewsReader: false)
        case .larderLMDB: try LarderEngines.lmdb(in: folder, options: options)
        case .rawLibpq: try ServerContenders.raw(in: folder, options: options, beginsAndEnds: false)
        case .rawLibpqBegunAnew: try ServerContenders.raw(in: folder, options: options, beginsAndEnds: true)
        case .larderPostgreSQL: try ServerContenders.larder(in: folder, options: options)
        case .plainSwift: PlainSwiftContender(options: options)
        case .larderMemory: try LarderEngines.memory(options: options)
        }
    }

    /// Makes the contender for recipes, with an empty store in an empty folder.
    ///
    /// - Throws: ``NoGraphStore`` for those that only store restaurants.
    func makeGraphContender(in folder: URL) throws -> any GraphContender {
        switch self {
        case .rawSQLite: try RawSQLiteGraphContender(in: folder, settings: .asLarder)
        case .grdb: try GRDBGraphContender(in: folder)
        case .larderSQLite: try LarderGraphContender(LarderEngines.makeSQLite(in: folder))
        case .rawLMDB: try RawLMDBGraphContender(in: folder)
        case .larderLMDB: try LarderGraphContender(LarderEngines.makeLMDB(in: folder))
        case .rawLibpq: try ServerContenders.rawGraph(in: folder)
        case .larderPostgreSQL: try ServerContenders.larderGraph(in: folder)
        case .larderMemory: try LarderGraphContender { MemoryDataStore(storing: $0) }
        case .rawSQLiteOwnDefaults, .rawSQLiteOneCommitEach, .grdbCodable, .rawLMDBOneCommitEach,
            .rawLMDBBegunAnew, .rawLibpqBegunAnew, .plainSwift:
            throw NoGraphStore(contender: self)
        }
    }

    /// Makes the contender for entries with a unique code, with an empty store in an empty folder.
    ///
    /// - Throws: ``NoEntryStore`` for those that store none.
    func makeEntryContender(in folder: URL) throws -> any EntryContender {
        switch self {
        case .rawLibpq: try ServerContenders.rawEntries(in: folder)
        case .larderPostgreSQL: try ServerContenders.larderEntries(in: folder)
        case .rawSQLite, .rawSQLiteOwnDefaults, .rawSQLiteOneCommitEach, .grdb, .grdbCodable, .larderSQLite,
            .rawLMDB, .rawLMDBOneCommitEach, .rawLMDBBegunAnew, .larderLMDB, .rawLibpqBegunAnew, .plainSwift,
            .larderMemory:
            throw NoEntryStore(contender: self)
        }
    }

    /// Called when a store is filled, before it is asked.
    func settleStore(in folder: URL) throws {
        if isOnServer { try ServerContenders.settle(in: folder) }
    }

    /// Removes the parts of a closed store that are not in its folder.
    func removeStore(in folder: URL) throws {
        if isOnServer { try ServerContenders.remove(in: folder) }
    }
}

/// A contender that stores no relationships was asked for one.
struct NoGraphStore: Error, CustomStringConvertible {
    let contender: ContenderName

    var description: String { "\(contender.rawValue) stores no relationships." }
}

/// A contender that stores no entries was asked for a store of them.
struct NoEntryStore: Error, CustomStringConvertible {
    let contender: ContenderName

    var description: String { "\(contender.rawValue) stores no entries." }
}
