import ArgumentParser
import Larder

/// A command of `larder`; it writes to a ``Session``, so that it can be run in a test.
protocol StoreCommand: ParsableCommand, Sendable {
    var common: CommonOptions { get }

    /// The next step after an error, or nil if ``CommandAdvice`` has the best one.
    static func advice(for error: DataStoreError) -> String?

    /// Runs the command in a task that Ctrl-C cancels.
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

    /// Runs the command, prints its error, and returns the exit status.
    func finish(in session: Session) -> ExitStatus {
        var session = session
        session.isQuiet = common.quiet
        do {
            let status = try session.untilInterrupted { [session] in try run(in: session) }
            try session.output.flush()
            return status
        } catch {
            let failure = Self.failure(error)
            // Output before the error is kept; if it cannot be written, the first error is enough.
            try? session.output.flush()
            if failure.status == .unread { return failure.status }
            let paint = Paint(isEnabled: session.terminal.hasColoredErrors)
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
