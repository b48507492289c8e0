import LarderKernel
import LarderFiles

/// The files beside a store before SQLite opened it, so that a read or a refusal can restore them.
///
/// SQLite makes an empty log and its index, sets up an index that a killed process has left, and writes a log
/// back that no other process uses any more.
struct OpeningTrace: Sendable {
    private let file: StoreFile
    /// True if a log existed, even an empty one.
    private let hadLog: Bool
    private let index: Index

    private enum Index {
        case missing
        case there([UInt8])
        /// It cannot be read, so it cannot be put back either.
        case unreadable
    }

    /// Reads the folder before SQLite does.
    init(of file: StoreFile) {
        self.file = file
        hadLog = FileAccess.isTaken(file.logPath)
        index = Self.index(at: file.indexPath)
    }

    /// True if files existed that SQLite may change, even when it only reads.
    var hadAnything: Bool {
        switch index {
        case .missing: hadLog
        case .there, .unreadable: true
        }
    }

    /// Restores every file, unless another process has the store open.
    ///
    /// *Rule:* no connection of this process is open.
    func putBack() {
        // The files beside another store of this name are in use: to read the index of one would drop its locks.
        guard FileAccess.isFile(file.identity, at: file.path), !isAsItWas else { return }
        guard
            let connection = try? SQLiteConnection(
                path: file.path, access: .readWrite, busyTimeout: .zero)
        else { return }
        defer { connection.close() }
        // With this lock no process has the log open, or can open it before the connection is closed.
        guard connection.lockAlone() else { return }
        if !hadLog, (try? file.logBytes()) == 0 { try? FileAccess.remove(file.logPath) }
        switch index {
        case .missing: try? FileAccess.remove(file.indexPath)
        case .there(let bytes): try? FileAccess.write(bytes, to: file.indexPath)
        case .unreadable: break
        }
    }

    private var isAsItWas: Bool {
        guard FileAccess.isTaken(file.logPath) == hadLog else { return false }
        switch (index, Self.index(at: file.indexPath)) {
        case (.missing, .missing), (.unreadable, _): return true
        case (.there(let before), .there(let now)): return before == now
        case (.missing, _), (.there, _): return false
        }
    }

    /// As large as the index of a log with 8 million pages; SQLite makes no larger file.
    private static let maximumIndexBytes = 64 << 20

    private static func index(at path: String) -> Index {
        guard FileAccess.isTaken(path) else { return .missing }
        guard let status = try? FileAccess.status(at: path), status.byteCount <= maximumIndexBytes,
            let bytes = try? FileAccess.firstBytes(status.byteCount, of: path).bytes
        else { return .unreadable }
        return .there(bytes)
    }
}
