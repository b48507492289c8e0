package import LarderEngine
package import LarderKernel
import LarderPlatform

/// A file that is kept open for locks on single bytes, far beyond any content.
///
///     guard let file = LockedFile(at: path) else { … }
///     if file.lock(.signOfLife) == .taken { … }
///
/// The locks belong to this opening of the file and not to the process. So two openings in one process exclude each
/// other too, and closing the file elsewhere in the process does not drop them. The system frees them when the file is
/// closed, or its process ends, however that happens. A forked process shares them until both have ended.
///
/// *Rule:* closed by ``close()``, and if an engine has the file open in this process, after that has closed it: the
/// engine's own locks would go.
package final class LockedFile: Sendable {
    package let identity: FileIdentity
    private let file: Int32

    /// A byte that can be locked.
    package struct Byte: Sendable {
        fileprivate let offset: off_t

        /// Locked as long as a file is being made.
        package static let signOfLife = Byte(offset: start - 1)

        /// Locked by the process that has this number.
        package static func number(_ number: UInt16) -> Byte { Byte(offset: start + off_t(number)) }

        /// No file is that long, and no engine locks anything there.
        private static let start: off_t = 1 << 62
    }

    /// Takes over a file that is open for writing.
    init(_ file: Int32, _ identity: FileIdentity) {
        self.file = file
        self.identity = identity
    }

    /// Opens a file; nil if this process may not write to it, or there is none.
    ///
    /// - Throws: The error of the operating system when it cannot open files any more.
    package convenience init?(at path: String) throws(DataStoreError) {
        let file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if [EACCES, EPERM, EROFS, ENOENT, ETXTBSY].contains(errno) { return nil }
            throw FileAccess.failure(errno, "The file cannot be opened.", path: path)
        }
        do throws(DataStoreError) {
            self.init(file, try FileAccess.status(ofOpen: file, at: path).identity)
        } catch {
            closeFile(file)
            throw error
        }
    }

    /// Gives all locks back, even if another thread is making a process at this moment, which has the file open for a while.
    package func close() {
        _ = set(.signOfLife, F_UNLCK, count: 0)
        closeFile(file)
    }

    /// Locks a byte unless another opening of the file has.
    ///
    /// *Cost:* one system call.
    package func lock(_ byte: Byte) -> LockOutcome { set(byte, F_WRLCK) }

    package func unlock(_ byte: Byte) { _ = set(byte, F_UNLCK) }

    private func set(_ byte: Byte, _ type: Int32, count: off_t = 1) -> LockOutcome {
        var lock = flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = byte.offset
        lock.l_len = count
        while fcntl(file, Self.setLock, &lock) != 0 {
            if errno == EINTR { continue }
            return errno == EAGAIN || errno == EACCES ? .taken : .unsupported
        }
        return .locked
    }

    /// `F_OFD_SETLK`, which the headers of Linux declare only for _GNU_SOURCE.
    #if canImport(Darwin)
        private static let setLock: Int32 = 90
    #else
        private static let setLock: Int32 = 37
    #endif
}

extension LockedFile: NumberLocks {
    package func lock(number: UInt16) -> LockOutcome { lock(.number(number)) }

    package func unlock(number: UInt16) { unlock(.number(number)) }
}

extension ProcessNumbers {
    /// Takes a number for a store that is being opened; nil if its file cannot be locked.
    ///
    /// *Cost:* three system calls.
    ///
    /// - Throws: `.busy` when processes that share stores with this one have all numbers; `.storeFileMoved`.
    package func hold(in file: StoreFile) throws(DataStoreError) -> HeldNumber? {
        guard let opened = try LockedFile(at: file.path) else { return nil }
        guard opened.identity == file.identity else {
            opened.close()
            throw file.movedError
        }
        return try take(in: opened, at: file.path)
    }
}

/// The system's `close`, which the method of that name hides.
private func closeFile(_ file: Int32) {
    close(file)
}
