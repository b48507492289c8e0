import LarderKernel
import LarderPlatform
import LarderFiles

/// The file that is checked: opened for reading, read by `pread`, closed when it is released.
///
/// Nothing is mapped: if a mapped file shrinks, the next access kills the process.
final class CheckedFile {
    let path: String
    /// The length of the file when it was last measured.
    private(set) var byteCount: UInt64 = 0
    private let descriptor: Int32

    /// The last offset from which any piece can be read.
    private static let largestOffset = UInt64(1) << 62

    /// - Throws: The error of the operating system; `.cannotOpen` if it is not a regular file.
    init(_ path: String) throws(DataStoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw FileAccess.failure(errno, "The file cannot be opened.", path: path)
        }
        self.path = path
        self.descriptor = descriptor
        try measure()
    }

    deinit {
        close(descriptor)
    }

    /// Looks again at how long the file is, as another process may be writing to it.
    func measure() throws(DataStoreError) {
        let status = try FileAccess.status(ofOpen: descriptor, at: path)
        guard status.isRegularFile else {
            throw DataStoreError(.cannotOpen, "The path does not lead to a file.", path: path)
        }
        byteCount = UInt64(clamping: status.byteCount)
    }

    /// Fills a piece with the bytes at an offset, fewer if the file ends at the moment of reading; none beyond its end.
    ///
    /// *Cost:* one system call. - Throws: The error of the operating system if it cannot read.
    func read(into piece: inout PageBytes, at offset: UInt64) throws(DataStoreError) {
        // No file is that long: some damage says so.
        let start = off_t(clamping: min(offset, Self.largestOffset))
        if let code = piece.fill(from: descriptor, at: start) {
            throw FileAccess.failure(code, "The file cannot be read.", path: path)
        }
    }
}
