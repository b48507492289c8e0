import ArgumentParser
import Larder

/// A command of `larder`: what it does is told a ``Session``, so that it can be run in a test.
protocol StoreCommand: ParsableCommand, Sendable {
    var common: CommonOptions { get }

    /// The next step after an error; nil where this command knows no better one than ``CommandAdvice``.
    static func advice(for error: DataStoreError) -> String?

    /// Does it, in a task that Ctrl-C cancels.
    ///
    /// - Throws: ``CommandFailure`` and `DataStoreError`, which become a message and a number.
    func run(in session: Session) throws -> ExitStatus
}

extension StoreCommand {
    static func advice(for error: DataStoreError) -> String? { nil }

    func run() throws {
        let status = finish(in: .standard())
        if status != .success { throw status.exitCode }
    }

    /// Runs it, tells what went wrong, and gives the number to end with.
    func finish(in session: Session) -> ExitStatus {
        var session = session
        session.isQuiet = common.quiet
        do {
            let status = try session.untilInterrupted { [session] in try run(in: session) }
            try session.output.flush()
            return status
        } catch {
            let failure = Self.failure(error)
            // What was put out before the error is kept; that it cannot be is not worth a second error.
            try? session.output.flush()
            if failure.status == .unread { return failure.status }
            let paint = Paint(isEnabled: session.terminal.hasColouredErrors)
            try? session.messages.write(failure.text(isVerbose: common.verbose, paint: paint))
            return failure.status
        }
    }

    private static func failure(_ error: any Error) -> CommandFailure {
        switch error {
        case let failure as CommandFailure: return failure
        case let error as DataStoreError:
            var failure = CommandFailure(error)
            if let advice = advice(for: error) { failure.advice = advice }
            return failure
        default:
            return CommandFailure(.software, "\(error).", advice: "Please report it.")
        }
    }
}
