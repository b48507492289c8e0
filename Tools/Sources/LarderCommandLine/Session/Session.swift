import Foundation

/// What a command works with beside its arguments.
struct Session: Sendable {
    let terminal: Terminal
    /// For the answer, and nothing else.
    let output: any TextSink
    /// For everything that is not the answer: progress, notes, errors.
    let messages: any TextSink
    let interruption: Interruption
    let now: @Sendable () -> ContinuousClock.Instant

    /// That of this process.
    static func standard() -> Session {
        StandardFiles.ensureOpen()
        // A store is closed in order also when nobody reads the answer any more.
        signal(SIGPIPE, SIG_IGN)
        return Session(
            terminal: .current(),
            output: FileSink(STDOUT_FILENO, name: "The standard output", capacity: 64 << 10),
            messages: FileSink(STDERR_FILENO, name: "The standard error", capacity: 0),
            interruption: Interruption(), now: { ContinuousClock.now })
    }
}

extension Session {
    /// - Throws: `.interrupted` when Ctrl-C was pressed.
    func checkInterruption() throws(CommandFailure) {
        if interruption.isAsked {
            throw CommandFailure(.interrupted, "The command was stopped.", advice: "Nothing was changed.")
        }
    }

    /// Rows in a format, to the output.
    func records(_ names: [String], _ format: OutputFormat) -> RecordOutput {
        RecordOutput(names, format: format, to: output, terminal: terminal)
    }

    func makeProgress() -> ProgressDisplay {
        ProgressDisplay(to: messages, terminal: terminal, now: now)
    }

    /// A word to the user that is no part of the answer.
    func note(_ text: String) throws(CommandFailure) {
        try output.flush()
        try messages.write(text.visible + "\n")
    }
}
