import LarderFiles

extension StoreFile {
    /// The suffixes of the files beside a store's own, in the order in which they may be removed.
    ///
    /// The lock file goes first: it must not be taken for that of a new store.
    static let companionSuffixes = ["-lock", "-writer"]

    /// LMDB's own: its locks, and who reads what.
    var lockPath: String { path + "-lock" }

    /// The file of the ``WriterLock``.
    var writerLockPath: String { path + "-writer" }
}
