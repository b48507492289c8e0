import LarderFiles

public import LarderKernel

/// The change from a store to its copy in another engine: tried first, then made, and taken back if need be.
///
///     let cutOver = StoreCutOver(from: .sqlite(at: old), to: .lmdb(at: new))
///     try cutOver.probe()
///     try cutOver.finalize()         // `old` is called `old.before-transfer` now
///     try cutOver.rollBack()         // and `old` again
///
/// The app's code decides which store it opens. The cut-over makes sure that no app continues with the
/// source: its files get another name, and a ``StoreTombstone`` takes the old one, which every engine refuses
/// with `.storeMoved`. Nothing is deleted. The names of the files are the whole record, so every call may be
/// repeated after a kill, and then continues where it stopped. Stores are compared by their identities, so
/// that folders may be renamed between two calls.
///
/// *Rule:* the source is not open meanwhile, in any process; ``finalize()`` refuses it. The source is in a file, and the copy in a
/// file or on a server.
public struct StoreCutOver: Sendable {
    public let source: StoreAddress
    public let destination: StoreAddress

    /// The suffix of the name of a source that was set aside.
    public static let suffix = ".before-transfer"

    /// The state of the two stores.
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

    /// The state of the two stores.
    ///
    /// - Throws: `.cannotOpen` when the source is neither in its place nor set aside; `.destinationExists` when another
    ///   store was set aside under its name before; `.unsupported` for a store without a file that could be renamed.
    public func state() throws(DataStoreError) -> State {
        try requireFiles()
        return switch try files().state() {
        case .inPlace: .begun
        case .aside, .deleted: .finalized
        }
    }

    /// Sets the source aside: renames it and the files that belong to it, and leaves a ``StoreTombstone``
    /// under its old name.
    ///
    /// Does nothing when that was done before. No other process can open or write the source while its files are
    /// renamed, so no commit is lost. *Cost:* reads the source once, and the destination's structure.
    ///
    /// - Throws: `.busy` when another process has the source open, and `.alreadyOpen` when this one has;
    ///   `.incompleteTransfer` when the destination is not a complete copy; `.sourceChanged` when the source was
    ///   written to since, and `.destinationChanged` when both stores were; `.destinationExists` when another
    ///   store was set aside under its name before; `.storeMoved` when the source was moved to another store
    ///   than this destination; `.cannotOpen` and `.unsupported` as ``state()``, `.cannotOpen` also when the name of the
    ///   source is too long to be extended; `.cancelled`, with nothing moved, when the task is cancelled.
    public func finalize() throws(DataStoreError) {
        try requireFiles()
        let files = try files()
        let (transfer, copy) = try completedCopy()
        let aside = StoreReference(
            engine: source.engine, identity: transfer.source.identity, location: files.asidePath)
        let tombstone = StoreTombstone(source: aside, destination: copy)
        let state = try files.state()
        switch state {
        case .inPlace:
            try probe()
            // A process that only opens and closes the source may change its files too, so they are compared again.
            for _ in 0..<Self.attempts {
                if try setAside(files, leaving: tombstone, unchangedSince: transfer) { return }
            }
            throw DataStoreError(
                .busy, "Another process uses the store that should be set aside.",
                advice: "Close it there, and repeat the call; nothing was moved.", path: source.location)
        case .aside(let found): try require(found, of: copy)
        case .deleted(let found): try require(found, of: copy)
        }
        try files.setAside(state, leaving: tombstone)
    }

    private static let attempts = 3

    /// Compares the source with the copied rows, and renames it while no process has it open.
    ///
    /// - Returns: False, and nothing done, when another process has it open, or has used it since the comparison.
    private func setAside(
        _ files: SourceFiles, leaving tombstone: StoreTombstone,
        unchangedSince transfer: StoredSchema.Transfer
    ) throws(DataStoreError) -> Bool {
        let store = source.adapter(for: .updating) as? any ClosableStore
        let content = try store?.contentState()
        if store != nil { FileAccess.waitForNextTick() }
        if try digests(of: source) != transfer.digests { throw try sourceChanged(since: transfer) }
        // An engine of another package may have no such lock; the rule of the cut-over is all there is then.
        guard let store else {
            try files.setAside(.inPlace, leaving: tombstone)
            return true
        }
        var isUnchanged = false
        let isDone = try store.whileClosed { () throws(DataStoreError) in
            isUnchanged = try store.contentState() == content
            if isUnchanged { try files.setAside(.inPlace, leaving: tombstone) }
        }
        return isDone && isUnchanged
    }

    /// Gives the source its name back; the destination stays where it is.
    ///
    /// Does nothing when the source is in its place. *Cost:* reads the destination once.
    ///
    /// - Parameter discardingChanges: True if changes made to the destination since the transfer may be
    ///   discarded. The destination need not exist then.
    /// - Throws: `.destinationChanged` when it is false and the destination was written to; `.cannotOpen`
    ///   when the store that was set aside does not exist any more; `.destinationExists` when another file
    ///   has its name; `.storeMoved` when the source was moved to another store than this destination;
    ///   `.incompleteTransfer` when the destination is not a complete copy; `.unsupported` as ``state()``; `.cancelled`,
    ///   with nothing moved, when the task is cancelled.
    public func rollBack(discardingChanges: Bool = false) throws(DataStoreError) {
        try requireFiles()
        let files = try files()
        switch try files.state() {
        case .inPlace: break
        case .aside(let tombstone):
            if !discardingChanges { try requireUnchanged(since: tombstone) }
        case .deleted: throw files.deleted
        }
        try files.takeBack()
    }

    private func files() throws(DataStoreError) -> SourceFiles {
        try SourceFiles(of: source, aside: Self.suffix)
    }

    func completedTransfer() throws(DataStoreError) -> StoredSchema.Transfer {
        try completedCopy().transfer
    }

    private func completedCopy() throws(DataStoreError) -> (
        transfer: StoredSchema.Transfer, copy: StoreReference
    ) {
        guard let stored = try destination.storedSchema() else {
            throw DataStoreError(
                .incompleteTransfer, "No copy exists at this path.", advice: "Run the transfer first.",
                path: destination.location)
        }
        guard let transfer = stored.transfer else {
            throw DataStoreError(
                .incompleteTransfer, "\(destination) is a store of its own, and not a copy.",
                advice: "Name the copy. A transfer makes one if no store exists yet.",
                path: destination.location)
        }
        guard transfer.isComplete else { throw transfer.incomplete().about(path: destination.location) }
        guard transfer.source.isSameStore(as: try sourceReference()) else {
            throw DataStoreError(
                .incompleteTransfer, "The store is a copy of \(transfer.source), not of \(source).",
                advice: "Name the store that was copied.", path: destination.location)
        }
        return (transfer, StoreReference(destination, identity: stored.identity))
    }

    /// The source, in its place or set aside.
    ///
    /// While some of its files are set aside and others are not, only the tombstone is read.
    private func sourceReference() throws(DataStoreError) -> StoreReference {
        let files = try files()
        switch try files.state() {
        case .inPlace: return StoreReference(source, identity: try source.storedSchema()?.identity)
        case .aside(let tombstone?), .deleted(let tombstone):
            return StoreReference(source, identity: tombstone.source.identity)
        case .aside(nil):
            let aside = source.renamed(to: files.asidePath)
            return StoreReference(source, identity: try aside.storedSchema()?.identity)
        }
    }

    /// - Throws: `.storeMoved` when the tombstone names another store than the copy.
    private func require(_ tombstone: StoreTombstone?, of copy: StoreReference) throws(DataStoreError) {
        guard let tombstone, tombstone.destination.identity != nil,
            !tombstone.destination.isSameStore(as: copy)
        else { return }
        throw DataStoreError(
            .storeMoved,
            "The store was moved to \(tombstone.destination), and \(destination) is another store.",
            advice: "Name the store that it was moved to.", path: source.location)
    }

    /// The error for a source that was written to after it had been copied.
    ///
    /// The usual advice is to delete the copy and begin again. It must not be given if the copy was written
    /// to as well.
    private func sourceChanged(
        since transfer: StoredSchema.Transfer
    ) throws(DataStoreError) -> DataStoreError {
        if try digests(of: destination) == transfer.digests {
            return DataStoreError(
                .sourceChanged, "The source was written to after it had been copied.", path: source.location)
        }
        return DataStoreError(
            .destinationChanged, "Both stores were written to after the transfer.",
            advice: "Compare them with StoreComparison or larder diff, and move one of them away.",
            path: destination.location)
    }

    private func requireUnchanged(since tombstone: StoreTombstone?) throws(DataStoreError) {
        guard let stored = try destination.storedSchema() else {
            throw DataStoreError(
                .cannotOpen, "The copy no longer exists.",
                advice:
                    "Put it back, or roll back and discard changes, which loses everything written to it.",
                path: destination.location)
        }
        try require(tombstone, of: StoreReference(destination, identity: stored.identity))
        if try digests(of: destination) != (try completedTransfer().digests) {
            throw DataStoreError(
                .destinationChanged, "The destination was written to after the transfer.",
                advice: "Keep using the destination, or roll back and leave its changes in it.",
                path: destination.location)
        }
    }

    private func digests(of address: StoreAddress) throws(DataStoreError) -> [EntityDigest] {
        let store = try UntypedStore(reading: address)
        defer { try? store.close() }
        let reader = UntypedReader(try store.adapter.beginReading(), of: store.schema)
        defer { reader.end() }
        return try reader.digestsOfCopy()
    }

    private func requireFiles() throws(DataStoreError) {
        let isOnServer = destination.location.contains("://")
        for address in isOnServer ? [source] : [source, destination] where address.fileSuffixes.isEmpty {
            throw DataStoreError(
                .unsupported, "\(address) is in no file that could be renamed.",
                advice: "A cut-over is from a store in a file to one in a file or on a server.",
                path: address.location)
        }
    }
}
