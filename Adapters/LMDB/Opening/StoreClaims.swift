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

    /// Lets both files go.
    ///
    /// - Parameters:
    ///   - removingTrace: Whether a lock file that was made for this opening is removed again, unless another
    ///     process has begun to use it.
    ///   - close: Closes the files where they are open.
    func release(removingTrace: Bool, closing close: () -> Void = {}) {
        let identities = [file.identity] + (lockFile.map { [$0.identity] } ?? [])
        OpenFileRegistry.shared.release(identities) {
            close()
            if removingTrace { lockFile?.removeIfNew() }
        }
    }
}
