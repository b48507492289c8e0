/// The way of row mutations into the engine: iteration guard, rules, undo, engine, change log.
///
/// ``apply(_:isUndoneByCaller:)`` is its only door. It knows neither items nor handles. The write blocks that
/// run with one ``BlockContext`` use it one after the other.
@usableFromInline
final class RowPipeline {
    // reason for unowned(unsafe): the context keeps the pipeline.
    unowned(unsafe) let context: BlockContext
    let resources: BlockResources
    private let rules: RowRules
    // reason for unchecked: see BlockContext.
    @exclusivity(unchecked) var undo = BlockUndo(.alone)
    @exclusivity(unchecked) var changeLog = ChangeLog(isRecording: false)
    @exclusivity(unchecked) var iterations = IterationGuard()
    /// The calls and savepoint blocks that are running.
    @exclusivity(unchecked) var openCalls = 0
    /// The error that keeps the block from being stored.
    @exclusivity(unchecked) private(set) var failure: DataStoreError?
    /// The error of the engine after which nothing else in the transaction can be trusted.
    @exclusivity(unchecked) private(set) var engineFailure: DataStoreError?
    @exclusivity(unchecked) private var isAskingRules = false
    /// The approximate size of the rows that were written; counted in shared transactions only.
    @exclusivity(unchecked) var writtenBytes = 0

    init(in context: BlockContext) {
        self.context = context
        resources = context.resources
        rules = resources.rules
    }

    /// Begins another block.
    func begin(_ sharing: BlockUndo.Sharing) {
        undo = BlockUndo(sharing)
        iterations = IterationGuard()
        (failure, engineFailure, writtenBytes) = (nil, nil, 0)
        beginChanges()
    }

    /// Forgets the changes so far, as they are committed.
    func beginChanges() {
        changeLog = ChangeLog(isRecording: context.store.broadcaster.hasListeners)
    }

    /// Releases what the last block has left in memory.
    func reset() {
        changeLog = ChangeLog(isRecording: false)
    }

    /// True if the block does not commit by itself.
    var isShared: Bool { undo.isShared }

    /// Makes the block fail, whatever it does afterwards.
    ///
    /// - Returns: The error with which it fails, which is the first one.
    @discardableResult
    func fail(with error: DataStoreError) -> DataStoreError {
        let first = failure ?? error
        failure = first
        return first
    }

    /// Makes the block fail, and all others that share its transaction.
    @discardableResult
    func failTransaction(with error: DataStoreError) -> DataStoreError {
        engineFailure = engineFailure ?? error
        return fail(with: error)
    }
}

// MARK: Applying

extension RowPipeline {
    /// Applies one mutation, with those that follow from it; when this throws, nothing has changed.
    ///
    /// - Returns: The number of rows it has touched, without those that follow from it.
    @discardableResult
    @usableFromInline
    func apply(_ mutation: RowMutation) throws(DataStoreError) -> Int {
        try withUnsafePointer(to: mutation) { mutation throws(DataStoreError) in
            try apply(UnsafeBufferPointer(start: mutation, count: 1))
        }
    }

    @discardableResult
    @usableFromInline
    func apply(_ mutations: [RowMutation], isUndoneByCaller: Bool) throws(DataStoreError) -> Int {
        try mutations.withUnsafeBufferPointer { mutations throws(DataStoreError) in
            try apply(mutations, isUndoneByCaller: isUndoneByCaller)
        }
    }

    /// Applies the mutations of a call, or a part of them, with those that follow from them by the rules.
    ///
    /// - Parameter isUndoneByCaller: True if the caller undoes its whole call, or fails its block, when this
    ///   throws. A savepoint for each part would make engines copy every page again that a part touches: 37
    ///   times the writes of SQLite. If false, nothing has changed when this throws.
    /// - Returns: The number of rows the mutations have touched, without those that follow from them.
    func apply(
        _ mutations: UnsafeBufferPointer<RowMutation>, isUndoneByCaller: Bool = false
    ) throws(DataStoreError) -> Int {
        if iterations.isIterating { try iterations.require(mutations, resources.schema) }
        if isAskingRules { throw fail(with: changeInsideRule) }
        if rules.concern(mutations) {
            let added = try askRules(mutations)
            if !added.isEmpty {
                return try apply(mutations, with: added, isUndoneByCaller: isUndoneByCaller)
            }
        }
        return try applyChecked(mutations, isUndoneByCaller: isUndoneByCaller).count
    }

    private func askRules(
        _ mutations: UnsafeBufferPointer<RowMutation>
    ) throws(DataStoreError) -> [RowMutation] {
        isAskingRules = true
        defer { isAskingRules = false }
        return try context.withSnapshot { snapshot throws(DataStoreError) in
            try rules.mutations(
                following: mutations, in: RuleReading(resources: resources, snapshot: snapshot))
        }
    }

    private var changeInsideRule: DataStoreError {
        DataStoreError(
            .nestedTransaction, "Items were changed while a rule was judging another change of the block.",
            advice: "Return further changes from the rule.")
    }

    private func apply(
        _ mutations: UnsafeBufferPointer<RowMutation>, with added: [RowMutation], isUndoneByCaller: Bool
    ) throws(DataStoreError) -> Int {
        let all = mutations + added
        let touched = try all.withUnsafeBufferPointer { all throws(DataStoreError) in
            if iterations.isIterating { try iterations.require(all, resources.schema) }
            return try applyChecked(all, isUndoneByCaller: isUndoneByCaller)
        }
        return mutations.indices.reduce(0) { $0 + touched[$1] }
    }

    /// Applies mutations that no rule has refused.
    private func applyChecked(
        _ mutations: UnsafeBufferPointer<RowMutation>, isUndoneByCaller: Bool
    ) throws(DataStoreError) -> TouchedRows {
        if isUndoneByCaller { return try write(mutations) }
        let way = undo.way(
            toUndo: .call(isTransactionUntouched: context.isUntouched),
            changing: .mutations(mutations.count, insertedRow: nil))
        if case .nothing = way { return try write(mutations) }
        return try allOrNothing { () throws(DataStoreError) in try write(mutations) }.get()
    }

    private func write(
        _ mutations: UnsafeBufferPointer<RowMutation>
    ) throws(DataStoreError) -> TouchedRows {
        let way = try prepareToUndoBlock { changes(mutations) }
        let deleted = try changeLog.isRecording ? identifiers(deletedBy: mutations) : [:]
        let touched: TouchedRows
        do {
            touched = try context.withWriting { writing throws(DataStoreError) in
                try writing.apply(mutations)
            }
        } catch {
            throw failed(error)
        }
        undo.note(way)
        record(mutations, touched, deleted)
        return touched
    }

    /// The error of a call whose mutations the engine refuses; most errors fail the block as well.
    private func failed(_ error: DataStoreError) -> DataStoreError {
        switch error.code {
        // Found before the row is touched.
        case .duplicateIdentifier: error
        // A row that is too large is the block's own affair; after anything else the engine's state is
        // unknown.
        case .valueTooLarge: fail(with: error)
        default: failTransaction(with: error)
        }
    }
}
