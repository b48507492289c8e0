import CSQLite
import Larder

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Makes a new store whole under a temporary name beside its place and moves it there, so that a kill at any
/// moment leaves nothing or a valid empty store (contract rule 12).
///
/// A kill may also leave the temporary file, `.NAME.larder-PROCESS`; the next creation of the same store
/// removes it when that process is gone.
struct StoreCreation {
    let path: String
    let options: SQLiteOptions
    let schema: StoreSchema

    /// Makes the store, unless another process is faster; then that one's is left in place.
    func run() throws(DataStoreError) {
        try requireNothingLeft()
        removeAbandoned()
        let temporary = temporaryPrefix + String(getpid())
        do {
            try FileAccess.makeFile(temporary)
            try fill(temporary)
            try FileAccess.synchronize(temporary)
            _ = try FileAccess.publish(temporary, as: path)
        } catch {
            discard(temporary)
            throw error.about(path: path)
        }
        discard(temporary)
    }

    /// Refuses to make a store beside the log of another: SQLite would take it for the new one's.
    private func requireNothingLeft() throws(DataStoreError) {
        for companion in StoreFile.companions(of: path).prefix(2) where FileAccess.isTaken(companion) {
            throw DataStoreError(
                .cannotOpen, "There is no store, but a log of one that was there: \(companion).",
                advice: "Put the store's file back, or remove the log if it is not needed.", path: path)
        }
        if FileAccess.isTaken(path) {
            throw DataStoreError(
                .cannotOpen, "The path is a symbolic link that leads nowhere.", path: path)
        }
    }

    private func fill(_ temporary: String) throws(DataStoreError) {
        let connection = try SQLiteConnection(
            path: temporary, access: .readWrite, busyTimeout: options.busyTimeout)
        defer { connection.close() }
        // Nobody else knows the file, and it is synced as a whole before anybody does.
        try connection.execute(
            """
            PRAGMA page_size = \(options.pageBytes); PRAGMA encoding = 'UTF-8'; PRAGMA auto_vacuum = NONE;
            PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
            """)
        try options.applySizeLimit(to: connection)
        let evolution = try SchemaEvolution(from: .empty, to: schema)
        try connection.inWriteTransaction { () throws(DataStoreError) in
            try StoreMetadata.create(on: connection)
            try SchemaUpgrade(connection: connection).apply(evolution)
        }
        // Last of all: what is written before the log exists is in the file itself, its header above all.
        try connection.useLog()
    }

    private func discard(_ temporary: String) {
        for file in [temporary] + StoreFile.companions(of: temporary) { try? FileAccess.remove(file) }
    }

    /// Removes what creations of this store have left whose process is gone.
    private func removeAbandoned() {
        let (folder, prefix) = FileAccess.parts(of: temporaryPrefix)
        for name in FileAccess.names(in: folder) where name.hasPrefix(prefix) {
            guard let process = pid_t(name.dropFirst(prefix.count)), process > 0 else { continue }
            let isGone = kill(process, 0) != 0 && errno == ESRCH
            if isGone { discard(folder + "/" + name) }
        }
    }

    private var temporaryPrefix: String {
        let (folder, name) = FileAccess.parts(of: path)
        return "\(folder)/.\(name).larder-"
    }
}
