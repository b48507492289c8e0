import Foundation

/// A run of the command that gets a signal while it works.
struct StoppedRun {
    /// -1 when the signal itself ended it.
    let status: Int32
    /// The last line of its messages.
    let lastLine: String

    /// Runs it, and sends the signal when a line of its messages has a text in it.
    init(_ arguments: [String], signal: Int32, afterLine text: String) throws {
        let process = Process()
        let messages = Pipe()
        process.executableURL = CommandRun.executable
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = messages
        try process.run()
        try messages.fileHandleForWriting.close()
        var received = Data()
        var isSent = false
        while true {
            let data = messages.fileHandleForReading.availableData
            if data.isEmpty { break }
            received += data
            if !isSent, String(decoding: received, as: UTF8.self).contains(text) {
                kill(process.processIdentifier, signal)
                isSent = true
            }
        }
        process.waitUntilExit()
        status = process.terminationReason == .exit ? process.terminationStatus : -1
        lastLine =
            String(decoding: received, as: UTF8.self).split(separator: "\n").last.map(String.init) ?? ""
    }
}
