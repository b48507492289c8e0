import Larder

/// Where a store's file is, and which file that is.
struct StoreFile: Sendable {
    /// Without links and relative parts, so that the files beside it are beside the real one.
    let path: String
    let identity: FileIdentity

    /// LMDB's own: its locks, and who reads what.
    var lockPath: String { path + "-lock" }

    /// The file of the ``WriterLock``.
    var writerLockPath: String { path + "-writer" }

    /// A store's file and the ones beside it.
    static func companions(of path: String) -> [String] {
        [path, path + "-lock", path + "-writer"]
    }

    /// Whether the path still leads to the file.
    ///
    /// - Throws: `.storeFileMoved`; LMDB would write on into a file that nobody finds again.
    func requireInPlace() throws(DataStoreError) {
        if !FileAccess.isFile(identity, at: path) {
            throw DataStoreError(
                .storeFileMoved, "The store's file was moved, replaced or deleted while it was open.",
                path: path)
        }
    }
}
