import Larder

/// The file of a store with a first connection to it, looked at before SQLite was (contract rule 12).
///
/// *Rule:* whoever opened it lets it go, or hands its parts on to a store.
struct OpenedFile {
    let connector: StoreConnector
    let connection: SQLiteConnection
    let header: StoreFileHeader
    let trace: ReadOnlyTrace?

    /// Claims a file that is there and connects to it; when it throws, nothing was kept or changed.
    ///
    /// - Parameter path: As the app gave it.
    init(at path: String, _ status: FileStatus, options: SQLiteOptions) throws(DataStoreError) {
        let file = StoreFile(path: try FileAccess.resolved(path), identity: status.identity)
        try OpenFileRegistry.shared.claim(file.identity, at: path)
        do throws(DataStoreError) {
            header = try Self.readHeader(of: file, options)
            trace = options.isReadOnly ? ReadOnlyTrace(of: file) : nil
            connector = StoreConnector(file: file, options: options)
            connection = try connector.connect(for: .reading)
        } catch {
            OpenFileRegistry.shared.release(file.identity)
            throw error.about(path: path)
        }
    }

    /// Closes the connection and gives up the claim.
    func letGo() {
        connection.close()
        trace?.remove()
        OpenFileRegistry.shared.release(connector.file.identity)
    }

    private static func readHeader(
        of file: StoreFile, _ options: SQLiteOptions
    ) throws(DataStoreError) -> StoreFileHeader {
        try StoreTombstone.requireNone(at: file.path)
        let (bytes, status) = try FileAccess.firstBytes(StoreFileHeader.byteCount, of: file.path)
        guard status.identity == file.identity else {
            throw DataStoreError(.storeFileMoved, "The file was replaced while it was being opened.")
        }
        let header = try StoreFileHeader(bytes)
        let logBytes = try FileAccess.status(at: file.logPath)?.byteCount ?? 0
        try header.requireComplete(fileBytes: status.byteCount, hasLog: logBytes > 0)
        if options.assumesNoWriter && logBytes > 0 {
            throw DataStoreError(
                .readOnly,
                "The store has a log, which cannot be read while nothing may be written beside it.",
                advice: "Open the store once for writing, so that the log is emptied into it.")
        }
        return header
    }
}
