import Foundation

/// Where text goes: standard output, standard error, or a test.
protocol TextSink: AnyObject {
    /// - Throws: `.inputOutput` when it cannot be written.
    func write(_ text: String) throws(CommandFailure)

    /// Hands on what was kept back.
    func flush() throws(CommandFailure)
}

/// Writes to an open file, in pieces of some size.
final class FileSink: TextSink {
    private let file: Int32
    private let name: String
    private let capacity: Int
    private var bytes: [UInt8] = []

    /// - Parameters:
    ///   - name: What errors call it.
    ///   - capacity: How many bytes are kept back; 0 for none.
    init(_ file: Int32, name: String, capacity: Int) {
        self.file = file
        self.name = name
        self.capacity = capacity
    }

    func write(_ text: String) throws(CommandFailure) {
        bytes.append(contentsOf: text.utf8)
        if bytes.count >= capacity { try flush() }
    }

    func flush() throws(CommandFailure) {
        defer { bytes.removeAll(keepingCapacity: true) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR && errno != EAGAIN {
                throw CommandFailure(
                    .inputOutput, "\(name) cannot be written: \(String(cString: strerror(errno))).",
                    advice: "See that there is room, then run the command again.")
            }
        }
    }
}
