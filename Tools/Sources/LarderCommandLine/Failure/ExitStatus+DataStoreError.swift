import Larder

extension ExitStatus {
    /// The exit status for an error of a store.
    init(_ code: DataStoreError.Code) {
        self = Self.statuses[code] ?? .software
    }

    /// Every code of the library; a test checks that it is complete.
    static let statuses: [DataStoreError.Code: ExitStatus] = Dictionary(
        uniqueKeysWithValues: codes.flatMap { status, codes in codes.map { ($0, status) } })

    private static let codes: [(ExitStatus, [DataStoreError.Code])] = [
        (.negative, [.itemNotFound]),
        (
            .usage,
            [
                .unknownItemType, .unknownAttribute, .wrongType, .invalidValue, .invalidRequest, .invalidText,
                .identifierTooLong, .unsupported, .alreadyOpen, .invalidLink,
            ]
        ),
        (
            .badData,
            [
                .notADatabase, .foreignStore, .damaged, .newerFormat, .schemaMismatch, .invalidSchema,
                .migrationFailed, .migrationRefused,
                .valueTooLarge, .duplicateIdentifier, .uniqueViolation, .undecodable, .targetNotFound,
                .deletionDenied,
                .incompleteTransfer, .sourceChanged, .destinationChanged, .transferMismatch, .invalidItems,
                .partMismatch,
            ]
        ),
        (.noInput, [.cannotOpen, .storeMoved, .partMissing]),
        (.cannotCreate, [.destinationExists]),
        (.inputOutput, [.inputOutput, .storeFull, .commitUncertain]),
        (.tryAgain, [.busy, .schemaChanged, .storeFileMoved, .connectionLost, .snapshotLost, .timedOut]),
        (.noPermission, [.permissionDenied, .readOnly]),
        (.interrupted, [.cancelled]),
        (
            .software,
            [
                .engine, .notSetUp, .closed, .usedAfterFork, .accessorExpired, .nestedTransaction,
                .wouldDeadlock, .changedDuringIteration, .mergeConflict, .foreignChild, .discarded,
                .overflow,
            ]
        ),
    ]
}

extension DataStoreError.Code {
    // The codes of a routed store. Its module defines them, and no command uses it.
    static let partMissing = Self(rawValue: "partMissing")
    static let partMismatch = Self(rawValue: "partMismatch")
}
