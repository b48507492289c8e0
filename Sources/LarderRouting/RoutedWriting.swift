import LarderKernel

/// A write transaction of the first part, and of each further one up to the last that is needed.
///
/// Parts are locked in their order, so that two processes never wait for each other.
final class RoutedWriting: RoutedReading, StorageWriting {
    private let adapter: RoutedAdapter
    private var writings: [any StorageWriting] = []
    /// The number of the last commit over several parts.
    private var lastCommit: Int64 = 0
    private var changes: Changes
    private var savepoints: [Changes.Mark] = []
    private var hasTurn = true

    /// The changes to repeat if the process is killed between the commits of parts, and the changed parts.
    private struct Changes {
        var journal = CommitJournal()
        var parts: [Bool]

        struct Mark {
            let journal: Int
            let parts: [Bool]
        }
    }

    /// *Rule:* the caller has taken the writer's turn of the adapter's gate; the end of the transaction releases it.
    init(_ schema: RoutedSchema, of adapter: RoutedAdapter) {
        self.adapter = adapter
        changes = Changes(parts: adapter.parts.map { _ in false })
        super.init(schema)
    }

    /// Begins with the first part, once commits of other processes are finished.
    func begin() throws(DataStoreError) {
        let journal = try adapter.parts[0].adapter.beginWriting()
        writings = [journal]
        parts = [journal]
        let first = try FirstPart(in: journal, schema)
        lastCommit = try adapter.finishCommits(first, schema)
    }

    /// The write transaction of a part, which is locked with all parts before it.
    ///
    /// *Cost:* two rows for each part that it locks, if the store has had a commit over several parts.
    ///
    /// - Throws: `.busy` for a part that is not of the time of the first one; errors of the parts.
    func writing(of part: Int) throws(DataStoreError) -> any StorageWriting {
        guard hasTurn else { throw DataStoreError(.engine, "The write transaction has ended.") }
        while writings.count <= part {
            let next = try adapter.parts[writings.count].adapter.beginWriting()
            do throws(DataStoreError) {
                if lastCommit > 0 { try requireLastCommit(of: writings.count, in: next) }
            } catch {
                next.end()
                throw error
            }
            writings.append(next)
            parts.append(next)
            for _ in savepoints { try next.setSavepoint() }
        }
        return writings[part]
    }

    override func transaction(of part: Int) throws(DataStoreError) -> any StorageReading {
        try writing(of: part)
    }

    override var isChanging: Bool { true }

    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        var touched = TouchedRows()
        var start = 0
        while start < mutations.count {
            let rest = UnsafeBufferPointer(rebasing: mutations[start...])
            if let partition = schema.partitions[rest[0].entity] {
                start += try apply(firstOf: rest, to: partition, &touched)
                continue
            }
            let part = schema.places[rest[0].entity][0].part
            let run = rest.prefix { mutation in
                schema.partitions[mutation.entity] == nil && schema.places[mutation.entity][0].part == part
            }
            let moved = run.map { $0.moved(to: schema.places[$0.entity][0].entity) }
            let rows = try write(moved, to: part)
            for position in moved.indices { touched.add(rows[position]) }
            start += run.count
        }
        return touched
    }

    /// Applies mutations under the numbers of a part, and adds them to the journal.
    func write(_ mutations: [RowMutation], to part: Int) throws(DataStoreError) -> TouchedRows {
        let writing = try writing(of: part)
        let rows = try writing.apply(mutations)
        // A part that was only searched for a row is not committed.
        if rows.count == 0 { return rows }
        changes.parts[part] = true
        if part == 0 { return rows }
        for mutation in mutations {
            changes.journal.add(mutation, of: part, schema.parts[part].entities[mutation.entity])
        }
        return rows
    }

    /// Notes that a part has changed other than by ``apply(_:)``.
    func noteChange(of part: Int) { changes.parts[part] = true }

    var conditionalInserting: (any ConditionalInserting)? { nil }

    func setSavepoint() throws(DataStoreError) {
        for writing in writings { try writing.setSavepoint() }
        savepoints.append(Changes.Mark(journal: changes.journal.count, parts: changes.parts))
    }

    func releaseSavepoint() throws(DataStoreError) {
        for writing in writings { try writing.releaseSavepoint() }
        _ = savepoints.popLast()
    }

    func rollBackToSavepoint() throws(DataStoreError) {
        for writing in writings { try writing.rollBackToSavepoint() }
        guard let mark = savepoints.popLast() else { return }
        changes.journal.forget(after: mark.journal)
        changes.parts = mark.parts
    }

    /// Commits the part that was changed, or several by the journal.
    func commit() throws(DataStoreError) {
        defer { end() }
        let changed = changes.parts.indices.filter { changes.parts[$0] }
        guard let first = changed.first else { return }
        // Before the others wait, as it may be a server that is asked.
        if changed.count > 1, lastCommit > 0 { try requireLastCommitOfUnlocked() }
        try adapter.gate.whileCommitting { () throws(DataStoreError) in
            if changed.count == 1 { return try writings[first].commit() }
            try commitSeveral(changed.filter { $0 > 0 })
        }
    }

    /// Commits the first part, which decides, and then the others.
    ///
    /// If a later one fails, the journal has what it lacks, and the next write or opening repeats it.
    ///
    /// - Throws: `.partMissing` if the journal has what a part may lack that was left out; `.busy` if a part has a commit, and
    ///   the first part knows of none, or if a part lacks the commit that the journal repeats.
    private func commitSeveral(_ others: [Int]) throws(DataStoreError) {
        if lastCommit > adapter.finishedCommit {
            try adapter.requireFinished(try FirstPart(in: writings[0], schema))
        }
        let number = lastCommit + 1
        let identity = try adapter.opened().identity
        for part in [0] + others {
            let name = adapter.parts[part].name
            let last = try PartRecord(of: name, in: writings[part], schema.record(of: part))
            if part > 0, lastCommit == 0 { try requireLastCommit(of: part, in: writings[part]) }
            let record = PartRecord(identity: identity, commit: number, previous: last?.commit ?? 0)
            try record.write(as: name, in: writings[0], schema.record(of: 0))
            if part > 0 { try record.write(as: name, in: writings[part], schema.record(of: part)) }
        }
        try changes.journal.store(in: writings[0], schema, adapter.parts.map(\.name))
        try writings[0].commit()
        var isFinished = true
        for part in others {
            do throws(DataStoreError) {
                try writings[part].commit()
            } catch {
                isFinished = false
            }
        }
        if isFinished { return adapter.noteFinished(number) }
        for writing in writings { writing.end() }
        (writings, parts) = ([], [])
        adapter.tryToFinish(schema)
    }

    /// Refuses a part that has another last commit than the first part knows of it: the next block finishes that commit, or
    /// finds that it cannot.
    private func requireLastCommit(of part: Int, in writing: any StorageWriting) throws(DataStoreError) {
        let name = adapter.parts[part].name
        let known = try PartRecord(of: name, in: writings[0], schema.record(of: 0))
        let last = try PartRecord(of: name, in: writing, schema.record(of: part))
        if last?.commit ?? 0 == known?.commit ?? 0 { return }
        throw lostCommit(of: name)
    }

    /// Refuses to replace the journal of the last commit while a part lacks that commit, as ``requireLastCommit(of:in:)`` does
    /// for the parts that the block has locked.
    ///
    /// - Throws: The error of a part that cannot be reached, too: it may come back without that commit, if a standby has taken
    ///   its place.
    private func requireLastCommitOfUnlocked() throws(DataStoreError) {
        for (number, part) in adapter.parts.enumerated().dropFirst(writings.count) {
            let known = try PartRecord(of: part.name, in: writings[0], schema.record(of: 0))
            guard let known, known.commit == lastCommit else { continue }
            if try adapter.hasCommit(known, part, schema.parts[number]) { continue }
            throw lostCommit(of: part.name)
        }
    }

    /// The error that lets the next block ask all parts for the last commit.
    private func lostCommit(of part: String) -> DataStoreError {
        adapter.forgetFinished()
        return DataStoreError(
            .busy, "The part \"\(part)\", or the first part, has lost a commit since the store was opened.",
            advice: "Repeat the block, which repeats that commit first if it can; nothing was changed.",
            path: adapter.location)
    }

    override func end() {
        for writing in writings.reversed() { writing.end() }
        writings = []
        parts = []
        changes = Changes(parts: [])
        if hasTurn { adapter.gate.releaseWriter() }
        hasTurn = false
    }
}

extension RowMutation {
    /// The same mutation for the entity's number in a part.
    func moved(to entity: Int) -> RowMutation {
        RowMutation(kind, entity: entity, cells: cells, columns: columns)
    }
}
