import LarderDiagnostics
import LarderThreads

/// The way of row mutations into the engine: iteration guard, rules, undo, engine, change log.
///
/// Whatever the app changes comes in by ``apply(_:in:knownColumn:)``. ``DeletionWaves`` write what the delete rules add by
/// ``write(_:addedFrom:in:)``, past the rules. It knows no item; of handles it knows which items have one, and asks
/// ``BlockHandles`` to show what a call has changed. The write blocks that run with one ``BlockContext`` use it one
/// after the other.
@usableFromInline
package final class RowPipeline {
    // reason for unowned(unsafe): the context keeps the pipeline.
    unowned(unsafe) package let context: BlockContext
    let resources: BlockResources
    let rules: RowRules
    // reason for unowned(unsafe): the handles keep the pipeline, and the context keeps both.
    /// The handles of the block, which show what rules have changed.
    @exclusivity(unchecked) unowned(unsafe) var handles: BlockHandles?
    /// The items that the calls which are running have changed, and whose handles do not show it yet.
    @exclusivity(unchecked) var unshown: [ItemKey] = []
    // reason for unchecked: see BlockContext.
    @exclusivity(unchecked) var undo = BlockUndo(.alone)
    @exclusivity(unchecked) package var changeLog = ChangeLog(isRecording: false)
    /// True from the beginning of a block until what it has left in memory is released.
    @exclusivity(unchecked) private var isInUse = false
    /// The origin of the block, and whether its changes are asked for.
    @exclusivity(unchecked) private(set) var terms = WriteTerms()
    /// The changes that the block has committed already, if the caller asks for them.
    @exclusivity(unchecked) private(set) var committedLog: ChangeLog?
    /// True if the store had listeners when the changes began.
    @exclusivity(unchecked) private(set) var isHeard = false
    @exclusivity(unchecked) package var iterations = IterationGuard()
    /// The calls and savepoint blocks that are running.
    @exclusivity(unchecked) var openCalls = 0
    /// The call whose list is being made, of which what that sets on handles is a part; nil if there is none.
    @exclusivity(unchecked) var listCall: UndoneCall?
    /// The rows about which the running call decides before a delete rule does; nil if all follows from the rules.
    @exclusivity(unchecked) package var followed: (any FollowedRows)?
    /// For each entity of links the columns of the ends at which items may have got links from the other end since the
    /// outermost of them began; empty if there are none.
    @exclusivity(unchecked) var linkedEnds: [ColumnSet] = []
    /// The links that were made since then, of relationships whose links may dangle.
    @exclusivity(unchecked) var madeLinks: Set<AnyItemID> = []
    /// The error that keeps the block from being stored.
    @exclusivity(unchecked) package private(set) var failure: DataStoreError?
    /// The error of the engine after which nothing else in the transaction can be trusted.
    @exclusivity(unchecked) private(set) var engineFailure: DataStoreError?
    /// True while a body judges by the state of the block, which nothing may change then.
    @exclusivity(unchecked) private var isJudging = false
    /// Follows the changes of the block; nil in a store without hooks.
    @exclusivity(unchecked) private(set) var watch: (any BlockWatch)?
    /// The approximate size of the rows that were written; counted in shared transactions only.
    @exclusivity(unchecked) var writtenBytes = 0

    init(in context: BlockContext) {
        self.context = context
        resources = context.resources
        rules = resources.rules
    }

    /// Begins another block.
    func begin(_ sharing: BlockUndo.Sharing, on terms: WriteTerms) {
        isInUse = true
        undo = BlockUndo(sharing)
        self.terms = terms
        iterations = IterationGuard()
        (failure, engineFailure, writtenBytes, committedLog) = (nil, nil, 0, nil)
        if !unshown.isEmpty { unshown.removeAll() }
        watch = context.store.makeWatch?(self)
        beginChanges()
    }

    /// Begins to note changes, for those who have asked for them by now.
    private func beginChanges() {
        isHeard = context.commitAudience.streams > 0
        changeLog = ChangeLog(
            isRecording: isHeard || terms.report != nil,
            touched: context.commitAudience.observations > 0
                ? CommittedRegion(followsRows: context.commitAudience.rowObservations > 0) : nil)
    }

    /// Begins another list of changes, as those so far are committed.
    func noteCommit() {
        if terms.report != nil {
            if committedLog == nil { committedLog = changeLog } else { committedLog?.append(changeLog) }
        }
        context.commitAudience = context.store.gate.audience
        beginChanges()
    }

    /// Releases what the last block has left in memory.
    func reset() {
        if !isInUse { return }
        isInUse = false
        changeLog = ChangeLog(isRecording: false)
        committedLog = nil
        watch = nil
        terms = WriteTerms()
        forgetLinks()
    }

    /// True if the block does not commit by itself.
    var isShared: Bool { undo.isShared }

    /// Makes the block fail, whatever it does afterwards.
    ///
    /// - Returns: The error with which it fails: the first one, or in a savepoint a cancellation, which that does not undo.
    @discardableResult
    func fail(with error: DataStoreError) -> DataStoreError {
        let isCancelled = error.code == .cancelled && engineFailure == nil && openCalls > 0
        let first = isCancelled ? error : failure ?? error
        failure = first
        return first
    }

    /// Forgets the error of the block after a savepoint has undone what caused it.
    ///
    /// An engine that has failed is not trusted again, and a cancellation is meant for the whole block.
    func recover() {
        if engineFailure == nil, failure?.code != .cancelled { failure = nil }
    }

    /// Makes the block fail, and all others that share its transaction.
    @discardableResult
    package func failTransaction(with error: DataStoreError) -> DataStoreError {
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
    func apply(_ mutation: RowMutation, knownColumn column: Int? = nil) throws(DataStoreError) -> Int {
        try withUnsafePointer(to: mutation) { mutation throws(DataStoreError) in
            try apply(UnsafeBufferPointer(start: mutation, count: 1), knownColumn: column)
        }
    }

    @discardableResult
    @usableFromInline
    package func apply(_ mutations: [RowMutation], in call: UndoneCall?) throws(DataStoreError) -> Int {
        try mutations.withUnsafeBufferPointer { mutations throws(DataStoreError) in
            try apply(mutations, in: call)
        }
    }

    /// Applies the mutations of a call, or a part of them, with those that follow from them by the rules.
    ///
    /// - Parameters:
    ///   - call: The call whose part it is, and which is undone when this throws. If nil, nothing has changed when this
    ///     throws, and handles show all changes when it returns.
    ///   - column: One that refers in all of them to items which are known to be stored; nil for none.
    /// - Returns: The number of rows the mutations have touched, without those that follow from them.
    func apply(
        _ mutations: UnsafeBufferPointer<RowMutation>, in call: UndoneCall? = nil,
        knownColumn column: Int? = nil
    ) throws(DataStoreError) -> Int {
        if iterations.isIterating { try iterations.require(mutations, resources.schema) }
        if isJudging { throw fail(with: changeInsideRule) }
        return try resources.schema.withFolded(mutations) { mutations throws(DataStoreError) in
            if rules.concern(mutations) {
                return try applyByRules(mutations, in: call, knownColumn: column)
            }
            return try applyChecked(mutations, in: call).count
        }
    }

    private func applyByRules(
        _ mutations: UnsafeBufferPointer<RowMutation>, in call: UndoneCall?, knownColumn column: Int?
    ) throws(DataStoreError) -> Int {
        if try context.withWriting({ $0.conditionalInserting }) != nil,
            let condition = rules.insertCondition(of: mutations),
            try handOver(mutations, addedFrom: .max, if: condition).count > 0
        {
            if call == nil { try showChanges() }
            return 1
        }
        let added = try judging(of: call?.parts, knownColumn: column) { reading throws(DataStoreError) in
            try rules.mutations(following: mutations, in: reading)
        }
        let count =
            added.isEmpty
            ? try applyJudged(mutations, asked: mutations.count, in: call)
            : try (mutations + added).withUnsafeBufferPointer { all throws(DataStoreError) in
                if iterations.isIterating { try iterations.require(all, resources.schema) }
                return try applyJudged(all, asked: mutations.count, in: call)
            }
        if let parts = call?.parts, parts.references.isFull {
            try judging { reading throws(DataStoreError) in try parts.references.keepMissing(in: reading) }
        }
        if call == nil { try showChanges() }
        return count
    }

    /// Applies mutations together with those that rules have added.
    ///
    /// - Parameter asked: The number of those that the caller has asked for, which come first.
    private func applyJudged(
        _ mutations: UnsafeBufferPointer<RowMutation>, asked: Int, in call: UndoneCall?
    ) throws(DataStoreError) -> Int {
        if rules.followsDeletion(by: mutations) {
            return try applyDeleting(mutations, asked: asked, in: call)
        }
        let touched = try applyChecked(mutations, addedFrom: asked, in: call)
        return asked == mutations.count ? touched.count : (0..<asked).reduce(0) { $0 + touched[$1] }
    }

    /// Runs a body that judges by the state of the block; nothing may be changed meanwhile.
    ///
    /// - Parameters:
    ///   - parts: The parts of the call so far; nil for a whole call.
    ///   - knownColumn: As in ``apply(_:in:knownColumn:)``.
    func judging<Value>(
        of parts: CallInParts? = nil, knownColumn: Int? = nil,
        _ body: (RuleReading) throws(DataStoreError) -> Value
    ) throws(DataStoreError) -> Value {
        isJudging = true
        defer { isJudging = false }
        return try context.withSnapshot { snapshot throws(DataStoreError) in
            try body(
                RuleReading(
                    resources: resources, snapshot: snapshot, parts: parts, knownColumn: knownColumn))
        }
    }

    /// Remembers an item whose row has changed; its handle, if it has one, shows it at the end of the call.
    package func noteUnshown(_ key: ItemKey) {
        if let handles, handles[key] != nil { unshown.append(key) }
    }

    /// Shows in handles what a call has changed that has succeeded.
    @usableFromInline
    package func showChanges() throws(DataStoreError) {
        if unshown.isEmpty { return }
        try handles?.showChanges()
    }

    private var changeInsideRule: DataStoreError {
        DataStoreError(
            .nestedTransaction, "Items were changed while a rule was judging another change of the block.",
            advice: "Return further changes from the rule.")
    }

    /// Applies mutations that no rule has refused.
    ///
    /// - Parameter position: The position of the first one that a rule has added.
    func applyChecked(
        _ mutations: UnsafeBufferPointer<RowMutation>, addedFrom position: Int = .max, in call: UndoneCall?
    ) throws(DataStoreError) -> TouchedRows {
        if let call { return try write(mutations, addedFrom: position, in: call) }
        let way = undo.way(
            toUndo: .call(isTransactionUntouched: context.isUntouched),
            changing: .mutations(mutations.count, insertedRow: nil))
        // A single one is changed whole or not at all.
        if case .nothing = way { return try handOver(mutations, addedFrom: position) }
        return try allOrNothing { call throws(DataStoreError) in
            try write(mutations, addedFrom: position, in: call)
        }.get()
    }

    /// Applies mutations that were judged, past the rules.
    @discardableResult
    func write(
        _ mutations: UnsafeBufferPointer<RowMutation>, addedFrom position: Int = .max, in call: UndoneCall
    ) throws(DataStoreError) -> TouchedRows {
        assert(mayRun(call), "Rows were changed with an UndoneCall after the body of its frame.")
        return try handOver(mutations, addedFrom: position)
    }

    /// Hands mutations to the engine, and records them.
    ///
    /// - Parameter condition: The condition of a lone insert, for an engine that tests it; nil for none.
    private func handOver(
        _ mutations: UnsafeBufferPointer<RowMutation>, addedFrom position: Int,
        if condition: InsertCondition? = nil
    ) throws(DataStoreError) -> TouchedRows {
        try watch?.willApply(mutations)
        let way = try prepareToUndoBlock { changes(mutations) }
        let before = try changeLog.isRecording ? state(before: mutations) : StateBefore()
        let touched: TouchedRows
        let start = context.writeStart
        do {
            touched = try context.withWriting { writing throws(DataStoreError) in
                guard let condition else { return try writing.apply(mutations) }
                var touched = TouchedRows()
                if try writing.conditionalInserting?.insert(mutations[0], if: condition) == true {
                    touched.add(1)
                }
                return touched
            }
        } catch {
            throw failed(error)
        }
        // The engine has kept the row out, and changed nothing.
        if condition != nil, touched.count == 0 { return touched }
        let duration = start?.duration(to: .now)
        undo.note(way)
        watch?.didApply()
        record(mutations, touched, before)
        if let duration {
            context.writtenRows += touched.count
            context.store.diagnostics.sendWrites(mutations.count, in: duration) { position in
                let entity = resources.schema.entities[mutations[position].entity]
                return (mutations[position].kind.change, entity.name, touched[position])
            }
        }
        if position < mutations.count { noteFollowed(mutations, from: position, touched) }
        return touched
    }

    /// The error of a call whose mutations the engine refuses; most errors fail the block as well.
    private func failed(_ error: DataStoreError) -> DataStoreError {
        switch error.code {
        // Found before the row is touched.
        case .duplicateIdentifier, .invalidValue: error
        // A row that is too large is the block's own affair; after anything else the engine's state is
        // unknown.
        case .valueTooLarge: fail(with: error)
        default: failTransaction(with: error)
        }
    }
}
