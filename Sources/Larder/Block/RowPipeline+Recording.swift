extension RowPipeline {
    /// The changes for the store's listeners; nil where there are none.
    var changeSet: ChangeSet? {
        changeLog.isRecording ? changeLog.changeSet(of: resources.schema) : nil
    }

    /// Records the mutations that have touched a row.
    ///
    /// - Parameter deleted: The identifiers of the rows that a `deleteAll` has deleted, by its position.
    // By position, as a copy of a mutation would retain its columns.
    func record(
        _ mutations: UnsafeBufferPointer<RowMutation>, _ touched: TouchedRows, _ deleted: [Int: [AnyItemID]]
    ) {
        if isShared { writtenBytes += bytes(of: mutations, touched) }
        if touched.count > 0 { changeLog.noteWrite() }
        guard changeLog.isRecording else { return }
        for position in mutations.indices where touched[position] > 0 {
            let entity = mutations[position].entity
            if mutations[position].kind == .deleteAll {
                for identifier in deleted[position] ?? [] {
                    changeLog.record(.delete, entity: entity, identifier: identifier)
                }
            } else if let key = key(of: mutations[position]) {
                changeLog.record(
                    mutations[position].kind, entity: entity, identifier: key.identifier,
                    columns: mutations[position].columns)
            }
        }
    }

    /// The row of a mutation; nil for `deleteAll`.
    func key(of mutation: RowMutation) -> ItemKey? {
        mutation.key(in: resources)
    }

    /// The identifiers of the rows that `deleteAll` mutations are about to delete, by the positions of these.
    func identifiers(
        deletedBy mutations: UnsafeBufferPointer<RowMutation>
    ) throws(DataStoreError) -> [Int: [AnyItemID]] {
        var identifiers: [Int: [AnyItemID]] = [:]
        for position in mutations.indices where mutations[position].kind == .deleteAll {
            identifiers[position] = try self.identifiers(ofAll: mutations[position].entity)
        }
        return identifiers
    }

    private func identifiers(ofAll entity: Int) throws(DataStoreError) -> [AnyItemID] {
        let plan = RequestPlan(entity: entity, schema: resources.schema.entities[entity], columns: .some([0]))
        var identifiers: [AnyItemID] = []
        let scan = try context.scan(plan)
        defer { scan.close() }
        while try scan.next() {
            if let identifier = AnyItemID(scan.cells[0], type: plan.schema.attributes[0].type) {
                identifiers.append(identifier)
            }
        }
        return identifiers
    }

    private func bytes(of mutations: UnsafeBufferPointer<RowMutation>, _ touched: TouchedRows) -> Int {
        var bytes = 0
        for position in mutations.indices where touched[position] > 0 {
            let kind = mutations[position].kind
            guard kind == .insert || kind == .update else { continue }
            let columns = resources.schema.entities[mutations[position].entity].attributes.count
            bytes += columns * MemoryLayout<Cell>.size
            for column in 0..<columns { bytes += Int(mutations[position].cells[column].length) }
        }
        return bytes
    }
}
