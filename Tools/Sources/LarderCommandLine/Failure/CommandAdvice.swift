import Larder

/// The next step after an error of a command; the library's own advice is for authors of an app.
enum CommandAdvice: Sendable, Hashable {
    /// The command's advice, never the library's.
    case own(String)
    /// The library's advice, which concerns a text that the user wrote.
    case library
    /// The library's advice, if it has one for this error that names no Swift code; else the command's.
    case libraryOr(String)

    /// The advice for an error.
    static func text(for error: DataStoreError) -> String {
        switch all[error.code] ?? .own(report) {
        case .own(let text): text
        case .library: error.advice
        case .libraryOr(let text):
            isSpecific(error)
                ? error.advice.replacing("Repeat the call", with: "Run the command again") : text
        }
    }

    /// True if the library's advice is not the one for all errors of the code, and names no Swift code.
    private static func isSpecific(_ error: DataStoreError) -> Bool {
        error.advice != DataStoreError(error.code, "").advice && !namesSwift(error.advice)
    }

    /// Every code of the library; a test checks that it is complete.
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
        .migrationFailed: .own("Open the store once with the app it belongs to."),
        .migrationRefused: .own("Open the store once with the app it belongs to."),
        .storeMoved: .own(
            "Name the store that it was moved to, or run larder rollback to restore this one."),
        .incompleteTransfer: .libraryOr(
            "Run the same copy or import again to complete it, or delete the file."),
        .destinationExists: .own("Choose another path, or move the existing file."),
        .sourceChanged: .own("Delete the copy and run the command that made it again."),
        .destinationChanged: .own(
            "Keep using the copy, or use --discard-changes and lose its changes."),
        .transferMismatch: .libraryOr("Run the command again; it repairs the differences."),
        .schemaChanged: .own("Run the command again."),
        .readOnly: .libraryOr("Choose a path that can be written to."),
        .storeFull: .own("Free some space, then run the command again."),
        .storeFileMoved: .own("Run the command again."),
        .busy: .libraryOr("Try again when the other process has closed the store."),
        .inputOutput: .own("Check the disk, then run the command again."),
        .connectionLost: .own("Check the server, then run the command again."),
        .commitUncertain: .own("Check what was stored before you run the command again."),
        .snapshotLost: .own("Run the command again, or on the primary."),
        .timedOut: .own("Run the command again when the server has less to do."),
        .engine: .own("Use --verbose to see the engine's message."),
        .unknownItemType: .library,
        .unknownAttribute: .library,
        .wrongType: .library,
        .invalidValue: .libraryOr("Use a value that can be stored."),
        .valueTooLarge: .own("Choose an engine that stores larger rows with --engine."),
        .identifierTooLong: .own("Shorten the identifier: it has 1 to 200 bytes."),
        .duplicateIdentifier: .own("Leave one of the two lines out."),
        .uniqueViolation: .own("Change one of the two items."),
        .targetNotFound: .own("Add the item that is missing, or correct the reference."),
        .deletionDenied: .own("Delete the other item too."),
        .undecodable: .own("Use --skip-undecodable with copy and export to leave such items out."),
        .itemNotFound: .own("Check the identifier."),
        .invalidRequest: .own("Correct --where, --sort, --limit or --offset."),
        .invalidText: .library,
        .invalidItems: .own("Correct the items, then run the command again."),
        .invalidLink: .own("Check the link."),
        .partMissing: .own("Put all files of the store back."),
        .partMismatch: .own("Restore all files of the store from backups of one moment."),
        .cancelled: .libraryOr("Run the command again; nothing was changed."),
        .unsupported: .own("Use another file, or a newer larder."),
        .usedAfterFork: .own(report),
        .notSetUp: .own(report),
        .closed: .own(report),
        .accessorExpired: .own(report),
        .nestedTransaction: .own(report),
        .wouldDeadlock: .own(report),
        .mergeConflict: .own(report),
        .foreignChild: .own(report),
        .discarded: .own(report),
        .overflow: .own(report),
        .changedDuringIteration: .own(report),
    ]

    private static let report = "Please report it with the output of --verbose."

    /// True if a text contains a call, an attribute or a name with a capital letter inside, as code does.
    static func namesSwift(_ text: String) -> Bool {
        text.contains(/\w\(|@\w|\b[a-z]+[A-Z]\w*|\w:\)|(^|\s)\.\w/)
    }
}
