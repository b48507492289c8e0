import CLMDB
import LarderFiles
import LarderKernel
import LarderPlatform

/// A file that LMDB has opened and mapped.
///
/// *Rule:* closed by ``close()`` when no transaction is open, and never in a forked process.
final class LMDBEnvironment: @unchecked Sendable {
    // reason: LMDB's own functions may be called from any thread, and `map` is only touched with its lock
    // held.
    let handle: OpaquePointer
    let path: String
    private let map: Locked<Map>

    private struct Map {
        var bytes: Int
        var isThere = true
    }

    /// The address space of the file, in bytes.
    var mapBytes: Int { map.withLock { $0.bytes } }
    /// True if the file is mapped; without a map, LMDB would end the process.
    var isMapped: Bool { map.withLock { $0.isThere } }

    /// The way to open a file.
    struct Settings {
        var flags: Int32 = 0
        /// The address space to request first, and the minimum.
        var mapBytes: Int
        var neededBytes: Int
        /// The maximum number of tables.
        var tables: Int
        /// The maximum number of readers of all processes, if this process is the first to open the file.
        var readers = 126
    }

    /// Opens a file with as much address space as is available.
    ///
    /// *Rule:* the head of the file was read, or it is a new one.
    init(path: String, _ settings: Settings) throws(DataStoreError) {
        var mapBytes = settings.mapBytes
        while true {
            let (handle, code) = Self.open(path, settings, mapBytes: mapBytes)
            if let handle {
                self.handle = handle
                self.path = path
                map = Locked(Map(bytes: mapBytes))
                return
            }
            guard code == ENOMEM, mapBytes > settings.neededBytes else {
                throw LMDBFailure(code)
                    .errorOfOpening(usesLocks: settings.flags & MDB_NOLOCK == 0, path: path)
            }
            mapBytes = max(mapBytes / 2, settings.neededBytes)
        }
    }

    private static func open(
        _ path: String, _ settings: Settings, mapBytes: Int
    ) -> (handle: OpaquePointer?, code: Int32) {
        var created: OpaquePointer?
        var code = mdb_env_create(&created)
        guard code == 0, let handle = created else { return (nil, code) }
        if code == 0 { code = mdb_env_set_mapsize(handle, mapBytes) }
        if code == 0 { code = mdb_env_set_maxdbs(handle, MDB_dbi(clamping: settings.tables)) }
        if code == 0 { code = mdb_env_set_maxreaders(handle, UInt32(clamping: settings.readers)) }
        // Never MDB_WRITEMAP: a full disk would end the process, and stray writes reach the file.
        let flags = UInt32(settings.flags | MDB_NOSUBDIR | MDB_NOTLS)
        if code == 0 { code = mdb_env_open(handle, path, flags, 0o600) }
        if code == 0 { return (handle, 0) }
        mdb_env_close(handle)
        return (nil, code)
    }

    func close() {
        mdb_env_close(handle)
    }

    /// Removes the file if it still has its name.
    func removeFile() throws(DataStoreError) {
        var file: mdb_filehandle_t = -1
        mdb_env_get_fd(handle, &file)
        let identity = try FileAccess.status(ofOpen: file, at: path).identity
        if FileAccess.isFile(identity, at: path) { try FileAccess.remove(path) }
    }
}

extension LMDBEnvironment {
    var pageBytes: Int {
        var statistics = MDB_stat()
        mdb_env_stat(handle, &statistics)
        return Int(statistics.ms_psize)
    }

    /// The number of pages in the file after the last commit.
    ///
    /// *Cost:* a few loads.
    var pageCount: Int {
        var information = MDB_envinfo()
        mdb_env_info(handle, &information)
        return information.me_last_pgno + 1
    }

    /// The number of the last transaction that was committed.
    var lastTransaction: Int {
        var information = MDB_envinfo()
        mdb_env_info(handle, &information)
        return information.me_last_txnid
    }

    /// Checks that the lock file belongs to this file: a process that was killed while it replaced the store's file may
    /// have left the locks of the old one, and the number of its last commit with them.
    ///
    /// LMDB takes that number for the newest unless it opens the file alone. It would read an old state, and write
    /// over the new one. A process killed in the middle of a commit leaves a number that is one too low, which LMDB
    /// mends itself.
    ///
    /// - Throws: `.busy`.
    func requireOwnLocks() throws(DataStoreError) {
        let before = lastTransaction
        var opened: OpaquePointer?
        let code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &opened)
        guard code == 0, let transaction = opened else {
            throw LMDBFailure(code).errorOfFirstReading(path: path)
        }
        let number = mdb_txn_id(transaction)
        mdb_txn_abort(transaction)
        if number >= before - 1, number <= lastTransaction { return }
        throw DataStoreError(
            .busy, "Another process holds locks of a file that was the store before this one.",
            advice: "Repeat the call when that process has closed the store.", path: path)
    }

    /// Gives the places of readers back whose process is gone.
    func forgetDeadReaders() {
        var count: Int32 = 0
        mdb_reader_check(handle, &count)
    }

    /// Maps the file again with another size; if that much address space is not available, the map does not
    /// change.
    ///
    /// *Rule:* no transaction may be open; LMDB does not check it.
    func resizeMap(to size: Int) -> Int32 {
        // LMDB releases the old map first. If the new one fails it has none, and a second call only says that it has one.
        guard isMapped, Self.isAvailable(size - mapBytes) else { return ENOMEM }
        let code = mdb_env_set_mapsize(handle, size)
        map.withLock { map in
            if code == 0 { map.bytes = size } else { map.isThere = false }
        }
        return code
    }

    /// True if so many bytes of address space are free in one piece, or fewer than one.
    private static func isAvailable(_ count: Int) -> Bool {
        if count <= 0 { return true }
        let start = mmap(nil, count, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let start, start != MAP_FAILED else { return false }
        munmap(start, count)
        return true
    }
}
