import Foundation
import Larder
import LarderLMDB
import LarderMemory
import LarderSQLite

/// How Larder's engines are made for a workload.
enum LarderEngines {
    typealias MakeStore = ([any DataStoreItem.Type]) -> any DataStore

    static func sqlite(in folder: URL, options: StoreOptions) throws -> any Contender {
        try contender(options, makeSQLite(in: folder, options.durability))
    }

    static func lmdb(in folder: URL, options: StoreOptions) throws -> any Contender {
        try contender(options, makeLMDB(in: folder, options.durability))
    }

    static func memory(options: StoreOptions) throws -> any Contender {
        try contender(options) { MemoryDataStore(storing: $0) }
    }

    static func makeSQLite(in folder: URL, _ durability: Durability = .normal) -> MakeStore {
        let file = folder.appendingPathComponent("larder.sqlite")
        let durability: FileStoreOptions.Durability = durability == .full ? .full : .normal
        return { SQLiteDataStore(at: file, storing: $0, options: SQLiteOptions(durability: durability)) }
    }

    static func makeLMDB(in folder: URL, _ durability: Durability = .normal) -> MakeStore {
        let file = folder.appendingPathComponent("larder.lmdb")
        let durability: FileStoreOptions.Durability = durability == .full ? .full : .none
        return { LMDBDataStore(at: file, storing: $0, options: LMDBOptions(durability: durability)) }
    }

    /// - Parameter asksInBatches: As for ``LarderContender``.
    static func contender(
        _ options: StoreOptions, asksInBatches: Bool = false, _ makeStore: @escaping MakeStore
    ) throws -> any Contender {
        if options.isIndexed {
            return try LarderContender<LarderRestaurant>(asksInBatches: asksInBatches) {
                makeStore([LarderRestaurant.self])
            }
        }
        return try LarderContender<LarderUnindexedRestaurant>(asksInBatches: asksInBatches) {
            makeStore([LarderUnindexedRestaurant.self])
        }
    }
}
