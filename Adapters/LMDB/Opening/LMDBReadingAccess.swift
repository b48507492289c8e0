import LarderKernel
import LarderFiles

/// The way to read a store: with LMDB's lock file, or without.
///
/// A reading notes itself in the lock file, so that no writer uses its pages again; LMDB makes the file if it is
/// missing, and writes to it.
struct LMDBReadingAccess: ReadingAccess {
    let engine = FileEngine.lmdb
    let file: StoreFile
    let options: FileStoreOptions

    private var folder: String { FileAccess.parts(of: file.path).folder }

    private var hasLockFile: Bool { FileAccess.isTaken(file.lockPath) }

    var canShare: Bool {
        hasLockFile ? FileAccess.canWrite(file.lockPath) : FileAccess.canMakeFiles(in: folder)
    }

    /// An existing lock file may be in use, unless no process can write at all.
    var isClosedToAll: Bool {
        hasLockFile ? FileAccess.isOnReadOnlyDisk(file.path) : FileAccess.isClosedToAll(folder)
    }

    var deniedAction: String {
        hasLockFile
            ? "write to the lock file \(file.lockPath)" : "make a lock file in the folder \(folder)"
    }
}
