import Foundation

/// A file or the standard input, read in chunks.
final class InputFile {
    private static let pieceBytes = 64 << 10

    private let file: Int32
    private let name: String
    private let interruption: Interruption

    /// - Parameter path: `-` for the standard input.
    /// - Throws: `.noInput` when it cannot be opened; `.usage` for the address of a server.
    init(_ path: String, interruption: Interruption) throws(CommandFailure) {
        try StoreFiles.expectPath(path)
        let isStandard = path == "-"
        file = isStandard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        name = isStandard ? "The standard input" : path
        self.interruption = interruption
        guard file >= 0 else {
            throw CommandFailure(
                .noInput, "\(name) cannot be read: \(String(cString: strerror(errno))).",
                advice: "Check the path.")
        }
    }

    deinit {
        close(file)
    }

    /// The next chunk, or nil at the end.
    ///
    /// - Throws: `.interrupted` when Ctrl-C is pressed while it waits for input; `.inputOutput`.
    func read() throws(CommandFailure) -> Data? {
        try waitForInput()
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        let count = piece.withUnsafeMutableBytes { Foundation.read(file, $0.baseAddress, $0.count) }
        guard count >= 0 else {
            throw CommandFailure(
                .inputOutput, "\(name) cannot be read: \(String(cString: strerror(errno))).",
                advice: "Check the file and the disk.")
        }
        return count == 0 ? nil : Data(piece[..<count])
    }

    /// Checks for Ctrl-C regularly while it waits for input.
    private func waitForInput() throws(CommandFailure) {
        var request = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        while poll(&request, 1, 100) <= 0 {
            if interruption.isAsked {
                throw CommandFailure(
                    .interrupted, "Reading was interrupted.", advice: "Run the command again.")
            }
        }
    }
}
