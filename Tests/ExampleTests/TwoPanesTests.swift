import Foundation
import Larder
import LarderMemory
import Testing

@testable import AdapterTestSupport
@testable import TwoPanes

/// The example of two panes that follow a store, driven frame by frame.
struct TwoPanesTests {
    @Test func `both panes follow the writer`() throws {
        let (status, output, _) = try run("--frames", "9")

        #expect(status == 0)
        #expect(
            output == """
                frame 1
                OPEN ORDERS               | TAKINGS
                garden                    | total               0.00
                  Ada    tea        3.50  |
                  Cy     coffee     2.90  |
                window                    |
                  Bo     coffee     2.90  |
                frame 2
                OPEN ORDERS               | TAKINGS
                bar                       | total               0.00
                  Eve    tea        3.50  |
                garden                    |
                  Ada    tea        3.50  |
                  Cy     coffee     2.90  |
                window                    |
                  Bo     coffee     2.90  |
                frame 3
                OPEN ORDERS               | TAKINGS
                bar                       | tea      x1         3.50
                  Eve    tea        3.50  | total               3.50
                garden                    |
                  Cy     coffee     2.90  |
                window                    |
                  Bo     coffee     2.90  |
                frame 4
                OPEN ORDERS               | TAKINGS
                garden                    | tea      x1         3.50
                  Cy     coffee     2.90  | total               3.50
                  Eve    tea        3.50  |
                window                    |
                  Bo     coffee     2.90  |
                frame 5
                OPEN ORDERS               | TAKINGS
                bar                       | tea      x1         3.50
                  Hal    cocoa      4.20  | total               3.50
                garden                    |
                  Cy     coffee     2.90  |
                  Eve    tea        3.50  |
                window                    |
                  Bo     coffee     2.90  |
                frame 6
                OPEN ORDERS               | TAKINGS
                bar                       | tea      x1         3.50
                  Hal    cocoa      4.20  | coffee   x1         2.90
                garden                    | total               6.40
                  Cy     coffee     2.90  |
                  Eve    tea        3.50  |
                frame 7
                OPEN ORDERS               | TAKINGS
                bar                       | tea      x1         3.50
                  Hal    cocoa      4.20  | coffee   x1         2.90
                garden                    | total               6.40
                  Cy     coffee     2.90  |
                  Eve    tea        3.50  |
                window                    |
                  Eve    coffee     2.90  |
                frame 8
                OPEN ORDERS               | TAKINGS
                bar                       | coffee   x2         5.80
                  Hal    cocoa      4.20  | tea      x1         3.50
                garden                    | total               9.30
                  Eve    tea        3.50  |
                window                    |
                  Eve    coffee     2.90  |
                frame 9
                OPEN ORDERS               | TAKINGS
                bar                       | coffee   x2         5.80
                  Hal    cocoa      4.20  | tea      x1         3.50
                garden                    | total               9.30
                  Eve    tea        3.50  |
                """ + "\n")
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor
    @Test func `takings that are wider than their column are printed too`() async throws {
        let store = MemoryDataStore(storing: [Order.self])
        try store.setup()
        try await store.writeAsync { accessor in
            _ = try accessor.insert(
                Order(id: 1, table: "bar", guest: "Ada", drink: "tea", price: 1_000_000, isServed: true))
        }
        let panes = Panes(over: store)

        try await panes.settle()

        #expect(
            panes.lines.joined(separator: "\n") == """
                OPEN ORDERS               | TAKINGS
                                          | tea      x1      10000.00
                                          | total            10000.00
                """)
        try store.tearDown()
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
