import LarderKernel
import LarderFiles

/// One run of a ``StoreTransfer``, from the check of both places to the last commit.
final class TransferRun {
    private let transfer: StoreTransfer
    private let options: StoreTransferOptions
    private let tracker: TransferProgressTracker
    private let undecodable: UndecodableRows
    private var copiedItems = 0

    init(_ transfer: StoreTransfer) {
        self.transfer = transfer
        options = transfer.options
        tracker = TransferProgressTracker(options)
        undecodable = UndecodableRows(options.undecodableRows)
    }

    func run() throws(DataStoreError) -> StoreTransferReport {
        let source = try UntypedStore(reading: transfer.source)
        defer { try? source.close() }
        let snapshot = UntypedReader(try source.adapter.beginReading(), of: source.schema)
        defer { snapshot.end() }
        let destination = TransferDestination(
            address: transfer.destination, schema: source.schema,
            source: StoreReference(transfer.source, identity: source.storedSchema.identity))
        let isBegun = try destination.isBegun()
        if options.checksFreeSpace { try requireSpace() }
        let digests: [EntityDigest]
        do {
            digests = try copy(snapshot, to: destination, isBegun: isBegun)
            try TransferVerification(address: transfer.destination, tracker: tracker).run(
                digests, source: snapshot, checksUniqueness: false)
            try destination.complete(with: digests)
        } catch {
            // Other damage is of no row of the source, or of more than a row.
            if undecodable.hasEndedWork {
                throw error.advising("Run the transfer again so that it skips such rows.")
            }
            throw error.resumable
        }
        return StoreTransferReport(
            digests: digests, of: source.schema, isResumed: isBegun, copiedItems: copiedItems, undecodable,
            duration: tracker.duration)
    }

    /// Checks the free space if both stores are in files, as far as it can be known in advance.
    ///
    /// - Throws: `.storeFull` when less is free than the source takes beyond what was copied before.
    private func requireSpace() throws(DataStoreError) {
        let (source, destination) = (transfer.source, transfer.destination)
        guard !source.fileSuffixes.isEmpty, !destination.fileSuffixes.isEmpty else { return }
        let needed = try source.fileBytes() - destination.fileBytes()
        try FreeSpace.require(
            needed, for: "The copy", beside: destination.location,
            advice: "turn checksFreeSpace off if the source is mostly empty pages.")
    }

    private func copy(
        _ source: UntypedReader, to destination: TransferDestination, isBegun: Bool
    ) throws(DataStoreError) -> [EntityDigest] {
        let adapter = try destination.open()
        let digests: [EntityDigest]
        do {
            digests = try copy(source, to: adapter, isBegun: isBegun)
        } catch {
            // The first error is the one that matters.
            try? adapter.close()
            throw error
        }
        try adapter.close()
        return digests
    }

    private func copy(
        _ source: UntypedReader, to adapter: any StorageAdapter, isBegun: Bool
    ) throws(DataStoreError) -> [EntityDigest] {
        if options.undecodableRows == .skip {
            undecodable.skippedItems = try SkippedItems(in: source, passItem: tracker.requireNotCancelled)
        }
        tracker.begin(.copying, total: try source.countAll())
        var digests: [EntityDigest] = []
        for number in source.entities.indices {
            let rows = try source.rows(ofEntity: number, undecodable)
            defer { rows.close() }
            var copy = EntityCopy(
                of: rows, number: number, to: adapter, batchLimit: options.itemsPerBatch, tracker: tracker)
            try copy.run(isBegun: isBegun)
            // The digest of ordered links depends on their order, and they are copied in another one.
            let isOrdered = source.entities[number].isOrderedLink
            let skipping = UndecodableRows(.skip, skipping: undecodable.skippedItems)
            digests.append(isOrdered ? try source.digest(ofEntity: number, skipping) : copy.digest)
            if !source.entities[number].isLink { copiedItems += copy.copiedItems }
        }
        return digests
    }
}

extension DataStoreError {
    /// The same error, with the advice that a transfer can be continued.
    fileprivate var resumable: DataStoreError {
        switch code {
        case .storeFull:
            advising("Free some space and run the transfer again; it continues where it stopped.")
        case .cancelled: advising("Run the transfer again; it continues where it stopped.")
        default: self
        }
    }
}
