/// The observations of a store, found by what a commit has touched.
///
/// An observation reads between ``beginReading(_:)`` and ``endReading(_:of:)``. Commits of this time are kept with
/// it, as only the end of the reading tells what it has read.
final class ObservationRegistry: Sendable {
    /// A place where a change matters: a column, or the coming and going of rows.
    private struct Place: Hashable {
        let entity: Int
        /// Nil for rows that come or go.
        let column: Int?
    }

    private struct Entry {
        let watcher: Watcher
        /// The region of the last reading; nil before the end of the first.
        var region: ReadRegion?
        /// The commits since the reading began; nil while none is running.
        var missed: CommitNote?
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var places: [Place: Set<ObjectIdentifier>] = [:]
        /// Those for whom any change may matter.
        var general: Set<ObjectIdentifier> = []
        var reading: Set<ObjectIdentifier> = []
        /// The commit that is about to be made, or has been made and not been noted yet.
        var announced: CommitNote?
        var isFinished = false
    }

    private let state = Locked(State())
    private let gate: StoreGate

    /// - Parameter gate: Counts the observations.
    init(countedBy gate: StoreGate) { self.gate = gate }

    /// The number of observations.
    var count: Int { state.withLock { $0.entries.count } }

    /// Keeps the commits from now on for a watcher that is about to read.
    ///
    /// - Returns: True if the watcher is new.
    func beginReading(_ watcher: Watcher) -> Bool {
        let number = ObjectIdentifier(watcher)
        let isNew = state.withLock { state in
            // The reading tells why; if it succeeds all the same, its end finds no entry.
            if state.isFinished { return false }
            let isNew = state.entries[number] == nil
            state.entries[number, default: Entry(watcher: watcher)].missed = CommitNote()
            state.reading.insert(number)
            return isNew
        }
        if isNew { gate.count(observations: 1) }
        return isNew
    }

    /// Has a watcher that has read marked from now on when a commit touches a region; at once where one has since
    /// the reading began.
    ///
    /// - Returns: The origins of the commits that have touched the region since the reading began, whether or not
    ///   the reading has seen them.
    func endReading(_ watcher: Watcher, of region: ReadRegion) -> Set<WriteOrigin?> {
        let number = ObjectIdentifier(watcher)
        let found = state.withLock { state -> (missed: Set<WriteOrigin?>, announced: Set<WriteOrigin?>)? in
            guard let missed = state.entries[number]?.missed else { return nil }
            state.reading.remove(number)
            state.entries[number]?.missed = nil
            Self.set(region, for: number, in: &state)
            return (missed.origins(touching: region), state.announced?.origins(touching: region) ?? [])
        }
        guard let found else {
            watcher.end()
            return []
        }
        if !found.missed.isEmpty { watcher.mark(found.missed) }
        return found.missed.union(found.announced)
    }

    /// - Returns: True if the watcher was there.
    func remove(_ watcher: Watcher) -> Bool {
        let number = ObjectIdentifier(watcher)
        let isRemoved = state.withLock { state in
            Self.set(nil, for: number, in: &state)
            state.reading.remove(number)
            return state.entries.removeValue(forKey: number) != nil
        }
        if isRemoved { gate.count(observations: -1) }
        return isRemoved
    }

    private static func set(_ region: ReadRegion?, for number: ObjectIdentifier, in state: inout State) {
        guard let known = state.entries[number]?.region else {
            if let region { add(region, for: number, to: &state) }
            return
        }
        if known == region { return }
        state.entries[number]?.region = nil
        state.general.remove(number)
        forEachPlace(of: known) { place in
            state.places[place]?.remove(number)
            if state.places[place]?.isEmpty == true { state.places[place] = nil }
        }
        if let region { add(region, for: number, to: &state) }
    }

    private static func add(_ region: ReadRegion, for number: ObjectIdentifier, to state: inout State) {
        state.entries[number]?.region = region
        if region.isEverything { state.general.insert(number) }
        forEachPlace(of: region) { state.places[$0, default: []].insert(number) }
    }

    private static func forEachPlace(of region: ReadRegion, _ body: (Place) -> Void) {
        for (entity, columns) in region.columns {
            body(Place(entity: entity, column: nil))
            for column in columns { body(Place(entity: entity, column: column)) }
        }
    }
}

// MARK: Commits

extension ObservationRegistry {
    /// Tells of a commit that is about to be made, so that a reading which sees it before it is noted knows its
    /// origins.
    ///
    /// *Rule:* ``noteCommit(_:)`` follows, or ``withdraw()``.
    func announce(_ commit: CommitNote) {
        state.withLock { state in if !state.entries.isEmpty { state.announced = commit } }
    }

    /// Takes back what was announced, as it was not committed.
    func withdraw() {
        state.withLock { $0.announced = nil }
    }

    /// Marks those whom a commit concerns.
    ///
    /// - Parameter note: Made only where there are observations.
    func noteCommit(_ note: @autoclosure () -> CommitNote) {
        let marked = state.withLock { state -> [(Watcher, Set<WriteOrigin?>)] in
            state.announced = nil
            if state.entries.isEmpty { return [] }
            let commit = note()
            for number in state.reading { state.entries[number]?.missed?.add(commit) }
            var marks: [ObjectIdentifier: Set<WriteOrigin?>] = [:]
            for part in commit.parts {
                let origins: Set<WriteOrigin?> = [part.origin]
                Self.forEachWatcher(of: part.touched, in: state) { number in
                    let known = marks[number]
                    if known?.contains(part.origin) != true {
                        marks[number] = known?.union(origins) ?? origins
                    }
                }
            }
            return marks.compactMap { number, origins in
                guard let entry = state.entries[number], entry.missed == nil else { return nil }
                return (entry.watcher, origins)
            }
        }
        for (watcher, origins) in marked { watcher.mark(origins) }
    }

    private static func forEachWatcher(
        of touched: TouchedRegion?, in state: State, _ body: (ObjectIdentifier) -> Void
    ) {
        guard let touched else { return state.entries.keys.forEach(body) }
        state.general.forEach(body)
        for entity in touched.rows { state.places[Place(entity: entity, column: nil)]?.forEach(body) }
        for (entity, columns) in touched.columns {
            for column in columns { state.places[Place(entity: entity, column: column)]?.forEach(body) }
        }
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
            let watchers = state.entries.values.map(\.watcher)
            state = State(isFinished: true)
            return watchers
        }
        gate.count(observations: -watchers.count)
        for watcher in watchers { watcher.end() }
        return watchers
    }
}

/// What a commit has touched, by the origins of its blocks.
struct CommitNote: Sendable {
    struct Part: Sendable {
        let origin: WriteOrigin?
        /// Nil where it is not known.
        var touched: TouchedRegion?
    }

    /// One for each origin.
    private(set) var parts: [Part] = []

    init() {}

    init(from origin: WriteOrigin?, touching touched: TouchedRegion?) {
        parts = [Part(origin: origin, touched: touched)]
    }

    mutating func add(_ other: CommitNote) {
        for part in other.parts { add(part.touched, from: part.origin) }
    }

    mutating func add(_ touched: TouchedRegion?, from origin: WriteOrigin?) {
        guard let position = parts.firstIndex(where: { $0.origin == origin }) else {
            return parts.append(Part(origin: origin, touched: touched))
        }
        if let touched { parts[position].touched?.formUnion(touched) } else { parts[position].touched = nil }
    }

    /// The origins of the blocks that have, or may have, touched a region.
    func origins(touching region: ReadRegion) -> Set<WriteOrigin?> {
        var origins: Set<WriteOrigin?> = []
        for part in parts where part.touched.map({ region.isTouched(by: $0) }) ?? true {
            origins.insert(part.origin)
        }
        return origins
    }
}

// MARK: In stores and their ancestors

extension StoreCoordinator {
    /// Keeps the commits from now on, here and above, for a watcher that is about to read.
    func beginReading(for watcher: Watcher) {
        forEachToTheTop { store in
            if store.observations.beginReading(watcher) { store.otherWriters.update(for: store) }
        }
    }

    /// Has a watcher that has read marked when a commit here or above touches a region.
    ///
    /// - Returns: The origins that it hears, of commits since the reading began.
    func endReading(for watcher: Watcher, of region: ReadRegion) -> Set<WriteOrigin?> {
        var origins: Set<WriteOrigin?> = []
        forEachToTheTop { origins.formUnion($0.observations.endReading(watcher, of: region)) }
        return watcher.heard(origins)
    }

    func unwatch(_ watcher: Watcher) {
        forEachToTheTop { store in
            if store.observations.remove(watcher) { store.otherWriters.update(for: store) }
        }
    }

    /// Calls a body with the store and then with each of its ancestors.
    private func forEachToTheTop(_ body: (StoreCoordinator) -> Void) {
        var next: StoreCoordinator? = self
        while let store = next {
            body(store)
            next = store.parent
        }
    }
}
