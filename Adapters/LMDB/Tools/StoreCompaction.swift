import CLMDB
import Larder
import LarderFiles

/// Rewrites the file of a store that no process has open, without its empty pages.
struct StoreCompaction {
    let place: StorePlace
    private var path: String { place.path }

    init(place: StorePlace) {
        self.place = place
    }

    /// - Throws: `.alreadyOpen` when this process has the store open, `.busy` when another has.
    func run() throws(DataStoreError) {
        guard let status = try place.file() else {
            throw DataStoreError(.cannotOpen, "There is no store.", path: path)
        }
        let file = try StoreFile(at: path, status)
        var claims = try StoreClaims(file, at: path)
        defer { claims.release(removingTrace: true) }
        do throws(DataStoreError) {
            let head = try StoreFileHead.read(at: file.path)
            if head.isShort { try LMDBFileCheck.requireSound(fileAt: file.path) }
            try claims.claimLockFile()
            try replaceWhileUnused(file, claims, head)
        } catch {
            throw error.about(path: path)
        }
    }

    private func replaceWhileUnused(
        _ file: StoreFile, _ claims: StoreClaims, _ head: StoreFileHead
    ) throws(DataStoreError) {
        let isDone = try claims.lockFile?.whileUnused { () throws(DataStoreError) in
            try replace(file, head)
        }
        guard isDone == true else {
            throw DataStoreError(
                .busy, "Another process has the store open.", advice: "Repeat the call when it has closed it."
            )
        }
    }

    /// Puts a copy in the place of the file; a process that opens it meanwhile waits for the lock file.
    private func replace(_ file: StoreFile, _ head: StoreFileHead) throws(DataStoreError) {
        let environment = try LMDBEnvironment(
            path: file.path,
            .init(
                flags: MDB_RDONLY | MDB_NOLOCK, mapBytes: head.usedBytes, neededBytes: head.usedBytes,
                tables: 1))
        defer { environment.close() }
        let copy = StoreCopy(environment: environment)
        try NewFile(at: file.path).replace { (temporary) throws(DataStoreError) in
            try copy.write(to: temporary)
        }
    }
}
