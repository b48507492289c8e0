public import LarderKernel
import LarderFiles
import LarderKeyValue
public import struct Foundation.URL

extension StoreAddress {
    /// The number of tables for a store whose item types are not known when its file is opened.
    private static let newTables = 512

    /// The store in an LMDB file.
    ///
    ///     let store = try UntypedStore(reading: .lmdb(at: url))
    ///
    /// - Parameter options: For what is written. In any case, reading opens the file read-only, and
    ///   `.reading` checks the structure of every page first.
    public static func lmdb(at url: URL, options: LMDBOptions = LMDBOptions()) -> StoreAddress {
        FileEngine.lmdb.address(at: url) { place, access in
            var options = options
            options.file.adapt(to: access)
            let newTables = options.isReadOnly ? 0 : newTables
            return KeyValueAdapter(LMDBEngine(at: place, newTables: newTables, options: options))
        }
    }
}

extension LMDBDataStore {
    /// True if a file is a Larder store of LMDB, even of a newer version.
    ///
    ///     if try LMDBDataStore.isStore(at: url) { … }
    ///
    /// A few pages are read and nothing else; no engine opens the file. False if there is no file, and for
    /// the note that ``StoreCutOver/finalize()`` leaves under the old name of a store that was moved. An LMDB
    /// file that is too damaged to determine its origin throws `.damaged`.
    ///
    /// - Throws: `.cannotOpen` or `.permissionDenied` when the file cannot be read, `.alreadyOpen` when this
    ///   process has it open, `.damaged`.
    public static func isStore(at url: URL) throws(DataStoreError) -> Bool {
        try FileEngine.lmdb.isStore(at: url)
    }
}
