import LarderEngine
import LarderKernel
import LarderFiles

/// The claims of an open store in this process: its file, and LMDB's lock file beside it.
struct StoreClaims: Sendable {
    let file: StoreFile
    /// nil if no process can write: nothing is locked then.
    private(set) var lockFile: LockFile?
    /// True if the file of the writers' lock did not exist.
    private let isWriterLockNew: Bool
    /// The number of this process; nil for a store that is only read.
    private var number: HeldNumber?

    /// Claims the file.
    ///
    /// - Parameter path: As the app gave it.
    /// - Throws: `.alreadyOpen`.
    init(_ file: StoreFile, at path: String) throws(DataStoreError) {
        self.file = file
        isWriterLockNew = !FileAccess.isTaken(file.writerLockPath)
        try OpenFileRegistry.shared.claim(file.identity, at: path)
    }

    /// Claims the lock file too, which is made if there is none.
    mutating func claimLockFile() throws(DataStoreError) {
        lockFile = try LockFile(claimingAt: file.lockPath)
    }

    /// Takes the number of this process in the identifiers of items.
    mutating func holdNumber() throws(DataStoreError) {
        number = try ProcessNumbers.shared.hold(in: file)
    }

    /// Releases both files.
    ///
    /// - Parameters:
    ///   - removingTrace: True if the files beside the store that were made for this opening are removed
    ///     again, unless another process has begun to use them.
    ///   - close: Closes the files if they are open.
    func release(removingTrace: Bool, closing close: () -> Void = {}) {
        let identities = [file.identity] + (lockFile.map { [$0.identity] } ?? [])
        OpenFileRegistry.shared.release(identities) {
            close()
            number?.release()
            if removingTrace { removeTrace() }
        }
    }

    private func removeTrace() {
        guard let lockFile, lockFile.isNew || isWriterLockNew else { return }
        // A process that opens the store meanwhile waits for the lock file, and finds that it has changed.
        _ = try? lockFile.whileUnused { () throws(DataStoreError) in
            if isWriterLockNew { try FileAccess.remove(file.writerLockPath) }
            if lockFile.isNew { try FileAccess.remove(lockFile.path) }
        }
    }
}
