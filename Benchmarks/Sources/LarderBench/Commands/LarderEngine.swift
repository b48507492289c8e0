import ArgumentParser
import Foundation
import Larder
import LarderLMDB
import LarderMemory
import LarderSQLite

/// The engines by the words of the command line, for what is asked of Larder alone.
enum LarderEngine: String, CaseIterable, ExpressibleByArgument {
    case sqlite
    case lmdb
    case memory

    func makeStore(in folder: URL, storing types: [any DataStoreItem.Type]) -> any DataStore {
        let file = folder.appending(path: "larder.store")
        return switch self {
        case .sqlite: SQLiteDataStore(at: file, storing: types, options: SQLiteOptions(durability: .normal))
        case .lmdb: LMDBDataStore(at: file, storing: types, options: LMDBOptions(durability: .normal))
        case .memory: MemoryDataStore(storing: types)
        }
    }

    /// A store with versions, to be upgraded; nil for an engine without files.
    func makeStore(in folder: URL, storing history: SchemaHistory) -> (any DataStore)? {
        let file = folder.appending(path: "larder.store")
        return switch self {
        case .sqlite: SQLiteDataStore(at: file, storing: history, options: SQLiteOptions(durability: .normal))
        case .lmdb: LMDBDataStore(at: file, storing: history, options: LMDBOptions(durability: .normal))
        case .memory: nil
        }
    }
}
