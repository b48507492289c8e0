import Larder

/// Goes through the updates of a list, and checks each: its change, applied to the list before, gives the list, which is
/// what the store has.
struct ObservedLists<Item: DataStoreItem & Equatable> {
    let source: StoreList<Item>
    private let store: any DataStore
    private var iterator: StoreList<Item>.Iterator
    private(set) var last = ItemList<Item>()

    init(_ source: StoreList<Item>, of store: any DataStore) {
        self.source = source
        self.store = store
        iterator = source.makeAsyncIterator()
    }

    /// The list as it is read without what was read before.
    func fresh() async throws -> ItemList<Item>? {
        for try await update in source {
            try expect(update.change == nil, "the first update has no change")
            return update.list
        }
        return nil
    }

    /// The next update; nil at the end.
    mutating func next() async throws -> ListUpdate<Item>? {
        guard let update = try await iterator.next() else { return nil }
        if let change = update.change {
            try expect(change.old, equals: last, "the list before \(change)")
            try expect(last.applying(change), equals: update.list, "\(change), applied")
            try expect(!change.isEmpty || update.isRefetched, "an update has a change")
        }
        last = update.list
        return update
    }

    mutating func expectFirst<ID: ItemIdentifier>(
        _ ids: [[ID]], file: StaticString = #fileID, line: Int = #line
    )
        async throws
    {
        let next = try await next()
        let update = try require(next, "the first list", file: file, line: line)
        try expect(update.change == nil, "the first list comes without a change", file: file, line: line)
        try expect(shown, equals: ids.map { $0.map(\.anyItemID) }, file: file, line: line)
    }

    /// Edits the store, and checks the update that follows.
    mutating func expect<ID: ItemIdentifier>(
        _ change: String, _ ids: [[ID]], isRefetched: Bool = false, file: StaticString = #fileID,
        line: Int = #line, _ edit: (@Sendable (DataStoreReadWriteAccessor) throws -> Void)? = nil
    ) async throws {
        if let edit { try await store.writeAsync(edit) }
        let next = try await next()
        let update = try require(next, "an update", file: file, line: line)
        try expect(update.change.map { "\($0)" }, equals: change, file: file, line: line)
        try expect(update.isRefetched, equals: isRefetched, file: file, line: line)
        try expect(shown, equals: ids.map { $0.map(\.anyItemID) }, file: file, line: line)
        let fresh = try await fresh()
        try expect(last, equals: fresh, "a new read", file: file, line: line)
    }

    /// The identifiers of the last list, section by section.
    private var shown: [[AnyItemID]] { last.sections.map { $0.map(\.id.anyItemID) } }

    mutating func expectEnd(file: StaticString = #fileID, line: Int = #line) async throws {
        let update = try await next()
        try expect(update == nil, "the end of the updates", file: file, line: line)
    }

    private func expect<Value: Equatable>(
        _ actual: Value, equals expected: Value, _ what: String = "", file: StaticString = #fileID,
        line: Int = #line
    ) throws {
        try LarderConformance.expect(actual, equals: expected, what, file: file, line: line)
    }

    private func expect(
        _ condition: Bool, _ what: String, file: StaticString = #fileID, line: Int = #line
    ) throws {
        try LarderConformance.expect(condition, what, file: file, line: line)
    }
}
