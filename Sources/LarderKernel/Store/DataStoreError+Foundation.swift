public import Foundation

extension DataStoreError: LocalizedError {
    /// The message and the advice; `localizedDescription` is the same.
    public var errorDescription: String? {
        ([message + place] + [advice]).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The advice.
    public var recoverySuggestion: String? { advice }

    /// The error of the engine or the operating system; nil if there is none.
    public var failureReason: String? {
        underlying.map { "\($0.source) \($0.code): \($0.message)" }
    }
}

extension DataStoreError: CustomNSError {
    /// `"Larder"`.
    public static var errorDomain: String { "Larder" }

    /// The number of the ``code``; 0 for one that Larder does not define.
    ///
    /// *Rule:* numbers never change and are never reused.
    public var errorCode: Int { code.number }

    /// The texts of the error, its code by name, the path, and the engine's error.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: errorDescription ?? message,
            NSLocalizedRecoverySuggestionErrorKey: advice,
            "LarderCode": code.rawValue,
        ]
        info[NSLocalizedFailureReasonErrorKey] = failureReason
        info[NSFilePathErrorKey] = path
        if let underlying {
            let domain = underlying.source == "errno" ? NSPOSIXErrorDomain : underlying.source
            info[NSUnderlyingErrorKey] = NSError(
                domain: domain, code: underlying.code,
                userInfo: [NSLocalizedDescriptionKey: underlying.message])
        }
        return info
    }
}

extension DataStoreError.Code {
    /// The number of the code in an `NSError`.
    fileprivate var number: Int {
        (Self.numbered.firstIndex(of: self) ?? -1) + 1
    }

    /// The codes in the order of their numbers, from 1.
    ///
    /// *Rule:* new ones are added at the end.
    static let numbered: [Self] = [
        .notSetUp, .closed, .alreadyOpen, .cannotOpen, .permissionDenied, .notADatabase, .foreignStore,
        .damaged, .newerFormat, .schemaMismatch, .invalidSchema, .incompleteTransfer, .destinationExists,
        .schemaChanged, .readOnly, .storeFull, .storeFileMoved, .busy, .inputOutput, .engine, .usedAfterFork,
        .unknownItemType, .unknownAttribute, .wrongType, .invalidValue, .valueTooLarge, .identifierTooLong,
        .duplicateIdentifier, .uniqueViolation, .undecodable, .itemNotFound, .invalidRequest, .invalidText,
        .sourceChanged, .destinationChanged, .transferMismatch, .accessorExpired, .nestedTransaction,
        .wouldDeadlock, .changedDuringIteration, .cancelled, .unsupported, .storeMoved, .targetNotFound,
        .deletionDenied, .mergeConflict, .foreignChild, .discarded, .overflow,
        .migrationFailed, .connectionLost, .commitUncertain, .timedOut, .snapshotLost, .migrationRefused,
        // Rooms above the kernel define these.
        Self(rawValue: "invalidItems"), Self(rawValue: "partMissing"), Self(rawValue: "partMismatch"),
        Self(rawValue: "invalidLink"),
    ]
}
