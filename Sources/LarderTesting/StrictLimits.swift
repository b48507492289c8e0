/// The limits in which an engine differs from memory; all other limits are the same on every engine.
///
///     static let limited = TestEngine.memory(strictLimits: .sqlite)
///
/// Identifiers, values, names and the number of attributes have the same limits everywhere, and memory
/// checks them without this. *Rule:* a value; change what the app's own options change. *Cost:* a look-up for
/// each row that is updated or deleted, and a scan of the store when it is opened.
public struct StrictLimits: Sendable, Hashable {
    /// The name of the engine.
    public let name: String
    /// The number of blocks that may read at once, or nil for no limit; further ones wait.
    public var maximumReaders: Int?
    /// The bytes of text and data in one item, or nil for the limit of memory, 2 GiB.
    ///
    /// An item with more is refused with `.valueTooLarge`.
    public var itemBytes: Int?
    /// The bytes of all values, or nil for no limit.
    ///
    /// A write that would exceed them is refused with `.storeFull`; deleting makes room. Text and data count
    /// with their length, other values with 8 bytes each, nil with none. The file of an engine also contains
    /// indexes and free pages, so a `sizeLimit` of an engine is reached earlier.
    public var storeBytes: Int?

    /// Limits of an engine with a name; none unless they are given.
    public init(
        _ name: String, maximumReaders: Int? = nil, itemBytes: Int? = nil, storeBytes: Int? = nil
    ) {
        self.name = name
        self.maximumReaders = maximumReaders
        self.itemBytes = itemBytes
        self.storeBytes = storeBytes
    }

    /// The limits of SQLite with default options: 8 readers, a billion bytes for an item.
    public static let sqlite = StrictLimits("SQLite", maximumReaders: 8, itemBytes: 1_000_000_000)

    /// The limit of LMDB with default options: 126 readers.
    public static let lmdb = StrictLimits("LMDB", maximumReaders: 126)
}
