/// Where a store is and in which engine: what tools, transfers and the cut-over open by themselves.
///
///     let old = StoreAddress.sqlite(at: url)             // LarderSQLite adds it
///     let transfer = StoreTransfer(from: old, to: .lmdb(at: other))
///
/// An engine offers one by a static function of its own. *Rule:* a value; nothing is looked at, opened or
/// made before somebody uses it.
public struct StoreAddress: Sendable {
    /// What the engine is called: `"SQLite"`.
    public let engine: String
    /// The path of the store's file, or what the engine calls its place otherwise.
    public let location: String
    /// What the names of the store's files end with behind ``location``, that of the main file first; empty
    /// for a store that is not in files.
    public let fileSuffixes: [String]
    private let makeAdapter: @Sendable (_ location: String, Access) -> any StorageAdapter

    /// How a store is to be opened.
    public enum Access: Sendable, Hashable {
        /// It is only read, and its structure is looked at before anything in it is trusted.
        case reading
        /// It is only read, and only the pages that say what the file is are looked at first.
        ///
        /// *Rule:* for files that are known to be sound: an engine may end the process for a damaged one.
        case readingQuickly
        /// It is written to, and made where there is none.
        case writing
    }

    /// The address of a store in an engine.
    ///
    /// - Parameter makeAdapter: Makes an adapter for the store at a location, which is another than this one
    ///   when the store was set aside; not yet open. For `.reading`, one that creates and changes nothing, and
    ///   that has looked at the structure of every page once it is open; for `.readingQuickly`, one that creates
    ///   and changes nothing.
    public init(
        engine: String, location: String, fileSuffixes: [String] = [],
        makeAdapter: @escaping @Sendable (_ location: String, Access) -> any StorageAdapter
    ) {
        self.engine = engine
        self.location = location
        self.fileSuffixes = fileSuffixes
        self.makeAdapter = makeAdapter
    }

    /// An adapter for the store, not yet open.
    public func adapter(for access: Access) -> any StorageAdapter {
        makeAdapter(location, access)
    }

    /// The same store under another name.
    package func renamed(to location: String) -> StoreAddress {
        StoreAddress(
            engine: engine, location: location, fileSuffixes: fileSuffixes, makeAdapter: makeAdapter)
    }

    /// What the store says of itself; nil where there is none.
    ///
    /// *Cost:* looks at the structure of every page.
    ///
    /// - Throws: What keeps the store from being read.
    public func storedSchema() throws(DataStoreError) -> StoredSchema? {
        try adapter(for: .reading).storedSchema()
    }
}

extension StoreAddress: CustomStringConvertible {
    public var description: String { "\(engine) at \(location)" }
}
