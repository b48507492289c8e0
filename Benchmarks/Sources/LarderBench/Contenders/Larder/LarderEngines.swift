import Foundation
import Larder
import LarderLMDB
import LarderMemory
import LarderSQLite

/// How Larder's engines are made for a workload.
enum LarderEngines {
    static func sqlite(in folder: URL, options: StoreOptions) throws -> any Contender {
        let file = folder.appendingPathComponent("larder.sqlite")
        let durability: SQLiteOptions.Durability = options.durability == .full ? .full : .normal
        return try contender(options) { types in
            SQLiteDataStore(at: file, storing: types, options: SQLiteOptions(durability: durability))
        }
    }

    static func lmdb(in folder: URL, options: StoreOptions) throws -> any Contender {
        let file = folder.appendingPathComponent("larder.lmdb")
        let durability: LMDBOptions.Durability = options.durability == .full ? .full : .none
        return try contender(options) { types in
            LMDBDataStore(at: file, storing: types, options: LMDBOptions(durability: durability))
        }
    }

    static func memory(options: StoreOptions) throws -> any Contender {
        try contender(options) { MemoryDataStore(storing: $0) }
    }

    private static func contender(
        _ options: StoreOptions, _ makeStore: @escaping ([any DataStoreItem.Type]) -> any DataStore
    ) throws -> any Contender {
        options.isIndexed
            ? try LarderContender<LarderRestaurant> { makeStore([LarderRestaurant.self]) }
            : try LarderContender<LarderUnindexedRestaurant> { makeStore([LarderUnindexedRestaurant.self]) }
    }
}
