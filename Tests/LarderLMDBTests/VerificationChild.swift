import Foundation

@testable import AdapterTestSupport

/// A process of its own that uses files as an app would, and may die of it.
final class VerificationChild {
    enum Outcome: Equatable {
        case fine
        /// LMDB has returned an error.
        case error(String)
        /// LMDB has ended the process, by this signal.
        case died(Int32)
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init() throws {
        process.executableURL = BuiltProgram.url(of: "StoreProcess")
        process.arguments = ["use"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try output.fileHandleForWriting.close()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Reads everything in a file and writes to it; the file is another one afterwards.
    ///
    /// *Rule:* after `.died` nothing more can be asked of this child.
    func use(_ path: String) -> Outcome {
        input.fileHandleForWriting.write(Data((path + "\n").utf8))
        var line = Data()
        while !line.contains(UInt8(ascii: "\n")) {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty {
                process.waitUntilExit()
                return .died(process.terminationStatus)
            }
            line.append(part)
        }
        let text = String(decoding: line.dropLast(), as: UTF8.self)
        return text == "fine" ? .fine : .error(text)
    }
}
