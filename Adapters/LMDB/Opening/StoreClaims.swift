import Larder

/// What an open store has claimed in this process: its file, and LMDB's lock file beside it.
struct StoreClaims: Sendable {
    let file: StoreFile
    /// nil where the app says that nobody writes: nothing is locked then.
    let lockFile: LockFile?

    /// - Throws: `.alreadyOpen`.
    init(_ file: StoreFile, locks: Bool, at path: String) throws(DataStoreError) {
        self.file = file
        try OpenFileRegistry.shared.claim(file.identity, at: path)
        do throws(DataStoreError) {
            lockFile = locks ? try LockFile(claimingAt: file.lockPath) : nil
        } catch {
            OpenFileRegistry.shared.release(file.identity)
            throw error
        }
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
