import LarderKernel

/// One import of sources, with the nested objects in them, batch by batch.
///
/// *Rule:* the caller calls ``finish()`` after the last batch.
package final class ImportRun {
    let call: KeyedCall
    private let accessor: DataStoreReadWriteAccessor
    // reason for unchecked, here and below: used by one call, on the thread of its block.
    /// One for each level of nesting.
    @exclusivity(unchecked) private var arenas: [RowArena] = []
    @exclusivity(unchecked) private var depth = 0
    /// The closures of the app for the items, in the order of the sources, for the end.
    @exclusivity(unchecked) private var hooks: [() throws -> Void] = []

    init(_ accessor: DataStoreReadWriteAccessor, of call: UndoneCall) {
        self.accessor = accessor
        self.call = KeyedCall(in: accessor.writeBlock, of: call)
    }

    /// The items that imported ones belong to: a column that refers to them, and one for each source.
    struct Owners {
        let column: Int
        let identifiers: [AnyItemID]
    }

    /// The result of a batch.
    struct Taken {
        var counts = ImportCounts()
        /// One for each source.
        var items: [Item] = []
    }

    /// The item of a source.
    struct Item {
        /// Nil for a skipped source, unless `shouldUpdate` leaves its item unchanged: owners refer to that too.
        let identifier: AnyItemID?
        let isSkipped: Bool
    }

    /// Stores what was kept back, and lets the app do what it does with the items.
    func finish() throws {
        try call.finish()
        try call.block.pipeline.showChanges()
        for hook in hooks { try hook() }
    }

    /// The identifiers of the items with some values of a column, those that wait before those that are stored.
    func identifiers(
        of keys: [Constant], in column: Int, of entity: Int
    ) throws(DataStoreError) -> [Constant: AnyItemID] {
        let schema = call.context.resources.schema.entities[entity]
        let storage = schema.storage(ofColumn: column)
        let type = schema.attributes[0].type
        var found: [Constant: AnyItemID] = [:]
        var wanted: [UniqueKey] = []
        for key in keys where !key.isNull {
            if let position = call.heldPosition(of: UniqueKey(key), in: [column], of: entity) {
                found[key] = AnyItemID(call.held[position].cells[0], type: type)
            } else {
                wanted.append(UniqueKey(key))
            }
        }
        try call.forEachStored(wanted, in: [column], of: entity, reading: .some([0, column])) { row in
            found[Constant(row[1], storage: storage)] = AnyItemID(row[0], type: type)
        }
        return found
    }

    /// Takes sources by a map that reads them by their numbers, up to a thousand at a time.
    ///
    /// - Parameter positions: Their positions in the import, for errors.
    func take(by core: ImportCore<Int>, at positions: [Int], owners: Owners? = nil) throws -> Taken {
        var taken = Taken()
        if arenas.count == depth { arenas.append(RowArena()) }
        let arena = arenas[depth]
        depth += 1
        defer { depth -= 1 }
        var start = 0
        while start < positions.count {
            arena.reset()
            let entity = try core.entity(call.context)
            var batch = ImportBatch(self, core, entity: entity, arena: arena, owners: owners)
            let end = min(start + (core.takesOneByOne ? 1 : WriteBlock.batchSize), positions.count)
            try batch.take(start..<end, at: positions)
            try batch.write()
            let items = batch.items
            taken.counts += batch.counts
            taken.items += items
            noteHooks(of: items, from: start, at: positions, core)
            start += items.count
        }
        return taken
    }

    /// Runs code of the app that may read items, but not change them, as some rows may wait.
    func asking<Value>(_ body: () throws -> Value) throws -> Value {
        let pipeline = call.block.pipeline
        let wereKept = pipeline.iterations.areAllKept
        pipeline.iterations.areAllKept = true
        defer { pipeline.iterations.areAllKept = wereKept }
        let value = try body()
        // Values that were set on handles are refused with the rest.
        try call.block.prepareForRequest()
        return value
    }

    private func noteHooks(
        of items: [Item], from start: Int, at positions: [Int], _ core: ImportCore<Int>
    ) {
        guard let didImport = core.didImport else { return }
        for (source, item) in zip(start..., items) where !item.isSkipped {
            guard let identifier = item.identifier else { continue }
            let (body, position) = (didImport(source), positions[source])
            hooks.append { [call, accessor] in
                do {
                    try body(identifier, accessor)
                    // Values that were set on handles are refused here, and not in the name of another source.
                    try call.block.prepareForRequest()
                } catch let error as DataStoreError {
                    // In place of a source of an import by the closure.
                    throw error.replacing(importPlace: ImportPlace(position: position))
                }
            }
        }
    }
}
