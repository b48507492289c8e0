@_exported public import LarderDiagnostics
public import Logging

/// The options of a store on any engine.
///
///     var options = DataStoreOptions()
///     options.slowBlockWarning = .seconds(1)
public struct DataStoreOptions: Sendable {
    /// The name of the store in its description, in errors and in logs; nil for none.
    ///
    /// *Rule:* for people, and part of the URL of each `ItemLink`: keep it once links were given out. It is not stored,
    /// and children of the store do not have it.
    public var name: String?

    /// The logger of the store: look-ups and requests at trace level, writes, commits and thrown errors at debug level,
    /// what takes long as warnings, and errors that no caller gets as errors.
    ///
    /// *Rule:* its level counts when the store is made.
    public var logger = Logger(label: "larder")

    /// Handlers that get each look-up, request, write, commit and error of the store and its children.
    ///
    ///     var options = DataStoreOptions()
    ///     options.diagnostics.append { diagnostic in print(diagnostic.store, diagnostic) }
    ///
    /// *Rule:* called on the thread on which it happens, inside blocks too, so they return soon and do not call the
    /// store. *Cost:* none without handlers and without a logger at debug level.
    public var diagnostics: [@Sendable (DataStoreDiagnostic) -> Void] = []

    /// True if diagnostics and logged requests, look-ups and errors show values of the app's data.
    public var logsValues = false

    /// The time that a block may take: a longer one is a warning while it is open, and again when it ends.
    ///
    /// *Cost:* a thread of the process that checks the open blocks four times a second, and ends if
    /// there are none. nil for no warning, no clock and no thread.
    public var slowBlockWarning: Duration? = .seconds(5)

    /// The time that a request may take: a longer one is a warning with its plan.
    ///
    /// nil for no warning and no clock.
    ///
    /// *Rule:* the time of a walk includes the app's own work for each item.
    public var slowRequestWarning: Duration?

    /// True if using a handle after its block stops a debug build, besides being reported.
    public var assertsOnMisuse = true

    /// The maximum number of queued blocks of `writeAsync`; when that many are queued, a call that
    /// is not awaited blocks until one finishes.
    ///
    /// An awaited `writeAsync` waits anyway, and a call inside a block never does.
    public var maximumPendingWrites = 10_000

    /// The action that `setup()` takes if the store cannot be used; by default it throws.
    public var recovery = StoreRecovery.refuse

    /// Called periodically while `setup()` brings a store of an earlier version to the current one, on the
    /// thread that called it; on a thread of the pool with `setupAsync()`.
    ///
    /// *Rule:* only if the store is made with a ``SchemaHistory``, and its steps go through rows.
    public var schemaProgress: (@Sendable (DataStoreProgress) -> Void)?

    /// The place where the steps of a ``SchemaHistory`` run.
    public var schemaUpgrade = SchemaUpgradeMode.automatic

    /// The changes of the stored schema that `setup()` may make; with others it throws `.migrationRefused`.
    public var allowedMigration = AllowedMigration.all

    /// The versions of the app's schema; nil if only the current types are known.
    package var versions: (any StoreVersions)?
    /// The steps that bring a store of an earlier version to the app's types, if there are no versions.
    package var migration: MigrationPlan?
    /// Called between the parts of an upgrade in a copy; for tests.
    package var upgradeProbe: (@Sendable (String) -> Void)?
    /// The maximum number of blocks in a commit; for tests.
    package var batchLimits = WriteBatchLimits()
    /// The rules that are asked before uniqueness.
    package var rules: [any RowRule] = []
    /// Makes what follows each write block; nil if no item type has hooks.
    package var watch: (@Sendable (RowPipeline) -> any BlockWatch)?
    /// Gets the number of identifiers that a deletion holds in memory, wave by wave; for tests.
    package var deletionProbe: (@Sendable (Int) -> Void)?
    /// The number of blocks that may read at once, for tests; nil for as many as the adapter says.
    package var maximumReaders: Int?

    /// The nanoseconds that a block may take.
    var blockLimit: UInt64? { slowBlockWarning.map(CoarseClock.nanoseconds) }

    public init() {}
}
