import LarderEngine
import LarderKernel

/// Runs a ``PreparedStep`` in the transaction of an opening.
struct StepRun {
    let prepared: PreparedStep
    let transaction: any SchemaTransaction
    let report: (_ done: Int, _ all: Int) -> Void

    /// True if closures may have changed any row.
    private var hasClosures: Bool { prepared.step.before != nil || prepared.step.after != nil }

    func run() throws(DataStoreError) {
        do throws(DataStoreError) {
            try makeChanges()
        } catch {
            throw advised(error)
        }
    }

    private func makeChanges() throws(DataStoreError) {
        var losesRows = prepared.plan.losesRows
        var unset: [PreparedStep.MovedRelationship] = []
        if prepared.readsRows {
            if prepared.making.isNeeded {
                try transaction.apply(prepared.making, of: prepared.working)
            }
            try transaction.withRows(
                of: prepared.working, as: prepared.making.target.entities
            ) { rows throws(DataStoreError) in
                losesRows = try makeRows(rows, &unset) || losesRows
            }
        } else {
            report(0, 0)
        }
        let schema = prepared.target
        try Cancellation.check("The migration")
        try transaction.apply(prepared.finishing, of: schema)
        try transaction.withRows(
            of: schema, as: prepared.finishing.entities.map(\.new)
        ) { rows throws(DataStoreError) in
            if losesRows || hasClosures { try LinkSweep(of: schema, in: rows).run() }
            if let after = prepared.step.after {
                let reader = SourceReader(
                    rows, of: schema, version: prepared.step.to, types: schema.entities.count)
                defer { reader.end() }
                try call(reader) { try after(StepAccessor(reader, writing: rows)) }
                try requireSet(unset, rows)
                try LinkSweep(of: schema, in: rows).run()
            }
            try check(rows)
        }
    }

    // MARK: Rows

    /// Runs the closures over the old rows.
    ///
    /// - Parameter unset: Gets the relationships that the closure after the mappings has to set.
    /// - Returns: True if an old row has no new one with its identifier.
    private func makeRows(
        _ rows: any StorageWriting, _ unset: inout [PreparedStep.MovedRelationship]
    ) throws(DataStoreError) -> Bool {
        let step = prepared.step
        let reader = SourceReader(
            rows, of: prepared.working, version: step.from, types: prepared.sourceCount)
        defer { reader.end() }
        if let before = step.before {
            try call(reader) { try before(StepAccessor(reader, writing: rows)) }
            reader.endCall()
        }
        try requireNoLostReferences(rows)
        let all = try countAll(rows)
        var done = 0
        report(0, all)
        let destination = Destination(prepared.plan.destinations, version: step.to, in: rows)
        var losesRows = false
        for run in prepared.plan.runs {
            let kept = destination.keptIdentifiers
            let read = try self.run(run, from: reader, to: destination, rows) { count in
                done += count
                report(done, all)
            }
            let keepsAll = destination.keptIdentifiers - kept >= read
            if run.source != nil, !keepsAll || run.mapping.destinations.count > 1 { losesRows = true }
        }
        unset = try unsetRelationships(rows)
        // A closure after the mappings may set references yet.
        if let lost = unset.first(where: { step.after == nil || $0.reference == nil }) { throw lost.refusal }
        try ReferenceFollowing(of: prepared, in: rows).run()
        for links in prepared.plan.explicitLinks { try rows.overwrite(links, in: prepared.working) }
        return losesRows
    }

    // MARK: Links and references that would go

    /// Refuses to lose the links of a row for which the step sets no others.
    private func requireLinks(
        of row: UnsafePointer<Cell>, in replaced: [PreparedStep.ReplacedLinks],
        besides destination: Destination, _ rows: any StorageReading
    ) throws(DataStoreError) {
        for links in replaced {
            let haveStayed = prepared.plan.explicitLinks.contains { $0.stored == links.stored }
            guard destination.lacksLinks(links.made, ofLater: links.later, haveStayed: haveStayed) else {
                continue
            }
            let stored = prepared.working.entities[links.stored]
            let source = Constant(
                row[0], storage: stored.storage(ofColumn: LinkEntity.source))
            let own = RowPredicate.compare(column: LinkEntity.source, .equal, source)
            guard try rows.hasRows(links.stored, stored, where: own) else { continue }
            let owner = prepared.target.entities[links.owner]
            let name = owner.relationships[links.relationship].name
            let old = prepared.working.entities[links.source].attributes[0].type
            throw DataStoreError(
                .schemaMismatch,
                """
                The step \(prepared.step) cannot keep the stored links \(stored.name) as the links of \
                \(owner.name).\(name), and sets no others for this item.
                """,
                advice: "Call setLinks(\"\(name)\", to:) in the mapping that makes \(owner.name).",
                itemType: owner.name, attribute: name, identifier: AnyItemID(row[0], type: old))
        }
    }

    /// Refuses references to items that go with their type, if another type takes its name.
    private func requireNoLostReferences(_ rows: any StorageReading) throws(DataStoreError) {
        for lost in prepared.plan.lostReferences {
            let entity = prepared.working.entities[lost.entity]
            let name = entity.attributes[lost.column].name
            let plan = RequestPlan(
                entity: lost.entity, schema: entity, predicate: .isNotNull(column: lost.column), limit: 1)
            try rows.forEachRow(of: plan) { row throws(DataStoreError) in
                throw DataStoreError(
                    .targetNotFound,
                    "\(entity.name).\(name) refers to an item of a type that the step deletes.",
                    itemType: entity.name, attribute: name,
                    identifier: AnyItemID(row[0], type: entity.attributes[0].type))
            }
        }
    }

    /// The relationships whose place is at their other end from now on, and for which the mappings have set nothing there.
    private func unsetRelationships(
        _ rows: any StorageReading
    ) throws(DataStoreError) -> [PreparedStep.MovedRelationship] {
        let schema = prepared.working
        var unset: [PreparedStep.MovedRelationship] = []
        for moved in prepared.movedRelationships {
            guard try rows.hasValues(moved.stored, in: schema), try !rows.hasValues(moved.made, in: schema)
            else { continue }
            unset.append(moved)
        }
        return unset
    }

    /// Refuses to lose relationships for which the closure after the mappings has set nothing either.
    private func requireSet(
        _ unset: [PreparedStep.MovedRelationship], _ rows: any StorageReading
    ) throws(DataStoreError) {
        for moved in unset {
            if let place = moved.reference, try rows.hasValues(place, in: prepared.target) { continue }
            throw moved.refusal
        }
    }

    private func countAll(_ rows: any StorageReading) throws(DataStoreError) -> Int {
        var count = 0
        for source in prepared.plan.runs.compactMap(\.source) {
            count += try rows.count(
                for: RequestPlan(entity: source, schema: prepared.working.entities[source]))
        }
        return count
    }

    /// Gives the old rows of a mapping to its closure, a batch at a time.
    ///
    /// - Returns: The number of old rows.
    private func run(
        _ run: PreparedStep.MappingRun, from reader: SourceReader, to destination: Destination,
        _ rows: any StorageWriting, _ reportBatch: (_ count: Int) -> Void
    ) throws(DataStoreError) -> Int {
        guard let source = run.source else {
            if case .once(let body) = run.mapping.body {
                try call(reader) {
                    try destination.run(run.destination, for: nil) { try body(reader, $0) }
                }
                try destination.flush()
                reader.endCall()
            }
            return 0
        }
        let names = run.mapping.destinations
        var replaced: [PreparedStep.ReplacedLinks] = []
        for links in prepared.plan.replacedLinks where links.source == source {
            let name = prepared.target.entities[links.owner].name
            guard names.contains(where: { UTF8Text.areEqual($0, name) }) else { continue }
            if try rows.hasRows(links.stored, prepared.working.entities[links.stored]) {
                replaced.append(links)
            }
        }
        let batches = RowBatches(of: source, in: prepared.working, rows)
        let join = run.join(in: reader)
        defer { reader.batch = nil }
        var count = 0
        while try batches.readNext() {
            do throws(DataStoreError) {
                let batch = SourceBatch(batches.rows, of: source)
                reader.batch = batch
                // Here, as an error is not one of a row's call.
                if let join { try batch.read(join.other, at: join.column, by: reader) }
                for cells in batches.rows {
                    let row = SourceRow(reader: reader, entity: source, cells: cells, epoch: reader.epoch)
                    defer { reader.endCall() }
                    do {
                        try destination.run(run.destination, for: row) { destination in
                            try self.call(run, with: row, joining: join, destination)
                        }
                    } catch {
                        throw failure(error, at: row, in: reader)
                    }
                    if !replaced.isEmpty {
                        try requireLinks(of: cells, in: replaced, besides: destination, rows)
                    }
                }
                try destination.flush()
            } catch {
                throw missingValue(in: batches, of: source, insteadOf: error)
            }
            count += batches.rows.count
            reportBatch(batches.rows.count)
        }
        return count
    }

    /// The error for an old row that lacks a required value, if that may be why a new one does.
    private func missingValue(
        in batches: RowBatches, of source: Int, insteadOf error: DataStoreError
    ) -> DataStoreError {
        guard error.code == .invalidValue else { return error }
        let entity = prepared.working.entities[source]
        for cells in batches.rows {
            for (column, attribute) in entity.attributes.enumerated()
            where cells[column].isNull && !attribute.isOptional {
                return entity.undecodable(cells[column], at: column, in: cells)
            }
        }
        return error
    }

    @inline(__always)
    private func call(
        _ run: PreparedStep.MappingRun, with row: SourceRow, joining join: (other: Int, column: Int)?,
        _ destination: Destination
    ) throws {
        switch run.mapping.body {
        case .rows(let body): try body(row, destination)
        case .none: _ = try destination.make()
        case .joined(_, let body):
            var other: SourceRow?
            if let join { other = try row.reader.row(of: join.other, at: join.column, of: row) }
            try body(row, other, destination)
        case .once(let body): try body(row.source, destination)
        }
    }

    private func call(_ reader: SourceReader, _ body: () throws -> Void) throws(DataStoreError) {
        do {
            try body()
        } catch {
            throw failure(error, at: nil, in: reader)
        }
    }

    /// The error of a closure, with the step and the item that it was about.
    private func failure(
        _ error: any Error, at row: SourceRow?, in reader: SourceReader
    ) -> DataStoreError {
        if error is CancellationError { return Cancellation.error("The migration") }
        let type = row?.type
        let identifier = row.flatMap { try? $0.id }
        // An error of another store that the closure reads must not look like one of this store.
        let isAboutStore = [.damaged, .newerFormat, .schemaMismatch, .storeFileMoved].contains(
            (error as? DataStoreError)?.code)
        if let error = error as? DataStoreError, !isAboutStore || reader.hasThrown(error) {
            return error.about(itemType: type, identifier: identifier)
        }
        let place = type.map { " at \($0)" + (identifier.map { " \($0)" } ?? "") } ?? ""
        return DataStoreError(
            .migrationFailed, "The step \(prepared.step) failed\(place): \(error)", itemType: type,
            identifier: identifier,
            underlying: DataStoreError.Underlying(
                source: "\(Swift.type(of: error))", code: 0, message: "\(error)"))
    }

    // MARK: Checks

    private func check(_ rows: any StorageReading) throws(DataStoreError) {
        let schema = prepared.target
        try prepared.finishing.requireRelationships(of: schema, in: rows, cancelledAs: "The migration")
        for relationship in schema.relationships.joined() where !relationship.isDerived {
            if prepared.finishing.checks(relationship) { continue }
            let ends = [relationship.owner, relationship.target]
            guard hasClosures || ends.contains(where: prepared.plan.changed.contains)
            else { continue }
            let fault = try ReferenceFault.first(
                in: relationship, schema, rows, cancelledAs: "The migration")
            if let fault {
                throw fault.error(fault.sentence, advice: "Correct the mapping, so that the item exists.")
            }
        }
        guard hasClosures else { return }
        for (number, entity) in schema.entities.enumerated() {
            for index in entity.indexes where index.isUnique {
                let clash = try UniqueClash.first(
                    in: index, of: number, entity, rows, cancelledAs: "The migration")
                if let clash { throw clash.violation }
            }
        }
    }

    /// The error with the advice for a step, if the engine's advice is about another cause.
    private func advised(_ error: DataStoreError) -> DataStoreError {
        let step = prepared.step
        switch error.code {
        case .uniqueViolation:
            return error.advising(
                "Give the items different values in the step \(step); nothing was changed.")
        case .targetNotFound:
            return error.advising(
                "Make that item in the step \(step), or give the other one another reference; nothing was changed."
            )
        default: return error
        }
    }
}

extension StorageReading {
    /// True if a row has a value in a column.
    fileprivate func hasValues(
        _ place: PreparedStep.Place, in schema: StoreSchema
    ) throws(DataStoreError) -> Bool {
        let entity = schema.entities[place.entity]
        let isOptional = entity.attributes[place.column].isOptional
        return try hasRows(
            place.entity, entity, where: isOptional ? .isNotNull(column: place.column) : .always(true))
    }
}
