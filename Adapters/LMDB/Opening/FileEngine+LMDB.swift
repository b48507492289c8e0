import LarderKernel
import LarderFiles

extension FileEngine {
    /// LMDB's files: the lock file goes first, as it must not be taken for a new store's.
    static let lmdb = FileEngine(
        "LMDB", companionSuffixes: ["-lock", "-writer"], recognizesDamaged: false
    ) { (path) throws(DataStoreError) in _ = try StoreFileHead.read(at: path) }
}

extension StoreFile {
    /// LMDB's own: its locks, and who reads what.
    var lockPath: String { path + "-lock" }

    /// The file of the ``WriterLock``.
    var writerLockPath: String { path + "-writer" }
}
