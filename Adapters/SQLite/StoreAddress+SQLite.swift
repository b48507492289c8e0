public import Larder
public import struct Foundation.URL

extension StoreAddress {
    /// The store in a SQLite file.
    ///
    ///     let store = try UntypedStore(reading: .sqlite(at: url))
    ///
    /// - Parameter options: For what is written. Whatever they say, reading opens the file read-only, and
    ///   `.reading` looks at the structure of every page first.
    public static func sqlite(at url: URL, options: SQLiteOptions = SQLiteOptions()) -> StoreAddress {
        let path = url.absoluteURL.path
        return StoreAddress(
            engine: "SQLite", location: path, fileSuffixes: [""] + StoreFile.companions(of: "")
        ) { access in
            var options = options
            switch access {
            case .reading: (options.isReadOnly, options.verification) = (true, .structure)
            case .readingQuickly: (options.isReadOnly, options.verification) = (true, .quick)
            case .writing: break
            }
            return SQLiteAdapter(at: url, options: options)
        }
    }
}

extension SQLiteDataStore {
    /// Whether a file is a SQLite store of Larder's, be it a damaged or a newer one.
    ///
    ///     if try SQLiteDataStore.isStore(at: url) { … }
    ///
    /// The first bytes are read and nothing else; no engine opens the file.
    ///
    /// - Throws: `.cannotOpen` or `.permissionDenied` when the file cannot be read.
    public static func isStore(at url: URL) throws(DataStoreError) -> Bool {
        try StoreLook(path: url.absoluteURL.path, options: SQLiteOptions()).isStore()
    }
}
