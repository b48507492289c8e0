public import LarderKernel

// MARK: Importing

extension DataStoreReadWriteAccessor {
    /// Finds or inserts the items of sources, and changes the attributes that a map names: for all sources, or
    /// when it throws for none.
    ///
    ///     let counts = try accessor.importItems(from: response.recipes, using: recipes)
    ///     print(counts)                   // 3 inserted, 1 updated, 0 unchanged, 0 skipped
    ///
    /// *Rule:* as importing one source after the other: the last source of a key wins, in the item that the
    /// first has found or inserted. Items that the block has inserted before are found too. Unique values and
    /// references are judged after the call. The task that runs it may be cancelled. *Cost:* one look-up plan
    /// for up to a thousand sources, for a map and for each nested map; memory for these. Sources are looked up one by
    /// one if their nested objects may be of the type of the map or of another field's nested objects, or refer to such
    /// items by a key.
    ///
    /// - Parameters:
    ///   - sources: Made first if they are made while they are read, so that they may use the block. Only
    ///     records (`CSVRecords`, `JSONRecords`) are read up to a thousand, or 4 MB, at a time.
    ///     ``DataStore/importItems(from:using:committingEvery:origin:progress:)`` reads all kinds a block at a time.
    ///   - progress: Called after each batch of up to a thousand sources, once they are made. A throw ends the import.
    /// - Throws: Errors of the map's closures. `.wrongType`, `.invalidValue` and others with
    ///   ``DataStoreError/importPlace``; `.uniqueViolation`, `.targetNotFound`; `.deletionDenied` for an
    ///   item that is left over; `.invalidRequest` when the key is not unique; `.changedDuringIteration` if a closure of
    ///   the map, but `didImport`, or a report of progress changes items; `.cancelled`.
    @discardableResult
    public func importItems<Item: DataStoreItem, Source>(
        from sources: some Sequence<Source>, using map: ImportMap<Item, Source>,
        progress: ((DataStoreProgress) throws -> Void)? = nil
    ) throws -> ImportCounts {
        try importItems(from: sources, by: map.core, progress: progress)
    }

    /// Imports sources by a map without an item type.
    ///
    /// - Parameter position: The number of sources that blocks before have imported, for errors.
    @discardableResult
    package func importItems<Source>(
        from sources: some Sequence<Source>, by core: ImportCore<Source>, after position: Int = 0,
        progress: ((DataStoreProgress) throws -> Void)? = nil
    ) throws -> ImportCounts {
        let total = progress == nil ? nil : ImportCounts.total(of: sources)
        var counts = ImportCounts()
        return try run(sources, after: position, by: core, isSeen: progress != nil) { run, taken in
            counts += taken.counts
            if let progress { try run.asking { try progress(counts.progress(of: total)) } }
        } result: {
            counts
        }
    }

    /// Imports sources as ``importItems(from:using:progress:)`` does, and returns the handles of the items.
    ///
    /// *Cost:* a look-up and a handle, which is kept until the block ends, for each item.
    ///
    /// - Returns: The handle of each item once, in the order in which the sources first name them, without
    ///   the items of skipped sources.
    /// - Throws: As ``importItems(from:using:progress:)``.
    public func importMutableItems<Item: DataStoreItem, Source>(
        from sources: some Sequence<Source>, using map: ImportMap<Item, Source>
    ) throws -> [Mutable<Item>] {
        var seen: Set<AnyItemID> = []
        var identifiers: [AnyItemID] = []
        return try run(sources, by: map.core) { _, taken in
            for item in taken.items where !item.isSkipped {
                guard let identifier = item.identifier, seen.insert(identifier).inserted else { continue }
                identifiers.append(identifier)
            }
        } result: {
            try mutableItems(ids: identifiers.compactMap { Item.ID($0) }, of: Item.self).compactMap { $0 }
        }
    }

    /// Finds or inserts the item of one source, and changes the attributes that a map names.
    ///
    /// - Returns: The item's handle; nil if the source was skipped.
    /// - Throws: As ``importItems(from:using:progress:)``; nothing has changed then.
    @discardableResult
    public func importItem<Item: DataStoreItem, Source>(
        from source: Source, using map: ImportMap<Item, Source>
    ) throws -> Mutable<Item>? {
        try importMutableItems(from: CollectionOfOne(source), using: map).first
    }

    /// - Parameters:
    ///   - body: Gets the result of one batch of sources after the other.
    ///   - result: Runs after the last of them, in the call: if it throws, nothing has changed.
    private func run<Source, Result>(
        _ sources: some Sequence<Source>, after position: Int = 0, by core: ImportCore<Source>,
        isSeen: Bool = false, _ body: (ImportRun, ImportRun.Taken) throws -> Void,
        result: () throws -> Result
    ) throws -> Result {
        // Before the call, as code of the app may use the block while it makes them.
        let isStreamed = sources is any StreamedSources
        guard isStreamed || sources is [Source] else {
            var made: [Source] = []
            for part in SourceParts(sources, size: WriteBlock.batchSize) {
                try Cancellation.check("The import")
                made += part
            }
            return try run(made, after: position, by: core, isSeen: isSeen, body, result: result)
        }
        try core.requireUniqueKey()
        return try writeBlock.savepoint(isSeen: isSeen || isStreamed || core.showsRows) { call in
            let run = ImportRun(self, of: call)
            try run.take(sources, after: position, by: core) { taken in try body(run, taken) }
            try run.finish()
            return try result()
        }
    }
}

extension ImportRun {
    /// Takes sources up to a thousand at a time, and gives each batch to a closure.
    func take<Source>(
        _ sources: some Sequence<Source>, after position: Int = 0, by core: ImportCore<Source>,
        _ body: (Taken) throws -> Void
    ) throws {
        var start = position
        var parts = SourceParts(sources, size: WriteBlock.batchSize, bytes: 4 << 20)
        while let batch = try asking({ parts.next() }) {
            try Cancellation.check("The import")
            let end = start + batch.count
            try body(try take(by: core.reading(batch), at: Array(start..<end)))
            start = end
        }
    }
}
