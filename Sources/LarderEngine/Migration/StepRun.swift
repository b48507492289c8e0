import Larder

/// Runs a ``PreparedStep`` in the transaction of an opening.
struct StepRun {
    private let prepared: PreparedStep
    private let transaction: any SchemaTransaction
    private let report: (_ done: Int, _ all: Int) -> Void

    init(
        _ prepared: PreparedStep, _ transaction: any SchemaTransaction,
        report: @escaping (_ done: Int, _ all: Int) -> Void
    ) {
        self.prepared = prepared
        self.transaction = transaction
        self.report = report
    }

    func run() throws(DataStoreError) {
        do throws(DataStoreError) {
            try makeChanges()
        } catch {
            throw advised(error)
        }
    }

    private func makeChanges() throws(DataStoreError) {
        var losesRows = prepared.losesRows
        if prepared.readsRows {
            if prepared.making.isNeeded {
                try transaction.apply(prepared.making, of: prepared.working)
            }
            try transaction.withRows(
                of: prepared.working, as: prepared.making.target.entities
            ) { rows throws(DataStoreError) in
                losesRows = try makeRows(rows) || losesRows
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
            if losesRows || prepared.hasClosures { try LinkSweep(of: schema, in: rows).run() }
            if let after = prepared.step.after {
                let reader = SourceReader(
                    rows, of: schema, version: prepared.step.to, types: schema.entities.count)
                defer { reader.end() }
                try call { try after(StepAccessor(reader, writing: rows)) }
                try LinkSweep(of: schema, in: rows).run()
            }
            try check(rows)
        }
    }

    // MARK: Rows

    /// Runs the closures over the old rows.
    ///
    /// - Returns: True if an old row has no new one with its identifier.
    private func makeRows(_ rows: any StorageWriting) throws(DataStoreError) -> Bool {
        let step = prepared.step
        let reader = SourceReader(
            rows, of: prepared.working, version: step.from, types: prepared.sourceCount)
        defer { reader.end() }
        if let before = step.before {
            try call { try before(StepAccessor(reader, writing: rows)) }
            reader.endCall()
        }
        var tally = Tally(all: try countAll(rows), report: report)
        let destination = Destination(prepared.destinations, version: step.to, in: rows)
        var losesRows = false
        for run in prepared.runs {
            let kept = destination.keptIdentifiers
            let read = try self.run(run, from: reader, to: destination, rows, &tally)
            let keepsAll = destination.keptIdentifiers - kept >= read
            if run.source != nil, !keepsAll || run.mapping.destinations.count > 1 { losesRows = true }
        }
        try requireReplacedLinks(rows)
        try ReferenceFollowing(of: prepared, in: rows).run()
        for links in prepared.mergedLinks {
            try LinkMerge(of: prepared.working, links, in: rows).run()
        }
        return losesRows
    }

    /// Refuses a step in which links would go without a word of the app.
    ///
    /// - Throws: `.schemaMismatch`.
    private func requireReplacedLinks(_ rows: any StorageReading) throws(DataStoreError) {
        for links in prepared.replacedLinks {
            func hasRows(_ number: Int) throws(DataStoreError) -> Bool {
                let plan = RequestPlan(entity: number, schema: prepared.working.entities[number], limit: 1)
                return try rows.count(for: plan) > 0
            }
            guard try hasRows(links.stored), try !hasRows(links.made) else { continue }
            let owner = prepared.target.entities[links.owner]
            let name = owner.relationships[links.relationship].name
            throw DataStoreError(
                .schemaMismatch,
                """
                The step \(prepared.step) cannot keep the stored links \
                \(prepared.working.entities[links.stored].name) as those of \(owner.name).\(name), and makes \
                no others.
                """,
                advice: "Call setLinks(\"\(name)\", to:) in the mapping that makes \(owner.name).",
                itemType: owner.name, attribute: name)
        }
    }

    private func countAll(_ rows: any StorageReading) throws(DataStoreError) -> Int {
        var count = 0
        for source in prepared.runs.compactMap(\.source) {
            count += try rows.count(
                for: RequestPlan(entity: source, schema: prepared.working.entities[source]))
        }
        return count
    }

    private struct Tally {
        let all: Int
        let report: (_ done: Int, _ all: Int) -> Void
        private var done = 0

        init(all: Int, report: @escaping (_ done: Int, _ all: Int) -> Void) {
            self.all = all
            self.report = report
            report(0, all)
        }

        mutating func add(_ count: Int) {
            done += count
            report(done, all)
        }
    }

    /// Gives the old rows of a mapping to its closure, a batch at a time.
    ///
    /// - Returns: The number of old rows.
    private func run(
        _ run: PreparedStep.MappingRun, from reader: SourceReader, to destination: Destination,
        _ rows: any StorageWriting, _ tally: inout Tally
    ) throws(DataStoreError) -> Int {
        guard let source = run.source else {
            if case .once(let body) = run.mapping.body {
                try call {
                    try destination.run(run.destination, for: nil) { try body(reader, $0) }
                }
                try destination.flush()
                reader.endCall()
            }
            return 0
        }
        let batches = RowBatches(of: source, in: prepared.working, rows)
        var count = 0
        while try batches.readNext() {
            for cells in batches.rows {
                let row = SourceRow(cells, of: source, in: reader)
                defer { reader.endCall() }
                do {
                    try destination.run(run.destination, for: row) { destination in
                        try self.call(run, with: row, destination)
                    }
                } catch {
                    throw prepared.step.failure(error, at: row)
                }
            }
            try destination.flush()
            count += batches.rows.count
            tally.add(batches.rows.count)
        }
        return count
    }

    @inline(__always)
    private func call(
        _ run: PreparedStep.MappingRun, with row: SourceRow, _ destination: Destination
    ) throws {
        switch run.mapping.body {
        case .rows(let body): try body(row, destination)
        case .none: _ = try destination.make()
        case .joined(let reference, let body):
            try body(row, try row.joined(to: run.other, by: reference), destination)
        case .once(let body): try body(row.source, destination)
        }
    }

    private func call(_ body: () throws -> Void) throws(DataStoreError) {
        do {
            try body()
        } catch {
            throw prepared.step.failure(error, at: nil)
        }
    }

    // MARK: Checks

    private func check(_ rows: any StorageReading) throws(DataStoreError) {
        let schema = prepared.target
        try prepared.finishing.requireRelationships(of: schema, in: rows)
        for relationship in schema.relationships.joined() where !relationship.isDerived {
            let ends = [relationship.owner, relationship.target]
            guard prepared.hasClosures || ends.contains(where: prepared.changed.contains) else { continue }
            let fault = try ReferenceFault.first(
                in: relationship, schema, rows, cancelledAs: "The migration")
            if let fault {
                throw fault.error(fault.sentence, advice: "Correct the mapping, so that the item exists.")
            }
        }
        guard prepared.hasClosures else { return }
        for (number, entity) in schema.entities.enumerated() {
            for index in entity.indexes where index.isUnique {
                let clash = try UniqueClash.first(
                    in: index, of: number, entity, rows, cancelledAs: "The migration")
                if let clash { throw clash.violation }
            }
        }
    }

    /// The error with the advice for a step, where that of the engine is about another cause.
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

extension PreparedStep {
    /// True if closures may have changed any row.
    fileprivate var hasClosures: Bool { step.before != nil || step.after != nil }
}

extension SchemaStep {
    /// The error of a closure, with the step and the item that it was about.
    fileprivate func failure(_ error: any Error, at row: SourceRow?) -> DataStoreError {
        let type = row?.type
        let identifier = row.flatMap { try? $0.id }
        // An error of another store that the closure reads must not look like one of this store.
        let isAboutStore = [.damaged, .newerFormat, .schemaMismatch].contains(
            (error as? DataStoreError)?.code)
        if let error = error as? DataStoreError, !isAboutStore {
            return error.about(itemType: type, identifier: identifier)
        }
        let place = type.map { " at \($0)" + (identifier.map { " \($0)" } ?? "") } ?? ""
        return DataStoreError(
            .migrationFailed, "The step \(self) failed\(place): \(error)", itemType: type,
            identifier: identifier,
            underlying: DataStoreError.Underlying(
                source: "\(Swift.type(of: error))", code: 0, message: "\(error)"))
    }
}
