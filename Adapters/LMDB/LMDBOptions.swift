// The module of the options and the tools of the store.
@_exported public import LarderFiles
public import struct Foundation.URL

/// The options of an LMDB store; the defaults suit an app.
///
///     LMDBDataStore(at: url, storing: [Recipe.self], options: LMDBOptions(durability: .normal))
///
/// LMDB has no checksums and trusts what it reads: a damaged file may end the process. For files that come from
/// elsewhere, choose `verification: .structure`.
///
/// With a `sizeLimit`, deleting takes some pages too, for a while: a store that one block has filled to the last page
/// needs a larger limit.
@dynamicMemberLookup
public struct LMDBOptions: Sendable {
    /// The options that stores in files have in common.
    public var file: FileStoreOptions
    /// The address space for the file; for tests.
    package var mapPolicy = MapPolicy()
    /// The number of places for readers of all processes in a new lock file; for tests.
    package var readerPlaces: Int?
    /// Called when the head of the file is about to be read; for tests.
    package var headProbe: (@Sendable () -> Void)?
    /// Called when LMDB is about to open the files, after the wait for other processes; for tests.
    package var openingProbe: (@Sendable () -> Void)?

    public init(_ file: FileStoreOptions) {
        self.file = file
    }

    /// Options by the names of ``FileStoreOptions``, which explains them.
    public init(
        durability: FileStoreOptions.Durability = .full, sizeLimit: Int? = nil,
        busyTimeout: Duration = .seconds(5), isReadOnly: Bool = false, assumesNoWriter: Bool = false,
        maximumReaders: Int? = nil, verification: FileStoreOptions.Verification = .quick,
        createsStore: Bool = true,
        prepopulatedFrom: URL? = nil
    ) {
        self.init(
            FileStoreOptions(
                durability: durability, sizeLimit: sizeLimit, busyTimeout: busyTimeout,
                isReadOnly: isReadOnly,
                assumesNoWriter: assumesNoWriter, maximumReaders: maximumReaders, verification: verification,
                createsStore: createsStore, prepopulatedFrom: prepopulatedFrom))
    }

    /// An option of ``FileStoreOptions``.
    public subscript<Value>(dynamicMember option: WritableKeyPath<FileStoreOptions, Value>) -> Value {
        get { file[keyPath: option] }
        set { file[keyPath: option] = newValue }
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
