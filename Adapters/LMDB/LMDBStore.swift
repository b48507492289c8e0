import CLMDB
import LarderKernel
import LarderFiles
import LarderPlatform

/// A store that is open: its file as LMDB has mapped it, its readings and its writer.
final class LMDBStore: OpenFileStore {
    let file: StoreFile
    let environment: LMDBEnvironment
    let tables: TableHandles
    let readers = LMDBReaders()
    let options: LMDBOptions
    private let claims: StoreClaims
    /// The last commit when the store was opened; nil if LMDB's locks, or the app's promise, exclude writers.
    private let onlyCommit: Int?
    private let processLock: WriterLock?
    private let openFile: OpenStoreFile
    private let writing = Locked(Writing())

    private struct Writing {
        /// The number of times the map was too small in the middle of a transaction.
        var fullMaps = 0
        /// True if the last transaction has found no space, in the map or on the disk.
        var wasFull = false
        /// The size of the file, in pages, at which readers are looked for whose process is gone.
        var nextReaderCheck = 0
        /// The number of commits of this store.
        var commits = 0
    }

    /// - Parameter environment: Is closed with the store.
    init(
        _ file: StoreFile, _ environment: LMDBEnvironment, claims: StoreClaims, options: LMDBOptions
    ) throws(DataStoreError) {
        self.file = file
        self.environment = environment
        self.claims = claims
        self.options = options
        openFile = OpenStoreFile(file, isReadOnly: options.isReadOnly)
        let isGuarded = claims.lockFile == nil && !options.assumesNoWriter
        onlyCommit = isGuarded ? environment.lastTransaction : nil
        tables = try TableHandles(in: environment)
        processLock =
            options.isReadOnly
            ? nil : try WriterLock(at: file.writerLockPath, timeout: options.busyTimeout)
    }

    private var map: MemoryMap {
        MemoryMap(environment: environment, readers: readers, options: options)
    }

    /// True in a forked process, whose transactions are the other one's: their ends would change its locks and its file.
    var isForked: Bool { openFile.isForked }

    /// - Throws: `.usedAfterFork`.
    func requireSameProcess() throws(DataStoreError) { try openFile.requireSameProcess() }

    private func requireMapped() throws(DataStoreError) {
        if !environment.isMapped {
            throw DataStoreError(
                .engine, "The store has lost its address space.",
                advice: "Tear the store down and set it up again.", path: file.path)
        }
    }
}

// MARK: Reading

extension LMDBStore {
    func beginReading() throws(DataStoreError) -> LMDBSnapshot {
        LMDBSnapshot(try acquireReading(), of: self)
    }

    /// A snapshot if a place among the readers is free and the map fits; does not wait for it.
    func beginReadingIfFree() throws(DataStoreError) -> LMDBSnapshot? {
        try beginOnce().0.map { LMDBSnapshot($0, of: self) }
    }

    /// A transaction that reads; its end is ``endReading(_:)``.
    func acquireReading() throws(DataStoreError) -> OpaquePointer {
        try requireSameProcess()
        if let onlyCommit, environment.lastTransaction != onlyCommit { throw openFile.hasWriter }
        var end: ContinuousClock.Instant?
        while true {
            let (transaction, code) = try beginOnce()
            if let transaction { return transaction }
            try prepareToRetry(after: code, until: &end)
        }
    }

    private func beginOnce(mayWait: Bool = true) throws(DataStoreError) -> (OpaquePointer?, Int32) {
        var transaction = try readers.acquire(mayWait: mayWait)
        var code: Int32
        if let idle = transaction {
            code = mdb_txn_renew(idle)
            if code != 0 { mdb_txn_abort(idle) }
        } else if environment.isMapped {
            code = mdb_txn_begin(environment.handle, nil, UInt32(MDB_RDONLY), &transaction)
        } else {
            code = ENOMEM
        }
        if code == 0 { return (transaction, 0) }
        readers.release(nil)
        return (nil, code)
    }

    /// Ends a reading, and keeps its transaction for the next one.
    func endReading(_ transaction: OpaquePointer) {
        if isForked { return readers.release(nil) }
        mdb_txn_reset(transaction)
        readers.release(transaction)
    }

    /// Does what may help; waits for a place among the readers, after the first call, until the busy timeout.
    private func prepareToRetry(
        after code: Int32, until end: inout ContinuousClock.Instant?, mayWait: Bool = true
    ) throws(DataStoreError) {
        switch code {
        case MDB_MAP_RESIZED: try map.adoptGrowth(mayWait: mayWait)
        case MDB_READERS_FULL:
            environment.forgetDeadReaders()
            let now = ContinuousClock.now
            let limit = end ?? now + options.busyTimeout
            if end != nil { usleep(1000) }
            end = limit
            if now >= limit { throw LMDBFailure(code).error(path: file.path) }
        default:
            try requireMapped()
            throw LMDBFailure(code).error("The store cannot be read.", path: file.path)
        }
    }
}

// MARK: Writing

extension LMDBStore {
    func beginWriting() throws(DataStoreError) -> LMDBTransaction {
        LMDBTransaction(try acquireWriting(), of: self)
    }

    /// The write transaction; its end must call ``endWriting()``.
    func acquireWriting() throws(DataStoreError) -> OpaquePointer {
        try openFile.claimWriting()
        do throws(DataStoreError) {
            try processLock?.acquire()
        } catch {
            openFile.releaseWriting()
            throw error
        }
        do throws(DataStoreError) {
            try requireLocksInPlace()
            let (fullMaps, wasFull) = writing.withLock { writing in
                defer { writing.wasFull = false }
                return (writing.fullMaps, writing.wasFull)
            }
            // A file that cannot grow does not reach the size at which they are looked for.
            if wasFull { environment.forgetDeadReaders() }
            try map.growAheadOfNeed(afterFullMaps: fullMaps)
            if options.file.sizeLimit != nil || fullMaps > 0 { try FreedPages(of: self).hasten() }
            return try beginMapped()
        } catch {
            releaseWriting()
            throw error
        }
    }

    /// Checks that the paths still lead to the lock files that are used: a process that opens the store makes new ones if
    /// they are gone, and would write beside this one.
    ///
    /// *Rule:* called with the writers' lock. *Cost:* two system calls.
    ///
    /// - Throws: `.storeFileMoved`.
    private func requireLocksInPlace() throws(DataStoreError) {
        if let lockFile = claims.lockFile, !lockFile.isInPlace { throw moved(lockFile.path) }
        if let processLock, !processLock.isInPlace { throw moved(processLock.path) }
    }

    private func moved(_ lockPath: String) -> DataStoreError {
        let name = FileAccess.parts(of: lockPath).name
        return DataStoreError(
            .storeFileMoved, "The lock file \(name) was moved, replaced or deleted while the store was open.",
            advice: "Tear the store down in all processes, then set it up again.", path: file.path)
    }

    private func beginMapped() throws(DataStoreError) -> OpaquePointer {
        while true {
            try readers.gate.enterAsWriter()
            var code = environment.isMapped ? 0 : ENOMEM
            var begun: OpaquePointer?
            if code == 0 { code = mdb_txn_begin(environment.handle, nil, 0, &begun) }
            if code == 0, let begun {
                lookForDeadReaders()
                return begun
            }
            readers.gate.leaveAsWriter()
            guard code == MDB_MAP_RESIZED else {
                try requireMapped()
                throw LMDBFailure(code).error("The store cannot be written to.", path: file.path)
            }
            try map.adoptGrowth()
        }
    }

    /// Checks periodically, as the file grows, whether readers whose process is gone still keep old pages.
    private func lookForDeadReaders() {
        let pages = environment.pageCount
        let isDue = writing.withLock { writing in
            guard pages >= writing.nextReaderCheck else { return false }
            writing.nextReaderCheck = pages + max(1024, pages / 8)
            return true
        }
        if isDue { environment.forgetDeadReaders() }
    }

    /// Notes a failure if space was missing: dead readers are looked for before the next transaction, and the map grows if it
    /// was too small, and may.
    ///
    /// - Parameter code: LMDB's code for the error.
    func noteFailure(_ error: DataStoreError, _ code: Int32) {
        guard error.code == .storeFull else { return }
        writing.withLock { writing in
            writing.wasFull = true
            if code == MDB_MAP_FULL { writing.fullMaps += 1 }
        }
    }

    /// Notes a commit, as long as no other writer can begin.
    ///
    /// - Parameter number: The number of the transaction. LMDB commits nothing if nothing was changed.
    func noteCommit(_ number: Int) {
        if environment.lastTransaction >= number { writing.withLock { $0.commits += 1 } }
    }

    /// Lets the next writer begin; the transaction has ended.
    func endWriting() {
        readers.gate.leaveAsWriter()
        releaseWriting()
    }

    private func releaseWriting() {
        processLock?.release()
        openFile.releaseWriting()
    }
}

// MARK: Other processes

extension LMDBStore {
    /// Watches the file, which each commit is written to, and counts the commits that were not the store's own.
    func watchOtherWriters(
        _ body: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> (any StorageWatch)? {
        // Without LMDB's locks no process can write, or reading is refused as soon as one does.
        if claims.lockFile == nil { return nil }
        return try openFile.watchOtherWriters(
            of: [file.path], count: { [weak self] () throws(DataStoreError) in try self?.foreignCommits() },
            body)
    }

    /// The number of commits of other processes that a reading would see; nil if it would have to wait.
    ///
    /// *Rule:* nothing writes. Its caller keeps writers out meanwhile, on the thread that all watches share.
    func foreignCommits() throws(DataStoreError) -> Int? {
        do throws(DataStoreError) {
            try requireSameProcess()
            // The number in the file's newest page is not asked: a reading sees that commit only once it is synced.
            let (reading, code) = try beginOnce(mayWait: false)
            guard let transaction = reading else {
                var end: ContinuousClock.Instant?
                try prepareToRetry(after: code, until: &end, mayWait: false)
                return nil
            }
            let snapshot = LMDBSnapshot(transaction, of: self)
            defer { snapshot.end() }
            return Int(snapshot.commitNumber) - writing.withLock { $0.commits }
        } catch {
            if error.code == .busy { return nil }
            throw error
        }
    }
}

// MARK: Closing

extension LMDBStore {
    func close() throws(DataStoreError) { try close(asRefused: false) }

    /// Closes the file and releases its claim.
    ///
    /// In a forked process nothing is touched: the file is the other process's.
    ///
    /// - Parameter isRefused: True to remove the files that opening has created beside the store, as for a
    ///   read-only store.
    func close(asRefused isRefused: Bool) throws(DataStoreError) {
        if openFile.isForked(abandoning: self) { return }
        try readers.close(path: file.path)
        claims.release(removingTrace: options.isReadOnly || isRefused) {
            environment.close()
            processLock?.close()
        }
    }
}
