import Foundation

/// A run of the command that gets a signal while it works.
struct StoppedRun {
    /// -1 when the signal itself ended it.
    let status: Int32
    /// The last line of its messages.
    let lastLine: String

    /// Runs it, and sends the signal when a line of its messages has a text in it.
    init(_ arguments: [String], signal: Int32, afterLine text: String) throws {
        let (process, messages) = try Self.start(arguments)
        var received = Data()
        while !String(decoding: received, as: UTF8.self).contains(text) {
            let data = messages.availableData
            if data.isEmpty { break }
            received += data
        }
        try self.init(process, signal, messages, received)
    }

    /// Runs it, and sends the signal when it makes files in a folder.
    init(_ arguments: [String], signal: Int32, onceWorkingIn folder: TemporaryFolder) throws {
        let names = try folder.names()
        let (process, messages) = try Self.start(arguments)
        while process.isRunning, try folder.names() == names { sched_yield() }
        try self.init(process, signal, messages, Data())
    }

    private init(
        _ process: Process, _ signal: Int32, _ messages: FileHandle, _ received: Data
    ) throws {
        kill(process.processIdentifier, signal)
        let text = String(decoding: received + (try messages.readToEnd() ?? Data()), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationReason == .exit ? process.terminationStatus : -1
        lastLine = text.split(separator: "\n").last.map(String.init) ?? ""
    }

    private static func start(_ arguments: [String]) throws -> (process: Process, messages: FileHandle) {
        let process = Process()
        let messages = Pipe()
        process.executableURL = CommandRun.executable
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = messages
        try process.run()
        try messages.fileHandleForWriting.close()
        return (process, messages.fileHandleForReading)
    }
}
