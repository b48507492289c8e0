import Foundation
import Testing

@testable import AdapterTestSupport

/// The example of two panes that follow a store, driven frame by frame.
struct TwoPanesTests {
    @Test func `both panes follow the writer`() throws {
        let (status, output, _) = try run("--frames", "8")

        #expect(status == 0)
        #expect(
            output == """
                frame 1
                """ + "\n")
    }

    @Test func `without a terminal it prints ten frames`() throws {
        let (status, output, _) = try run()

        #expect(status == 0)
        #expect(output.split(separator: "\n").filter { $0.hasPrefix("frame") }.count == 10)
    }

    @Test(arguments: [["--frames"], ["--frames", "0"], ["--frames", "x"], ["--help"]])
    func `other arguments are refused`(_ arguments: [String]) throws {
        let (status, output, errors) = try run(arguments)

        #expect(status == 1)
        #expect(output == "")
        #expect(errors == "usage: TwoPanes [--frames NUMBER]\n")
    }

    private func run(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
        try run(arguments)
    }

    private func run(_ arguments: [String]) throws -> (status: Int32, output: String, errors: String) {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = BuiltProgram.url(of: "TwoPanes")
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // So few lines that the pipes have room for them.
        let texts = [output, errors].map {
            String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        process.waitUntilExit()
        return (process.terminationStatus, texts[0], texts[1])
    }
}
