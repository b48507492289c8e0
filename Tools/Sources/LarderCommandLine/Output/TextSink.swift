import Foundation

/// A destination for text: standard output, standard error, a file, or a test.
///
/// *Rule:* may be used from any thread.
protocol TextSink: AnyObject, Sendable {
    /// - Throws: `.inputOutput` when they cannot be written.
    func write(_ bytes: some Sequence<UInt8>) throws(CommandFailure)

    /// Writes the text that is still buffered.
    func flush() throws(CommandFailure)
}

extension TextSink {
    func write(_ text: String) throws(CommandFailure) {
        try write(text.utf8)
    }
}

/// Discards all text.
final class NoText: TextSink {
    func write(_ bytes: some Sequence<UInt8>) throws(CommandFailure) {}
    func flush() throws(CommandFailure) {}
}

/// Writes to an open file through a buffer.
final class FileSink: TextSink {
    private let file: Int32
    private let name: String
    private let capacity: Int
    private let bytes = Guarded<[UInt8]>([])

    /// - Parameters:
    ///   - name: The name of the file in errors.
    ///   - capacity: The size of the buffer in bytes; 0 for none.
    init(_ file: Int32, name: String, capacity: Int) {
        self.file = file
        self.name = name
        self.capacity = capacity
    }

    func write(_ more: some Sequence<UInt8>) throws(CommandFailure) {
        let more = Array(more)
        try bytes.withLock { bytes throws(CommandFailure) in
            bytes += more
            if bytes.count >= capacity { try hand(on: &bytes) }
        }
    }

    func flush() throws(CommandFailure) {
        try bytes.withLock { bytes throws(CommandFailure) in try hand(on: &bytes) }
    }

    private func hand(on bytes: inout [UInt8]) throws(CommandFailure) {
        defer { bytes.removeAll(keepingCapacity: true) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno == EAGAIN {
                // The other end of a pipe that does not block is slow.
                var waiting = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, -1)
            } else if errno != EINTR {
                throw Self.failure(errno, of: name)
            }
        }
    }

    /// The error that something cannot be written.
    static func failure(_ code: Int32, of name: String) -> CommandFailure {
        CommandFailure(
            code == EPIPE ? .unread : .inputOutput,
            "\(name) cannot be written: \(String(cString: strerror(code))).",
            advice: "Make sure that there is free space, then run the command again.")
    }
}
