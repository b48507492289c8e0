/// The handles of a write block, and those of them that were changed.
///
/// The write blocks that run with one ``BlockContext`` use it one after the other.
@usableFromInline
package final class BlockHandles {
    @usableFromInline let pipeline: RowPipeline
    private let resources: BlockResources
    // reason for unchecked: see BlockContext.
    @exclusivity(unchecked) private var table = HandleTable()
    /// The handles with unsaved changes, in the order of their first change.
    @exclusivity(unchecked) private var changed: [any TrackedHandle] = []
    /// Changed handles of a walk that may need a value which a later one frees; they come before the others.
    @exclusivity(unchecked) private var waiting: [any TrackedHandle] = []

    init(of pipeline: RowPipeline) {
        self.pipeline = pipeline
        resources = pipeline.resources
        pipeline.handles = self
    }

    package var isEmpty: Bool { table.isEmpty }

    @usableFromInline
    subscript(key: ItemKey) -> (any TrackedHandle)? { table[key] }

    /// Adds the handle of an item that has none.
    @usableFromInline
    func add(_ handle: any TrackedHandle, for key: ItemKey) {
        table.insert(handle, for: key)
    }

    /// Remembers that a handle shows something other than what is stored.
    func noteChange(of handle: any TrackedHandle) {
        changed.append(handle)
    }

    package var changedCount: Int { changed.count + waiting.count }

    func noteDeletion(of key: ItemKey) {
        table[key]?.state = .deleted
    }

    func noteDeletion(ofAll entity: Int) {
        table.forEach { if $0.entity == entity { $0.state = .deleted } }
    }

    /// Releases all handles, as the block has ended.
    func removeAll() {
        table = HandleTable()
        (changed, waiting) = ([], [])
    }

    /// Expires handles, so that a long walk needs no more memory than a short one.
    func expire(_ keys: [ItemKey]) {
        for key in keys { table.remove(key)?.state = .expired }
    }
}

// MARK: Reloading

extension BlockHandles {
    /// Shows in the handle of an item, if it has one, what is stored now.
    func reload(_ key: ItemKey) throws(DataStoreError) {
        if let handle = table[key] { try reload([handle]) }
    }

    /// Drops what was set since the last flush, and shows in all handles what is stored, by now or again.
    ///
    /// Those that the app has released are not read, so that a block may change much and commit or undo often.
    func reloadHeld() throws(DataStoreError) {
        (changed, waiting) = ([], [])
        if table.isEmpty { return }
        table.forgetReleased()
        var handles: [any TrackedHandle] = []
        table.forEach { handles.append($0) }
        try reload(handles)
    }

    /// Shows in the handles of items that a call has changed what is stored now.
    func showChanges() throws(DataStoreError) {
        // Values that a caller has set meanwhile are saved first, so that they are not lost.
        if changedCount > 0 { try flush() }
        let keys = Set(pipeline.unshown)
        pipeline.unshown.removeAll()
        try reload(keys.compactMap { table[$0] })
    }

    /// - Throws: The error for which the block fails, as the rows have changed already.
    private func reload(_ handles: [any TrackedHandle]) throws(DataStoreError) {
        do {
            for entity in Set(handles.map(\.entity)) {
                try show(handles.filter { $0.entity == entity }, of: entity)
            }
        } catch {
            throw pipeline.fail(with: error)
        }
    }

    private func show(_ handles: [any TrackedHandle], of entity: Int) throws(DataStoreError) {
        try pipeline.context.forEachRow(at: handles.map(\.identifier), of: entity) {
            position, cells throws(DataStoreError) in
            let handle = handles[position]
            guard let cells else { return handle.state = .deleted }
            try handle.reload(from: RowReader(cells: cells, of: handle.entitySchema))
        }
    }
}

// MARK: Saving

extension BlockHandles {
    /// Writes what was set on handles, in the order of their first change; when it throws, the block fails.
    ///
    /// - Parameter isMidway: True if more handles of a walk are to come, which may free what those so far need.
    func flush(isMidway: Bool = false) throws(DataStoreError) {
        try pipeline.failingBlock { call throws(DataStoreError) in try flush(in: call, isMidway: isMidway) }
    }

    /// The same as a part of a call, which is undone when it throws.
    package func flush(in call: UndoneCall, isMidway: Bool = false) throws(DataStoreError) {
        resources.arena.reset()
        // Most often it is one handle, changed between two requests.
        if changed.count == 1, waiting.isEmpty, !isMidway, call.parts == nil {
            let handle = changed.removeLast()
            if handle.state == .live { try saveShown(by: handle) }
            return handle.noteSaved()
        }
        var handles: [any TrackedHandle] = []
        for handle in isMidway ? changed : waiting + changed {
            if isMidway, try waits(handle) { waiting.append(handle) } else { handles.append(handle) }
        }
        if !isMidway { waiting.removeAll() }
        changed.removeAll()
        // If values may be swapped, uniqueness is judged on all of them together; else the memory of a
        // part serves the next one.
        let isJudgedAtOnce = handles.contains { !pipeline.rules.sharedByNone[$0.entity].isEmpty }
        let size = isJudgedAtOnce ? handles.count : WriteBlock.batchSize
        for part in handles.chunks(ofCount: size) {
            resources.arena.reset()
            try save(part, in: call)
        }
        for handle in handles { handle.noteSaved() }
        try pipeline.showChanges()
    }

    /// True if a handle has a new value that no two rows share.
    private func waits(_ handle: any TrackedHandle) throws(DataStoreError) -> Bool {
        let shared = pipeline.rules.sharedByNone[handle.entity]
        if shared.isEmpty || handle.state != .live { return false }
        return try mutation(saving: handle)?.columns.intersects(shared) ?? false
    }

    private func save(
        _ handles: ArraySlice<any TrackedHandle>, in call: UndoneCall
    ) throws(DataStoreError) {
        var mutations: [RowMutation] = []
        mutations.reserveCapacity(handles.count)
        for handle in handles where handle.state == .live {
            if let mutation = try mutation(saving: handle) { mutations.append(mutation) }
        }
        if !mutations.isEmpty { try pipeline.apply(mutations, in: call) }
    }

    /// Writes other values for the item of a handle at once; when it throws, nothing has changed.
    package func save<Item: DataStoreItem>(_ item: Item, in handle: Mutable<Item>) throws(DataStoreError) {
        if Item.schema.hasWindows { return try save(GivenItem(item, id: handle.id), in: handle) }
        try saveValues(item, in: handle)
    }

    /// Writes the values alone.
    func saveValues<Item: DataStoreItem>(_ item: Item, in handle: Mutable<Item>) throws(DataStoreError) {
        try handle.showing(item) { () throws(DataStoreError) in try saveShown(by: handle) }
    }

    /// Writes what a handle shows.
    ///
    /// - Parameter call: The call whose part it is; nil if it is a whole one.
    func saveShown(by handle: any TrackedHandle, in call: UndoneCall? = nil) throws(DataStoreError) {
        resources.arena.reset()
        guard let mutation = try mutation(saving: handle) else { return }
        if let call { try pipeline.apply([mutation], in: call) } else { try pipeline.apply(mutation) }
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
