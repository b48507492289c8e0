import LarderDiagnostics
package import LarderThreads

extension StoreDiagnostics {
    init(of adapter: any StorageAdapter, by options: DataStoreOptions) {
        var engine = adapter
        while let decorator = engine as? any AdapterDecorator { engine = decorator.wrappedAdapter }
        // `KeyValueAdapter<LMDBEngine>` is LMDB, `SQLiteAdapter` SQLite.
        var name = "\(type(of: engine))".utf8[...]
        if let bracket = name.lastIndex(of: UInt8(ascii: "<")) {
            name = name[bracket...].dropFirst().prefix { $0 != UInt8(ascii: ">") }
        }
        let suffix = ["Adapter", "Engine"].first { name.suffix($0.utf8.count).elementsEqual($0.utf8) } ?? ""
        self.init(
            of: options.name ?? adapter.location,
            on: String(Substring(name.dropLast(suffix.utf8.count))),
            logger: options.logger, handlers: options.diagnostics, showsValues: options.logsValues,
            slowRequest: options.slowRequestWarning)
    }
}

extension RowMutation.Kind {
    var change: DataStoreDiagnostic.Change {
        switch self {
        case .insert: .insert
        case .update: .update
        case .delete, .deleteAll: .delete
        }
    }
}

extension StoreCoordinator {
    /// Reports an error to the diagnostics and the error handler.
    ///
    /// Not of a cancellation, nor of an error that a block around the call may still catch: the block reports it if it
    /// ends with it. It may be a block of a parent or a child, which have the same handlers.
    package func report(_ error: any Error, of call: String, hasCaller: Bool = true) {
        let (known, thread) = (error as? DataStoreError, ThreadBlocks.current)
        if error is CancellationError || known?.code == .cancelled { return }
        if hasCaller && thread.isInsideFamily(of: self) { return }
        let text =
            diagnostics.showsValues
            ? "\(error)" : known?.textWithoutValues ?? "\(type(of: error))"
        let failure = DataStoreDiagnostic.Failure(error, of: call, hasCaller: hasCaller, text: text)
        // Errors of a handler's own calls would call it without end.
        let role = ThreadRole.current
        if !role.contains(.diagnostics) {
            role.union(.diagnostics).run { diagnostics.send(.failed(failure)) }
        }
        guard let handler = errorHandler, !role.contains(.errorHandler) else { return }
        callBack { role.union(.errorHandler).run { handler(error) } }
    }

    /// Runs a call of the store, and reports the error that it throws.
    @inline(__always)
    package func reporting<Result, Failure: Error>(
        _ call: String, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        do { return try body() } catch {
            report(error, of: call)
            throw error
        }
    }
}

extension BlockContext {
    var kind: DataStoreDiagnostic.Block { isReading ? .read : .write }

    /// The time at which a request begins, if it is measured.
    @inline(__always)
    package var requestStart: Moment? { store.diagnostics.timesRequests ? .now : nil }

    /// The time at which a look-up begins, if it is heard.
    @inline(__always)
    var lookUpStart: Moment? { store.diagnostics.hearsReading ? .now : nil }

    /// The time at which a write begins, if it is heard.
    @inline(__always)
    var writeStart: Moment? { store.diagnostics.hearsDetails ? .now : nil }

    package func reportRequest(_ plan: RequestPlan, rows: Int, since start: Moment) {
        let showsValues = store.diagnostics.showsValues
        store.diagnostics.sendRequest(
            { showsValues ? plan.description : plan.descriptionWithoutValues }, rows: rows, since: start,
            in: kind)
    }

    /// Reports blocks whose changes are undone.
    func reportRollBack(_ error: any Error, ofBlocks count: Int = 1) {
        guard let start = transactionStart else { return }
        let duration = start.duration(to: .now)
        for _ in 0..<count { store.diagnostics.send(.rolledBack(error, duration), in: .write) }
    }

    /// Reports look-ups by identifier.
    func reportLookUp(
        _ identifiers: [Cell], of number: Int, found: Int, since start: Moment
    ) {
        let duration = start.duration(to: .now)
        let entity = schema.entities[number]
        let type = entity.attributes[0].type
        let shown =
            store.diagnostics.showsValues && identifiers.count == 1
            ? Constant(identifiers[0], storage: type.storage).shown(as: type) : nil
        store.diagnostics.send(
            .lookUp(
                itemType: entity.name, identifier: shown, asked: identifiers.count, found: found, duration),
            in: kind)
    }
}

/// Rows of a request, which is reported when it has ended.
final class TimedCursor: RowCursor {
    private let cursor: any RowCursor
    private let context: BlockContext
    private let plan: RequestPlan
    private var start: Moment?
    private var rows = 0

    init(
        _ cursor: any RowCursor, of plan: RequestPlan, since start: Moment,
        in block: BlockContext
    ) {
        (self.cursor, self.plan, self.start, context) = (cursor, plan, start, block)
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        let isThere = try cursor.next(into: cells)
        if isThere { rows += 1 } else { end() }
        return isThere
    }

    func close() {
        cursor.close()
        end()
    }

    private func end() {
        if let start = start.take() { context.reportRequest(plan, rows: rows, since: start) }
    }
}
