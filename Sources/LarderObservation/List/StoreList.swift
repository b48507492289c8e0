public import LarderKernel

/// A list that is read from a store again whenever it has changed, and reports the changes.
///
///     let recipes = store.list(Recipe.all.sorted(by: \.name), sectionedBy: \.kind.name)
///     for try await update in recipes {
///         show(update.list, update.change)                // at once, and after each change
///     }
///
/// Each iteration and each observer gets its first list at once, without a change, and then one update for
/// each state that differs from the one that *it* got before. So a slow observer gets one change for several
/// commits, and applying the changes in their order always gives the list. ``refetch(_:)`` gives all of them
/// another filter or order.
///
/// Everything that ``StoreValues`` promises holds here: each list is a state that the store has had, nothing
/// is missed, and in a child the list follows what is staged and what its ancestors commit.
///
/// *Rule:* may be used on any thread. It does not keep its store. An iteration ends when the store or an
/// ancestor is torn down or released, or with its task; an observer when its ``StoreObservation`` is
/// released. *Cost:* the read of the list for each change that concerns it, and a pass over both lists to
/// compare them; in memory one list for each observer, whose items are shared with those that the app keeps.
public final class StoreList<Item: DataStoreItem>: AsyncSequence, Sendable {
    public typealias Element = ListUpdate<Item>

    @usableFromInline
    typealias Read =
        @Sendable (
            DataStoreReadAccessor, DataStoreRequest<Item>, ListSectioning<Item>?
        ) throws -> ItemList<Item>

    private let source: ListSource<Item>
    private let ignored: Set<WriteOrigin>
    weak let store: StoreCoordinator?

    /// - Parameter read: ``DataStoreReadAccessor/list(for:sectionedBy:)``, compiled for the type of the
    ///   items.
    @usableFromInline
    init(
        _ store: StoreCoordinator, _ request: DataStoreRequest<Item>, _ sectioning: ListSectioning<Item>?,
        read: @escaping Read
    ) {
        self.store = store
        source = ListSource(ListSource.State(request: request, sectioning: sectioning), read)
        ignored = []
    }

    private init(_ list: StoreList, ignoring ignored: Set<WriteOrigin>) {
        (source, store, self.ignored) = (list.source, list.store, ignored)
    }

    /// The same list without the updates that commits of an origin alone would bring.
    ///
    ///     for try await update in recipes.ignoring("editor") { … }
    ///
    /// The next update that another commit brings contains all changes; see ``StoreValues/ignoring(_:)``. A
    /// refetch of either list is one of both.
    public func ignoring(_ origin: WriteOrigin) -> StoreList {
        StoreList(self, ignoring: ignored.union([origin]))
    }

    /// The request of the list, without the order by section.
    public var request: DataStoreRequest<Item> { source.state.request }

    /// Replaces the request for all observers: another filter, order or window.
    ///
    ///     try recipes.refetch(Recipe.where(.contains(\.name, text)).sorted(by: \.name))
    ///
    /// The sections stay. Each observer gets one update with ``ListUpdate/isRefetched`` and the change from
    /// its last list, even if nothing differs.
    ///
    /// *Rule:* returns at once; the list is read where the observer waits for it. If several requests follow
    /// each other quickly, an observer may get only the last.
    ///
    /// - Throws: As ``DataStoreRequest/validate()``; the list does not change.
    public func refetch(_ request: DataStoreRequest<Item>) throws(DataStoreError) {
        try request.validate()
        source.change { $0.request = request }
    }

    /// Replaces the request and the sections for all observers; nil for no sections.
    ///
    /// - Throws: As ``refetch(_:)``.
    public func refetch(
        _ request: DataStoreRequest<Item>, sectionedBy sectioning: ListSectioning<Item>?
    ) throws(DataStoreError) {
        try request.validate()
        source.change { state in
            state.request = request
            state.sectioning = sectioning
        }
    }

    /// True after a refetch until every observer and iteration with a list has received the new one.
    ///
    ///     spinner.isHidden = !recipes.isPendingRefetch
    ///
    /// *Rule:* may be read on any thread. An iteration that continues late keeps it true; one that has ended
    /// or was released does not.
    public var isPendingRefetch: Bool { source.isPendingRefetch }

    public func makeAsyncIterator() -> Iterator { Iterator(source, store, ignoring: ignored) }

    /// Gives one update after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let observation: ValueObservation<ListReading<Item>>
        private let receipt: ListReceipt<Item>
        private var last: ListReading<Item>?

        init(_ source: ListSource<Item>, _ store: StoreCoordinator?, ignoring ignored: Set<WriteOrigin>) {
            observation = ValueObservation(
                of: store, { try source.list(in: $0) }, ignoring: ignored, in: source.group)
            receipt = ListReceipt(of: source)
        }

        public mutating func next() async throws -> ListUpdate<Item>? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ListUpdate<Item>? {
            do {
                while let (reading, origins) = try await observation.next(isolation: actor) {
                    let update = await Self.update(from: last, to: reading, by: origins)
                    // A commit may change values that the list has read and still have no effect on it.
                    if update.change?.isEmpty == true, !update.isRefetched { continue }
                    last = reading
                    receipt.version = reading.version
                    return update
                }
            } catch {
                receipt.version = nil
                throw error
            }
            receipt.version = nil
            return nil
        }

        /// Finds the change, off the caller's actor.
        @concurrent
        private static func update(
            from old: ListReading<Item>?, to new: ListReading<Item>, by origins: Set<WriteOrigin?>
        ) async -> ListUpdate<Item> {
            ListUpdate(
                list: new.list, change: old.map { ListChange(from: $0.list, to: new.list) },
                isRefetched: old.map { $0.version != new.version } ?? false, origins: origins)
        }
    }
}

/// A list, and the number of the request that it was read for.
struct ListReading<Item: DataStoreItem>: Sendable {
    let list: ItemList<Item>
    let version: Int
}

/// The request of a list, which all its iterations read.
final class ListSource<Item: DataStoreItem>: Sendable {
    struct State: Sendable {
        var request: DataStoreRequest<Item>
        var sectioning: ListSectioning<Item>?
        /// Counts the refetches.
        var version = 0
    }

    private let locked: Locked<State>
    /// The versions that the iterations have given last.
    private let given = Locked<[ObjectIdentifier: Int]>([:])
    private let read: StoreList<Item>.Read
    let group = WatcherGroup()

    init(_ state: State, _ read: @escaping StoreList<Item>.Read) {
        locked = Locked(state)
        self.read = read
    }

    var state: State { locked.withLock { $0 } }

    func change(_ body: (inout State) -> Void) {
        locked.withLock { state in
            body(&state)
            state.version += 1
        }
        group.mark()
    }

    var isPendingRefetch: Bool {
        let version = state.version
        return given.withLock { $0.values.contains { $0 < version } }
    }

    /// - Parameter version: Nil if nothing was given, or nothing more will be.
    func note(_ version: Int?, givenBy iteration: ObjectIdentifier) {
        given.withLock { $0[iteration] = version }
    }

    func list(in accessor: DataStoreReadAccessor) throws -> ListReading<Item> {
        let state = state
        // A refetch gives an update even if it finds the same.
        try accessor.block().tracker?.noteCount(state.version)
        return ListReading(
            list: try read(accessor, state.request, state.sectioning), version: state.version)
    }
}

/// The version of the list that an iteration has given last; the list forgets it with the iteration.
final class ListReceipt<Item: DataStoreItem> {
    private let source: ListSource<Item>
    var version: Int? { didSet { source.note(version, givenBy: ObjectIdentifier(self)) } }

    init(of source: ListSource<Item>) { self.source = source }

    deinit { source.note(nil, givenBy: ObjectIdentifier(self)) }
}
