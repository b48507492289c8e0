extension RowPipeline {
    /// The changes for the store's listeners; nil if there are none.
    var changeSet: ChangeSet? {
        isHeard ? changeLog.changeSet(of: resources.schema, from: terms.origin) : nil
    }

    /// The changes that the block has not committed yet; nil unless its caller has asked for its changes.
    package var pendingChanges: ChangeSet? {
        terms.report == nil ? nil : changeLog.changeSet(of: resources.schema, from: terms.origin)
    }

    /// Hands the changes of the whole block to a caller that has asked for them.
    func report() {
        guard let report = terms.report else { return }
        var all = committedLog ?? changeLog
        if committedLog != nil { all.append(changeLog) }
        report.changes = all.changeSet(of: resources.schema, from: terms.origin)
    }

    /// Records the mutations that have touched a row.
    // By position, as a copy of a mutation would retain its columns.
    func record(
        _ mutations: UnsafeBufferPointer<RowMutation>, _ touched: TouchedRows, _ before: StateBefore
    ) {
        if isShared { writtenBytes += bytes(of: mutations, touched) }
        if touched.count > 0 { changeLog.isEmpty = false }
        if let followsRows = changeLog.touched?.followsRows {
            for position in mutations.indices where touched[position] > 0 {
                let identifier = followsRows ? key(of: mutations[position])?.identifier : nil
                changeLog.touched?.insert(mutations[position], identifier)
            }
        }
        guard changeLog.isRecording else { return }
        for position in mutations.indices where touched[position] > 0 {
            let entity = mutations[position].entity
            if resources.schema.entities[entity].isLink { continue }
            if mutations[position].kind == .deleteAll {
                for identifier in before.deleted[position] ?? [] {
                    changeLog.record(.delete, entity: entity, identifier: identifier)
                }
            } else if let key = key(of: mutations[position]) {
                changeLog.record(
                    mutations[position].kind, entity: entity, identifier: key.identifier,
                    columns: mutations[position].columns)
            }
        }
        for change in before.related where touched[change.position] > 0 {
            changeLog.record(change.key, relationship: change.relationship)
        }
    }

    /// Remembers the items with a handle that mutations of a rule have touched.
    func noteFollowed(
        _ mutations: UnsafeBufferPointer<RowMutation>, from position: Int, _ touched: TouchedRows
    ) {
        guard let handles, !handles.isEmpty else { return }
        for position in position..<mutations.count where touched[position] > 0 {
            if let key = key(of: mutations[position]), handles[key] != nil { unshown.append(key) }
        }
    }

    /// Remembers the inserted items with a handle, which was made before they were deleted.
    func noteRevived(by insertions: [RowMutation]) {
        guard let handles, !handles.isEmpty else { return }
        for position in insertions.indices {
            if let key = key(of: insertions[position]) { noteUnshown(key) }
        }
    }

    /// The row of a mutation; nil for `deleteAll`.
    func key(of mutation: RowMutation) -> ItemKey? {
        mutation.key(in: resources)
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
