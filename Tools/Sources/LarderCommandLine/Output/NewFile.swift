import Foundation

/// A file that a command creates, and that is removed if the command fails.
struct NewFile {
    /// Creates the file, runs the body that writes it, and waits until it is on the disk.
    ///
    /// - Throws: `.cannotCreate` when the place is taken or the file cannot be created; rethrows errors of
    ///   the body.
    static func write<Result>(to path: String, _ body: (any TextSink) throws -> Result) throws -> Result {
        try StoreFiles.expectFree(path)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw CommandFailure(
                .cannotCreate, "The file cannot be created: \(String(cString: strerror(errno))).",
                advice: "Check the folder.", path: path)
        }
        defer { close(file) }
        do {
            let sink = FileSink(file, name: path, capacity: 64 << 10)
            let result = try body(sink)
            try sink.flush()
            guard fsync(file) == 0 else { throw FileSink.failure(errno, of: path) }
            return result
        } catch {
            unlink(path)
            throw error
        }
    }
}
