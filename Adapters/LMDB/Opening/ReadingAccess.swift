import LarderKernel
import LarderFiles

/// The use of LMDB's lock file for a store: opened with it, or read without.
///
/// A reading notes itself in the lock file, so that no writer uses its pages again; LMDB makes the file where
/// it is missing, and writes to it. Where it cannot, the store can be read without it as long as no process
/// writes: a writer would have to create the lock file too.
struct ReadingAccess {
    let file: StoreFile
    let options: LMDBOptions

    /// - Throws: `.permissionDenied` when others may write to the file and could not be seen doing so.
    func usesLocks() throws(DataStoreError) -> Bool {
        guard options.isReadOnly else { return true }
        if options.assumesNoWriter { return false }
        let folder = FileAccess.parts(of: file.path).folder
        let hasLockFile = FileAccess.isTaken(file.lockPath)
        let canLock =
            hasLockFile ? FileAccess.canWrite(file.lockPath) : FileAccess.canMakeFiles(in: folder)
        if canLock { return true }
        // An existing lock file may be in use, unless no process can write at all.
        let isClosed =
            hasLockFile ? FileAccess.isOnReadOnlyDisk(file.path) : FileAccess.isClosedToAll(folder)
        if isClosed { return false }
        let what =
            hasLockFile
            ? "write to the lock file \(file.lockPath)" : "make a lock file in the folder \(folder)"
        throw DataStoreError(
            .permissionDenied,
            "LMDB has to \(what) to read the store beside other processes, but lacks the permission.",
            advice:
                "Let the process write there, or, if no process writes to the store meanwhile, open it with "
                + "assumesNoWriter.",
            path: file.path)
    }
}
