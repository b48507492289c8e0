package import LarderKernel
import LarderFiles
package import LarderKeyValue

extension KeyValueAdapter: ClosableStore where Engine == LMDBEngine {
    /// The state of the file, which holds everything.
    package func contentState() throws(DataStoreError) -> String {
        try engine.files.place.file()?.stateText ?? ""
    }

    package func whileClosed(
        _ body: () throws(DataStoreError) -> Void
    ) throws(DataStoreError) -> Bool {
        let place = engine.files.place
        guard let status = try place.file() else { return false }
        let file = try StoreFile(at: place.path, status, of: .lmdb)
        var claims = try StoreClaims(file, at: place.path)
        defer { claims.release(removingTrace: true) }
        try claims.claimLockFile()
        let isDone = try claims.lockFile?.whileUnused { () throws(DataStoreError) in
            try file.requireInPlace()
            try body()
        }
        return isDone ?? false
    }
}
