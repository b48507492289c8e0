import Larder

/// What an open store has claimed in this process: its file, and LMDB's lock file beside it.
struct StoreClaims: Sendable {
    let file: StoreFile
    /// nil where the app says that nobody writes: nothing is locked then.
    private(set) var lockFile: LockFile?

    /// Claims the file.
    ///
    /// - Parameter path: As the app gave it.
    /// - Throws: `.alreadyOpen`.
    init(_ file: StoreFile, at path: String) throws(DataStoreError) {
        self.file = file
        try OpenFileRegistry.shared.claim(file.identity, at: path)
    }

    /// Claims the lock file too, which is made where there is none.
    mutating func claimLockFile() throws(DataStoreError) {
        lockFile = try LockFile(claimingAt: file.lockPath)
    }

    /// Lets both files go; LMDB has closed them.
    ///
    /// - Parameter removingTrace: Whether a lock file that was made for this opening is removed again, unless
    ///   another process has begun to use it.
    func release(removingTrace: Bool) {
        if let lockFile {
            if removingTrace && lockFile.isNew {
                _ = try? lockFile.whileUnused { () throws(DataStoreError) in
                    try FileAccess.remove(lockFile.path)
                }
            }
            lockFile.release()
        }
        OpenFileRegistry.shared.release(file.identity)
    }
}
