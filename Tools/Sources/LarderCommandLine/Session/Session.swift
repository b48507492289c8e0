import Foundation

/// The environment of a command besides its arguments.
struct Session: Sendable {
    let terminal: Terminal
    /// For the answer, and nothing else.
    let output: any TextSink
    /// For everything that is not the answer: progress, notes, errors.
    let messages: any TextSink
    let interruption: Interruption
    let now: @Sendable () -> ContinuousClock.Instant
    /// True if neither progress nor notes are shown.
    var isQuiet = false

    /// The session of this process.
    static func standard() -> Session {
        StandardFiles.ensureOpen()
        // A store is also closed properly when the reader of the output has gone.
        signal(SIGPIPE, SIG_IGN)
        return Session(
            terminal: .current(),
            output: FileSink(STDOUT_FILENO, name: "The standard output", capacity: 64 << 10),
            messages: FileSink(STDERR_FILENO, name: "The standard error", capacity: 0),
            interruption: Interruption(), now: { ContinuousClock.now })
    }
}

extension Session {
    /// Rows in a format, to the output.
    func records(_ names: [String], _ format: OutputFormat) -> RecordOutput {
        RecordOutput(names, format: format, to: output, terminal: terminal)
    }

    func makeProgress() -> ProgressDisplay {
        ProgressDisplay(to: isQuiet ? NoText() : messages, terminal: terminal, now: now)
    }

    /// Runs work that shows its progress once it takes some time.
    func showingActivity<Result>(_ body: (Activity) throws -> Result) throws -> Result {
        let activity = Activity(makeProgress(), isWatched: terminal.canRedraw, now: now)
        defer { activity.end() }
        return try body(activity)
    }

    /// Writes a message to the user that is not part of the answer.
    func note(_ text: String) throws(CommandFailure) {
        if isQuiet { return }
        try output.flush()
        try messages.write(text.visible + "\n")
    }
}
