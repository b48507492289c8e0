package import LarderKernel
public import struct Foundation.URL

/// The options that stores in files have in common; each engine's own options contain them.
///
///     var options = SQLiteOptions(durability: .normal)
///     options.isReadOnly = true                          // an option of `FileStoreOptions`
///     let other = LMDBOptions(options.file)              // the same options for another engine
public struct FileStoreOptions: Sendable {
    /// The durability of a commit.
    public enum Durability: Sendable, Hashable {
        /// Survives a power failure. Each commit waits for the disk.
        case full
        /// Survives an app crash. A power failure may lose the latest commits but never damages the file.
        case normal
        /// Survives an app crash. A power failure may damage the file.
        case none
    }

    /// The check of a file before a store is used.
    public enum Verification: Sendable, Hashable {
        /// The pages that say what the file is, and its length.
        case quick
        /// The structure of every page. *Cost:* reads the whole file.
        case structure
    }

    /// The durability of a commit.
    public var durability: Durability
    /// The maximum size of the store's file in bytes, or nil for no limit except the disk.
    ///
    /// A file that is larger already is opened, and grows no further.
    public var sizeLimit: Int?
    /// The time to wait for another process before throwing `.busy`.
    public var busyTimeout: Duration
    /// True if the store is read-only, and neither created nor destroyed.
    ///
    /// File and folder are not changed. If no file can be made beside the store, its file alone is read,
    /// provided that no process can write to it: on a read-only disk, or if the mode of the folder, or of a
    /// SQLite file, lets no user write. A process that may not write to a SQLite file makes none beside it.
    public var isReadOnly: Bool
    /// A promise by the app that no process, this one included, writes to the file while it is open
    /// read-only.
    ///
    /// With it, a store can be read without the files beside it in a folder to which others may write and this
    /// process may not. *Rule:* if a process breaks the promise, answers are wrong, or the process crashes.
    public var assumesNoWriter: Bool
    /// The maximum number of concurrent reads in this process; further reads wait.
    ///
    /// nil for the engine's own number: 8 in SQLite, 126 in LMDB.
    public var maximumReaders: Int?
    /// The check of the file before the store is used.
    public var verification: Verification
    /// True if `setup()` creates a new store if none exists.
    ///
    /// If false, a missing store is `.cannotOpen`, and neither a file nor a folder is made: for an app that
    /// knows it has a store, and must not start with an empty one.
    public var createsStore: Bool
    /// The file of a store that a new one is copied from, such as one in the app's bundle; nil for an empty new store.
    ///
    ///     let shipped = folder.appendingPathComponent("recipes.larder")
    ///     let options = SQLiteOptions(prepopulatedFrom: shipped)
    ///
    /// If `setup()` finds no store in its place, it copies this one, with an identity of its own, and then opens and
    /// upgrades the copy as any other. A store that is there is left alone. The source is a store of the same engine, which
    /// no process has open; it is only read, and nothing is made beside it. A kill leaves no half store. *Cost:* reads
    /// and checks the whole source, once. `setup()` throws `.cannotOpen` with the path of the source if it is missing,
    /// damaged, no store, or has no way to the app's types; then no store is made.
    public var prepopulatedFrom: URL?

    public init(
        durability: Durability = .full, sizeLimit: Int? = nil, busyTimeout: Duration = .seconds(5),
        isReadOnly: Bool = false, assumesNoWriter: Bool = false, maximumReaders: Int? = nil,
        verification: Verification = .quick, createsStore: Bool = true, prepopulatedFrom: URL? = nil
    ) {
        self.durability = durability
        self.sizeLimit = sizeLimit
        self.busyTimeout = busyTimeout
        self.isReadOnly = isReadOnly
        self.assumesNoWriter = assumesNoWriter
        self.maximumReaders = maximumReaders
        self.verification = verification
        self.createsStore = createsStore
        self.prepopulatedFrom = prepopulatedFrom
    }
}

extension FileStoreOptions {
    /// Changes the options for a way to open the store; see ``StoreAddress``.
    ///
    /// Tools make empty stores only.
    package mutating func adapt(to access: StoreAddress.Access) {
        prepopulatedFrom = nil
        switch access {
        case .reading: (isReadOnly, verification) = (true, .structure)
        case .readingQuickly: (isReadOnly, verification) = (true, .quick)
        case .writing: break
        case .updating: createsStore = false
        }
    }

    /// Changes the options for the steps of an upgrade: one that was taken must survive what a later one does not.
    package mutating func adaptToUpgrade() {
        durability = .full
        verification = .quick
    }

    /// - Throws: `.unsupported` for options that exclude each other.
    package func requireConsistent(path: String) throws(DataStoreError) {
        guard isReadOnly || !assumesNoWriter else {
            throw DataStoreError(
                .unsupported, "assumesNoWriter is for stores that are only read.",
                advice: "Set isReadOnly too.", path: path)
        }
    }
}
