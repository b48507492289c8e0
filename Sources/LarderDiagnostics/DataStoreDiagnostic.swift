/// Something that a store has done or found: for logs, metrics and tests.
///
///     var options = DataStoreOptions()
///     options.diagnostics.append { diagnostic in
///         if case .slowRequest(let plan, _, let duration) = diagnostic.event { print(plan, duration) }
///     }
///
/// *Rule:* a value; may be kept and sent anywhere. It shows no values of the app's data, except in an error itself,
/// unless `DataStoreOptions.logsValues` is set.
public struct DataStoreDiagnostic: Sendable {
    /// The name of the store, or its place if it has none.
    public let store: String
    /// The engine: `"SQLite"`, `"LMDB"`, `"PostgreSQL"`, `"Memory"`, `"Routed"`, or `"Overlay"` for a child store;
    /// for another adapter, the name of its type or of its key-value engine, without `Adapter` or `Engine` at the end.
    public let engine: String
    /// The kind of the block in which it happened; nil outside of blocks.
    public let block: Block?
    public let event: Event

    package init(store: String, engine: String, block: Block?, event: Event) {
        self.store = store
        self.engine = engine
        self.block = block
        self.event = event
    }

    /// The kinds of blocks.
    public enum Block: String, Sendable, Hashable {
        case read, write
    }

    /// The kinds of changes of rows.
    public enum Change: String, Sendable, Hashable {
        case insert, update, delete
    }

    /// The kinds of events.
    ///
    /// Later versions may add some, so a `switch` over them needs a `default`.
    public enum Event: Sendable {
        /// The store was opened, which took a time.
        case opened(Duration)
        /// The store was closed.
        case closed
        /// A step from one version of the app's types to the next has run, over a number of old rows.
        case upgradeStep(String, rows: Int, Duration)
        /// `setup()` has changed the stored schema, by these steps; none for small changes.
        ///
        /// The time is from the beginning of the opening until the changes were stored.
        case upgraded(steps: [String], Duration)
        /// Items were looked up by their identifiers.
        ///
        /// The identifier is nil unless a single one was looked up and values are asked for.
        case lookUp(itemType: String, identifier: String?, asked: Int, found: Int, Duration)
        /// A request has ended: its plan, the rows that were read, and the time from its start to its last row.
        ///
        /// The time of a walk includes the app's own work for each item.
        case request(plan: String, rows: Int, Duration)
        /// A request took longer than `DataStoreOptions.slowRequestWarning`.
        case slowRequest(plan: String, rows: Int, Duration)
        /// Rows of a type were written in the transaction, and are stored with its commit unless they are undone before.
        ///
        /// A relationship of many to many has rows of its own. A savepoint is undone without an event, and so is an attempt
        /// of a merge before the last one. The engine writes rows of several types and kinds at once: each of their events
        /// has the time of all of them.
        case wrote(Change, itemType: String, rows: Int, Duration)
        /// A transaction was committed. The rows include rows that a savepoint has undone.
        case committed(rows: Int, Duration)
        /// The changes of a write block were undone, because of an error or as a merge was only previewed.
        ///
        /// If a commit fails that several blocks share, there is one for each of them. The time is from the beginning of the
        /// transaction, which blocks may share.
        case rolledBack(any Error, Duration)
        /// A child was merged into the store.
        case merged(inserted: Int, updated: Int, deleted: Int, Duration)
        /// A block has been open for longer than `DataStoreOptions.slowBlockWarning`, and still is.
        case longBlock(Duration)
        /// A block was open for longer than `DataStoreOptions.slowBlockWarning`, and has ended.
        case slowBlock(Duration)
        /// A call has thrown an error, or an error had no caller.
        case failed(Failure)
        /// A difficulty that the store has dealt with.
        case difficulty(String)
    }

    /// An error of a call.
    public struct Failure: Sendable {
        /// The error itself, which may name values.
        public let error: any Error
        /// The call, such as `"writeSync()"`; for an error without a caller, its source.
        public let call: String
        /// True if the call has thrown the error; false if no caller could get it.
        public let hasCaller: Bool
        /// The error as logs show it.
        package let text: String

        package init(_ error: any Error, of call: String, hasCaller: Bool, text: String) {
            self.error = error
            self.call = call
            self.hasCaller = hasCaller
            self.text = text
        }
    }
}
