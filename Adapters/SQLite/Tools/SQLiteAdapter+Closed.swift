package import LarderKernel
import LarderFiles

extension SQLiteAdapter: ClosableStore {
    /// The states of the file and of its log.
    package func contentState() throws(DataStoreError) -> String {
        guard let status = try files.place.file() else { return "" }
        let log = try FileAccess.status(at: StoreFile(at: files.place.path, status, of: .sqlite).logPath)
        return "\(status.stateText) \(log?.stateText ?? "-")"
    }

    package func whileClosed(
        _ body: () throws(DataStoreError) -> Void
    ) throws(DataStoreError) -> Bool {
        guard let status = try files.place.file() else { return false }
        let file = try StoreFile(at: files.place.path, status, of: .sqlite)
        try OpenFileRegistry.shared.claim(file.identity, at: files.place.path)
        let connection: SQLiteConnection
        do throws(DataStoreError) {
            connection = try SQLiteConnection(path: file.path, access: .readWrite, busyTimeout: .zero)
        } catch {
            OpenFileRegistry.shared.release(file.identity)
            throw error
        }
        // It is not used, so SQLite touches no file when it is closed.
        defer { OpenFileRegistry.shared.release([file.identity]) { connection.close() } }
        guard connection.lockAlone() else { return false }
        try file.requireInPlace()
        try body()
        return true
    }
}
