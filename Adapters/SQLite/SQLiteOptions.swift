// The module of the options and the tools of the store.
@_exported public import LarderFiles
public import struct Foundation.URL
// The module of reading and changing by SQL.
@_exported public import LarderSQL

/// The options of a SQLite store; the defaults suit an app.
///
///     SQLiteDataStore(at: url, storing: [Recipe.self], options: SQLiteOptions(durability: .normal))
@dynamicMemberLookup
public struct SQLiteOptions: Sendable {
    /// The options that stores in files have in common.
    public var file: FileStoreOptions
    /// The part of the file that each connection keeps in memory.
    ///
    /// There is one connection that writes, and one for each reader at a time. Pages that idle readers keep
    /// are freed when a write begins, and the pages of a write of many rows at the next read.
    public var cacheBytes: Int
    /// The size of the pages of a new store: a power of two from 512 to 65536.
    public var pageBytes: Int
    /// Settings of SQLite's connections that have no option here, by the names of its pragmas.
    ///
    ///     var options = SQLiteOptions()
    ///     options.pragmas = ["mmap_size": 256 << 20, "temp_store": 2]
    ///
    /// `analysis_limit`, `automatic_index`, `cache_spill`, `mmap_size`, `reverse_unordered_selects`, `temp_store` and
    /// `threads` may be set; all others are the store's own, and `setup()` then throws `.cannotOpen`. To read a setting, ask
    /// its table by SQL: `SELECT page_count FROM pragma_page_count`.
    ///
    /// *Rule:* set for each connection when it is opened. With `mmap_size`, a disk that fails while a page is read ends
    /// the process.
    public var pragmas: [String: Int] = [:]
    /// The limits at which the log is copied into the file; for tests.
    package var checkpointPolicy = CheckpointPolicy()
    /// False if statements do without functions of the core's inside SQLite, as on an engine that has none; for tests.
    package var callsFunctions = true
    /// Called before a file is opened, between the readings of its header and its length; for tests.
    package var openingProbe: (@Sendable () -> Void)?

    public init(
        _ file: FileStoreOptions, cacheBytes: Int = 16 << 20, pageBytes: Int = 8 << 10
    ) {
        self.file = file
        self.cacheBytes = cacheBytes
        self.pageBytes = pageBytes
    }

    /// Options by the names of ``FileStoreOptions``, which explains them.
    public init(
        durability: FileStoreOptions.Durability = .full, cacheBytes: Int = 16 << 20,
        pageBytes: Int = 8 << 10, sizeLimit: Int? = nil, busyTimeout: Duration = .seconds(5),
        isReadOnly: Bool = false, assumesNoWriter: Bool = false, maximumReaders: Int? = nil,
        verification: FileStoreOptions.Verification = .quick, createsStore: Bool = true,
        prepopulatedFrom: URL? = nil
    ) {
        self.init(
            FileStoreOptions(
                durability: durability, sizeLimit: sizeLimit, busyTimeout: busyTimeout,
                isReadOnly: isReadOnly,
                assumesNoWriter: assumesNoWriter, maximumReaders: maximumReaders, verification: verification,
                createsStore: createsStore, prepopulatedFrom: prepopulatedFrom),
            cacheBytes: cacheBytes, pageBytes: pageBytes)
    }

    /// An option of ``FileStoreOptions``.
    public subscript<Value>(dynamicMember option: WritableKeyPath<FileStoreOptions, Value>) -> Value {
        get { file[keyPath: option] }
        set { file[keyPath: option] = newValue }
    }
}

/// The limits at which the write-ahead log is copied into the file, in bytes of log.
package struct CheckpointPolicy: Sendable {
    /// From here on commits copy what no reader needs any more; readers are not disturbed.
    package var start = 8 << 20
    /// From here on new readers wait until the ones that run have ended, so that the log can be emptied.
    package var gap = 32 << 20
    /// The time for which a gap may hold back new readers.
    package var gapLimit = Duration.milliseconds(250)

    package init() {}
}
