import CLMDB
import LarderKernel
import LarderFiles

/// The file of a store that no process has open, read without LMDB's locks.
///
/// A process that opens the store meanwhile waits for the lock file.
struct SoleLMDBFile: SoleFile {
    let file: StoreFile
    private let environment: LMDBEnvironment
    private let lockFile: LockFile

    /// Runs a body; false, and nothing done, when another process has the store open.
    ///
    /// - Parameter limit: The time to wait for other processes.
    /// - Throws: `.alreadyOpen` when this process has the store open; rethrows errors of the body.
    static func whileAlone(
        at place: StorePlace, waiting limit: Duration = .zero,
        _ body: (SoleLMDBFile) throws(DataStoreError) -> Void
    ) throws(DataStoreError) -> Bool {
        guard let status = try place.file() else {
            throw DataStoreError(.cannotOpen, "There is no store.", path: place.path)
        }
        let file = try StoreFile(at: place.path, status, of: .lmdb)
        var claims = try StoreClaims(file, at: place.path)
        var environment: LMDBEnvironment?
        defer { claims.release(removingTrace: true) { environment?.close() } }
        do throws(DataStoreError) {
            // Before a lock file is made beside a file that may be a foreign one.
            _ = try StoreFileHead.read(at: file.path)
            try claims.claimLockFile()
            guard let lockFile = claims.lockFile else { return false }
            return try lockFile.whileUnused(waiting: limit) { () throws(DataStoreError) in
                try file.requireInPlace()
                let head = try StoreFileHead.read(at: file.path)
                if head.isShort { try LMDBFileCheck.requireSound(fileAt: file.path) }
                let opened = try LMDBEnvironment(
                    path: file.path,
                    .init(
                        flags: MDB_RDONLY | MDB_NOLOCK, mapBytes: head.usedBytes,
                        neededBytes: head.usedBytes, tables: 1))
                environment = opened
                try body(SoleLMDBFile(file: file, environment: opened, lockFile: lockFile))
            }
        } catch {
            throw error.about(path: place.path)
        }
    }

    func stateNumber() -> Int { environment.lastTransaction }

    // The walk opens and closes the file beside LMDB, which has its locks on the lock file only.
    func requireSound() throws(DataStoreError) { try LMDBFileCheck.requireSound(fileAt: file.path) }

    /// Gives a finished file the store's name, and puts an empty lock file in the place of the old one.
    ///
    /// The old lock file holds the number of the old file's last commit. A process that waits in LMDB for its lock would
    /// keep that number alive for the next one, which would read an old state of the new file, or an empty
    /// one, and write over it. The new one has its owner and mode.
    func replace(by finished: String) throws(DataStoreError) {
        if lockFile.isNew {
            try FileAccess.move(finished, to: file.path)
            return try FileAccess.remove(lockFile.path)
        }
        try NewFile(at: lockFile.path).replace { _ throws(DataStoreError) in
        } moving: { (empty) throws(DataStoreError) in
            try FileAccess.move(finished, to: file.path)
            try FileAccess.move(empty, to: lockFile.path)
        }
    }

    /// Copies the file byte for byte: LMDB's own copying could not be stopped, and the steps use its free
    /// pages again.
    func copy(to path: String) throws(DataStoreError) {
        try FileAccess.fill(path, with: file.path, stopping: "The copy")
    }

    /// Writes a copy without the free pages; that the task was cancelled is seen afterwards.
    func compact(to path: String) throws(DataStoreError) {
        try StoreCopy(environment: environment).write(to: path)
    }
}
