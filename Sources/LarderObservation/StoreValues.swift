public import LarderKernel

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
/// *Rule:* ends when the store or an ancestor is torn down, or the task is cancelled; if a read fails, the
/// sequence throws its error and ends. Each iteration is an observation of its own. *Cost:* the read, for
/// each change that concerns it; a commit that concerns no observation looks up the columns that it has
/// written.
public struct StoreValues<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value

    let store: StoreCoordinator
    let read: @Sendable (DataStoreReadAccessor) throws -> Value
    /// The value to give after the last one if another was read, or nil if there is nothing to report; nil if
    /// every value is given for which something that was read differs, as is each one that holds prefetched items.
    let following: (@Sendable (_ last: Value, _ next: Value) -> Value?)?
    /// The origins whose commits are not followed.
    var ignored: Set<WriteOrigin> = []

    fileprivate func makeObservation() -> ValueObservation<Value> {
        ValueObservation(of: store, read, following: following, ignoring: ignored)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Gives one value after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let observation: ValueObservation<Value>

        init(_ values: StoreValues) {
            observation = values.makeObservation()
        }

        /// The first value, read on the calling thread.
        ///
        /// *Rule:* called before ``next()``, which then gives the second one.
        func first() throws -> Value { try observation.first() }

        public mutating func next() async throws -> Value? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
            try await observation.next(isolation: actor)?.value
        }
    }
}

extension StoreValues {
    /// The same values without those that commits of an origin alone would bring.
    ///
    ///     for try await recipes in store.values(of: request).ignoring("editor") { … }
    ///
    /// A commit of that origin does not wake the iteration. Each value is a state of the store, so the next one that
    /// another commit brings shows all changes, including the ignored origin's. Several origins are ignored by
    /// several calls. *Cost:* after an ignored commit that concerns the value, the next commit of another origin has it
    /// read once, whatever that commit touches, to find what the value depends on now. A commit of another process is
    /// noticed some milliseconds late: with ``WriteOrigin/otherProcess`` ignored, a write of these milliseconds to what
    /// only that commit has made the value depend on brings none.
    public func ignoring(_ origin: WriteOrigin) -> StoreValues {
        var values = self
        values.ignored.insert(origin)
        return values
    }

    /// The values, each with the origins of the commits that have brought it.
    ///
    ///     for try await (recipes, origins) in store.values(of: request).withOrigins {
    ///         show(recipes, isAnimated: origins != ["editor"])
    ///     }
    ///
    /// One value may follow from several commits. Its origins are the origins of all commits since the last
    /// reading that have touched what the value is read from, with nil for writes without an origin. The
    /// first value has none. A commit that comes while the value is read may be among them and show only in
    /// the next one.
    ///
    /// *Cost:* one name for each origin while the consumer does not ask for the next value. So an origin names a
    /// part of the app, and not a single request.
    public var withOrigins: StoreUpdates<Value> { StoreUpdates(values: self) }
}

/// The values of ``StoreValues``, each with the origins of the commits that have brought it; see
/// ``StoreValues/withOrigins``.
public struct StoreUpdates<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = (value: Value, origins: Set<WriteOrigin?>)

    let values: StoreValues<Value>

    public func makeAsyncIterator() -> Iterator { Iterator(values) }

    /// Gives one value after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let observation: ValueObservation<Value>

        init(_ values: StoreValues<Value>) { observation = values.makeObservation() }

        public mutating func next() async throws -> Element? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
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
    private let watcher: Watcher
    /// Others who may mark the watcher; nil for none.
    private let group: WatcherGroup?
    /// Nil before the first; its value only if the next one is compared with it.
    private var last: (digest: Int, value: Value?)?

    init(
        of store: StoreCoordinator?, _ read: @escaping @Sendable (DataStoreReadAccessor) throws -> Value,
        following: (@Sendable (Value, Value) -> Value?)? = nil, ignoring ignored: Set<WriteOrigin>,
        in group: WatcherGroup? = nil
    ) {
        self.store = store
        self.read = read
        self.following = following
        self.group = group
        watcher = Watcher(in: store?.registries ?? [], ignoring: ignored)
        group?.insert(watcher)
    }

    deinit {
        store?.unwatch(watcher)
        group?.remove(watcher)
    }

    func first() throws -> Value {
        guard let store else { throw DataStoreError.blockWasNotRun }
        watcher.takeMark()
        let reading: Reading<Value>
        do {
            reading = try Reading(in: store, by: read, for: watcher)
        } catch {
            watcher.end()
            store.unwatch(watcher)
            store.report(error, of: "an observation")
            throw error
        }
        note(reading.value, of: reading)
        // A block around this one has the snapshot of its beginning, which may miss commits since.
        if store.isReadAroundHere { watcher.mark([]) }
        return reading.value
    }

    func next(
        isolation actor: isolated (any Actor)?
    ) async throws -> (value: Value, origins: Set<WriteOrigin?>)? {
        while let first = await watcher.wait(isolation: actor) {
            guard let store else { return nil }
            let reading: Reading<Value>
            do {
                reading = try await Reading.make(in: store, by: read, for: watcher)
            } catch {
                // Also if an ancestor was closed, which refuses the read.
                let isClosed = watcher.hasEnded || (last != nil && error.isAboutClosedStore)
                watcher.end()
                store.unwatch(watcher)
                if isClosed { return nil }
                store.report(error, of: "an observation")
                throw error
            }
            var mark = first
            if let later = reading.mark { mark.join(later) }
            // Ignored commits alone have changed what was read; it is known now what it depends on.
            if !mark.isCertain, reading.late.isEmpty { continue }
            let isFirst = last == nil
            if let value = value(toGiveFor: reading) {
                return (value, isFirst ? [] : mark.origins.union(reading.late))
            }
        }
        store?.unwatch(watcher)
        return nil
    }

    private func value(toGiveFor reading: Reading<Value>) -> Value? {
        var value = reading.value
        if let last {
            if last.digest == reading.digest { return nil }
            if let old = last.value, let following, !reading.hasPrefetched {
                guard let next = following(old, value) else { return nil }
                value = next
            }
        }
        note(value, of: reading)
        return value
    }

    private func note(_ value: Value, of reading: Reading<Value>) {
        last = (reading.digest, following == nil || reading.hasPrefetched ? nil : value)
    }
}

extension Error {
    /// True if a store refuses a block because it or an ancestor is closed.
    fileprivate var isAboutClosedStore: Bool {
        guard let error = self as? DataStoreError else { return false }
        return error.code == .closed || error.code == .discarded
    }
}

/// A value, and a digest of what it was read from.
private struct Reading<Value: Sendable>: Sendable {
    let value: Value
    let digest: Int
    let hasPrefetched: Bool
    /// The changes that the watcher has received after its wait and before the reading.
    let mark: Watcher.Mark?
    /// The origins of commits during the reading, which may show in the value.
    let late: Set<WriteOrigin?>

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
        store.beginReading(for: watcher)
        mark = watcher.takeMark()
        var value: Value?
        try store.readQuietly { accessor in
            value = try accessor.tracked(by: tracker) { try read(accessor) }
        }
        guard let value else { throw DataStoreError.blockWasNotRun }
        late = store.endReading(for: watcher, of: tracker.region)
        self.value = value
        digest = tracker.digest
        hasPrefetched = tracker.hasPrefetched
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
