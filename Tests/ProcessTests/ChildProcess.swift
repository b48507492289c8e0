import Foundation
import Larder
import ProcessFixtures

@testable import AdapterTestSupport

/// A `StoreProcess` the test can read from, kill and wait for.
final class ChildProcess {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var received = Data()

    /// - Parameters:
    ///   - command: The words of a command that runs it elsewhere, its program by its path; none for here.
    ///   - environment: Variables that are added to the environment of the tests.
    init(
        _ arguments: [String], by command: [String] = [], environment: [String: String] = [:]
    ) throws {
        let words = command + [BuiltProgram.url(of: "StoreProcess").path] + arguments
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        var added = environment
        if let server = ServerPlace.server.withLock({ $0 }), added[ServerPlace.variable] == nil {
            added[ServerPlace.variable] = server
        }
        if !added.isEmpty {
            process.environment = ProcessInfo.processInfo.environment.merging(added) { $1 }
        }
        process.standardOutput = output
        process.standardInput = input
        try process.run()
        try? output.fileHandleForWriting.close()
    }

    /// The next line it prints; nil when it has ended.
    func nextLine() -> String? {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeSubrange(...end) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { return nil }
            received.append(data)
        }
    }

    /// Gives it the line it waits for.
    func answer(_ line: String = "") {
        try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Kills it at once, as a crash or the system would.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func waitUntilExit() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
