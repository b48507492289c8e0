import Larder

/// Looks at a store without opening it: its file stays as it is.
struct StoreLook {
    let place: StorePlace
    let options: SQLiteOptions

    /// The schema the store keeps; nil when there is no file.
    func storedSchema() throws(DataStoreError) -> StoredSchema? {
        guard let status = try place.file() else { return nil }
        var options = options
        options.isReadOnly = true
        let opened = try OpenedFile(at: place.path, status, options: options)
        defer { opened.letGo() }
        return try StoreMetadata.schema(on: opened.connection)
    }

    /// Whether the file is a store of ours by its first bytes, be it a damaged or a newer one.
    func isStore() throws(DataStoreError) -> Bool {
        do {
            try place.whileNotOpen { (path) throws(DataStoreError) in
                _ = try StoreFileHeader(try FileAccess.firstBytes(StoreFileHeader.byteCount, of: path).bytes)
            }
            return true
        } catch  where error.code == .foreignStore || error.code == .notADatabase {
            return false
        } catch {
            if error.code == .damaged || error.code == .newerFormat { return true }
            throw error
        }
    }
}
