import Foundation
import Synchronization

/// Where text goes: standard output, standard error, a file, or a test.
///
/// *Rule:* may be used from any thread.
protocol TextSink: AnyObject, Sendable {
    /// - Throws: `.inputOutput` when they cannot be written.
    func write(_ bytes: some Sequence<UInt8>) throws(CommandFailure)

    /// Hands on what was kept back.
    func flush() throws(CommandFailure)
}

extension TextSink {
    func write(_ text: String) throws(CommandFailure) {
        try write(text.utf8)
    }
}

/// Forgets what is written.
final class NoText: TextSink {
    func write(_ bytes: some Sequence<UInt8>) throws(CommandFailure) {}
    func flush() throws(CommandFailure) {}
}

/// Writes to an open file, in pieces of some size.
final class FileSink: TextSink {
    private let file: Int32
    private let name: String
    private let capacity: Int
    private let bytes = Mutex<[UInt8]>([])

    /// - Parameters:
    ///   - name: What errors call it.
    ///   - capacity: How many bytes are kept back; 0 for none.
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
            } else if errno != EINTR && errno != EAGAIN {
                throw Self.failure(errno, of: name)
            }
        }
    }

    /// That something cannot be written.
    static func failure(_ code: Int32, of name: String) -> CommandFailure {
        CommandFailure(
            code == EPIPE ? .unread : .inputOutput,
            "\(name) cannot be written: \(String(cString: strerror(code))).",
            advice: "See that there is room, then run the command again.")
    }
}
