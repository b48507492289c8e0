import Foundation

/// A run of the built command: what it put out, what it said, and the number it ended with.
struct CommandRun {
    let status: Int32
    let output: String
    let messages: String

    /// Runs it to its end, without a terminal.
    ///
    /// - Parameter executable: What runs the command, where that is not started itself.
    init(
        _ arguments: [String], environment: [String: String] = [:], input: String? = nil,
        by executable: URL = executable
    ) throws {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "TERM": "xterm"].merging(environment) { $1 }
        let (output, messages) = (try Self.captureFile(), try Self.captureFile())
        process.standardOutput = output
        process.standardError = messages
        process.standardInput = try input.map(Self.file(holding:)) ?? FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        status = process.terminationStatus
        self.output = try Self.text(in: output)
        self.messages = try Self.text(in: messages)
    }

    var lines: [String] {
        output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Built with the tests, beside them.
    static let executable: URL = {
        let tests = Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments[0])]
        let folders = tests.flatMap { [$0.deletingLastPathComponent(), $0] }
        return folders.map { $0.appendingPathComponent("larder") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
            ?? URL(fileURLWithPath: "larder")
    }()

    /// A file without a name: a pipe would be full before the process has ended.
    private static func captureFile() throws -> FileHandle {
        try file(holding: "")
    }

    private static func file(holding text: String) throws -> FileHandle {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(text.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try FileHandle(forUpdating: url)
    }

    private static func text(in file: FileHandle) throws -> String {
        try file.seek(toOffset: 0)
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
}
