public import LarderKernel

extension DataStoreError {
    /// All conflicts that keep a child store from being merged, for `.mergeConflict`; else empty.
    public var conflicts: [MergeConflict] { list as? [MergeConflict] ?? [] }

    /// The error for a child store that its parent cannot take.
    static func mergeConflict(_ conflicts: [MergeConflict]) -> DataStoreError {
        let shown = conflicts.prefix(3).map(\.description).joined(separator: "; ")
        let more = conflicts.count > 3 ? "; and \(conflicts.count - 3) more" : ""
        return DataStoreError(
            .mergeConflict, "The child store and its parent have changed the same: \(shown)\(more).",
            itemType: conflicts.first?.itemType, identifier: conflicts.first?.identifier
        ).listing(conflicts)
    }
}
