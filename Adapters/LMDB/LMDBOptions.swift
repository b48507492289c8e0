import LarderFiles

/// How an LMDB store behaves; the defaults suit an app.
///
///     LMDBDataStore(at: url, storing: [Recipe.self], options: LMDBOptions(durability: .normal))
public struct LMDBOptions: Sendable {
    /// What a commit survives.
    public enum Durability: Sendable, Hashable {
        /// A power cut: each commit waits for the disk, twice.
        case full
        /// A crash of the app at once; a power cut takes at most the last commit, and never damages the file.
        case normal
        /// A crash of the app at once; a power cut may damage the file.
        case none
    }

    /// What is looked at before a store is used.
    public enum Verification: Sendable, Hashable {
        /// The pages that say what the file is, and its length.
        case quick
        /// The structure of every page. *Cost:* reads the whole file.
        ///
        /// LMDB has no checksums and trusts what it reads: a damaged file may end the process. Use this for
        /// files that come from elsewhere.
        case structure
    }

    /// What a commit survives.
    public var durability: Durability
    /// How large the store's file may grow; nil for as large as the disk allows.
    ///
    /// A file that is larger already is opened, and grows no further. Deleting takes some pages too, for a
    /// while: a store that one block has filled to the last page needs a larger limit.
    public var sizeLimit: Int?
    /// How long to wait for another process before `.busy`.
    public var busyTimeout: Duration
    /// Whether the store is only read, and neither made nor destroyed.
    ///
    /// File and folder are left as they were. Where nothing can be made beside the file, it is read alone if
    /// no process can write to it: on a read-only disk, or in a folder whose mode lets no user write.
    public var isReadOnly: Bool
    /// The app's word that nobody, in no process, writes to the file while it is open read-only.
    ///
    /// With it, a store can be read without its lock file in a folder to which others may write and this process
    /// may not. *Rule:* if somebody writes all the same, answers are wrong, or the process ends.
    public var assumesNoWriter: Bool
    /// How many reads may run at the same time in this process; further ones wait.
    public var maximumReaders: Int
    /// What is looked at before the store is used.
    public var verification: Verification
    /// Whether `setup()` makes a new store where none exists.
    ///
    /// If false, a missing store is `.cannotOpen`, and neither a file nor a folder is made: for an app that
    /// knows it has a store, and must not start with an empty one.
    public var createsStore: Bool
    /// How much address space the file is given; for tests.
    package var mapPolicy = MapPolicy()
    /// How many readings of all processes the lock file has places for, where it is new; for tests.
    package var readerPlaces: Int?

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

/// How much address space a file is given, in bytes.
package struct MapPolicy: Sendable {
    /// More than any store needs; it costs no memory and no disk.
    package static let plenty = Int(clamping: Int64(1) << 40)

    /// What is asked for when the store is opened.
    ///
    /// Where it is not to be had, half of it is tried, and so on.
    package var first = MapPolicy.plenty
    /// Where there is no plenty, the map grows before a write that finds less than this free.
    package var room = 64 << 20
    /// How long growing ahead of need may keep new readers waiting.
    package var gapLimit = Duration.milliseconds(250)

    package init() {}
}
