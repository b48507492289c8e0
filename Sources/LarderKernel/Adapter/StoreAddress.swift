/// The place and the engine of a store, which tools, transfers and the cut-over open by themselves.
///
///     let old = StoreAddress.sqlite(at: url)             // LarderSQLite adds it
///     let transfer = StoreTransfer(from: old, to: .lmdb(at: other))
///
/// Each engine has a static function that makes one. *Rule:* a value; no file is read, opened or created
/// before it is used.
public struct StoreAddress: Sendable {
    /// The name of the engine: `"SQLite"`.
    public let engine: String
    /// The path of the store's file, or what the engine calls its place otherwise.
    public let location: String
    /// The suffixes appended to ``location`` to form the store's file names, main file first; empty for a
    /// store that is not in files.
    public let fileSuffixes: [String]
    private let makeAdapter: @Sendable (_ location: String, Access) -> any StorageAdapter

    /// The mode of opening a store.
    public enum Access: Sendable, Hashable {
        /// Read-only, with a check of its structure before anything in it is trusted.
        case reading
        /// Read-only, with a check of only the pages that identify the file.
        ///
        /// *Rule:* for files that are known to be sound: an engine may end the process for a damaged one.
        case readingQuickly
        /// It is written to, and made if there is none.
        case writing
        /// It is written to, and never made: opening it throws `.cannotOpen` if the store's file is missing.
        case updating
    }

    /// The address of a store in an engine.
    ///
    /// - Parameter makeAdapter: Makes an adapter for the store at a location, which is another than this one
    ///   when the store was set aside; not yet open. For `.reading`, one that creates and changes nothing,
    ///   and that has checked the structure of every page once it is open; for `.readingQuickly`, one that
    ///   creates and changes nothing; for `.updating`, one that creates no file.
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

    /// The stored schema, or nil if no store exists.
    ///
    /// *Cost:* checks the structure of every page.
    ///
    /// - Throws: Errors that prevent reading the store.
    public func storedSchema() throws(DataStoreError) -> StoredSchema? {
        try adapter(for: .reading).storedSchema()
    }
}

extension StoreAddress: CustomStringConvertible {
    public var description: String { "\(engine) at \(location)" }
}
