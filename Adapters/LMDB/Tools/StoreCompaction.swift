import LarderKernel
import LarderFiles

/// Rewrites the file of a store that no process has open, without its empty pages.
struct StoreCompaction {
    let place: StorePlace

    /// - Throws: `.alreadyOpen` when this process has the store open, `.busy` when another has; `.unsupported` for a
    ///   file with several names, `.permissionDenied` if no file can be made beside it, or it would take rights away.
    func run() throws(DataStoreError) {
        let isDone = try SoleLMDBFile.whileAlone(at: place) { sole throws(DataStoreError) in
            try UpgradePlace(at: place.path).requireReplaceable()
            // It would keep the old file.
            sole.file.removeNamesOfKilledProcesses()
            try NewFile(at: sole.file.path).replace { (temporary) throws(DataStoreError) in
                try sole.compact(to: temporary)
            } moving: { (temporary) throws(DataStoreError) in
                try sole.replace(by: temporary)
            }
        }
        guard isDone else {
            throw DataStoreError(
                .busy, "Another process has the store open.",
                advice: "Repeat the call when it has closed it.", path: place.path)
        }
    }
}
