public import LarderKernel

// MARK: Importing more than fits into one transaction

extension DataStore {
    /// Imports sources in write blocks of their own, each of which commits some thousand sources.
    ///
    ///     try store.importItems(from: lines, using: recipes, committingEvery: 10_000) { print($0) }
    ///
    /// *Rule:* for millions of sources, which one transaction of an engine would keep in memory or in a log.
    /// Blocks of others run in between. When it throws, the sources of the blocks before stay imported, and
    /// `progress` was called with their number; importing all of them again by the same key finds these unchanged. Unique
    /// values and references are judged after each block, and `.replaceDeleting` deletes what is left over then.
    /// *Cost:* memory for the sources of one block.
    ///
    /// - Parameters:
    ///   - sources: Read once, by the calling thread.
    ///   - size: The number of sources of a block; at least 1.
    ///   - origin: The origin of each block, for observers.
    ///   - progress: Called after each commit; a throw ends the import.
    /// - Throws: As `importItems` of an accessor; a position counts from the first of all sources, and the advice says
    ///   how many of them are imported.
    @available(*, noasync, message: "Use await importItems, which does not block the thread.")
    @discardableResult
    public func importItems<Item: DataStoreItem, Source>(
        from sources: some Sequence<Source>, using map: ImportMap<Item, Source>,
        committingEvery size: Int, origin: WriteOrigin? = nil,
        progress: ((DataStoreProgress) throws -> Void)? = nil
    ) throws -> ImportCounts {
        try importItems(
            from: sources, by: map.core, committingEvery: size, origin: origin, progress: progress)
    }

    /// Imports sources in write blocks of their own, each of which commits some thousand sources, off the calling
    /// thread.
    ///
    /// *Rule:* as the synchronous form. When the task is cancelled, a block that has begun runs to its end, and no further
    /// one begins.
    ///
    /// - Parameters:
    ///   - sources: Read once, in the calling task and not on an actor.
    ///   - size: The number of sources of a block; at least 1.
    ///   - origin: The origin of each block, for observers.
    ///   - progress: Called in the same way, after each commit; a throw ends the import.
    /// - Throws: As the synchronous form; `CancellationError`.
    @discardableResult
    public func importItems<Item: DataStoreItem, Source: Sendable>(
        from sources: some Sequence<Source>, using map: ImportMap<Item, Source>,
        committingEvery size: Int, origin: WriteOrigin? = nil,
        progress: ((DataStoreProgress) throws -> Void)? = nil
    ) async throws -> ImportCounts {
        var counts = ImportCounts()
        let total = ImportCounts.total(of: sources)
        for part in SourceParts(sources, size: size) {
            try Task.checkCancellation()
            let position = counts.total
            do {
                counts += try await writeAsync(origin: origin) {
                    try $0.importItems(from: part, by: map.core, after: position)
                }
            } catch let error as DataStoreError {
                throw error.after(importing: position)
            }
            try progress?(counts.progress(of: total))
        }
        return counts
    }
}

extension DataStore {
    /// Imports sources by a map without an item type, in write blocks of their own.
    @available(*, noasync)
    package func importItems<Source>(
        from sources: some Sequence<Source>, by core: ImportCore<Source>, committingEvery size: Int,
        origin: WriteOrigin? = nil, progress: ((DataStoreProgress) throws -> Void)?
    ) throws -> ImportCounts {
        var counts = ImportCounts()
        let total = ImportCounts.total(of: sources)
        for part in SourceParts(sources, size: size) {
            do {
                try Cancellation.check("The import")
                counts += try writeSync(origin: origin) {
                    try $0.importItems(from: part, by: core, after: counts.total)
                }
            } catch let error as DataStoreError {
                throw error.after(importing: counts.total)
            }
            try progress?(counts.progress(of: total))
        }
        return counts
    }
}

extension DataStoreError {
    /// The error with an advice that says how many sources the blocks before it have imported.
    fileprivate func after(importing count: Int) -> DataStoreError {
        if count == 0 { return self }
        // To repeat all of it is right only by a key: without one, each source inserts an item.
        let done = count == 1 ? "source is" : "\(count) sources are"
        let words = "The first \(done) imported: repeat it by a key, or with the others alone."
        return advising(code == .cancelled ? words : "\(advice) \(words)")
    }
}
