import ArgumentParser
import Foundation
import Larder
import LarderFiles
import LarderLMDB
import LarderSQLite

/// The engines of stores that outlive a process.
enum StoreEngine: String, CaseIterable, Sendable, ExpressibleByArgument {
    case sqlite
    case lmdb
    /// For a store on a server, which has an address and no path.
    case postgresql

    /// The engine of the store in a file, or on a server if the path is an address.
    ///
    /// Only the beginning of the file is read. A server is not asked.
    ///
    /// - Throws: `.noInput` if there is no file, `.badData` if it is not a store; `.noPermission`; `.storeMoved`
    ///   if a tombstone shows that the store was moved.
    init(ofStoreAt path: String) throws {
        if ServerAddress.isOne(path) {
            self = .postgresql
            return
        }
        guard try StoreFiles.exists(path) else {
            throw CommandFailure(.noInput, "No such file exists.", advice: "Check the path.", path: path)
        }
        if StoreFiles.isFolder(path) {
            throw CommandFailure(
                .noInput, "This is a folder; a store is a file.", advice: "Use the path of the file.",
                path: path)
        }
        let url = try StoreFiles.url(path)
        if let tombstone = try StoreTombstone.read(at: url.path) { throw tombstone.error(at: url.path) }
        if try SQLiteDataStore.isStore(at: url) {
            self = .sqlite
        } else if try LMDBDataStore.isStore(at: url) {
            self = .lmdb
        } else {
            throw CommandFailure(
                .badData, "The file is not a Larder store, neither of SQLite nor of LMDB.",
                advice: "Check the path; nothing was changed.", path: path)
        }
    }

    /// The engine for a store to create.
    ///
    /// - Parameter asked: The user's choice; if nil, the extension of the file name decides.
    /// - Throws: `.usage` when the name does not show the engine, or the user asks for another than the address.
    init(ofNewStoreAt path: String, asked: StoreEngine?) throws(CommandFailure) {
        let isAddress = ServerAddress.isOne(path)
        if let asked, isAddress != (asked == .postgresql) {
            throw CommandFailure(
                .usage, "A store on a server has an address, and the other engines keep theirs in a file.",
                advice: "Use postgresql://… without --engine, or the path of a file.")
        }
        if let engine = isAddress ? .postgresql : asked {
            self = engine
            return
        }
        switch URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "sqlite", "sqlite3": self = .sqlite
        case "lmdb", "mdb": self = .lmdb
        default:
            throw CommandFailure(
                .usage, "The file name does not show the engine of the new store.",
                advice: "Use --engine sqlite or --engine lmdb, or a name that ends with .sqlite or .lmdb.",
                path: path)
        }
    }

    /// The name of the engine, as a ``StoreAddress`` has it.
    private var name: String {
        switch self {
        case .sqlite: "SQLite"
        case .lmdb: "LMDB"
        case .postgresql: "PostgreSQL"
        }
    }

    /// The engine that a store names as its own.
    init?(named name: String) {
        guard let engine = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = engine
    }

    /// - Parameter reading: The options for reading; nil for a store that is written to.
    func address(
        of path: String, _ reading: ReadingOptions? = nil
    ) throws(CommandFailure) -> StoreAddress {
        let assumesNoWriter = reading?.assumeNoWriter ?? false
        return switch self {
        case .sqlite:
            .sqlite(at: try StoreFiles.url(path), options: SQLiteOptions(assumesNoWriter: assumesNoWriter))
        case .lmdb:
            .lmdb(at: try StoreFiles.url(path), options: LMDBOptions(assumesNoWriter: assumesNoWriter))
        case .postgresql: try ServerAddress(text: path).address()
        }
    }
}
