import Foundation
import Larder
import LarderLMDB
import LarderMemory
import LarderSQLite

/// Larder as its users use it, on any of its engines.
final class LarderContender<Record: LarderRecord>: Contender {
    private let store: any DataStore

    init(_ store: any DataStore) throws {
        self.store = store
        try store.setup()
    }

    func insertInOneTransaction(_ records: [Record]) throws {
        try store.writeSync { try $0.insert(contentsOf: records) }
    }

    func insertOneByOne(_ records: [Record]) throws {
        for record in records {
            try store.writeSync { _ = try $0.insert(record) }
        }
    }

    func insertInGroups(_ records: [Record]) throws {
        let completions = PendingCompletions()
        for record in records {
            completions.expectOne()
            store.writeAsync {
                _ = try $0.insert(record)
            } completion: {
                completions.arrive(with: $0)
            }
        }
        try completions.wait()
    }

    func readInOneTransaction(ids: [Int64], visit: (Record?) -> Void) throws {
        try store.read { accessor in
            for id in ids { visit(try accessor.item(id: id, of: Record.self)) }
        }
    }

    func readOneByOne(ids: [Int64], visit: (Record?) -> Void) throws {
        for id in ids {
            visit(try store.read { try $0.item(id: id, of: Record.self) })
        }
    }

    func scan() throws -> [Record] {
        try store.read { try $0.items(for: Record.all) }
    }

    func lookUp(names: [String], visit: ([Record]) -> Void) throws {
        try store.read { accessor in
            for name in names { visit(try accessor.items(for: Record.named(name))) }
        }
    }

    func close() throws {
        try store.tearDown()
    }
}

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
        let durability: LMDBOptions.Durability = options.durability == .full ? .full : .normal
        return try contender(options) { types in
            LMDBDataStore(at: file, storing: types, options: LMDBOptions(durability: durability))
        }
    }

    static func memory(options: StoreOptions) throws -> any Contender {
        try contender(options) { MemoryDataStore(storing: $0) }
    }

    private static func contender(
        _ options: StoreOptions, _ store: ([any DataStoreItem.Type]) -> any DataStore
    ) throws -> any Contender {
        options.isNameIndexed
            ? try LarderContender<LarderIndexedRestaurant>(store([LarderIndexedRestaurant.self]))
            : try LarderContender<LarderRestaurant>(store([LarderRestaurant.self]))
    }
}
