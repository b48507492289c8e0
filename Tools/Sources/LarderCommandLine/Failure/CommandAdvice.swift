import Larder

/// The next step after an error at a command line; the library's advice is for people who write an app.
enum CommandAdvice: Sendable, Hashable {
    /// Ours, whatever the library says.
    case own(String)
    /// The library's, which is about a text that the user wrote.
    case library
    /// The library's, which knows more, unless it names something of Swift; then ours.
    case libraryOr(String)

    /// The advice for an error.
    static func text(for error: DataStoreError) -> String {
        switch all[error.code] ?? .own(report) {
        case .own(let text): text
        case .library: error.advice
        case .libraryOr(let text): namesSwift(error.advice) ? text : error.advice
        }
    }

    /// Every code of the library; a test looks that none is missing.
    static let all: [DataStoreError.Code: CommandAdvice] = [
        .alreadyOpen: .own("Name two different stores."),
        .cannotOpen: .libraryOr("Check the path and its folder."),
        .permissionDenied: .own("Get access to the file and its folder, or run the command as their owner."),
        .notADatabase: .libraryOr("Check the path; nothing was changed."),
        .foreignStore: .libraryOr("Check the path; nothing was changed."),
        .damaged: .libraryOr("Keep the file, and restore a backup; nothing was deleted."),
        .newerFormat: .own("Use a newer larder; nothing was changed."),
        .schemaMismatch: .own("Open the store once with the app it belongs to."),
        .invalidSchema: .own("Restore a backup; if the app opens the store, please report it."),
        .storeMoved: .own(
            "Name the store that it was moved to; or give larder rollback, which brings this one back."),
        .incompleteTransfer: .own(
            "Give the same copy or import again, which completes it; or delete the file."),
        .destinationExists: .own("Give another path, or move what is there."),
        .sourceChanged: .own("Delete the copy and give the command that makes it again."),
        .destinationChanged: .own(
            "Keep using the copy; or give --discard-changes and lose what changed in it."),
        .transferMismatch: .libraryOr("Give the command again; it repairs what differs."),
        .schemaChanged: .own("Give the command again."),
        .readOnly: .own("Give a place that can be written to."),
        .storeFull: .own("Free some space, then give the command again."),
        .storeFileMoved: .own("Give the command again."),
        .busy: .own("Try again when the other process has ended."),
        .inputOutput: .own("Check the disk, then give the command again."),
        .engine: .own("See --verbose for the engine's words."),
        .unknownItemType: .library,
        .unknownAttribute: .library,
        .wrongType: .library,
        .invalidValue: .libraryOr("Give a value that can be stored."),
        .valueTooLarge: .own("Give an engine that stores larger rows with --engine."),
        .identifierTooLong: .own("Shorten the identifier: it has 1 to 200 bytes."),
        .duplicateIdentifier: .own("Leave one of the two lines out."),
        .uniqueViolation: .own("Change one of the two items."),
        .undecodable: .own("Give --skip-undecodable to copy and export to leave such items out."),
        .itemNotFound: .own("Check the identifier."),
        .invalidRequest: .own("Correct --where, --sort, --limit or --offset."),
        .invalidText: .library,
        .cancelled: .libraryOr("Give the command again; nothing was changed."),
        .unsupported: .own("Give another file, or use a newer larder."),
        .usedAfterFork: .own(report),
        .notSetUp: .own(report),
        .closed: .own(report),
        .accessorExpired: .own(report),
        .nestedTransaction: .own(report),
        .wouldDeadlock: .own(report),
        .changedDuringIteration: .own(report),
    ]

    private static let report = "Please report it, with what --verbose says."

    /// Whether a text has a call, a mark or a name with a capital letter inside, as programs write them.
    static func namesSwift(_ text: String) -> Bool {
        text.contains(/\w\(|@\w|\b[a-z]+[A-Z]\w*|\w:\)|(^|\s)\.\w/)
    }
}
