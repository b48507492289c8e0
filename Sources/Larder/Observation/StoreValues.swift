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
    /// The value to give after the last one where another was read, or nil if there is nothing to tell; nil where
    /// each value is given for which anything differs that was read.
    let following: (@Sendable (_ last: Value, _ next: Value) -> Value?)?

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Gives one value after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let observation: ValueObservation<Value>

        init(_ values: StoreValues) {
            observation = ValueObservation(of: values.store, values.read, following: values.following)
        }

        /// The first value, read on the calling thread.
        ///
        /// *Rule:* called before ``next()``, which then gives the second one.
        func first() throws -> Value { try observation.first() }

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
    private let following: (@Sendable (Value, Value) -> Value?)?
    private let watcher = Watcher()
    /// Others who may mark the watcher; nil for none.
    private let group: WatcherGroup?
    /// Nil before the first; its value only where the next one is compared with it.
    private var last: (digest: Int, value: Value?)?

    init(
        of store: StoreCoordinator?, _ read: @escaping @Sendable (DataStoreReadAccessor) throws -> Value,
        following: (@Sendable (Value, Value) -> Value?)? = nil, in group: WatcherGroup? = nil
    ) {
        self.store = store
        self.read = read
        self.following = following
        self.group = group
        group?.insert(watcher)
    }

    deinit {
        store?.unwatch(watcher)
        group?.remove(watcher)
    }

    func first() throws -> Value {
        guard let store else { throw DataStoreError.blockWasNotRun }
        watcher.unmark()
        let reading: Reading<Value>
        do {
            reading = try Reading(in: store, by: read, for: watcher)
        } catch {
            watcher.end()
            store.unwatch(watcher)
            throw error
        }
        note(reading.value, reading.digest)
        return reading.value
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
            if let value = value(toGiveFor: reading) { return value }
        }
        store?.unwatch(watcher)
        return nil
    }

    private func value(toGiveFor reading: Reading<Value>) -> Value? {
        var value = reading.value
        if let last {
            if last.digest == reading.digest { return nil }
            if let old = last.value, let following {
                guard let next = following(old, value) else { return nil }
                value = next
            }
        }
        note(value, reading.digest)
        return value
    }

    private func note(_ value: Value, _ digest: Int) {
        last = (digest, following == nil ? nil : value)
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
        try Reading(in: store, by: read, for: watcher)
    }

    /// Reads a value on the calling thread, and watches what it was read from.
    init(
        in store: StoreCoordinator, by read: (DataStoreReadAccessor) throws -> Value, for watcher: Watcher
    ) throws {
        let tracker = ReadTracker()
        let count = store.commitCount
        var value: Value?
        try store.read { accessor in
            value = try accessor.tracked(by: tracker) { try read(accessor) }
        }
        guard let value else { throw DataStoreError.blockWasNotRun }
        store.watch(tracker.region, by: watcher, since: count)
        self.value = value
        digest = tracker.digest
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
