/// Deletes a store that is not open: its file and the ones beside it.
package struct StoreRemoval {
    private let place: StorePlace
    private let isReadOnly: Bool
    private let suffixes: [String]

    /// - Parameters:
    ///   - isReadOnly: Whether the store was given to be read only; it is not deleted then.
    ///   - suffixes: What the names of the files end with that lie beside the store's own, in the order in
    ///     which they go. The store's file goes last, so that none of them is taken for that of a new store.
    package init(of place: StorePlace, isReadOnly: Bool, companionSuffixes suffixes: [String]) {
        self.place = place
        self.isReadOnly = isReadOnly
        self.suffixes = suffixes
    }

    /// - Throws: `.readOnly`.
    package func requireAllowed() throws(DataStoreError) {
        if isReadOnly { throw DataStoreError.readOnly(destroying: place.path) }
    }

    /// - Parameter look: Looks at the file at a path; a damaged store, or one of a newer version, may be
    ///   deleted, a foreign file may not.
    package func run(look: (String) throws(DataStoreError) -> Void) throws(DataStoreError) {
        try requireAllowed()
        guard let status = try place.file() else { return }
        let path = try FileAccess.resolved(place.path)
        try OpenFileRegistry.shared.claim(status.identity, at: place.path)
        var failure: DataStoreError?
        OpenFileRegistry.shared.release([status.identity]) {
            do throws(DataStoreError) {
                try Self.requireOurs(path, look)
                for suffix in suffixes + [""] { try FileAccess.remove(path + suffix) }
                try FileAccess.synchronize(FileAccess.parts(of: path).folder)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure.about(path: place.path) }
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

extension DataStoreError {
    /// The refusal to delete a store that was given to be read only.
    static func readOnly(destroying location: String) -> DataStoreError {
        DataStoreError(
            .readOnly, "The store is only read, so it is not destroyed.",
            advice: "Destroy it by a store whose options let it write.", path: location)
    }
}
