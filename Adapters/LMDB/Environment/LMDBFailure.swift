import CLMDB
import LarderKernel
import LarderPlatform
import LarderFiles

/// An error of LMDB and its meaning for the store's user: the one place where its codes are mapped.
struct LMDBFailure {
    /// LMDB's own code, or the number of a system error.
    let code: Int32
    /// The error number the last system call has left.
    private let systemError: Int32

    /// - Parameter code: Was returned just now.
    init(_ code: Int32) {
        systemError = errno
        self.code = code
    }

    /// - Parameter code: The code of copying, which passes on the error of the system, and continues after a write that ended
    ///   early. The system's number may be on another thread: LMDB writes a compacted copy on one of its own.
    init(ofCopying code: Int32) {
        systemError = code
        self.code = code
    }

    func error(_ doing: String? = nil, path: String) -> DataStoreError {
        DataStoreError(storeCode, doing ?? sentence, advice: advice, path: path, underlying: underlying)
    }

    /// The error of an opening that has failed after the head of the file was read.
    ///
    /// - Parameter usesLocks: True if LMDB has opened the lock file too.
    func errorOfOpening(usesLocks: Bool, path: String) -> DataStoreError {
        // The head is sound, so these are about the lock file. LMDB overwrites one that no process uses.
        guard usesLocks, code == MDB_VERSION_MISMATCH || code == MDB_INVALID else {
            return error("The store's file cannot be opened.", path: path)
        }
        return DataStoreError(
            .busy, "Another process has the store open, with a build of LMDB that has other locks.",
            advice: "Open the store when that process has closed it, or use the same build of LMDB in both.",
            path: path, underlying: underlying)
    }

    /// The error of the first reading of a process, which has not begun.
    func errorOfFirstReading(path: String) -> DataStoreError {
        // LMDB locks the byte of the lock file that has the number of the process.
        guard code == EAGAIN || code == EACCES else { return error(path: path) }
        return DataStoreError(
            .busy, "A process of another container, which has the number of this one, has the store open.",
            advice: "Give the containers one PID namespace, or each of them a store of its own.",
            path: path, underlying: underlying)
    }

    private var underlying: DataStoreError.Underlying {
        let message = mdb_strerror(code).map { String(cString: $0) } ?? "unknown error"
        return .init(source: "LMDB", code: Int(code), message: message)
    }

    private var storeCode: DataStoreError.Code {
        switch code {
        case MDB_MAP_FULL: .storeFull
        // LMDB makes an EIO of a write that ended early, which it does when there is no room for the rest.
        case EIO: systemError == EIO ? .inputOutput : .storeFull
        case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_INVALID: .damaged
        case MDB_VERSION_MISMATCH: .newerFormat
        case MDB_READERS_FULL: .busy
        case MDB_PANIC: .inputOutput
        case MDB_TXN_FULL, MDB_BAD_VALSIZE: .valueTooLarge
        case MDB_KEYEXIST, MDB_NOTFOUND, MDB_DBS_FULL, MDB_TLS_FULL, MDB_CURSOR_FULL, MDB_PAGE_FULL,
            MDB_MAP_RESIZED, MDB_INCOMPATIBLE, MDB_BAD_RSLOT, MDB_BAD_TXN, MDB_BAD_DBI:
            .engine
        case EINVAL, ENOMEM, EAGAIN: .engine
        default: code > 0 ? FileAccess.code(for: code) : .engine
        }
    }

    /// The advice for a code of LMDB that the general advice does not fit; nil for others.
    private var advice: String? {
        switch code {
        case MDB_TXN_FULL:
            "Change fewer items in one block, such as by importItems(from:using:committingEvery:)."
        // LMDB refuses everything until the file is opened again.
        case MDB_PANIC: "Check the disk, then tear the store down and set it up again."
        default: nil
        }
    }

    private var sentence: String {
        switch storeCode {
        case .storeFull: "There is no space for the store to grow."
        case .damaged: "The store's file is damaged."
        case .inputOutput: "The store's file could not be read or written."
        case .valueTooLarge where code == MDB_TXN_FULL:
            "The block has changed more than LMDB keeps for one block."
        case .valueTooLarge: "A value is larger than LMDB can store."
        case .busy: "The readers of all processes have used up all places."
        default: "LMDB failed."
        }
    }
}
