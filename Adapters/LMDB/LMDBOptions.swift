import LarderFiles

/// The options of an LMDB store; the defaults suit an app.
///
///     LMDBDataStore(at: url, storing: [Recipe.self], options: LMDBOptions(durability: .normal))
public struct LMDBOptions: Sendable {
    /// The durability of a commit.
    public enum Durability: Sendable, Hashable {
        /// A power cut: each commit waits for the disk, twice.
        case full
        /// A crash of the app at once; a power cut takes at most the last commit, and never damages the file.
        case normal
        /// A crash of the app at once; a power cut may damage the file.
        case none
    }

    /// The check of a file before a store is used.
    public enum Verification: Sendable, Hashable {
        /// The pages that say what the file is, and its length.
        case quick
        /// The structure of every page. *Cost:* reads the whole file.
        ///
        /// LMDB has no checksums and trusts what it reads: a damaged file may end the process. Use this for
        /// files that come from elsewhere.
        case structure
    }

    /// The durability of a commit.
    public var durability: Durability
    /// The maximum size of the store's file, or nil for no limit except the disk.
    ///
    /// A file that is larger already is opened, and grows no further. Deleting takes some pages too, for a
    /// while: a store that one block has filled to the last page needs a larger limit.
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
    /// With it, a store can be read without its lock file in a folder to which others may write and this
    /// process may not. *Rule:* if a process breaks the promise, answers are wrong, or the process crashes.
    public var assumesNoWriter: Bool
    /// The maximum number of concurrent reads in this process; further reads wait.
    public var maximumReaders: Int
    /// The check of the file before the store is used.
    public var verification: Verification
    /// True if `setup()` creates a new store where none exists.
    ///
    /// If false, a missing store is `.cannotOpen`, and neither a file nor a folder is made: for an app that
    /// knows it has a store, and must not start with an empty one.
    public var createsStore: Bool
    /// The address space for the file; for tests.
    package var mapPolicy = MapPolicy()
    /// The number of places for readers of all processes in a new lock file; for tests.
    package var readerPlaces: Int?
    /// Called when the head of the file is about to be read; for tests.
    package var headProbe: (@Sendable () -> Void)?

    public init(
        durability: Durability = .full, sizeLimit: Int? = nil, busyTimeout: Duration = .seconds(5),
        isReadOnly: Bool = false, assumesNoWriter: Bool = false, maximumReaders: Int = 126,
        verification: Verification = .quick,
        createsStore: Bool = true
    ) {
        self.durability = durability
        self.sizeLimit = sizeLimit
        self.busyTimeout = busyTimeout
        self.isReadOnly = isReadOnly
        self.assumesNoWriter = assumesNoWriter
        self.maximumReaders = maximumReaders
        self.verification = verification
        self.createsStore = createsStore
    }
}

extension LMDBOptions: FileStoreOptions {
    package var verifiesStructure: Bool {
        get { verification == .structure }
        set { verification = newValue ? .structure : .quick }
    }
}

/// The address space for a file, in bytes.
package struct MapPolicy: Sendable {
    /// More than any store needs; it costs no memory and no disk.
    package static let plenty = Int(clamping: Int64(1) << 40)

    /// The size to request when the store is opened.
    ///
    /// If it is not available, half of it is tried, and so on.
    package var first = MapPolicy.plenty
    /// If the map is limited, it grows before a write that finds less than this free.
    package var room = 64 << 20
    /// The time for which growing in advance may hold back new readers.
    package var gapLimit = Duration.milliseconds(250)

    package init() {}
}
