/// Everything that can go wrong in a store, as one type.
///
///     do {
///         try store.writeSync { try $0.insert(recipe) }
///     } catch DataStoreError.Code.uniqueViolation {
///         // another recipe has this slug
///     } catch let error as DataStoreError {
///         log(error.description)       // says what happened to what, and what to do next
///     }
///
/// *Rule:* a value like any other; may be kept and sent anywhere. Two errors are equal if all of their parts are, the
/// texts among them; to tell kinds of errors apart, compare codes. *Cost:* one reference.
public struct DataStoreError: Error, Sendable, Hashable {
    /// The kind of the error, to switch on.
    public var code: Code { details.code }

    /// The stored name of the item type concerned, such as `"Recipe"`.
    public var itemType: String? { details.itemType }

    /// The name of the attribute concerned, such as `"slug"`.
    public var attribute: String? { details.attribute }

    /// The identifier of the item concerned; for a clash, of the item that holds the value.
    public var identifier: AnyItemID? { details.identifier }

    /// The request concerned, as text.
    public var request: String? { details.request }

    /// The file or folder concerned.
    public var path: String? { details.path }

    /// The original error of the engine or the operating system.
    public var underlying: Underlying? { details.underlying }

    /// All points in which a store and the item types differ, for `.schemaMismatch`; else empty.
    public var differences: [SchemaDifference] { list as? [SchemaDifference] ?? [] }

    /// The list of everything that is wrong, for a code that has one.
    package var list: (any Sendable & Hashable)? { details.list?.elements }

    /// The source of an import that is to blame; nil for errors about no source.
    public var importPlace: ImportPlace? { details.importPlace }

    /// The message: one sentence that says what happened, followed by lines that show the place if it
    /// concerns a text.
    public var message: String { messageLines.joined(separator: "\n") }

    /// The lines of ``message``: the sentence, and if it is about a place in a text, an excerpt and a
    /// caret.
    ///
    /// Only the breaks between these lines are meant as such. A line may hold control characters of data,
    /// line breaks among them; escape these before you print it.
    public var messageLines: [String] { [details.message] + details.excerpt }

    /// The advice: the next step, in one sentence.
    public var advice: String { details.advice }

    private struct Details: Sendable, Hashable {
        var code: Code
        var message: String
        var excerpt: [String] = []
        var advice: String
        var itemType: String?
        var attribute: String?
        var identifier: AnyItemID?
        var request: String?
        var path: String?
        var underlying: Underlying?
        var list: List?
        var importPlace: ImportPlace?
        var leavesNoWay = false
    }

    /// A list of any room, which compares and hashes it as its own type does.
    private struct List: Sendable, Hashable {
        let elements: any Sendable & Hashable

        static func == (left: List, right: List) -> Bool {
            AnyHashable(left.elements) == AnyHashable(right.elements)
        }

        func hash(into hasher: inout Hasher) { elements.hash(into: &hasher) }
    }

    private final class Kept: Sendable {
        let details: Details

        init(_ details: Details) { self.details = details }
    }

    private let kept: Kept
    private var details: Details { kept.details }

    /// Makes an error; adapters use it to report what their engine could not do.
    ///
    /// - Parameters:
    ///   - message: One sentence that says what happened to which thing.
    ///   - excerpt: The lines of text the sentence is about, to be shown below it.
    ///   - advice: One sentence that says what to do next. Without it, the general advice for the code.
    public init(
        _ code: Code, _ message: String, excerpt: [String] = [], advice: String? = nil,
        itemType: String? = nil,
        attribute: String? = nil, identifier: AnyItemID? = nil, request: String? = nil,
        path: String? = nil, underlying: Underlying? = nil
    ) {
        self.init(
            Details(
                code: code, message: message, excerpt: excerpt, advice: advice ?? code.advice,
                itemType: itemType, attribute: attribute, identifier: identifier, request: request,
                path: path, underlying: underlying))
    }

    private init(_ details: Details) {
        kept = Kept(details)
    }

    public static func == (left: DataStoreError, right: DataStoreError) -> Bool {
        left.details == right.details
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(details) }

    /// The same error with other details.
    private func changed(_ change: (inout Details) -> Void) -> DataStoreError {
        var details = details
        change(&details)
        return DataStoreError(details)
    }

    /// The same error with details that an outer caller knows; details that it has already stay.
    public func about(
        itemType: String? = nil, attribute: String? = nil, identifier: AnyItemID? = nil,
        request: String? = nil, path: String? = nil
    ) -> DataStoreError {
        changed {
            $0.itemType = $0.itemType ?? itemType
            $0.attribute = $0.attribute ?? attribute
            $0.identifier = $0.identifier ?? identifier
            $0.request = $0.request ?? request
            $0.path = $0.path ?? path
        }
    }

    /// The same error with a list of everything that is wrong.
    package func listing(_ list: any Sendable & Hashable) -> DataStoreError {
        changed { $0.list = List(elements: list) }
    }

    /// The same error with another source of an import that it is about.
    package func replacing(importPlace place: ImportPlace) -> DataStoreError {
        changed { $0.importPlace = place }
    }
}

extension DataStoreError {
    /// True if no way leads from what is stored to the app's types, as the store is what it is.
    ///
    /// A step that is missing leaves none; a mistake in a step that the app has does not count, nor one in its history.
    package var leavesNoWay: Bool { details.leavesNoWay }

    /// The same error as one that leaves no way from what is stored to the app's types, or as a mistake of the app.
    package func leavingNoWay(_ leavesNoWay: Bool = true) -> DataStoreError {
        changed { $0.leavesNoWay = leavesNoWay }
    }

    /// The same error with another path, for one that is about a temporary file.
    package func naming(_ path: String) -> DataStoreError {
        changed { $0.path = path }
    }

    /// The same error with other advice.
    package func advising(_ advice: String) -> DataStoreError {
        changed { $0.advice = advice }
    }
}

extension DataStoreError {
    /// The kinds of failure.
    ///
    /// New ones may be added; a `switch` needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Lets a `catch` clause name a code: `catch DataStoreError.Code.busy`.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? DataStoreError)?.code == code
        }
    }
}

extension DataStoreError.Code {
    // When opening.
    /// The store is used before `setup()`.
    public static let notSetUp = Self(rawValue: "notSetUp")
    /// The store is used after `tearDown()`.
    public static let closed = Self(rawValue: "closed")
    /// The same file is open in this process already, perhaps under another path.
    public static let alreadyOpen = Self(rawValue: "alreadyOpen")
    /// The file or folder cannot be opened.
    public static let cannotOpen = Self(rawValue: "cannotOpen")
    /// The operating system does not allow the access.
    public static let permissionDenied = Self(rawValue: "permissionDenied")
    /// The file is not a database of this engine.
    public static let notADatabase = Self(rawValue: "notADatabase")
    /// The file is a database, but not one of Larder's.
    public static let foreignStore = Self(rawValue: "foreignStore")
    /// The file is damaged.
    public static let damaged = Self(rawValue: "damaged")
    /// The file was written by a newer version of Larder.
    public static let newerFormat = Self(rawValue: "newerFormat")
    /// The store's schema cannot be changed into the app's without a migration.
    public static let schemaMismatch = Self(rawValue: "schemaMismatch")
    /// A step between two versions of the app's types threw an error of the app's own.
    public static let migrationFailed = Self(rawValue: "migrationFailed")
    /// The store needs changes of its schema that the options do not allow.
    public static let migrationRefused = Self(rawValue: "migrationRefused")
    /// The app's own declaration of its items is inconsistent.
    public static let invalidSchema = Self(rawValue: "invalidSchema")

    /// The store is the destination of a transfer that has not ended.
    public static let incompleteTransfer = Self(rawValue: "incompleteTransfer")
    /// The store was moved to another place or engine, and a note that says where is in its place.
    public static let storeMoved = Self(rawValue: "storeMoved")
    /// A store already exists where a new one should be created.
    public static let destinationExists = Self(rawValue: "destinationExists")

    // When reading or writing.
    /// Another process changed the schema while the store was open.
    public static let schemaChanged = Self(rawValue: "schemaChanged")
    /// The store, or the accessor, may not be written to.
    public static let readOnly = Self(rawValue: "readOnly")
    /// The disk, the quota or the store's size limit is exhausted.
    public static let storeFull = Self(rawValue: "storeFull")
    /// The file was moved, replaced or deleted while it was open.
    public static let storeFileMoved = Self(rawValue: "storeFileMoved")
    /// Another process kept the store locked for longer than the time allowed.
    public static let busy = Self(rawValue: "busy")
    /// The operating system failed to read or write.
    public static let inputOutput = Self(rawValue: "inputOutput")
    /// The connection to the server was lost; nothing of the block was stored, except by `commit()`.
    public static let connectionLost = Self(rawValue: "connectionLost")
    /// The connection was lost during a commit, and it is not known if the commit was kept.
    public static let commitUncertain = Self(rawValue: "commitUncertain")
    /// A standby, or an engine after an error, could not continue to read the state in which the block began.
    public static let snapshotLost = Self(rawValue: "snapshotLost")
    /// The server did not answer within the time allowed.
    public static let timedOut = Self(rawValue: "timedOut")
    /// The engine failed in a way Larder does not know.
    public static let engine = Self(rawValue: "engine")
    /// The store was opened before the process was forked.
    public static let usedAfterFork = Self(rawValue: "usedAfterFork")

    // About items and values.
    /// The store does not store this type of item.
    public static let unknownItemType = Self(rawValue: "unknownItemType")
    /// The item type has no attribute of this name.
    public static let unknownAttribute = Self(rawValue: "unknownAttribute")
    /// The value is of another type than the attribute.
    public static let wrongType = Self(rawValue: "wrongType")
    /// The value cannot be stored: NaN, a relative URL.
    public static let invalidValue = Self(rawValue: "invalidValue")
    /// The value or row is larger than the library, or this engine, can store.
    public static let valueTooLarge = Self(rawValue: "valueTooLarge")
    /// The identifier is longer than 200 bytes, or empty.
    public static let identifierTooLong = Self(rawValue: "identifierTooLong")
    /// An item with this identifier exists already.
    public static let duplicateIdentifier = Self(rawValue: "duplicateIdentifier")
    /// Another item holds this value of a unique attribute.
    public static let uniqueViolation = Self(rawValue: "uniqueViolation")
    /// The item at the end of a reference or a link is not in the store.
    public static let targetNotFound = Self(rawValue: "targetNotFound")
    /// Another item still refers to the item, and the delete rule is `.deny`.
    public static let deletionDenied = Self(rawValue: "deletionDenied")
    /// The stored value cannot be turned into the attribute's type.
    public static let undecodable = Self(rawValue: "undecodable")
    /// The item is not in the store, or no longer.
    public static let itemNotFound = Self(rawValue: "itemNotFound")

    // About requests.
    /// The request asks for something impossible, such as a negative limit.
    public static let invalidRequest = Self(rawValue: "invalidRequest")
    /// A sum or average is larger than its type can hold.
    public static let overflow = Self(rawValue: "overflow")
    /// The text of a filter or sort cannot be understood.
    public static let invalidText = Self(rawValue: "invalidText")

    // About transfers.
    /// The source of a transfer was modified after it was copied.
    public static let sourceChanged = Self(rawValue: "sourceChanged")
    /// The destination of a transfer was modified after it was completed.
    public static let destinationChanged = Self(rawValue: "destinationChanged")
    /// The copied items differ from the source.
    public static let transferMismatch = Self(rawValue: "transferMismatch")

    // About child stores.
    /// A child store and its parent have changed the same values, so that they cannot be merged.
    public static let mergeConflict = Self(rawValue: "mergeConflict")
    /// The child store belongs to another store than the one that should take its changes.
    public static let foreignChild = Self(rawValue: "foreignChild")
    /// The child store was discarded, with what was staged in it.
    public static let discarded = Self(rawValue: "discarded")

    // About blocks.
    /// The accessor or handle is used after its block has ended.
    public static let accessorExpired = Self(rawValue: "accessorExpired")
    /// The call cannot be made inside a block of the same store.
    public static let nestedTransaction = Self(rawValue: "nestedTransaction")
    /// A wait would never end: for the writer, for a place to read, or for the opening or closing of a store.
    public static let wouldDeadlock = Self(rawValue: "wouldDeadlock")
    /// Items of a type were changed while `forEachItem` was reading them.
    public static let changedDuringIteration = Self(rawValue: "changedDuringIteration")
    /// The block was cancelled by `cancel()`, or long work because its task was.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The call is not possible in this place.
    public static let unsupported = Self(rawValue: "unsupported")
}

extension DataStoreError.Code {
    /// The general advice for a code, if the error has none of its own.
    var advice: String {
        Self.advices[self] ?? "Read the message and the underlying error."
    }

    private static let advices: [Self: String] = [
        .notSetUp: "Call setup() before the first use of the store.",
        .closed: "Call setup() again, or use the store that is open.",
        .alreadyOpen: "Use the store that is open, or tear it down first.",
        .cannotOpen: "Check that the path is right and its folder can be made.",
        .permissionDenied: "Give the process access to the file and its folder, or open it read-only.",
        .notADatabase: "Check the path; nothing was changed.",
        .foreignStore: "Check the path; nothing was changed.",
        .damaged: "Keep the file, and restore a backup; nothing was deleted.",
        .newerFormat: "Update the app or tool that opens it; nothing was changed.",
        .schemaMismatch: "Open the store with the item types it was made for; nothing was changed.",
        .migrationFailed: "Correct the step, or the items it stumbles over; nothing was changed.",
        .migrationRefused: "Allow the changes by DataStoreOptions.allowedMigration; nothing was changed.",
        .invalidSchema: "Correct the declaration of the item type.",
        .incompleteTransfer: "Run the transfer again, or delete the copy: destroy(), or all its files.",
        .storeMoved: "Open the store there, or take the move back: StoreCutOver.rollBack(), larder rollback.",
        .destinationExists: "Choose another place, or delete the existing store.",
        .sourceChanged: "Delete the destination and run the transfer again.",
        .destinationChanged: "Keep the destination, or discard the changes made in it.",
        .transferMismatch: "Run the transfer again; it repairs the differences.",
        .schemaChanged: "Tear the store down and set it up again.",
        .readOnly: "Open the store for writing, or write elsewhere.",
        .storeFull: "Free some space or raise the limit; nothing was stored, except by commit().",
        .storeFileMoved: "Put the file back, or tear the store down and open the right file.",
        .busy: "Repeat the call later, or allow a longer busy timeout.",
        .inputOutput: "Check the disk; nothing of the block was stored, except by commit().",
        .connectionLost: "Repeat the block; nothing of it was stored, except by commit().",
        .commitUncertain: "Repeat the block, which first checks if its changes are there.",
        .snapshotLost: "Repeat the block, or read from the primary.",
        .timedOut: "Repeat the block, or allow a longer time; nothing of it was stored, except by commit().",
        .engine: "Read the underlying error; nothing of the block was stored, except by commit().",
        .usedAfterFork: "Open the store in the process that uses it.",
        .unknownItemType: "Name the type in the list of types the store is made with.",
        .unknownAttribute: "Check the spelling of the attribute.",
        .wrongType: "Use a value of the attribute's type.",
        .invalidValue: "Use a value that can be stored.",
        .valueTooLarge: "Keep the data in a file and store its path.",
        .identifierTooLong: "Use an identifier of 1 to 200 bytes.",
        .duplicateIdentifier: "Update the item that exists, use upsert, or choose another identifier.",
        .uniqueViolation: "Change one of the two values, or use upsert(_:by:).",
        .targetNotFound: "Insert that item before, or in the same call.",
        .deletionDenied: "Delete the other item too, or let it refer to another one first.",
        .undecodable: "Add the missing case, or give @Attribute(fallback:).",
        .itemNotFound: "Fetch the item again; it may have been deleted.",
        .invalidRequest: "Correct the request.",
        .overflow: "Narrow the request, or store the attribute as a Double.",
        .invalidText: "Correct the text at the given position.",
        .mergeConflict: "Merge again with a policy that decides, or discard the child store.",
        .foreignChild: "Merge a child store into the store that made it.",
        .discarded: "Make another child store.",
        .accessorExpired: "Use accessors and handles only inside their block; return values from it.",
        .nestedTransaction: "Make the call after the block, or use the block's own accessor.",
        .wouldDeadlock: "Write to the stores one after the other, not inside each other.",
        .changedDuringIteration: "Collect the changes first. In a walk, use forEachMutableItem.",
        .cancelled: "All that commit() had not stored is undone, as asked.",
        .unsupported: "Use another call here.",
    ]
}
