import CSQLite
import Larder

/// What reading alone leaves beside a file: SQLite makes an empty log and its index, and does not remove them
/// when the connection could not have written.
struct ReadOnlyTrace: Sendable {
    private let file: StoreFile
    private let wasThere: Bool

    /// Looks at the folder before SQLite does.
    init(of file: StoreFile) {
        self.file = file
        wasThere = StoreFile.companions(of: file.path).contains(where: FileAccess.isTaken)
    }

    /// Lets SQLite remove what the reading has left: a connection that may write does so when it is the last
    /// one of all processes.
    ///
    /// Where nobody may write, nothing was made.
    func remove() {
        guard !wasThere, file.isLogEmpty else { return }
        guard
            let connection = try? SQLiteConnection(
                path: file.path, access: .readWrite, busyTimeout: .zero)
        else { return }
        _ = try? connection.integer("PRAGMA schema_version")
        connection.close()
    }
}

extension StoreFile {
    fileprivate var isLogEmpty: Bool {
        let status = try? FileAccess.status(at: logPath)
        return status?.byteCount == 0
    }
}
