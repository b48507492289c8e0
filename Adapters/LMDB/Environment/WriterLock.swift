import LarderKernel
import LarderPlatform
import LarderFiles

/// Keeps the writers of several processes apart, and lets one wait for a limited time only.
///
/// LMDB's own lock can only be waited for without end, so writers take this one first. It is a lock on a file
/// that nothing else opens; the system releases it when the process ends, however it ends.
///
/// *Rule:* used by one writer at a time.
final class WriterLock: @unchecked Sendable {
    // reason: the file is opened once and closed by `close()`, both while no transaction writes.
    private let file: Int32
    private let identity: FileIdentity
    let path: String
    private let timeout: Duration

    init(at path: String, timeout: Duration) throws(DataStoreError) {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw FileAccess.failure(errno, "The file of the writers' lock cannot be opened.", path: path)
        }
        do throws(DataStoreError) {
            identity = try FileAccess.status(ofOpen: file, at: path).identity
        } catch {
            closeFile(file)
            throw error
        }
        self.file = file
        self.path = path
        self.timeout = timeout
    }

    /// True if the path still leads to the file whose lock is taken.
    var isInPlace: Bool { FileAccess.isFile(identity, at: path) }

    func close() {
        closeFile(file)
    }

    /// - Throws: `.busy` when another process has it for longer than the timeout.
    func acquire() throws(DataStoreError) {
        var tries = 0
        var began: ContinuousClock.Instant?
        while true {
            let code = set(F_WRLCK)
            if code == 0 { return }
            guard [EAGAIN, EACCES, EINTR].contains(code) else {
                throw FileAccess.failure(code, "The writers' lock cannot be taken.", path: path)
            }
            let now = ContinuousClock.now
            guard now - (began ?? now) < timeout else { throw busy }
            if began == nil { began = now }
            tries += 1
            if tries < 100 { sched_yield() } else { usleep(tries < 200 ? 50 : 1000) }
        }
    }

    func release() {
        _ = set(F_UNLCK)
    }

    private func set(_ type: Int32) -> Int32 {
        var lock = flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        return fcntl(file, F_SETLK, &lock) == 0 ? 0 : errno
    }

    private var busy: DataStoreError {
        DataStoreError(.busy, "Another process has been writing for longer than \(timeout).", path: path)
    }
}

/// The system's `close`, which the method of that name hides.
private func closeFile(_ file: Int32) {
    close(file)
}
