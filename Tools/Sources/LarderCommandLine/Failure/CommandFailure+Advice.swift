import Larder

extension CommandFailure {
    /// What to do next for somebody at a command line, where the library's advice is for who writes an app.
    static let advices: [DataStoreError.Code: String] = [
        .alreadyOpen: "Name two different stores.",
        .busy: "Try again when the other process has ended.",
        .schemaChanged: "Run the command again.",
        .storeFileMoved: "Run the command again.",
        .undecodable: "Give --skip-undecodable to copy and export to leave such items out.",
        .duplicateIdentifier: "Leave one of the two lines out.",
        .uniqueViolation: "Change one of the two items.",
        .engine: "See --verbose for the engine's words.",
        .usedAfterFork: report,
        .notSetUp: report,
        .closed: report,
        .accessorExpired: report,
        .nestedTransaction: report,
        .wouldDeadlock: report,
        .changedDuringIteration: report,
    ]

    private static let report = "Please report it, with what --verbose says."
}
