/// The observations of a store, found by what a commit has touched.
///
/// An observation reads between ``beginReading(_:)`` and ``endReading(_:of:)``. Commits of this time are kept with
/// it, as only the end of the reading tells what it has read.
final class ObservationRegistry: Sendable {
    /// Those for whom changes of one item type matter.
    fileprivate struct Places {
        /// Those for whom rows that come or go matter.
        var comings: Set<ObjectIdentifier> = []
        /// By the number of the column.
        var columns: [Set<ObjectIdentifier>] = []
        /// The columns for which there are any.
        var watched = ColumnSet()
        /// By the row that they have looked up.
        var rows: [AnyItemID: Set<ObjectIdentifier>] = [:]
    }

    fileprivate struct Entry {
        let watcher: Watcher
        /// The region of the last reading; nil before the end of the first.
        var region: ReadRegion?
        /// The commits since the reading began; nil while none is running.
        var missed: CommitNote?
    }

    fileprivate struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// By the number of the item type.
        var places: [Places] = []
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
        var rows = 0
        let found = state.withLock { state -> (missed: Set<WriteOrigin?>, announced: Set<WriteOrigin?>)? in
            guard let missed = state.entries[number]?.missed else { return nil }
            state.reading.remove(number)
            state.entries[number]?.missed = nil
            rows = state.set(region, for: number)
            return (missed.origins(touching: region), state.announced?.origins(touching: region) ?? [])
        }
        guard let found else {
            watcher.end()
            return []
        }
        if rows != 0 { gate.count(rowObservations: rows) }
        if !found.missed.isEmpty { watcher.mark(found.missed) }
        return found.missed.union(found.announced)
    }

    /// - Returns: True if the watcher was there.
    func remove(_ watcher: Watcher) -> Bool {
        let number = ObjectIdentifier(watcher)
        var rows = 0
        let isRemoved = state.withLock { state in
            rows = state.set(nil, for: number)
            state.reading.remove(number)
            return state.entries.removeValue(forKey: number) != nil
        }
        if isRemoved { gate.count(observations: -1, rowObservations: rows) }
        return isRemoved
    }
}

// MARK: Places

extension ObservationRegistry.State {
    /// Has an observation heard of changes of a region, and of no others.
    ///
    /// - Returns: The growth of the number of observations that have looked up single rows.
    fileprivate mutating func set(_ region: ReadRegion?, for number: ObjectIdentifier) -> Int {
        let known = entries[number]?.region
        if known == region { return 0 }
        entries[number]?.region = region
        if known?.isEverything == true { general.remove(number) }
        if region?.isEverything == true { general.insert(number) }
        if let known { changePlaces(of: known) { $0.remove(number) } }
        if let region { changePlaces(of: region) { $0.insert(number) } }
        return (region?.rows.isEmpty == false ? 1 : 0) - (known?.rows.isEmpty == false ? 1 : 0)
    }

    private mutating func changePlaces(
        of region: ReadRegion, _ change: (inout Set<ObjectIdentifier>) -> Void
    ) {
        let entities = [region.columns.keys.max(), region.rows.keys.max()].compactMap(\.self)
        while places.count <= entities.max() ?? -1 { places.append(.init()) }
        for (entity, columns) in region.columns {
            change(&places[entity].comings)
            for column in columns { places[entity].change(column, change) }
        }
        for (entity, identifiers) in region.rows {
            for identifier in identifiers {
                change(&places[entity].rows[identifier, default: []])
                if places[entity].rows[identifier]?.isEmpty == true { places[entity].rows[identifier] = nil }
            }
        }
    }

    /// Calls a body with those for whom a change of a region matters, once or more.
    fileprivate func forEachNumber(of touched: TouchedRegion?, _ body: (ObjectIdentifier) -> Void) {
        guard let touched else { return entries.keys.forEach(body) }
        general.forEach(body)
        touched.parts.forEach { part in
            if part.entity >= places.count { return }
            let places = places[part.entity]
            if part.comesOrGoes { places.comings.forEach(body) }
            for column in part.columns where column < places.columns.count {
                places.columns[column].forEach(body)
            }
            if places.rows.isEmpty { return }
            if let identifiers = part.identifiers {
                for identifier in identifiers { places.rows[identifier]?.forEach(body) }
            } else {
                for numbers in places.rows.values { numbers.forEach(body) }
            }
        }
    }
}

// In place, without a copy and without an allocation: each commit beside observations passes here.
extension ObservationRegistry.State {
    /// True if a commit may concern an observation.
    fileprivate func mayConcern(_ commit: CommitNote) -> Bool {
        if entries.isEmpty { return false }
        if !reading.isEmpty || !general.isEmpty { return true }
        return commit.parts.contains { part in
            guard let touched = part.touched else { return true }
            return touched.parts.contains { part in
                part.entity < places.count && places[part.entity].mayBeTouched(by: part)
            }
        }
    }
}

extension ObservationRegistry.Places {
    @inline(__always)
    fileprivate func mayBeTouched(by part: TouchedRegion.Part) -> Bool {
        if watched.intersects(part.columns) || (part.comesOrGoes && !comings.isEmpty) { return true }
        if rows.isEmpty { return false }
        return part.identifiers.map { $0.contains { rows[$0] != nil } } ?? true
    }

    fileprivate mutating func change(_ column: Int, _ change: (inout Set<ObjectIdentifier>) -> Void) {
        while columns.count <= column { columns.append([]) }
        change(&columns[column])
        if columns[column].isEmpty { watched.remove(column) } else { watched.insert(column) }
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
    /// - Parameters:
    ///   - note: Made only where there are observations.
    ///   - isOwn: True if it may be the commit that was announced.
    func noteCommit(_ note: @autoclosure () -> CommitNote, isOwn: Bool = false) {
        let marked = state.withLock { state -> [(Watcher, Set<WriteOrigin?>)] in
            if isOwn { state.announced = nil }
            if state.entries.isEmpty { return [] }
            let commit = note()
            if !state.mayConcern(commit) { return [] }
            for number in state.reading { state.entries[number]?.missed?.add(commit) }
            var marks: [ObjectIdentifier: Set<WriteOrigin?>] = [:]
            commit.parts.forEach { part in
                let origins: Set<WriteOrigin?> = [part.origin]
                state.forEachNumber(of: part.touched) { number in
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

    /// Allows observations again after ``finish()``.
    func start() {
        state.withLock { $0.isFinished = false }
    }

    /// Ends every observation; new ones end at once.
    ///
    /// - Returns: Those that have ended.
    @discardableResult
    func finish() -> [Watcher] {
        let (watchers, rows) = state.withLock { state in
            let entries = state.entries.values
            let rows = entries.count { $0.region?.rows.isEmpty == false }
            defer { state = State(isFinished: true) }
            return (entries.map(\.watcher), rows)
        }
        gate.count(observations: -watchers.count, rowObservations: -rows)
        for watcher in watchers { watcher.end() }
        return watchers
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

    /// True if the thread is inside a read block of the store or of an ancestor.
    var isReadByThisThread: Bool {
        var isRead = false
        forEachToTheTop { if ThreadBlocks.current.readBlock(of: $0) != nil { isRead = true } }
        return isRead
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
