public import LarderKernel
import LarderFiles
public import struct Foundation.URL

extension StoreAddress {
    /// The store in a SQLite file.
    ///
    ///     let store = try UntypedStore(reading: .sqlite(at: url))
    ///
    /// - Parameter options: For what is written. In any case, reading opens the file read-only, and
    ///   `.reading` checks the structure of every page first.
    public static func sqlite(at url: URL, options: SQLiteOptions = SQLiteOptions()) -> StoreAddress {
        FileEngine.sqlite.address(at: url) { place, access in
            var options = options
            options.file.adapt(to: access)
            return SQLiteAdapter(in: place, options: options)
        }
    }
}

extension SQLiteDataStore {
    /// True if a file is a Larder store of SQLite, even a damaged one or one of a newer version.
    ///
    ///     if try SQLiteDataStore.isStore(at: url) { … }
    ///
    /// The first bytes are read and nothing else; no engine opens the file. False if there is no file, and
    /// for the note that ``StoreCutOver/finalize()`` leaves under the old name of a store that was moved.
    ///
    /// - Throws: `.cannotOpen` or `.permissionDenied` when the file cannot be read, `.alreadyOpen` when this
    ///   process has it open.
    public static func isStore(at url: URL) throws(DataStoreError) -> Bool {
        try FileEngine.sqlite.isStore(at: url)
    }
}
