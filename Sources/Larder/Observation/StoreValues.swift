/// A value that is read from a store again whenever what it depends on has changed.
///
///     for try await recipes in store.values(of: Recipe.all.sorted(by: \.name)) {
///         show(recipes)                                   // at once, and after each change
///     }
///
/// Each value is read on one snapshot, so it is a state that the store has had. Commits that do not touch what was
/// read are not noticed, and a value that is the same again is not sent. A slow consumer gets the newest value and
/// none of those in between. Nothing is missed between the first value and the first change.
///
/// In a child store, values follow what is staged and what its ancestors commit.
///
/// *Rule:* ends when the store or an ancestor is torn down, or the task is cancelled; throws what reading throws,
/// and ends. Each iteration is an observation of its own. *Cost:* the read, for each change that concerns it; a
/// commit that concerns no observation looks up the columns that it has written.
public struct StoreValues<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value

    let store: StoreCoordinator
    let read: @Sendable (DataStoreReadAccessor) throws -> Value
    /// True if two values need not be told apart; nil where that is known by what was read.
    let areEqual: (@Sendable (Value, Value) -> Bool)?

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Gives one value after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let observation: ValueObservation<Value>

        init(_ values: StoreValues) {
            observation = ValueObservation(of: values.store, values.read, areEqual: values.areEqual)
        }

        public mutating func next() async throws -> Value? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
            try await observation.next(isolation: actor)
        }
    }
}

/// One iteration over values that follow a store.
///
/// It keeps its store only while it reads, so a store that is released ends it. The store forgets it when it
/// is released. *Rule:* used by one task at a time.
final class ValueObservation<Value: Sendable> {
    private weak var store: StoreCoordinator?
    private let read: @Sendable (DataStoreReadAccessor) throws -> Value
    private let areEqual: (@Sendable (Value, Value) -> Bool)?
    private let watcher = Watcher()
    /// Others who may mark the watcher; nil for none.
    private let group: WatcherGroup?
    private var last: (digest: Int, value: Value?)?

    init(
        of store: StoreCoordinator?, _ read: @escaping @Sendable (DataStoreReadAccessor) throws -> Value,
        areEqual: (@Sendable (Value, Value) -> Bool)? = nil, in group: WatcherGroup? = nil
    ) {
        self.store = store
        self.read = read
        self.areEqual = areEqual
        self.group = group
        group?.insert(watcher)
    }

    deinit {
        store?.unwatch(watcher)
        group?.remove(watcher)
    }

    func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
        while await watcher.wait(isolation: actor) {
            guard let store else { return nil }
            let reading: Reading<Value>
            do {
                reading = try await Reading.make(in: store, by: read, for: watcher)
            } catch {
                // Also where an ancestor was closed, which refuses the read.
                let isClosed = watcher.hasEnded || (last != nil && error.isAboutClosedStore)
                watcher.end()
                store.unwatch(watcher)
                if isClosed { return nil }
                throw error
            }
            if isNew(reading) { return reading.value }
        }
        store?.unwatch(watcher)
        return nil
    }

    private func isNew(_ reading: Reading<Value>) -> Bool {
        if let last {
            if last.digest == reading.digest { return false }
            if let old = last.value, let areEqual, areEqual(old, reading.value) { return false }
        }
        last = (reading.digest, areEqual == nil ? nil : reading.value)
        return true
    }
}

extension Error {
    /// True if a store refuses a block because it or an ancestor is closed.
    fileprivate var isAboutClosedStore: Bool {
        guard let error = self as? DataStoreError else { return false }
        return error.code == .closed || error.code == .discarded
    }
}

/// A value and the digest of what it was read from.
private struct Reading<Value: Sendable>: Sendable {
    let value: Value
    let digest: Int

    /// Reads a value, off the caller's actor, and watches what it was read from.
    @concurrent
    static func make(
        in store: StoreCoordinator, by read: @Sendable (DataStoreReadAccessor) throws -> Value,
        for watcher: Watcher
    ) async throws -> Reading {
        let tracker = ReadTracker()
        let count = store.commitCount
        var value: Value?
        try store.read { accessor in
            value = try accessor.tracked(by: tracker) { try read(accessor) }
        }
        guard let value else { throw DataStoreError.blockWasNotRun }
        store.watch(tracker.region, by: watcher, since: count)
        return Reading(value: value, digest: tracker.digest)
    }
}

extension DataStoreReadAccessor {
    /// Runs a body whose reads are followed.
    fileprivate func tracked<Value>(by tracker: ReadTracker, _ body: () throws -> Value) throws -> Value {
        let context = try block()
        let outer = context.tracker
        context.tracker = tracker
        defer { context.tracker = outer }
        return try body()
    }
}
