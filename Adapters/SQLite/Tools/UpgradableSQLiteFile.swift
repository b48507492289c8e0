import CSQLite
import LarderKernel
import LarderFiles
import Foundation

/// A SQLite store whose steps may run in a copy.
struct UpgradableSQLiteFile: UpgradableFile {
    let place: StorePlace
    let options: SQLiteOptions

    var address: StoreAddress {
        var options = options
        options.file.adaptToUpgrade()
        return .sqlite(at: URL(fileURLWithPath: place.path), options: options)
    }

    var stateSuffixes: [String] { FileEngine.sqlite.companionSuffixes }

    func whileAlone(
        _ body: (any SoleFile) throws(DataStoreError) -> Void
    ) throws(DataStoreError) -> Bool {
        guard let status = try place.file() else { return false }
        let file = try StoreFile(at: place.path, status, of: .sqlite)
        try OpenFileRegistry.shared.claim(file.identity, at: place.path)
        let connection: SQLiteConnection
        do throws(DataStoreError) {
            connection = try SQLiteConnection(
                path: file.path, access: .readWrite, busyTimeout: options.busyTimeout)
        } catch {
            OpenFileRegistry.shared.release(file.identity)
            throw error
        }
        defer {
            OpenFileRegistry.shared.release([file.identity]) {
                // A log that is found by the name of the file may belong to the new one.
                connection.keepsLog(!FileAccess.isFile(file.identity, at: file.path))
                connection.close()
            }
        }
        connection.keepsLog(true)
        let sole = SoleSQLiteFile(file: file, connection: connection)
        guard try sole.lock() else { return false }
        try body(sole)
        return true
    }
}

/// The file of a store on a connection that no other can be beside.
private struct SoleSQLiteFile: SoleFile {
    let file: StoreFile
    let connection: SQLiteConnection

    /// Locks the file and empties its log into it; false when another connection has it open.
    func lock() throws(DataStoreError) -> Bool {
        do throws(DataStoreError) {
            // In this mode the lock of a transaction stays until the connection is closed, and SQLite shares
            // nothing with other processes.
            try connection.execute(
                """
                PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; \
                PRAGMA checkpoint_fullfsync = ON
                """)
            try connection.execute("BEGIN EXCLUSIVE; COMMIT")
        } catch {
            if error.code == .busy { return false }
            throw error
        }
        try file.requireInPlace()
        let code = sqlite3_wal_checkpoint_v2(
            connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK else { throw connection.failure(code) }
        return true
    }

    func stateNumber() throws(DataStoreError) -> Int { try connection.changeCounter() }

    func requireSound() throws(DataStoreError) { try connection.requireSoundStructure() }

    func copy(to path: String) throws(DataStoreError) {
        try StoreBackup(of: connection).write(to: path)
    }
}
