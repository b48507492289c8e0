import Foundation

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
}
