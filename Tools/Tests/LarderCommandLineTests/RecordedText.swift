@testable import LarderCommandLine

/// Keeps what is written.
final class RecordedText: TextSink {
    private let bytes = Guarded<[UInt8]>([])

    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

    func write(_ more: some Sequence<UInt8>) throws(CommandFailure) {
        let more = Array(more)
        bytes.withLock { $0 += more }
    }

    func flush() throws(CommandFailure) {}
}
