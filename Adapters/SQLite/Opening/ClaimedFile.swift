import LarderEngine
import LarderKernel
import LarderFiles

/// The file of a store with a first connection to it, checked before SQLite opened it (contract rule 12).
///
/// *Rule:* the caller releases it, or hands it on to a store.
struct ClaimedFile {
    let connector: StoreConnector
    let connection: SQLiteConnection
    let header: StoreFileHeader
    /// The files that were beside the file before.
    let trace: OpeningTrace
    /// The number of this process in the identifiers of items; nil for a store that is only read.
    let number: HeldNumber?

    /// Claims a file that is there and connects to it; when it throws, nothing was kept, and nothing was changed unless the
    /// store has its log back.
    ///
    /// - Parameters:
    ///   - path: As the app gave it.
    ///   - onlyReads: True to read a store that the options may allow to change; it gets its log back all the same.
    init(
        at path: String, _ status: FileStatus, options: SQLiteOptions, onlyReads: Bool = false
    ) throws(DataStoreError) {
        var options = options
        let file = try StoreFile(at: path, status, of: .sqlite)
        try OpenFileRegistry.shared.claim(file.identity, at: path)
        do throws(DataStoreError) {
            try file.takeLogBack(isReadOnly: options.isReadOnly)
            if onlyReads { options.isReadOnly = true }
            let header = try Self.readHeader(of: file, options)
            self.header = header
            let reading = SQLiteReadingAccess(file: file, header: header, options: options.file)
            connector = StoreConnector(
                file: file, options: options, access: try Self.access(by: reading),
                needsLog: options.isReadOnly && reading.needsLog, firstState: status.stateText)
            trace = OpeningTrace(of: file)
            (connection, number) = try Self.connect(connector, trace)
        } catch {
            OpenFileRegistry.shared.release(file.identity)
            throw file.explained(error).about(path: path)
        }
    }

    private static func access(
        by reading: SQLiteReadingAccess
    ) throws(DataStoreError) -> SQLiteConnection.Access {
        guard reading.options.isReadOnly else { return .readWrite }
        return try reading.isShared() ? .readOnly : .immutable
    }

    /// Connects; a connection that may write leaves a log alone for now when it is closed.
    private static func connect(
        _ connector: StoreConnector, _ trace: OpeningTrace
    ) throws(DataStoreError) -> (SQLiteConnection, HeldNumber?) {
        // Before SQLite has the file open, so that it is closed again after it if the number cannot be had.
        let number =
            connector.options.isReadOnly ? nil : try ProcessNumbers.shared.hold(in: connector.file)
        do throws(DataStoreError) {
            return (try connector.connect(for: .reading, keepingLog: trace.hadAnything), number)
        } catch {
            number?.release()
            trace.putBack()
            throw error
        }
    }

    /// Notes that the file is a store that will be used: its log is written back when that is closed.
    func accept() {
        connection.keepsLog(false)
    }

    /// Closes the connection without changing a file, and gives up the claim.
    func release() {
        OpenFileRegistry.shared.release([connector.file.identity]) {
            connection.close()
            number?.release()
            trace.putBack()
        }
    }

    /// The state of a file from outside: its header, and its length afterwards.
    private struct Look: Equatable {
        let header: [UInt8]
        let logBytes: Int
        let hasJournal: Bool
        let fileBytes: Int
    }

    /// Reads the header and checks that the file has all its pages.
    ///
    /// The file is measured last: when the log is empty, everything that was in there is in the file, and when there is no
    /// journal, all pages of the last commit are. So a file that is found to be complete is; only what is found twice,
    /// without a change in between, is damage.
    private static func readHeader(
        of file: StoreFile, _ options: SQLiteOptions
    ) throws(DataStoreError) -> StoreFileHeader {
        try StoreTombstone.requireNone(at: file.path)
        return try FileExamination.run { () throws(DataStoreError) -> Look in
            try look(at: file, options)
        } judge: { (seen) throws(DataStoreError) -> StoreFileHeader in
            let header = try StoreFileHeader(seen.header)
            try header.requireComplete(
                fileBytes: seen.fileBytes, hasLog: seen.logBytes > 0 || seen.hasJournal)
            if !options.isReadOnly { try header.requireWritable() }
            return header
        } isSettled: { (seen, isRefused) throws(DataStoreError) -> Bool in
            if !isRefused { return true }
            return try look(at: file, options) == seen
        }
    }

    private static func look(at file: StoreFile, _ options: SQLiteOptions) throws(DataStoreError) -> Look {
        let (header, status) = try FileAccess.firstBytes(StoreFileHeader.byteCount, of: file.path)
        options.openingProbe?()
        let logBytes = try file.logBytes() ?? 0
        let hasJournal = file.hasJournal
        guard status.identity == file.identity, let now = try FileAccess.status(at: file.path),
            now.identity == file.identity
        else {
            throw DataStoreError(.storeFileMoved, "The file was replaced while it was being opened.")
        }
        return Look(
            header: header, logBytes: logBytes, hasJournal: hasJournal, fileBytes: now.byteCount)
    }
}
