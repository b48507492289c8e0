import Larder

extension ExitStatus {
    /// The one place where errors of stores become numbers.
    init(_ code: DataStoreError.Code) {
        self = Self.statuses[code] ?? .software
    }

    /// Every code of the library; a test looks that none is missing.
    static let statuses: [DataStoreError.Code: ExitStatus] = Dictionary(
        uniqueKeysWithValues: codes.flatMap { status, codes in codes.map { ($0, status) } })

    private static let codes: [(ExitStatus, [DataStoreError.Code])] = [
        (.negative, [.itemNotFound]),
        (
            .usage,
            [
                .unknownItemType, .unknownAttribute, .wrongType, .invalidValue, .invalidRequest, .invalidText,
                .identifierTooLong, .unsupported, .alreadyOpen,
            ]
        ),
        (
            .badData,
            [
                .notADatabase, .foreignStore, .damaged, .newerFormat, .schemaMismatch, .invalidSchema,
                .valueTooLarge, .duplicateIdentifier, .uniqueViolation, .undecodable,
                .incompleteTransfer, .sourceChanged, .destinationChanged, .transferMismatch,
            ]
        ),
        (.noInput, [.cannotOpen, .storeMoved]),
        (.cannotCreate, [.destinationExists]),
        (.inputOutput, [.inputOutput, .storeFull]),
        (.tryAgain, [.busy, .schemaChanged, .storeFileMoved]),
        (.noPermission, [.permissionDenied, .readOnly]),
        (.interrupted, [.cancelled]),
        (
            .software,
            [
                .engine, .notSetUp, .closed, .usedAfterFork, .accessorExpired, .nestedTransaction,
                .wouldDeadlock, .changedDuringIteration,
            ]
        ),
    ]
}
