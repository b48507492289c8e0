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
        kill(process.processIdentifier, signal)
        try self.init(process, messages, received)
    }

    /// Runs it, and sends the signal when it makes files in a folder.
    init(_ arguments: [String], signal: Int32, onceWorkingIn folder: TemporaryFolder) throws {
        let names = try folder.names()
        let (process, messages) = try Self.start(arguments)
        while process.isRunning, try folder.names() == names { sched_yield() }
        kill(process.processIdentifier, signal)
        try self.init(process, messages, Data())
    }

    /// Runs it, and sends the signal when so many bytes of its answer have come; the rest is waited for then.
    init(_ arguments: [String], signal: Int32, afterOutputOf count: Int) throws {
        let output = Pipe()
        let (process, messages) = try Self.start(arguments, output: output)
        try output.fileHandleForWriting.close()
        // More than a pipe holds is not read, so the command cannot come to its end before the signal.
        _ = try output.fileHandleForReading.read(upToCount: count)
        kill(process.processIdentifier, signal)
        _ = try output.fileHandleForReading.readToEnd()
        try self.init(process, messages, Data())
    }

    private init(_ process: Process, _ messages: FileHandle, _ received: Data) throws {
        let text = String(decoding: received + (try messages.readToEnd() ?? Data()), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationReason == .exit ? process.terminationStatus : -1
        lastLine = text.split(separator: "\n").last.map(String.init) ?? ""
    }

    private static func start(
        _ arguments: [String], output: Pipe? = nil
    ) throws -> (process: Process, messages: FileHandle) {
        let process = Process()
        let messages = Pipe()
        process.executableURL = CommandRun.executable
        process.arguments = arguments
        process.standardOutput = output ?? FileHandle.nullDevice as Any
        process.standardError = messages
        try process.run()
        try messages.fileHandleForWriting.close()
        return (process, messages.fileHandleForReading)
    }
}
