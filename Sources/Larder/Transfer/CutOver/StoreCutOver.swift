/// The change from a store to its copy in another engine: tried first, then made, and taken back if need be.
///
///     let cutOver = StoreCutOver(from: .sqlite(at: old), to: .lmdb(at: new))
///     try cutOver.probe()
///     try cutOver.finalize()         // `old` is called `old.before-transfer` now
///     try cutOver.rollBack()         // and `old` again
///
/// Which store an app opens is written in the app; what happens here is that the source cannot be opened by
/// its old name any more, so that nobody goes on writing to it. Nothing is deleted. The names of the files
/// are the whole record, so every call may be repeated after a kill, and then goes on where it stopped.
///
/// *Rule:* nobody has the source open meanwhile, in no process. Both stores are in files.
public struct StoreCutOver: Sendable {
    public let source: StoreAddress
    public let destination: StoreAddress

    /// What the name of a source ends with that was set aside.
    public static let suffix = ".before-transfer"

    /// Where the two stores stand.
    public enum State: Sendable, Hashable {
        /// The source is in its place.
        case begun
        /// The source was set aside.
        case finalized
    }

    public init(from source: StoreAddress, to destination: StoreAddress) {
        self.source = source
        self.destination = destination
    }

    /// Where the two stores stand.
    ///
    /// - Throws: `.cannotOpen` when the source is neither in its place nor set aside.
    public func state() throws(DataStoreError) -> State {
        try requireFiles()
        return try files.isAside() ? .finalized : .begun
    }

    /// Sets the source aside: renames it and the files that belong to it.
    ///
    /// Does nothing when that was done before. *Cost:* reads the source once, and the destination's
    /// structure.
    ///
    /// - Throws: `.incompleteTransfer` when the destination is no complete copy; `.sourceChanged` when the
    ///   source was written to since; `.destinationExists` when another store was set aside under its name
    ///   before; `.cancelled`, with nothing moved, when the task is cancelled.
    public func finalize() throws(DataStoreError) {
        try requireFiles()
        let transfer = try completedTransfer()
        if try !files.isAside() {
            try probe()
            if try digests(of: source) != transfer.digests {
                throw DataStoreError(
                    .sourceChanged, "The source was written to after it had been copied.",
                    path: source.location)
            }
        }
        try files.setAside()
    }

    /// Gives the source its name back; the destination stays where it is.
    ///
    /// Does nothing when the source is in its place. *Cost:* reads the destination once.
    ///
    /// - Parameter discardingChanges: Whether what was written to the destination since the transfer may be
    ///   left behind there.
    /// - Throws: `.destinationChanged` when that is not so, and something was; `.cancelled`, with nothing moved,
    ///   when the task is cancelled.
    public func rollBack(discardingChanges: Bool = false) throws(DataStoreError) {
        try requireFiles()
        guard try files.isAside() else { return try files.takeBack() }
        if !discardingChanges, try digests(of: destination) != (try completedTransfer().digests) {
            throw DataStoreError(
                .destinationChanged, "The destination was written to after the transfer.",
                advice: "Keep using the destination, or roll back so that the changes are left behind in it.",
                path: destination.location)
        }
        try files.takeBack()
    }

    private var files: SourceFiles { SourceFiles(of: source, aside: Self.suffix) }

    func completedTransfer() throws(DataStoreError) -> StoredSchema.Transfer {
        guard let transfer = try destination.storedSchema()?.transfer else {
            throw DataStoreError(
                .incompleteTransfer, "\(destination) is not the copy of a store.",
                advice: "Transfer the source to it first.", path: destination.location)
        }
        guard transfer.isComplete else { throw transfer.incomplete().about(path: destination.location) }
        guard transfer.source == source.description else {
            throw DataStoreError(
                .incompleteTransfer, "The store is the copy of \(transfer.source), not of \(source).",
                advice: "Name the stores the transfer was made with.", path: destination.location)
        }
        return transfer
    }

    private func digests(of address: StoreAddress) throws(DataStoreError) -> [EntityDigest] {
        let store = try UntypedStore(reading: address)
        defer { try? store.close() }
        let reader = UntypedReader(try store.adapter.beginReading(), of: store.schema)
        defer { reader.end() }
        return try reader.digests()
    }

    private func requireFiles() throws(DataStoreError) {
        for address in [source, destination] where address.fileSuffixes.isEmpty {
            throw DataStoreError(
                .unsupported, "\(address) is in no file that could be renamed.",
                advice: "A cut-over is for stores in files.", path: address.location)
        }
    }
}
