import LarderKernel

/// The numbers of inserted, updated, unchanged and skipped sources.
public struct ImportCounts: Sendable, Hashable {
    /// Sources for which an item was inserted.
    public var inserted = 0
    /// Sources that have changed an item.
    public var updated = 0
    /// Sources whose item had all their values already.
    public var unchanged = 0
    /// Sources without a key, and those that a hook has refused.
    public var skipped = 0

    public init(inserted: Int = 0, updated: Int = 0, unchanged: Int = 0, skipped: Int = 0) {
        self.inserted = inserted
        self.updated = updated
        self.unchanged = unchanged
        self.skipped = skipped
    }

    /// The number of all sources so far.
    public var total: Int { inserted + updated + unchanged + skipped }

    public static func += (sum: inout ImportCounts, other: ImportCounts) {
        sum.inserted += other.inserted
        sum.updated += other.updated
        sum.unchanged += other.unchanged
        sum.skipped += other.skipped
    }
}

extension ImportCounts: CustomStringConvertible {
    /// The numbers in words: `3 inserted, 1 updated, 0 unchanged, 0 skipped`.
    public var description: String {
        "\(inserted) inserted, \(updated) updated, \(unchanged) unchanged, \(skipped) skipped"
    }
}

extension ImportCounts {
    /// The number of sources, if it is known without reading them.
    static func total(of sources: some Sequence) -> Int? { (sources as? any RandomAccessCollection)?.count }

    /// The progress of an import after the sources that were counted.
    func progress(of total: Int?) -> DataStoreProgress {
        DataStoreProgress("importing", done: self.total, total: total)
    }
}
