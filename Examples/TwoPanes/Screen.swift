import Foundation
import Larder

/// The output: a terminal that is redrawn, or frames one below the other.
struct Screen {
    /// The number of frames to print; nil for a terminal.
    private let frames: Int?

    struct WrongUsage: Error, CustomStringConvertible {
        let description = "usage: TwoPanes [--frames NUMBER]"
    }

    init(arguments: [String]) throws {
        switch arguments.first {
        case nil: frames = isatty(FileHandle.standardOutput.fileDescriptor) != 0 ? nil : 10
        case "--frames":
            guard arguments.count == 2, let number = Int(arguments[1]), number > 0 else { throw WrongUsage() }
            frames = number
        case _?: throw WrongUsage()
        }
    }

    /// Shows the panes while a writer changes the store.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor
    func show(_ panes: Panes, while writer: Writer) async throws {
        if let frames {
            try await printFrames(frames, of: panes, writer)
        } else {
            try await redraw(panes, writer)
        }
    }

    /// Prints each state once the panes have caught up with the writer.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor
    private func printFrames(_ frames: Int, of panes: Panes, _ writer: Writer) async throws {
        var writer = writer
        for number in 1...frames {
            if number > 1 { try await writer.step() }
            try await panes.settle()
            print("frame \(number)")
            for line in panes.lines { print(line) }
        }
    }

    /// Redraws the terminal whenever a pane changes, at whatever pace the writer has.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor
    private func redraw(_ panes: Panes, _ writer: Writer) async throws {
        Task {
            var writer = writer
            do {
                while true {
                    try await Task.sleep(nanoseconds: 700_000_000)
                    try await writer.step()
                }
            } catch {
                fail(error)
            }
        }
        while true {
            let text = panes.lines.joined(separator: "\n") + "\n\nControl-C ends it.\n"
            // From the upper left corner; what is left of the last frame is cleared.
            FileHandle.standardOutput.write(Data("\u{1B}[H\u{1B}[2J\(text)".utf8))
            await panes.change()
        }
    }
}

/// Ends the program with an error.
func fail(_ error: Any) -> Never {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
