import LarderKernel
import LarderFiles

/// The way to read a file: with its log and the log's index, which SQLite makes if they are missing, or without.
struct SQLiteReadingAccess: ReadingAccess {
    let engine = FileEngine.sqlite
    let file: StoreFile
    let header: StoreFileHeader
    let options: FileStoreOptions

    private var folder: String { FileAccess.parts(of: file.path).folder }

    /// A process that may not write to the store does not make them: they would be its own, and would stay, as only a process
    /// that may write can remove them safely.
    ///
    /// Then the owner of the store could not write any more.
    var canShare: Bool { !needsLog || file.hasLogAndIndex }

    /// True if the store is only read if the log and its index are there.
    var needsLog: Bool { header.usesLog && !(canMakeFiles && FileAccess.canWrite(file.path)) }

    private var canMakeFiles: Bool { FileAccess.canMakeFiles(in: folder) }

    var isClosedToAll: Bool { FileAccess.isClosedToAll(folder) || FileAccess.isClosedToAll(file.path) }

    var deniedAction: String {
        canMakeFiles ? "write to the file" : "make files in the folder \(folder)"
    }

    func requireComplete() throws(DataStoreError) {
        if file.hasJournal {
            throw DataStoreError(
                .readOnly,
                "Another program's commit has not ended (\(file.journalPath)); only an opening for writing undoes it.",
                path: file.path)
        }
        if try file.logBytes() ?? 0 == 0 { return }
        throw DataStoreError(
            .readOnly,
            "The store has a log (\(file.logPath)), which cannot be read without creating a file beside it.",
            advice: "Copy the store and its log to a folder that can be written to, or open the store once "
                + "for writing, so that the log is emptied into it.",
            path: file.path)
    }
}

extension StoreFile {
    /// True if the log and its index are there, and can be read.
    var hasLogAndIndex: Bool { FileAccess.canRead(logPath) && FileAccess.canRead(indexPath) }
}
