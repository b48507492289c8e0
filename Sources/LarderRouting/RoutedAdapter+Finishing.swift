import LarderEngine
import LarderKernel
import LarderPlatform

// A commit over several parts is decided by the first part. Between it and the commits of the others, a process may be
// killed, or another process may look.

extension RoutedAdapter {
    /// Begins a snapshot of each part, of one moment.
    ///
    /// The parts' records are read at once, so that an engine that takes its snapshot at the first request takes it now.
    func beginReading(
        _ begin: (Part) throws(DataStoreError) -> any StorageReading
    ) throws(DataStoreError) -> any StorageReading {
        let schema = try opened().schema
        var mayFinish = true
        for attempt in 0..<Self.attempts {
            if attempt > 1 { usleep(1000 << UInt32(attempt - 2)) }
            if let reading = try beginOnce(schema, begin) { return reading }
            // Another process has just committed, or was killed between two commits. After 63 ms of pauses, the reader
            // finishes it.
            if attempt > 6, mayFinish { mayFinish = try finishForReader(schema) }
        }
        throw DataStoreError(
            .busy, "Another process has committed to several parts, and not yet to all of them.",
            advice: "Repeat the block later. If that process was killed, open the store for writing once.",
            path: location)
    }

    /// The pauses before all but the first two double from 1 ms, and are a second in all.
    private static var attempts: Int { 12 }

    /// Begins the snapshots again as long as commits of this process overtake them.
    ///
    /// - Returns: Nil if they are not of one moment.
    private func beginOnce(
        _ schema: RoutedSchema, _ begin: (Part) throws(DataStoreError) -> any StorageReading
    ) throws(DataStoreError) -> RoutedReading? {
        // Each commit has waited for half a second.
        for _ in 0..<20 {
            let reading = RoutedReading(schema)
            let beginning: CommitGate.Beginning
            do throws(DataStoreError) {
                beginning = try gate.whileBeginning { () throws(DataStoreError) in
                    for part in parts { reading.parts.append(try begin(part)) }
                    return try areOfOneCommit(reading)
                }
            } catch {
                reading.end()
                throw error
            }
            if beginning == .whole { return reading }
            reading.end()
            if beginning == .divided { return nil }
        }
        throw DataStoreError(
            .busy, "Commits of this process have overtaken a block that took long to begin.",
            advice: "Repeat the block later, or write less often.", path: location)
    }

    /// True if each part has the last commit over several parts that the first part knows of it.
    private func areOfOneCommit(_ reading: RoutedReading) throws(DataStoreError) -> Bool {
        for part in parts.indices.dropFirst() where try !reading.hasCommit(part) { return false }
        return true
    }

    /// Waits for the process that commits, or does its work if it was killed.
    ///
    /// - Returns: False if a part stayed locked, so that the reader does not wait for that long again.
    private func finishForReader(_ schema: RoutedSchema) throws(DataStoreError) -> Bool {
        // A writer that has begun has done so itself, and may be the caller.
        guard !isReadOnly, gate.takeWriterUnlessWorking() else { return true }
        defer { gate.releaseWriter() }
        // A server may have been replaced by one that lacks a commit which was known to be in all parts.
        forgetFinished()
        do throws(DataStoreError) {
            try finishAll(schema)
            return true
        } catch {
            // A writer of another process that has begun has done so, too.
            guard error.code == .busy else { throw error }
            return false
        }
    }

    /// Finishes a commit of this process of which a part has failed, if it can be done now.
    ///
    /// *Rule:* the caller is the writer, and has ended its transactions.
    func tryToFinish(_ schema: RoutedSchema) {
        // The next block meets the same error, and has a caller to tell.
        try? finishAll(schema)
    }

    private func finishAll(_ schema: RoutedSchema) throws(DataStoreError) {
        _ = try withFirstPart(schema) { first, _ throws(DataStoreError) in try finishCommits(first, schema) }
    }

    /// Runs a body with a snapshot of the first part.
    func readingFirstPart<Value>(
        _ schema: RoutedSchema, _ body: (FirstPart) throws(DataStoreError) -> Value
    ) throws(DataStoreError) -> Value {
        let reading = try parts[0].adapter.beginReading()
        defer { reading.end() }
        return try body(FirstPart(in: reading, schema))
    }

    /// Runs a body with a write transaction of the first part, which is undone unless the body commits it.
    func withFirstPart<Value>(
        _ schema: RoutedSchema,
        _ body: (FirstPart, any StorageWriting) throws(DataStoreError) -> Value
    ) throws(DataStoreError) -> Value {
        let writing = try parts[0].adapter.beginWriting()
        defer { writing.end() }
        return try body(FirstPart(in: writing, schema), writing)
    }

    /// Repeats in each part what it lacks of the last commit over several parts, and returns the number of that commit.
    ///
    /// *Rule:* the caller is the writer. A part that lacks it is locked, which waits for a process that is about to commit.
    ///
    /// - Throws: `.partMismatch` if the first part, or a later one by more than a commit, has gone back to an earlier time.
    func finishCommits(_ first: FirstPart, _ schema: RoutedSchema) throws(DataStoreError) -> Int64 {
        if first.lastCommit < repeatedCommit { forgetFinished() }
        if first.lastCommit <= finishedCommit { return first.lastCommit }
        let repeated = repeatedCommit
        if first.lastCommit > repeated {
            for part in parts.indices.dropFirst() {
                guard let known = try first.record(of: parts[part].name), known.commit > repeated else {
                    continue
                }
                try finish(parts[part], known, schema.parts[part], by: first)
            }
            noteRepeated(first.lastCommit)
        }
        // Else each writer looks again for the part that was left out, and none replaces the journal.
        if try partBehind(first) == nil { noteFinished(first.lastCommit) }
        return first.lastCommit
    }

    /// Brings one part to the commit that the first part knows of it.
    ///
    /// One that has it is not locked, as another process may be in a long block. One that may be lost is emptied if it lacks
    /// more, or if one of its items has a unique value or a one-to-one reference that the commit gives to another one: the
    /// process that made the commit may have a part of its own, without that item.
    ///
    /// *Cost:* for a part that may be lost, reads all its unique values and one-to-one references.
    ///
    /// - Parameters:
    ///   - schema: The schema that the part is open with.
    ///   - isWhole: True if the schema has all types that the part stores.
    /// - Throws: `.schemaMismatch` for changes of a type that the schema lacks: they would be lost.
    func finish(
        _ part: Part, _ known: PartRecord, _ schema: StoreSchema, by first: FirstPart, isWhole: Bool = false
    ) throws(DataStoreError) {
        if try hasCommit(known, part, schema) { return }
        guard let entity = schema.number(named: PartRecord.entity.name) else { return }
        let writing = try part.adapter.beginWriting()
        defer { writing.end() }
        // A part without a record is new: what it had before is lost, and so are the changes to it.
        if let own = try PartRecord(of: part.name, in: writing, entity) {
            guard own.identity == known.identity else { throw mismatch(part) }
            if own.commit == known.commit { return }
            var isRepeated = own.commit == known.previous && known.commit == first.lastCommit
            guard isRepeated || part.mayBeLost else { throw mismatch(part) }
            if isRepeated {
                try JournalReader.repeatChanges(
                    of: try first.journal(), to: part.name, in: writing, schema,
                    skipsUnknown: isWhole || part.mayBeLost)
                if part.mayBeLost { isRepeated = try !hasClash(in: writing, schema, of: first.schema.whole) }
            }
            if !isRepeated {
                let cells = CellBuffer(count: 1)
                for other in schema.entities.indices where other != entity {
                    try writing.apply(RowMutation(.deleteAll, entity: other, cells: cells.start))
                }
            }
        }
        try known.write(as: part.name, in: writing, entity)
        try writing.commit()
    }

    /// True if a part has the commit that the first part knows of it.
    ///
    /// *Rule:* the first part was read before, so a commit that another process makes meanwhile is one that the part has.
    ///
    /// - Throws: `.partMismatch` if the part belongs to another store.
    func hasCommit(
        _ known: PartRecord, _ part: Part, _ schema: StoreSchema
    ) throws(DataStoreError) -> Bool {
        guard let entity = schema.number(named: PartRecord.entity.name) else { return false }
        let reading = try part.adapter.beginReading()
        defer { reading.end() }
        guard let own = try PartRecord(of: part.name, in: reading, entity) else { return false }
        guard own.identity == known.identity else { throw mismatch(part) }
        return own.commit == known.commit
    }

    /// True if two items of a part have the same unique values, or refer to one item that only one may refer to.
    ///
    /// - Parameter whole: Names the relationships, which the part does not know.
    private func hasClash(
        in part: any StorageReading, _ schema: StoreSchema, of whole: StoreSchema
    ) throws(DataStoreError) -> Bool {
        for (number, entity) in schema.entities.enumerated() {
            let references = whole.oneToOneReferences(of: entity)
            for index in entity.indexes where index.isUnique || references.contains(index.columns) {
                if try UniqueClash.first(in: index, of: number, entity, part) != nil { return true }
            }
        }
        return false
    }

    /// Refuses to leave out a part that may lack the last commit: the next one takes the place of its journal.
    func requireFinished(_ first: FirstPart) throws(DataStoreError) {
        guard let name = try partBehind(first) else { return }
        throw DataStoreError(
            .partMissing,
            "The part \"\(name)\" was left out, and may lack changes that the other parts have.",
            advice: """
                Open the store once with it and close it; then it may be left out. If it is lost, open the store with \
                an empty part of that name that may be lost. Nothing was changed.
                """, path: location)
    }

    /// The name of a part that was left out and may lack the last commit; nil if there is none.
    func partBehind(_ first: FirstPart) throws(DataStoreError) -> String? {
        if try first.isFinished() { return nil }
        let behind = try first.records().first { name, known in
            known.commit == first.lastCommit && first.schema.isLeftOut(name)
        }
        return behind?.key.text
    }

    /// Notes in the first part that all parts have a commit, if it still is the last one.
    func storeFinished(_ commit: Int64, _ schema: RoutedSchema) throws(DataStoreError) {
        try withFirstPart(schema) { first, writing throws(DataStoreError) in
            guard first.lastCommit == commit else { return }
            try first.storeFinished(in: writing)
            try writing.commit()
        }
    }

    private func mismatch(_ part: Part) -> DataStoreError {
        DataStoreError(
            .partMismatch,
            "The part \"\(part.name)\" is not of the same store, or not of the same time, as the first part.",
            advice:
                "Put the right one back, or restore all parts from backups of one time; nothing was changed.",
            path: part.adapter.location)
    }
}

/// The first part in a transaction, and what it knows of commits over several parts.
struct FirstPart {
    let reading: any StorageReading
    /// The number of the last such commit, which the journal repeats.
    let lastCommit: Int64
    let schema: RoutedSchema

    init(in reading: any StorageReading, _ schema: RoutedSchema) throws(DataStoreError) {
        self.reading = reading
        self.schema = schema
        lastCommit = try PartRecord(of: schema.names[0], in: reading, schema.record(of: 0))?.commit ?? 0
    }

    func record(of part: String) throws(DataStoreError) -> PartRecord? {
        try PartRecord(of: part, in: reading, schema.record(of: 0))
    }

    /// All its records by their names.
    func records() throws(DataStoreError) -> [UTF8Key: PartRecord] {
        try PartRecord.all(in: reading, schema.record(of: 0))
    }

    func journal() throws(DataStoreError) -> [UInt8] {
        try CommitJournal.bytes(in: reading, schema.journal)
    }

    /// True if it knows that all parts have the last commit.
    func isFinished() throws(DataStoreError) -> Bool {
        try record(of: Self.finishedName)?.commit ?? 0 == lastCommit
    }

    func storeFinished(in writing: any StorageWriting) throws(DataStoreError) {
        try PartRecord(identity: "", commit: lastCommit)
            .write(as: Self.finishedName, in: writing, schema.record(of: 0))
    }

    /// The beginning of the names of the library's own rows, which no part is likely to have.
    static var ownPrefix: String { "\t" }

    private static var finishedName: String { ownPrefix + "finished" }
}

extension StoreSchema {
    /// The columns of a part's entity that refer to items one to one; each has an index.
    fileprivate func oneToOneReferences(of entity: EntitySchema) -> [[Int]] {
        relationships.joined().compactMap { relationship in
            guard relationship.kind == .toOneInverse, case .referrers(let column) = relationship.form,
                UTF8Text.areEqual(relationship.targetSchema.name, entity.name)
            else { return nil }
            // By name, as a part that an upgrade has yet to change may have other columns.
            let name = relationship.targetSchema.attributes[column].name
            return entity.attributes.firstIndex { UTF8Text.areEqual($0.name, name) }.map { [$0] }
        }
    }
}
