package import Larder

/// Deletes a store that is not open: its file and the ones beside it.
package struct StoreRemoval {
    private let place: StorePlace
    private let isReadOnly: Bool
    private let suffixes: [String]

    /// - Parameters:
    ///   - options: Those of the store; one that is only read is not deleted.
    ///   - suffixes: The suffixes of the files beside the store's own, in the order in which they go. The
    ///     store's file goes last, so that none of them is taken for that of a new store.
    package init(of place: StorePlace, _ options: some FileStoreOptions, companionSuffixes suffixes: [String])
    {
        self.place = place
        isReadOnly = options.isReadOnly
        self.suffixes = suffixes
    }

    /// - Throws: `.readOnly`.
    package func requireAllowed() throws(DataStoreError) {
        if isReadOnly { throw DataStoreError.readOnly(destroying: place.path) }
    }

    /// - Parameter look: Checks the file at a path; a damaged store, or one of a newer version, may be
    ///   deleted, a foreign file may not.
    package func run(look: (String) throws(DataStoreError) -> Void) throws(DataStoreError) {
        try requireAllowed()
        guard let status = try place.file() else { return }
        let path = try FileAccess.resolved(place.path)
        do throws(DataStoreError) {
            try OpenFileRegistry.shared.whileNotOpen(status.identity, at: place.path) {
                () throws(DataStoreError) in
                try Self.requireOurs(path, look)
                for suffix in suffixes + [""] { try FileAccess.remove(path + suffix) }
                try FileAccess.synchronize(FileAccess.parts(of: path).folder)
            }
        } catch {
            throw error.about(path: place.path)
        }
    }

    private static func requireOurs(
        _ path: String, _ look: (String) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        try StoreTombstone.requireNone(at: path)
        do throws(DataStoreError) {
            try look(path)
        } catch {
            if error.code != .damaged && error.code != .newerFormat { throw error }
        }
    }
}
