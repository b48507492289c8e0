import ArgumentParser
import Larder

/// A command of `larder`: what it does is told a ``Session``, so that it can be run in a test.
protocol StoreCommand: ParsableCommand {
    var common: CommonOptions { get }

    /// Does it.
    ///
    /// - Throws: ``CommandFailure`` and `DataStoreError`, which become one line and a number.
    func run(in session: Session) throws -> ExitStatus
}

extension StoreCommand {
    func run() throws {
        let status = finish(in: .standard())
        if status != .success { throw status.exitCode }
    }

    /// Runs it, tells what went wrong, and gives the number to end with.
    func finish(in session: Session) -> ExitStatus {
        do {
            let status = try run(in: session)
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
        case let error as DataStoreError: return CommandFailure(error)
        default:
            return CommandFailure(.software, "\(error).", advice: "Please report it.")
        }
    }
}
