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
        case .larderMemory: try LarderGraphContender { MemoryDataStore(storing: $0) }
        case .rawSQLiteOwnDefaults, .rawSQLiteOneCommitEach, .grdbCodable, .rawLMDBOneCommitEach,
            .rawLMDBBegunAnew, .plainSwift:
            throw NoGraphStore(contender: self)
        }
    }
}

/// A contender that stores no relationships was asked for one.
struct NoGraphStore: Error, CustomStringConvertible {
    let contender: ContenderName

    var description: String { "\(contender.rawValue) stores no relationships." }
}
