/// The observations of a store, found by what a commit has touched.
final class ObservationRegistry: Sendable {
    /// A place where a change matters: a column, or the coming and going of rows.
    private struct Place: Hashable {
        let entity: Int
        /// Nil for rows that come or go.
        let column: Int?
    }

    private struct State {
        var watchers: [ObjectIdentifier: Watcher] = [:]
        var regions: [ObjectIdentifier: ReadRegion] = [:]
        var places: [Place: Set<ObjectIdentifier>] = [:]
        /// Those for whom any change may matter.
        var general: Set<ObjectIdentifier> = []
        var commitCount = 0
        var isFinished = false
    }

    private let state = Locked(State())

    /// True if there are observations.
    var isActive: Bool { state.withLock { !$0.watchers.isEmpty } }

    /// The number of commits so far.
    var commitCount: Int { state.withLock { $0.commitCount } }

    /// The number of observations, for tests.
    var count: Int { state.withLock { $0.watchers.count } }

    /// Has a watcher marked from now on when a commit touches a region, and no other one.
    func set(_ region: ReadRegion, for watcher: Watcher) {
        let isFinished = state.withLock { state in
            if state.isFinished { return true }
            let number = ObjectIdentifier(watcher)
            if state.regions[number] == region { return false }
            Self.remove(number, from: &state)
            state.watchers[number] = watcher
            state.regions[number] = region
            if region.isEverything { state.general.insert(number) }
            Self.forEachPlace(of: region) { state.places[$0, default: []].insert(number) }
            return false
        }
        if isFinished { watcher.end() }
    }

    func remove(_ watcher: Watcher) {
        state.withLock { Self.remove(ObjectIdentifier(watcher), from: &$0) }
    }

    private static func remove(_ number: ObjectIdentifier, from state: inout State) {
        guard let region = state.regions.removeValue(forKey: number) else { return }
        state.watchers[number] = nil
        state.general.remove(number)
        forEachPlace(of: region) { place in
            state.places[place]?.remove(number)
            if state.places[place]?.isEmpty == true { state.places[place] = nil }
        }
    }

    private static func forEachPlace(of region: ReadRegion, _ body: (Place) -> Void) {
        for (entity, columns) in region.columns {
            body(Place(entity: entity, column: nil))
            for column in columns { body(Place(entity: entity, column: column)) }
        }
    }

    /// Marks those whom a commit concerns.
    ///
    /// - Parameter touched: Nil where it is not known.
    func noteCommit(_ touched: TouchedRegion?) {
        let marked = state.withLock { state -> [Watcher] in
            state.commitCount += 1
            if state.watchers.isEmpty { return [] }
            guard let touched else { return Array(state.watchers.values) }
            var numbers = state.general
            func add(_ place: Place) {
                if let watchers = state.places[place] { numbers.formUnion(watchers) }
            }
            for entity in touched.rows { add(Place(entity: entity, column: nil)) }
            for (entity, columns) in touched.columns {
                for column in columns { add(Place(entity: entity, column: column)) }
            }
            return numbers.compactMap { state.watchers[$0] }
        }
        for watcher in marked { watcher.mark() }
    }

    /// Allows observations again after ``finish()``.
    func start() {
        state.withLock { $0.isFinished = false }
    }

    /// Ends every observation; new ones end at once.
    ///
    /// - Returns: Those that have ended.
    @discardableResult
    func finish() -> [Watcher] {
        let watchers = state.withLock { state in
            let watchers = Array(state.watchers.values)
            state = State(commitCount: state.commitCount, isFinished: true)
            return watchers
        }
        for watcher in watchers { watcher.end() }
        return watchers
    }
}

extension StoreCoordinator {
    /// The number of commits of the store and of all stores above it.
    var commitCount: Int { observations.commitCount + (parent?.commitCount ?? 0) }

    /// Has a watcher marked when a commit here or above touches a region.
    ///
    /// - Parameter count: The number of commits before the region was read. Where there are more by now, it is
    ///   marked at once, as the read may have missed one.
    func watch(_ region: ReadRegion, by watcher: Watcher, since count: Int) {
        var next: StoreCoordinator? = self
        while let store = next {
            store.observations.set(region, for: watcher)
            next = store.parent
        }
        if commitCount != count { watcher.mark() }
    }

    func unwatch(_ watcher: Watcher) {
        var next: StoreCoordinator? = self
        while let store = next {
            store.observations.remove(watcher)
            next = store.parent
        }
    }
}
