import Foundation
import Larder
import LarderLMDB
import LarderMemory
import LarderSQLite
import LarderTransfer

@testable import AdapterTestSupport

/// The engines that stores move between.
enum Engine: String, CaseIterable, CustomStringConvertible {
    case memory, sqlite, lmdb

    var description: String { rawValue }

    /// Those that keep stores in files.
    static let files: [Engine] = [.sqlite, .lmdb]

    /// Every ordered pair, an engine with itself among them.
    static let pairs = allCases.flatMap { from in allCases.map { Pair(from: from, to: $0) } }
}

/// Where from and where to.
struct Pair: CustomStringConvertible {
    let from: Engine
    let to: Engine

    var description: String { "\(from) to \(to)" }
}

/// The place of one store.
struct Place {
    let engine: Engine
    let address: StoreAddress
    private let url: URL
    private let storage = MemoryStorage()

    init(_ engine: Engine, at url: URL) {
        self.engine = engine
        self.url = url
        let storage = storage
        address =
            switch engine {
            case .memory: .memory(storage)
            case .sqlite: .sqlite(at: url, options: SQLiteOptions(durability: .none))
            case .lmdb: .lmdb(at: url, options: LMDBOptions(durability: .none))
            }
    }

    /// A store here, as an app makes it.
    func makeStore(storing types: [any DataStoreItem.Type]) -> any DataStore {
        switch engine {
        case .memory: MemoryDataStore(storing: types, in: storage)
        case .sqlite: SQLiteDataStore(at: url, storing: types, options: SQLiteOptions(durability: .none))
        case .lmdb: LMDBDataStore(at: url, storing: types, options: LMDBOptions(durability: .none))
        }
    }

    /// A store here, as an app with a history makes it.
    func makeStore(storing history: SchemaHistory) -> any DataStore {
        switch engine {
        case .memory: MemoryDataStore(storing: history, in: storage)
        case .sqlite: SQLiteDataStore(at: url, storing: history, options: SQLiteOptions(durability: .none))
        case .lmdb: LMDBDataStore(at: url, storing: history, options: LMDBOptions(durability: .none))
        }
    }

    /// Runs a block on a store that is open meanwhile.
    func withStore<Result>(
        storing types: [any DataStoreItem.Type] = Cargo.types, _ body: (any DataStore) throws -> Result
    ) throws -> Result {
        let store = makeStore(storing: types)
        try store.setup()
        do {
            let result = try body(store)
            try store.tearDown()
            return result
        } catch {
            try? store.tearDown()
            throw error
        }
    }

    /// Runs a block on an adapter that is open meanwhile, whatever the store says of a transfer.
    func withAdapter<Result>(
        _ body: (any StorageAdapter, StoreSchema) throws -> Result
    ) throws -> Result {
        let adapter = address.adapter(for: .writing)
        let stored = try adapter.storedSchema() ?? .empty
        let schema = try StoreSchema(of: stored).opened(for: .inspection)
        try adapter.open(schema)
        do {
            let result = try body(adapter, schema)
            try adapter.close()
            return result
        } catch {
            try? adapter.close()
            throw error
        }
    }

    /// What the engine's own check finds wrong.
    func problems() throws -> [String] {
        try withStore { store in
            switch store {
            case let store as SQLiteDataStore: try store.checkIntegrity()
            case let store as LMDBDataStore: try store.checkIntegrity()
            default: storage.checkInvariants()
            }
        }
    }

    func digests() throws -> [EntityDigest] {
        let store = try UntypedStore(reading: address, acceptsIncomplete: true)
        defer { try? store.close() }
        return try store.read { try $0.digests() }
    }
}

extension TemporaryFolder {
    func place(_ engine: Engine, _ name: String) -> Place { Place(engine, at: file(name)) }

    /// The bytes of a file in the folder.
    func bytes(_ name: String) throws -> Data { try Data(contentsOf: file(name)) }
}
