import Foundation
import Larder
import LarderFiles
import LarderLMDB
import LarderSQLite

/// A store with the tools of its engine, without the types of an app.
///
/// *Rule:* the store exists; ``StoreEngine/init(ofStoreAt:)`` has checked that.
enum ToolStore {
    case sqlite(SQLiteDataStore)
    case lmdb(LMDBDataStore)

    /// A store whose file and folder are not changed.
    init(reading path: String, _ reading: ReadingOptions) throws {
        try self.init(path, isReadOnly: true, assumesNoWriter: reading.assumeNoWriter)
    }

    /// A store whose file is written to.
    init(writing path: String) throws {
        try self.init(path, isReadOnly: false, assumesNoWriter: false)
    }

    private init(_ path: String, isReadOnly: Bool, assumesNoWriter: Bool) throws {
        let engine = try StoreEngine(ofStoreAt: path)
        let url = try StoreFiles.url(path)
        switch engine {
        case .sqlite:
            let options = SQLiteOptions(
                isReadOnly: isReadOnly, assumesNoWriter: assumesNoWriter, verification: .structure)
            self = .sqlite(SQLiteDataStore(at: url, storing: [], options: options))
        case .lmdb:
            let options = LMDBOptions(
                isReadOnly: isReadOnly, assumesNoWriter: assumesNoWriter, verification: .structure)
            self = .lmdb(LMDBDataStore(at: url, storing: [], options: options))
        case .postgresql:
            throw CommandFailure(
                .usage, "This command is for stores in files.",
                advice: "Use the server's own tools, such as pg_dump, pg_amcheck and VACUUM.")
        }
    }

    private var store: any FileDataStore {
        switch self {
        case .sqlite(let store): store
        case .lmdb(let store): store
        }
    }

    func checkIntegrity() throws -> [String] {
        try whileOpen { try store.checkIntegrity() }
    }

    func backup(to url: URL) throws {
        try whileOpen { try store.backup(to: url) }
    }

    func compact() throws {
        switch self {
        case .sqlite(let store): try whileOpen { try store.compact() }
        // LMDB's file is replaced, so no process may have it open.
        case .lmdb(let store): try store.compact()
        }
    }

    private func whileOpen<Result>(_ body: () throws -> Result) throws -> Result {
        try ReadingOptions.opening { try store.setup() }
        do {
            let result = try body()
            try store.tearDown()
            return result
        } catch {
            // The user needs the first error.
            try? store.tearDown()
            throw error
        }
    }
}
