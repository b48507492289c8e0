import CLMDB
import Larder
import LarderFiles

/// The file of a store that no process has open, read without LMDB's locks.
///
/// A process that opens the store meanwhile waits for the lock file.
struct SoleLMDBFile: SoleFile {
    let file: StoreFile
    private let environment: LMDBEnvironment

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
        let file = try StoreFile(at: place.path, status)
        var claims = try StoreClaims(file, at: place.path)
        var environment: LMDBEnvironment?
        // Once the body has replaced the file, closing it frees its identity.
        defer { claims.release(removingTrace: true) { environment?.close() } }
        do throws(DataStoreError) {
            // Before a lock file is made beside a file that may be a foreign one.
            _ = try StoreFileHead.read(at: file.path)
            try claims.claimLockFile()
            let isDone = try claims.lockFile?.whileUnused(waiting: limit) { () throws(DataStoreError) in
                try file.requireInPlace()
                let head = try StoreFileHead.read(at: file.path)
                if head.isShort { try LMDBFileCheck.requireSound(fileAt: file.path) }
                let opened = try LMDBEnvironment(
                    path: file.path,
                    .init(
                        flags: MDB_RDONLY | MDB_NOLOCK, mapBytes: head.usedBytes,
                        neededBytes: head.usedBytes, tables: 1))
                environment = opened
                try body(SoleLMDBFile(file: file, environment: opened))
            }
            return isDone ?? false
        } catch {
            throw error.about(path: place.path)
        }
    }

    private init(file: StoreFile, environment: LMDBEnvironment) {
        self.file = file
        self.environment = environment
    }

    func stateNumber() -> Int { environment.lastTransaction }

    // The walk opens and closes the file beside LMDB, which has its locks on the lock file only.
    func requireSound() throws(DataStoreError) { try LMDBFileCheck.requireSound(fileAt: file.path) }

    /// Copies the file as it is: LMDB's own copying could not be stopped, and the steps use its free pages again.
    func copy(to path: String) throws(DataStoreError) {
        try FileAccess.fill(path, with: file.path, stopping: "The copy")
    }

    /// Writes a copy without the free pages; that the task was cancelled is seen afterwards.
    func compact(to path: String) throws(DataStoreError) {
        try StoreCopy(environment: environment).write(to: path)
    }
}
