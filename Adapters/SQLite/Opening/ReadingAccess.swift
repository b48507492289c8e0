import LarderKernel
import LarderFiles

/// The way to open a file read-only: with the files that SQLite needs beside it, or without.
///
/// To read a file with a log, SQLite needs the log and its index, and makes what is missing. Where it cannot,
/// the file can be read alone as long as no process writes to it: a writer would have to create them too.
struct ReadingAccess {
    let file: StoreFile
    let header: StoreFileHeader
    let assumesNoWriter: Bool

    /// - Throws: `.readOnly` when there is a log that cannot be read, `.permissionDenied` when others may
    ///   write to the file and could not be seen doing so.
    func choose() throws(DataStoreError) -> SQLiteConnection.Access {
        let logBytes = try file.logBytes() ?? 0
        if assumesNoWriter {
            if logBytes > 0 { throw unreadableLog }
            return .immutable
        }
        let folder = FileAccess.parts(of: file.path).folder
        let hasBoth = FileAccess.canRead(file.logPath) && FileAccess.canRead(file.indexPath)
        if !header.usesLog || hasBoth || FileAccess.canMakeFiles(in: folder) { return .readOnly }
        if logBytes > 0 { throw unreadableLog }
        if FileAccess.isClosedToAll(folder) { return .immutable }
        throw DataStoreError(
            .permissionDenied,
            "SQLite has to make files in the folder \(folder) to read the store beside other processes, but lacks the permission.",
            advice: "Let the process write to the folder, or, if no process writes to the store meanwhile, "
                + "open it with assumesNoWriter.",
            path: file.path)
    }

    private var unreadableLog: DataStoreError {
        DataStoreError(
            .readOnly,
            "The store has a log (\(file.logPath)), which cannot be read without creating a file beside it.",
            advice: "Copy the store and its log to a folder that can be written to, or open the store once "
                + "for writing, so that the log is emptied into it.",
            path: file.path)
    }
}
