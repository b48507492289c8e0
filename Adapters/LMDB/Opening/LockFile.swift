import CLMDB
import LarderKernel
import LarderPlatform
import LarderFiles

/// The file in which LMDB keeps its locks and its readers, for all processes that have the store open.
///
/// *Rule:* claimed before anything opens it. Closing it in a process that has the store open would drop that
/// process's locks, so this process does not open it while it is claimed.
struct LockFile: Sendable {
    let path: String
    let identity: FileIdentity
    /// True if it was created for this opening.
    let isNew: Bool

    private static let attempts = 10
    /// The maximum space that LMDB needs before the places of the readers, and for each of them.
    private static let headBytes = 192
    private static let readerBytes = 64

    /// Claims the file beside a store, which is made if there is none.
    ///
    /// - Throws: `.alreadyOpen` when a store of this process uses it, be its own file moved away or not.
    init(claimingAt path: String) throws(DataStoreError) {
        self.path = path
        var isNew = false
        var status: FileStatus?
        // A process that only wanted to read may remove the one that it had made as soon as it is seen here.
        for _ in 0..<Self.attempts where status == nil {
            isNew = FileAccess.isTaken(path) ? false : try Self.make(path)
            status = try FileAccess.status(at: path)
        }
        guard let status, status.isRegularFile else {
            throw DataStoreError(.cannotOpen, "The place of the store's lock file is taken.", path: path)
        }
        self.isNew = isNew
        identity = status.identity
        try OpenFileRegistry.shared.claim(identity, at: path)
    }

    func release() {
        OpenFileRegistry.shared.release(identity)
    }

    /// True if the file is still the one that was claimed.
    var isInPlace: Bool { FileAccess.isFile(identity, at: path) }

    /// True if another process has the store open at this moment.
    ///
    /// *Rule:* the file is claimed, and LMDB has not opened it in this process.
    func isUsedElsewhere() throws(DataStoreError) -> Bool {
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return false }
            throw FileAccess.failure(errno, "The store's lock file cannot be opened.", path: path)
        }
        defer { close(file) }
        // Only asked for, not taken: a process that opens the store meanwhile would take the new file for
        // one that LMDB has set up.
        var lock = Self.wholeFileLock
        guard fcntl(file, F_GETLK, &lock) == 0 else {
            throw FileAccess.failure(errno, "The store's lock file cannot be read.", path: path)
        }
        return lock.l_type != Int16(F_UNLCK)
    }

    /// Runs a body while no other process has the store open; false, and nothing done, when one has.
    ///
    /// *Rule:* the file is claimed, and LMDB has not opened it in this process.
    ///
    /// - Parameter limit: The time to wait for other processes.
    func whileUnused(
        waiting limit: Duration = .zero, _ body: () throws(DataStoreError) -> Void
    ) throws(DataStoreError) -> Bool {
        // Another store of this process may use the file that has its name now, and would lose its locks.
        guard isInPlace else { return false }
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return false }
            throw FileAccess.failure(errno, "The store's lock file cannot be opened.", path: path)
        }
        defer { close(file) }
        let isLocked = Self.wait(limit) {
            var lock = Self.wholeFileLock
            return fcntl(file, F_SETLK, &lock) == 0
        }
        guard isLocked, isInPlace else { return false }
        try body()
        return true
    }

    /// Waits until no other process uses the store alone: LMDB would wait for it without a limit.
    ///
    /// *Rule:* the file is claimed, and LMDB has not opened it in this process.
    ///
    /// - Throws: `.busy`.
    func waitUntilShared(_ limit: Duration) throws(DataStoreError) {
        let file = open(path, O_RDWR | O_CLOEXEC)
        // LMDB knows best what to do about one that cannot be used.
        guard file >= 0 else { return }
        defer { close(file) }
        let isShared = Self.wait(limit) {
            var lock = Self.wholeFileLock
            lock.l_type = Int16(F_RDLCK)
            // The byte that LMDB waits for. Further bytes are locked by each process that reads.
            lock.l_len = 1
            return fcntl(file, F_GETLK, &lock) != 0 || lock.l_type == Int16(F_UNLCK)
        }
        if isShared { return }
        throw DataStoreError(
            .busy, "Another process uses the store alone, to upgrade or to compact it.", path: path)
    }

    /// Asks again each millisecond until the answer is true; false when it has not been within the limit.
    private static func wait(_ limit: Duration, until isTrue: () -> Bool) -> Bool {
        if isTrue() { return true }
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            usleep(1000)
            if isTrue() { return true }
        }
        return false
    }

    /// Sees to it that the disk has room for the file, which LMDB makes longer without asking, and maps.
    ///
    /// Otherwise the first write to a page for which there is none would end the process. File systems that
    /// cannot reserve room are left to their luck. *Rule:* the file is claimed, and LMDB has not opened it in
    /// this process.
    ///
    /// - Throws: `.storeFull`.
    func reserveRoom(forReaders count: Int) throws(DataStoreError) {
        #if os(Linux)
            let file = open(path, O_RDWR | O_CLOEXEC)
            // LMDB knows best what to do about one that cannot be written.
            guard file >= 0 else { return }
            defer { close(file) }
            let length = try FileAccess.status(ofOpen: file, at: path).byteCount
            let bytes = max(length, Self.headBytes + count * Self.readerBytes)
            if larder_reserve_room(file, Int64(bytes)) == 0 { return }
            let code = errno
            guard code == ENOSPC || code == EDQUOT else { return }
            throw FileAccess.failure(code, "There is no space for the store's lock file.", path: path)
        #endif
    }

    /// No other process can have it: each process that has opened the store holds a shared lock on a part.
    private static var wholeFileLock: flock {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        return lock
    }

    /// Makes the file; whether it was not there before.
    private static func make(_ path: String) throws(DataStoreError) -> Bool {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file >= 0 {
            close(file)
            return true
        }
        if errno == EEXIST { return false }
        throw FileAccess.failure(errno, "The store's lock file cannot be made.", path: path)
    }
}
