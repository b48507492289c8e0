package import LarderKernel
package import struct Foundation.URL

/// The differences between the files of engines: their names, and the marks of a store.
package struct FileEngine: Sendable {
    /// The name of the engine: `"SQLite"`.
    package let name: String
    /// The suffixes of the files that the engine may keep beside a store's own, in the order in which they are removed.
    ///
    /// The store's file goes last, so that none of them is taken for a new store's.
    package let companionSuffixes: [String]
    /// The suffixes of the files among them that may hold commits that are not in the store's own file yet.
    package let logSuffixes: [String]
    /// True if a file that the look finds to be damaged was recognized as the engine's before.
    private let recognizesDamaged: Bool
    /// Checks the beginning of the file at a path by plain reads.
    ///
    /// It throws `.notADatabase`, `.foreignStore`, `.newerFormat` or `.damaged` for a file that is not a store of ours.
    let look: @Sendable (_ path: String) throws(DataStoreError) -> Void

    package init(
        _ name: String, companionSuffixes: [String], logSuffixes: [String] = [], recognizesDamaged: Bool,
        look: @escaping @Sendable (_ path: String) throws(DataStoreError) -> Void
    ) {
        self.name = name
        self.companionSuffixes = companionSuffixes
        self.logSuffixes = logSuffixes
        self.recognizesDamaged = recognizesDamaged
        self.look = look
    }

    /// The suffixes of all files of a store, main file first.
    package var fileSuffixes: [String] { [""] + companionSuffixes }

    /// True if the file in a place is a store of this engine; false if there is no file.
    ///
    /// - Throws: `.alreadyOpen` when this process has the file open; errors that do not say whose file it is.
    package func isStore(at url: URL) throws(DataStoreError) -> Bool {
        do {
            return try StorePlace(url).whileNotOpen { (path) throws(DataStoreError) in
                try look(path)
                return true
            } ?? false
        } catch {
            switch error.code {
            case .foreignStore, .notADatabase, .storeMoved: return false
            case .newerFormat: return true
            case .damaged where recognizesDamaged: return true
            default: throw error
            }
        }
    }

    /// The address of a store in a file of this engine.
    ///
    /// - Parameter makeAdapter: Makes an adapter for the store in a place, not yet open.
    package func address(
        at url: URL,
        makeAdapter: @escaping @Sendable (StorePlace, StoreAddress.Access) -> any StorageAdapter
    ) -> StoreAddress {
        let place = StorePlace(url)
        return StoreAddress(engine: name, location: place.path, fileSuffixes: fileSuffixes) { path, access in
            makeAdapter(path == place.path ? place : StorePlace(path), access)
        }
    }
}
