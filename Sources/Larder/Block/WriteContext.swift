/// A running write block: its transaction, its handles, and what it has changed so far.
///
/// Handles collect sets; ``flush()`` turns them into row mutations before each request and at the end. Rows are written
/// by ``write(_:)`` and ``writePart(_:)``, which check the rules all engines share before the first row is touched.
@usableFromInline
final class WriteContext: BlockContext {
    @exclusivity(unchecked) private(set) var writing: any StorageWriting
    /// How the block is undone where it shares the transaction with blocks before it.
    @exclusivity(unchecked) var undo: BlockUndo
    @exclusivity(unchecked) private var handles = HandleTable()
    @exclusivity(unchecked) private var dirty: [any TrackedHandle] = []
    @exclusivity(unchecked) private(set) var changeLog: ChangeLog
    @exclusivity(unchecked) private var iterated = [Int: Int]()
    @exclusivity(unchecked) private var doom: DataStoreError?
    @exclusivity(unchecked) private var savepoints = 0
    // Handles that somebody has kept report to the store.
    private let keptStore: StoreCoordinator
    /// Whether other blocks use the transaction too, and somebody else ends it.
    private let isShared: Bool
    @exclusivity(unchecked) private(set) var pendingHooks: [@Sendable () -> Void] = []
    @exclusivity(unchecked) private(set) var committedHooks: [@Sendable () -> Void] = []
    /// What the engine failed with; what else the transaction holds cannot be trusted then.
    @exclusivity(unchecked) private(set) var engineFailure: DataStoreError?
    /// How much was written, roughly; counted for shared transactions only.
    @exclusivity(unchecked) private(set) var writtenBytes = 0

    /// - Parameter undo: How the block is undone alone; nil where its transaction is its own.
    init(
        store: StoreCoordinator, resources: BlockResources, writing: any StorageWriting, undo: BlockUndo?
    ) {
        self.writing = writing
        self.undo = undo ?? BlockUndo(isNeeded: false)
        keptStore = store
        isShared = undo != nil
        changeLog = ChangeLog(isRecording: store.broadcaster.hasListeners)
        super.init(store: store, resources: resources, isWriting: true)
        transaction = writing
    }

    override func close() {
        if isShared { transaction = nil }
        super.close()
        handles = HandleTable()
        dirty = []
    }

    override func prepareForRequest() throws(DataStoreError) {
        if let doom { throw doom }
        if !dirty.isEmpty { try flush() }
    }
}

// MARK: Ending the block

extension WriteContext {
    /// Saves the handles, and commits unless the transaction is shared.
    func finish() throws(DataStoreError) {
        undo.isLastChange = dirty.count <= 1
        try prepareForRequest()
        if !isShared { try commitTransaction() }
    }

    /// Commits what was done so far, and goes on with a new transaction.
    func commitMidway() throws(DataStoreError) {
        try requireOpen()
        if let place = placeWithoutCommit {
            throw DataStoreError(
                .unsupported, "commit() was called inside \(place).",
                advice:
                    "Call it in a writeSync block, outside savepoints, insert(contentsOf:) and forEachItem.")
        }
        try prepareForRequest()
        do {
            try commitTransaction()
            try beginAnew()
        } catch {
            throw doomed(error)
        }
        changeLog = ChangeLog(isRecording: store.broadcaster.hasListeners)
    }

    /// Begins another transaction, as the last one has ended.
    private func beginAnew() throws(DataStoreError) {
        transaction = nil
        writing = try store.beginWriting()
        transaction = writing
        isUntouched = true
    }

    /// What the block is doing that a commit would tear apart.
    private var placeWithoutCommit: String? {
        if isShared { return "writeAsync" }
        if savepoints > 0 { return "a savepoint" }
        return iterated.isEmpty ? nil : "forEachItem"
    }

    private func commitTransaction() throws(DataStoreError) {
        transaction = nil
        if changeLog.isEmpty {
            writing.end()
        } else {
            try writing.commit()
            if changeLog.isRecording { store.broadcaster.send(changeLog.changeSet(of: schema)) }
        }
        if pendingHooks.isEmpty { return }
        committedHooks += pendingHooks
        pendingHooks.removeAll()
    }

    /// Makes the block fail whatever it does from now on.
    func doomed(_ error: DataStoreError) -> DataStoreError {
        if doom == nil { doom = error }
        return doom ?? error
    }

    /// Makes the block fail, and all that share its transaction.
    func engineFailed(_ error: DataStoreError) -> DataStoreError {
        engineFailure = engineFailure ?? error
        return doomed(error)
    }

    func addHook(_ hook: @escaping @Sendable () -> Void) throws(DataStoreError) {
        try requireOpen()
        pendingHooks.append(hook)
    }
}

// MARK: Writing

extension WriteContext {
    /// Applies some of the mutations of a call; when it throws, some may have been applied.
    ///
    /// *Rule:* the caller has set a savepoint for all of them, to which it goes back then. A savepoint for each
    /// part would make engines keep every page again that a part touches: 37 times the writes of SQLite.
    ///
    /// - Returns: How many rows were touched.
    @discardableResult
    @usableFromInline
    func writePart(_ mutations: [RowMutation]) throws(DataStoreError) -> Int {
        if mutations.count == 1 { return try write(mutations[0]) }
        for mutation in mutations { try requireNotIterated(mutation.entity) }
        try UniquenessCheck(context: self).check(mutations)
        let count = try apply(mutations)
        if count > 0 { for mutation in mutations { record(mutation) } }
        return count
    }

    /// Applies a mutation, or throws and changes nothing.
    ///
    /// - Returns: How many rows were touched.
    @discardableResult
    @usableFromInline
    func write(_ mutation: RowMutation) throws(DataStoreError) -> Int {
        try requireNotIterated(mutation.entity)
        try UniquenessCheck(context: self).check(mutation)
        let count = try apply(mutation)
        if count > 0 { record(mutation) }
        return count
    }

    private func bytes(of mutation: RowMutation) -> Int {
        guard mutation.kind == .insert || mutation.kind == .update else { return 0 }
        let columns = schema.entities[mutation.entity].attributes.count
        return (0..<columns).reduce(columns * MemoryLayout<Cell>.size) { sum, column in
            sum + Int(mutation.cells[column].length)
        }
    }

    private func apply(_ mutations: [RowMutation]) throws(DataStoreError) -> Int {
        try noting(
            mutations.withUnsafeBufferPointer { mutations in
                Result { () throws(DataStoreError) in try writing.apply(mutations) }
            })
    }

    private func apply(_ mutation: RowMutation) throws(DataStoreError) -> Int {
        try prepareToUndo(mutation.kind)
        let count = try noting(
            withUnsafePointer(to: mutation) { mutation in
                Result { () throws(DataStoreError) in
                    try writing.apply(UnsafeBufferPointer(start: mutation, count: 1))
                }
            })
        noteForUndo(mutation)
        return count
    }

    /// How many rows were touched; an error of the engine dooms the block.
    private func noting(_ result: Result<Int, DataStoreError>) throws(DataStoreError) -> Int {
        isUntouched = false
        do {
            return try result.get()
        } catch {
            // A clash is found before anything is written; after anything else the engine's word is final.
            if error.code == .duplicateIdentifier { throw error }
            // A row that is too large is this block's own affair.
            if error.code != .valueTooLarge { engineFailure = engineFailure ?? error }
            throw doomed(error)
        }
    }

    private func record(_ mutation: RowMutation) {
        if isShared { writtenBytes += bytes(of: mutation) }
        guard changeLog.isRecording else { return changeLog.noteWrite() }
        let type = schema.entities[mutation.entity].attributes[0].type
        changeLog.record(
            mutation.kind, entity: mutation.entity,
            identifier: mutation.kind == .deleteAll ? nil : AnyItemID(mutation.cells[0], type: type),
            columns: mutation.columns)
    }

    private func requireNotIterated(_ entity: Int) throws(DataStoreError) {
        if !iterated.isEmpty, iterated[entity] != nil {
            let name = schema.entities[entity].name
            throw DataStoreError(
                .changedDuringIteration, "\(name) items were changed while forEachItem was reading them.",
                itemType: name)
        }
    }

    /// Runs a body that reads items of a type one after the other; they may not be changed meanwhile.
    @usableFromInline
    func iterating<Result>(_ entity: Int, _ body: () throws -> Result) rethrows -> Result {
        iterated[entity, default: 0] += 1
        defer {
            let count = (iterated[entity] ?? 1) - 1
            iterated[entity] = count == 0 ? nil : count
        }
        return try body()
    }

    /// Deletes all rows of an entity.
    func deleteAll(_ entity: Int) throws(DataStoreError) -> Int {
        try requireNotIterated(entity)
        let identifiers = try changeLog.isRecording ? identifiers(ofAll: entity) : []
        let unused = resources.cells
        let count = try apply(RowMutation(.deleteAll, entity: entity, cells: unused))
        changeLog.record(.deleteAll, entity: entity, identifier: nil)
        for identifier in identifiers {
            changeLog.record(.delete, entity: entity, identifier: identifier)
        }
        handles.forEach { if $0.entity == entity { $0.state = .deleted } }
        return count
    }

    private func identifiers(ofAll entity: Int) throws(DataStoreError) -> [AnyItemID] {
        let plan = RequestPlan(entity: entity, schema: schema.entities[entity], columns: .some([0]))
        var identifiers: [AnyItemID] = []
        let scan = try scan(plan)
        defer { scan.close() }
        while try scan.next() {
            if let identifier = AnyItemID(scan.cells[0], type: plan.schema.attributes[0].type) {
                identifiers.append(identifier)
            }
        }
        return identifiers
    }
}

// MARK: Savepoints

extension WriteContext {
    /// Runs a body whose changes are undone when it throws; handles then show what is stored again.
    func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        try requireOpen()
        try prepareForRequest()
        let hooks = pendingHooks.count
        let outcome = try inSavepoint {
            let value = try body()
            try prepareForRequest()
            return value
        }
        if case .failure = outcome {
            pendingHooks.removeSubrange(hooks...)
            if doom == nil { try reloadHandles() }
        }
        return try outcome.get()
    }

    /// Keeps what the body does when it succeeds, and undoes it when it fails.
    ///
    /// - Throws: What the engine says to the savepoint itself; that dooms the block.
    @usableFromInline
    func inSavepoint<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(DataStoreError) -> Result<Value, Failure> {
        try prepareToUndo()
        let position = changeLog.position
        savepoints += 1
        defer { savepoints -= 1 }
        // Where nobody has seen the transaction yet, beginning it anew undoes as much, and keeping all costs nothing.
        let isNeeded = isShared || !isUntouched
        do {
            if isNeeded { try writing.setSavepoint() }
            let outcome = Result { () throws(Failure) in try body() }
            switch outcome {
            case .success:
                if isNeeded { try writing.releaseSavepoint() }
            case .failure:
                if isNeeded {
                    try writing.rollBackToSavepoint()
                } else {
                    writing.end()
                    try beginAnew()
                }
                changeLog.rollBack(to: position)
            }
            return outcome
        } catch {
            throw engineFailed(error)
        }
    }

    private func reloadHandles() throws(DataStoreError) {
        dirty.removeAll()
        try handles.forEach { handle throws(DataStoreError) in try reload(handle, handle.key) }
    }
}

// MARK: Handles

extension WriteContext {
    /// The handle of an item: the one it has, or a new one.
    @inlinable
    func handle<Item: DataStoreItem>(for item: consuming Item, entity: Int) -> Mutable<Item> {
        let key = ItemKey(entity: entity, identifier: item.id.anyItemID)
        if let known = knownHandle(of: key) as? Mutable<Item> {
            // Inserted anew after a deletion: the same handle again, as a savepoint may undo both.
            if known.state == .deleted { known.revive(as: item) }
            return known
        }
        let handle = Mutable(item, entity: entity, in: self)
        keep(handle, for: key)
        return handle
    }

    @usableFromInline
    func knownHandle(of key: ItemKey) -> (any TrackedHandle)? { handles[key] }

    @usableFromInline
    func keep(_ handle: any TrackedHandle, for key: ItemKey) {
        handles.insert(handle, for: key)
    }

    /// Whether a set on the handle counts; if not, it is reported, or dooms the block.
    @inlinable
    @inline(__always)
    func accepts(_ handle: some TrackedHandle) -> Bool {
        if isOpen, handle.state == .live { return true }
        refuse(handle)
        return false
    }

    @usableFromInline
    func refuse(_ handle: some TrackedHandle) {
        do {
            try require(handle)
        } catch  where !isOpen {
            store.report(error)
            if store.options.assertsOnMisuse { assertionFailure(error.description) }
        } catch {
            _ = doomed(error)
        }
    }

    /// Checks that the block is running and the handle's item exists.
    func require(_ handle: some TrackedHandle) throws(DataStoreError) {
        func refused(_ code: DataStoreError.Code, _ message: String) -> DataStoreError {
            DataStoreError(
                code, message, itemType: handle.entitySchema.name, identifier: handle.identifier)
        }
        guard isOpen else {
            throw refused(
                .accessorExpired, "An item was changed through a handle whose block had ended.")
        }
        switch handle.state {
        case .live: return
        case .deleted: throw refused(.itemNotFound, "An item was changed after it had been deleted.")
        case .expired:
            throw refused(
                .accessorExpired,
                "An item was changed through a handle of forEachMutableItem after its turn.")
        }
    }

    @usableFromInline
    func noteChange(of handle: any TrackedHandle) {
        dirty.append(handle)
    }

    func noteDeletion(of key: ItemKey) {
        handles[key]?.state = .deleted
    }

    /// Shows in the handle of an item, if it has one, what is stored now.
    func refreshHandle(of key: ItemKey) throws(DataStoreError) {
        if let handle = handles[key] { try reload(handle, key) }
    }

    private func reload(_ handle: any TrackedHandle, _ key: ItemKey) throws(DataStoreError) {
        isUntouched = false
        resources.arena.reset()
        let cell = try key.identifier.encode(in: resources.arena)
        guard try writing.row(at: cell, of: key.entity, into: resources.cells) else {
            handle.state = .deleted
            return
        }
        try handle.reload(from: RowReader(cells: resources.cells, of: handle.entitySchema))
    }

    /// Whether the item has a handle.
    func hasHandle(_ key: ItemKey) -> Bool {
        handles[key] != nil
    }

    /// Takes handles out of use, so that a long walk needs no more memory than a short one.
    func expireHandles(_ keys: [ItemKey]) {
        // What a body set before it threw is kept; where it cannot be stored, that dooms the block.
        if doom == nil, !dirty.isEmpty { try? flush() }
        for key in keys { handles.remove(key)?.state = .expired }
    }

    /// Writes what was set on handles, in the order of their first change; a failure dooms the block.
    func flush() throws(DataStoreError) {
        do {
            resources.arena.reset()
            // Most often it is one handle, changed between two requests.
            if dirty.count == 1 { return try save(dirty.removeLast()) }
            let changed = dirty
            dirty.removeAll()
            // No savepoint of its own: a failure dooms the block, which is undone whole.
            try prepareToUndo()
            // Where values may be swapped, uniqueness is judged on all of them together; else the memory of a
            // part serves the next one.
            let size = changed.contains { $0.entitySchema.hasUniqueIndex } ? changed.count : Self.batchSize
            _ = try forEachBatch(of: changed, size: size) { handles throws(DataStoreError) in
                try save(handles)
            }
            for handle in changed { handle.noteSaved() }
        } catch {
            throw doomed(error)
        }
    }

    private func save(_ handles: ArraySlice<any TrackedHandle>) throws(DataStoreError) -> Int {
        var mutations: [RowMutation] = []
        mutations.reserveCapacity(handles.count)
        for handle in handles where handle.state == .live {
            if let mutation = try mutation(saving: handle) { mutations.append(mutation) }
        }
        return mutations.isEmpty ? 0 : try writePart(mutations)
    }

    private func save(_ handle: any TrackedHandle) throws(DataStoreError) {
        if handle.state == .live, let mutation = try mutation(saving: handle) { try write(mutation) }
        handle.noteSaved()
    }

    /// Writes other values for the item of a handle at once; when it throws, nothing has changed.
    func save<Item: DataStoreItem>(_ item: Item, in handle: Mutable<Item>) throws(DataStoreError) {
        resources.arena.reset()
        try handle.showing(item) { () throws(DataStoreError) in
            if let mutation = try mutation(saving: handle) { try write(mutation) }
        }
    }

    private func mutation(saving handle: any TrackedHandle) throws(DataStoreError) -> RowMutation? {
        let entity = handle.entitySchema
        let arena = resources.arena
        let (old, new) = (
            try arena.makeCells(entity.attributes.count), try arena.makeCells(entity.attributes.count)
        )
        var saved = RowWriter(cells: old, arena: arena, of: entity)
        var changed = RowWriter(cells: new, arena: arena, of: entity)
        do {
            try handle.encode(saved: &saved, changed: &changed)
        } catch {
            throw error.about(itemType: entity.name, identifier: handle.identifier)
        }
        let columns = entity.changedColumns(from: old, to: new)
        return columns.isEmpty
            ? nil : RowMutation(.update, entity: handle.entity, cells: new, columns: columns)
    }
}
