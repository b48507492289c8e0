import LarderKernel
import LarderFiles

/// Reads the description in a store without opening it; its file stays unchanged.
struct StoreInspection {
    let place: StorePlace
    let options: SQLiteOptions

    /// The schema the store keeps; nil when there is no file.
    func storedSchema() throws(DataStoreError) -> StoredSchema? {
        guard let status = try place.file() else { return nil }
        var options = options
        options.isReadOnly = true
        let claimed = try ClaimedFile(at: place.path, status, options: options)
        defer { claimed.release() }
        return try StoreMetadata.schema(on: claimed.connection)
    }

    /// True if the file is a store of ours by its first bytes, be it a damaged or a newer one.
    static func isStore(at place: StorePlace) throws(DataStoreError) -> Bool {
        try place.isStore { (path) throws(DataStoreError) in
            let bytes = try FileAccess.firstBytes(StoreFileHeader.byteCount, of: path).bytes
            do throws(DataStoreError) {
                _ = try StoreFileHeader(bytes)
            } catch {
                // What is damaged has been found to be ours before.
                if error.code != .damaged { throw error }
            }
        }
    }
}
