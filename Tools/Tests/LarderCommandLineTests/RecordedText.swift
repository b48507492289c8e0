@testable import LarderCommandLine

/// Keeps what is written.
final class RecordedText: TextSink {
    private(set) var text = ""

    func write(_ text: String) throws(CommandFailure) { self.text += text }

    func flush() throws(CommandFailure) {}
}
