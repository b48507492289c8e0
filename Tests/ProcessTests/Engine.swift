import Foundation
import Larder
import LarderLMDB
import LarderSQLite
import ProcessFixtures

/// The engines with files, by the names `StoreProcess` knows them by.
enum Engine: String, CaseIterable {
    case sqlite, lmdb

    func makeStore(at url: URL, busyTimeout: Duration = .seconds(5)) -> any DataStore {
        switch self {
        case .sqlite:
            SQLiteDataStore(
                at: url, storing: [Entry.self], options: SQLiteOptions(busyTimeout: busyTimeout))
        case .lmdb:
            LMDBDataStore(at: url, storing: [Entry.self], options: LMDBOptions(busyTimeout: busyTimeout))
        }
    }

    func makeReadOnlyStore(at url: URL, assumesNoWriter: Bool = false) -> any DataStore {
        switch self {
        case .sqlite:
            SQLiteDataStore(
                at: url, storing: [Entry.self],
                options: SQLiteOptions(isReadOnly: true, assumesNoWriter: assumesNoWriter))
        case .lmdb:
            LMDBDataStore(
                at: url, storing: [Entry.self],
                options: LMDBOptions(isReadOnly: true, assumesNoWriter: assumesNoWriter))
        }
    }

    func isStore(at url: URL) throws(DataStoreError) -> Bool {
        switch self {
        case .sqlite: try SQLiteDataStore.isStore(at: url)
        case .lmdb: try LMDBDataStore.isStore(at: url)
        }
    }

    static func backUp(_ store: any DataStore, to url: URL) throws {
        switch store {
        case let store as SQLiteDataStore: try store.backup(to: url)
        case let store as LMDBDataStore: try store.backup(to: url)
        default: throw DataStoreError(.unsupported, "\(type(of: store)) makes no backups.")
        }
    }

    func address(at url: URL) -> StoreAddress {
        switch self {
        case .sqlite: .sqlite(at: url)
        case .lmdb: .lmdb(at: url)
        }
    }

    /// What the engine's own check finds wrong in an open store.
    static func problems(in store: any DataStore) throws -> [String] {
        switch store {
        case let store as SQLiteDataStore: try store.checkIntegrity()
        case let store as LMDBDataStore: try store.checkIntegrity()
        default: ["\(type(of: store)) has no check"]
        }
    }
}
