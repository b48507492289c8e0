import CLMDB
import LarderKernel
import LarderPlatform
import LarderFiles

/// Copies a store to a new file, without its empty pages.
struct StoreCopy {
    let environment: LMDBEnvironment

    /// Writes the copy to a file that is there and empty.
    ///
    /// LMDB copies in one go, in a reading of its own, and neither waits for writers nor they for it. That
    /// the task was cancelled is seen afterwards.
    ///
    /// *Rule:* the caller keeps a reading open meanwhile, so that the map is not moved.
    func write(to path: String) throws(DataStoreError) {
        var code = copy(to: path, flags: MDB_CP_COMPACT)
        if code == MDB_INCOMPATIBLE {
            // Pages that are neither used nor free do no harm, but LMDB leaves none out then.
            try FileAccess.makeFile(path)
            code = copy(to: path, flags: 0)
        }
        try Cancellation.check("The copy")
        if code != 0 { throw LMDBFailure(ofCopying: code).error("The copy cannot be written.", path: path) }
    }

    private func copy(to path: String, flags: Int32) -> Int32 {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return errno }
        defer { close(file) }
        return mdb_env_copyfd2(environment.handle, file, UInt32(flags))
    }
}
