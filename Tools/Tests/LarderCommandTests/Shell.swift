import Foundation

/// A line for the shell, for redirections and pipes.
enum Shell {
    /// - Parameter argument: Is `$1` in the line; `$LARDER` is the command.
    static func run(_ line: String, _ argument: String, shell: String = "/bin/sh") throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: shell)
        process.arguments = ["-c", line, "sh", argument]
        process.environment = ["PATH": "/usr/bin:/bin", "LARDER": CommandRun.executable.path]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
