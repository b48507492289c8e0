import Larder

/// A write transaction whose work is spoiled.
final class FaultyWriting: FaultyReading, WritingDecorator {
    let wrappedWriting: any StorageWriting
    private let schema: StoreSchema
    private let arena = RowArena()

    init(_ writing: any StorageWriting, _ fault: Fault, _ newest: NewestRows, _ schema: StoreSchema) {
        wrappedWriting = writing
        self.schema = schema
        super.init(writing, fault, newest)
    }

    override func end() {
        if fault == .rollbackKeepsChanges {
            try? wrappedWriting.commit()
        } else {
            super.end()
        }
    }

    func releaseSavepoint() throws(DataStoreError) {
        if fault == .savepointReleaseUndoesChanges {
            try wrappedWriting.rollBackToSavepoint()
        } else {
            try wrappedWriting.releaseSavepoint()
        }
    }

    func rollBackToSavepoint() throws(DataStoreError) {
        if fault == .savepointRollbackKeepsChanges {
            try wrappedWriting.releaseSavepoint()
        } else {
            try wrappedWriting.rollBackToSavepoint()
        }
    }

    func commit() throws(DataStoreError) {
        if fault == .commitLosesTheLastRow {
            for entity in schema.entities.indices {
                if let identifier = newest[entity] { _ = try delete(identifier, of: entity) }
            }
        }
        if fault == .commitLosesEverything {
            super.end()
        } else {
            try wrappedWriting.commit()
        }
    }
}

// MARK: Conditions

extension FaultyWriting: ConditionalInserting {
    var conditionalInserting: (any ConditionalInserting)? {
        [.conditionsIgnoreSharedValues, .conditionsIgnoreReferences].contains(fault) ? self : nil
    }

    /// Passes over the half of the condition that the fault ignores, and leaves rows with the other half to the core.
    func insert(_ row: RowMutation, if condition: InsertCondition) throws(DataStoreError) -> Bool {
        let hasOtherHalf =
            fault == .conditionsIgnoreReferences ? !condition.unshared.isEmpty : !condition.references.isEmpty
        return hasOtherHalf ? false : try apply(row).count == 1
    }
}

// MARK: Mutations

extension FaultyWriting {
    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        if fault == .lastMutationOfABatchIsLost, mutations.count > 1 {
            var touched = try wrappedWriting.apply(UnsafeBufferPointer(rebasing: mutations.dropLast()))
            touched.add(1)
            return touched
        }
        var touched = TouchedRows()
        for mutation in mutations {
            touched.add(try apply(mutation, spoiledBy: fault))
            if mutation.kind == .insert {
                newest[mutation.entity] = Constant(
                    mutation.cells[0], storage: schema.entities[mutation.entity].storage(ofColumn: 0))
            }
        }
        guard fault == .touchedRowsAreReportedBackwards else { return touched }
        return mutations.indices.reversed().reduce(into: TouchedRows()) { $0.add(touched[$1]) }
    }

    private func apply(_ mutation: RowMutation, spoiledBy fault: Fault) throws(DataStoreError) -> Int {
        switch (fault, mutation.kind) {
        case (.updatesWriteNothing, .update): return 1
        case (.updatesWriteOneColumn, .update):
            let columns = ColumnSet(mutation.columns.prefix(1))
            return try applyAlone(
                RowMutation(.update, entity: mutation.entity, cells: mutation.cells, columns: columns))
        case (.duplicatesOverwriteSilently, .insert):
            _ = try applyAlone(RowMutation(.delete, entity: mutation.entity, cells: mutation.cells))
            return try applyAlone(mutation)
        case (.duplicatesAreIgnoredSilently, .insert):
            do {
                return try applyAlone(mutation)
            } catch  where error.code == .duplicateIdentifier {
                return 1
            }
        case (.deletionsDoNothing, .delete): return 1
        case (.deletingAllLeavesOneRow, .deleteAll): return try deleteAllButOne(mutation.entity)
        case (.deletingAllCountsNothing, .deleteAll):
            _ = try applyAlone(mutation)
            return 0
        case (.missingRowsAreCountedAsDeleted, .delete): return max(1, try applyAlone(mutation))
        case (_, .insert), (_, .update): return try applyWithSpoiledValues(mutation, fault)
        default: return try applyAlone(mutation)
        }
    }

    private func applyAlone(_ mutation: RowMutation) throws(DataStoreError) -> Int {
        try withUnsafePointer(to: mutation) { pointer throws(DataStoreError) in
            try wrappedWriting.apply(UnsafeBufferPointer(start: pointer, count: 1)).count
        }
    }

    private func applyWithSpoiledValues(
        _ mutation: RowMutation, _ fault: Fault
    ) throws(DataStoreError) -> Int {
        arena.reset()
        let attributes = schema.entities[mutation.entity].attributes
        var cells: [Cell] = []
        for (column, attribute) in attributes.enumerated() {
            let isWritten = mutation.kind == .insert || column == 0 || mutation.columns.contains(column)
            let cell = isWritten ? mutation.cells[column] : .null
            cells.append(try fault.spoiled(cell, isOptional: attribute.isOptional, in: arena))
        }
        return try cells.withUnsafeBufferPointer { cells throws(DataStoreError) in
            guard let start = cells.baseAddress else { return 0 }
            return try applyAlone(
                RowMutation(mutation.kind, entity: mutation.entity, cells: start, columns: mutation.columns))
        }
    }

    private func deleteAllButOne(_ entity: Int) throws(DataStoreError) -> Int {
        let schema = schema.entities[entity]
        let plan = RequestPlan(entity: entity, schema: schema, columns: .some([0]))
        let cells = UnsafeMutablePointer<Cell>.allocate(capacity: 1)
        defer { cells.deallocate() }
        var identifiers: [Constant] = []
        let rows = try wrappedWriting.rows(for: plan)
        while try rows.next(into: cells) {
            identifiers.append(Constant(cells[0], storage: schema.storage(ofColumn: 0)))
        }
        rows.close()
        for identifier in identifiers.dropLast() { _ = try delete(identifier, of: entity) }
        return identifiers.count
    }

    private func delete(_ identifier: Constant, of entity: Int) throws(DataStoreError) -> Int {
        try identifier.withCell { cell throws(DataStoreError) in
            try withUnsafePointer(to: cell) { cells throws(DataStoreError) in
                try applyAlone(RowMutation(.delete, entity: entity, cells: cells))
            }
        }
    }
}
