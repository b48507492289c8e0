import LarderFiles

/// The options of a SQLite store; the defaults suit an app.
///
///     SQLiteDataStore(at: url, storing: [Recipe.self], options: SQLiteOptions(durability: .normal))
public struct SQLiteOptions: Sendable {
    /// The durability of a commit.
    public enum Durability: Sendable, Hashable {
        /// A power cut: each commit waits for the disk.
        case full
        /// A crash of the app at once; a power cut takes the last commits, but never damages the file.
        case normal
        /// A crash of the app at once; a power cut may damage the file.
        case none
    }

    /// The check of a file before a store is used.
    public enum Verification: Sendable, Hashable {
        /// The file's header and its length.
        case quick
        /// The structure of every page. *Cost:* reads the whole file.
        case structure
    }

    /// The durability of a commit.
    public var durability: Durability
    /// The part of the file that each connection keeps in memory.
    ///
    /// There is one connection that writes, and one for each reader at a time. What idle readers keep is
    /// freed when a write begins, and the pages of a write of many rows at the next read.
    public var cacheBytes: Int
    /// The size of the pages of a new store: a power of two from 512 to 65536.
    public var pageBytes: Int
    /// The maximum size of the store's file, or nil for no limit except the disk.
    public var sizeLimit: Int?
    /// The time to wait for another process before throwing `.busy`.
    public var busyTimeout: Duration
    /// True if the store is read-only, and neither created nor destroyed.
    ///
    /// File and folder are left as they were. Where nothing can be made beside the file, it is read alone if
    /// no process can write to it: on a read-only disk, or in a folder whose mode lets no user write.
    public var isReadOnly: Bool
    /// A promise by the app that no process, this one included, writes to the file while it is open
    /// read-only.
    ///
    /// With it, a store can be read without its log and index in a folder to which others may write and this
    /// process may not. *Rule:* if a process breaks the promise, answers are wrong.
    public var assumesNoWriter: Bool
    /// The maximum number of concurrent reads; further reads wait.
    public var maximumReaders: Int
    /// The check of the file before the store is used.
    public var verification: Verification
    /// True if `setup()` creates a new store where none exists.
    ///
    /// If false, a missing store is `.cannotOpen`, and neither a file nor a folder is made: for an app that
    /// knows it has a store, and must not start with an empty one.
    public var createsStore: Bool
    /// The limits at which the log is copied into the file; for tests.
    package var checkpointPolicy = CheckpointPolicy()
    /// Called before a file is opened, between the readings of its header and its length; for tests.
    package var openingProbe: (@Sendable () -> Void)?

    public init(
        durability: Durability = .full, cacheBytes: Int = 16 << 20, pageBytes: Int = 8 << 10,
        sizeLimit: Int? = nil, busyTimeout: Duration = .seconds(5), isReadOnly: Bool = false,
        assumesNoWriter: Bool = false, maximumReaders: Int = 8, verification: Verification = .quick,
        createsStore: Bool = true
    ) {
        self.durability = durability
        self.cacheBytes = cacheBytes
        self.pageBytes = pageBytes
        self.sizeLimit = sizeLimit
        self.busyTimeout = busyTimeout
        self.isReadOnly = isReadOnly
        self.assumesNoWriter = assumesNoWriter
        self.maximumReaders = maximumReaders
        self.verification = verification
        self.createsStore = createsStore
    }
}

extension SQLiteOptions: FileStoreOptions {
    package var verifiesStructure: Bool {
        get { verification == .structure }
        set { verification = newValue ? .structure : .quick }
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
