import Larder

/// Deletes a store that is not open: its file and the ones beside it.
struct StoreRemoval {
    /// As the app gave it.
    let path: String

    func run() throws(DataStoreError) {
        guard let status = try FileAccess.status(at: path) else { return }
        let file = StoreFile(path: try FileAccess.resolved(path), identity: status.identity)
        try OpenFileRegistry.shared.claim(file.identity, at: path)
        var failure: DataStoreError?
        OpenFileRegistry.shared.release([file.identity]) {
            failure = status.isRegularFile ? removal(of: file) : noFile
        }
        if let failure { throw failure.about(path: path) }
    }

    /// Removes the file and what belongs to it; what kept it from being removed.
    private func removal(of file: StoreFile) -> DataStoreError? {
        do throws(DataStoreError) {
            try requireOurs(file)
            for companion in StoreFile.companions(of: file.path) { try FileAccess.remove(companion) }
            try FileAccess.remove(file.path)
            try FileAccess.synchronize(FileAccess.parts(of: file.path).folder)
            return nil
        } catch {
            return error
        }
    }

    private var noFile: DataStoreError { DataStoreError(.cannotOpen, "The path leads to no file.") }

    /// A damaged store, or one of a newer version, may be deleted; a foreign file may not.
    private func requireOurs(_ file: StoreFile) throws(DataStoreError) {
        try StoreTombstone.requireNone(at: file.path)
        do throws(DataStoreError) {
            let (bytes, _) = try FileAccess.firstBytes(StoreFileHeader.byteCount, of: file.path)
            _ = try StoreFileHeader(bytes)
        } catch  where error.code == .foreignStore || error.code == .notADatabase {
            throw error
        } catch {
            if error.code != .damaged && error.code != .newerFormat { throw error }
        }
    }
}
