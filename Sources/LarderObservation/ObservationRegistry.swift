import LarderKernel

/// The observations of a store, found by what a commit has touched.
///
/// An observation reads between ``beginReading(_:)`` and ``endReading(_:of:after:above:)``. Commits of this time are kept with
/// it, as only the end of the reading shows what it has read.
final class ObservationRegistry: Sendable {
    /// The observations that depend on one item type.
    fileprivate struct Places {
        /// The observations that depend on rows coming or going.
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
        /// The commits since the reading began, or since the region is outdated; nil while neither is so.
        var missed: CommitNote?
        /// The commits from when the region was outdated until the reading began, which therefore sees them.
        var seen: CommitNote?
        /// True if an ignored commit has touched the region since the last reading: the next one may have another.
        var isOutdated = false
    }

    fileprivate struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// By the number of the item type.
        var places: [Places] = []
        /// The observations that may depend on any change.
        var general: Set<ObjectIdentifier> = []
        /// The observations that keep commits.
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
            // The reading throws the reason; if it succeeds all the same, its end finds no entry.
            if state.isFinished { return false }
            let isNew = state.entries[number] == nil
            state.beginReading(number, watcher)
            return isNew
        }
        if isNew { gate.count(observations: 1) }
        return isNew
    }

    /// The end of a reading, in a store and its ancestors.
    struct End {
        /// The origins of the commits since the reading began that have touched what was read.
        var missed: Set<WriteOrigin?> = []
        /// The origins of the commits that came before, and of the commits that are about to be noted.
        var seen: Set<WriteOrigin?> = []
        /// True if an ignored commit has touched what was read, whether or not the reading has seen it.
        var isOutdated = false
        /// True if commits are left that only another reading can judge.
        var isUncertain = false
        var isFinished = false
    }

    /// Has a watcher that has read marked from now on when a commit touches a region.
    ///
    /// - Parameters:
    ///   - end: The end in the stores below.
    ///   - above: Ends the reading in the stores above. It is called with the lock held, as a commit of any of the
    ///     stores must find either the reading or its whole end.
    func endReading(
        _ watcher: Watcher, of region: ReadRegion, after end: End, above: (End) -> End
    ) -> End {
        let number = ObjectIdentifier(watcher)
        var rows = 0
        let end = state.withLock { state -> End in
            var end = end
            guard let entry = state.entries[number], let missed = entry.missed else {
                end.isFinished = true
                return above(end)
            }
            let touching = missed.origins(touching: region)
            end.missed.formUnion(touching)
            for note in [entry.seen, state.announced].compactMap(\.self) {
                end.seen.formUnion(note.origins(touching: region))
            }
            if !touching.allSatisfy(watcher.hears) { end.isOutdated = true }
            end = above(end)
            rows = state.set(region, for: number)
            state.endReading(number, &end)
            return end
        }
        if rows != 0 { gate.count(rowObservations: rows) }
        return end
    }

    /// Keeps the commits from now on for a watcher that does not read, as its region may be another now.
    ///
    /// Like the end of a reading it happens in all stores at once, as a region that is known in one of them and not in
    /// another would let a commit pass.
    ///
    /// - Parameter registries: The registries of the watcher's store and of the stores above.
    static func outdate(_ watcher: Watcher, in registries: ArraySlice<ObservationRegistry>) {
        guard let first = registries.first else { return }
        first.state.withLock { state in
            outdate(watcher, in: registries.dropFirst())
            state.outdate(ObjectIdentifier(watcher))
        }
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

// MARK: Readings

extension ObservationRegistry.State {
    fileprivate mutating func beginReading(_ number: ObjectIdentifier, _ watcher: Watcher) {
        var entry = entries[number] ?? ObservationRegistry.Entry(watcher: watcher)
        entry.seen = entry.missed
        entry.missed = CommitNote()
        entry.isOutdated = false
        entries[number] = entry
        reading.insert(number)
    }

    fileprivate mutating func endReading(_ number: ObjectIdentifier, _ end: inout ObservationRegistry.End) {
        guard let entry = entries[number] else { return }
        let kept = entry.missed?.heard(by: entry.watcher)
        entries[number]?.missed = nil
        entries[number]?.seen = nil
        reading.remove(number)
        if !end.isOutdated { return }
        outdate(number)
        if let kept {
            entries[number]?.missed = kept
            end.isUncertain = true
        }
    }

    fileprivate mutating func outdate(_ number: ObjectIdentifier) {
        // A reading that is running judges by itself.
        guard let entry = entries[number], entry.missed == nil else { return }
        entries[number]?.missed = CommitNote()
        entries[number]?.isOutdated = true
        reading.insert(number)
    }

    /// Keeps a commit for those who read, or whose region is outdated.
    ///
    /// - Returns: The watchers that must read to judge it.
    fileprivate mutating func keep(_ commit: CommitNote) -> [Watcher] {
        var uncertain: [Watcher] = []
        for number in reading {
            guard let entry = entries[number] else { continue }
            if !entry.isOutdated {
                entries[number]?.missed?.add(commit)
            } else if let heard = commit.heard(by: entry.watcher) {
                entries[number]?.missed?.add(heard)
                uncertain.append(entry.watcher)
            }
        }
        return uncertain
    }
}

// MARK: Places

extension ObservationRegistry.State {
    /// Lets changes of a region mark an observation, and no other changes.
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

    /// The observations whose region a commit touches, each with the origins of the blocks that touch it.
    fileprivate func marks(of commit: CommitNote) -> [ObjectIdentifier: Set<WriteOrigin?>] {
        var marks: [ObjectIdentifier: Set<WriteOrigin?>] = [:]
        commit.parts.forEach { part in
            forEachNumber(of: part.touched) { marks[$0, default: []].insert(part.origin) }
        }
        return marks
    }

    /// Calls a body with each observation that depends on a region, once or more.
    fileprivate func forEachNumber(of touched: CommittedRegion?, _ body: (ObjectIdentifier) -> Void) {
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

extension ObservationRegistry.State {
    fileprivate typealias Marks = [ObjectIdentifier: Set<WriteOrigin?>]

    /// Outdates the observations whose regions only ignored blocks of a commit have touched.
    fileprivate mutating func outdate(by marks: Marks) -> [Watcher] {
        var outdated: [Watcher] = []
        for (number, origins) in marks {
            guard let entry = entries[number], entry.missed == nil else { continue }
            if !entry.watcher.heard(origins).isEmpty { continue }
            outdate(number)
            outdated.append(entry.watcher)
        }
        return outdated
    }

    /// Keeps a commit for those who read, and marks all others whom it concerns.
    ///
    /// Both under one lock: a reading finds the commit among those that it has missed, or its mark, or has it
    /// announced. None of its origins is lost between the two.
    fileprivate mutating func note(_ commit: CommitNote, _ marks: Marks) -> [Watcher.Waking] {
        var woken: [Watcher.Waking] = []
        for (number, origins) in marks {
            guard let entry = entries[number], entry.missed == nil else { continue }
            if let waking = entry.watcher.setMark(origins) { woken.append(waking) }
        }
        for watcher in keep(commit) {
            if let waking = watcher.setUncertainMark() { woken.append(waking) }
        }
        return woken
    }

    /// - Returns: None to outdate.
    fileprivate mutating func endNoting(_ isOwn: Bool) -> [Watcher] {
        if isOwn { announced = nil }
        return []
    }
}

// In place, without a copy and without an allocation: each commit beside observations passes here.
extension ObservationRegistry.State {
    /// True if a commit may concern an observation.
    fileprivate func mayConcern(_ commit: CommitNote) -> Bool {
        if entries.isEmpty { return false }
        if !general.isEmpty || reading.contains(where: { keeps(commit, for: $0) }) { return true }
        return commit.parts.contains { part in
            guard let touched = part.touched else { return true }
            return touched.parts.contains { part in
                part.entity < places.count && places[part.entity].mayBeTouched(by: part)
            }
        }
    }
}

extension ObservationRegistry.State {
    /// True if a commit is kept for one who reads, or whose region is outdated.
    private func keeps(_ commit: CommitNote, for number: ObjectIdentifier) -> Bool {
        guard let entry = entries[number] else { return false }
        return !entry.isOutdated || commit.parts.contains { entry.watcher.hears($0.origin) }
    }
}

extension ObservationRegistry.Places {
    @inline(__always)
    fileprivate func mayBeTouched(by part: CommittedRegion.Part) -> Bool {
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

extension ObservationRegistry: CommitListener {
    /// Lets a reading that sees a commit before it is noted know its origins.
    func announced(_ commit: CommitNote) {
        state.withLock { state in if !state.entries.isEmpty { state.announced = commit } }
    }

    func withdrawn() {
        state.withLock { $0.announced = nil }
    }

    /// Marks those whom a commit concerns.
    func committed(_ note: @autoclosure () -> CommitNote, isOwn: Bool) {
        var (commit, outdated, woken): (CommitNote?, [Watcher], [Watcher.Waking]) = (nil, [], [])
        repeat {
            outdated = state.withLock { state in
                if state.entries.isEmpty { return state.endNoting(isOwn) }
                let known = commit ?? note()
                commit = known
                if !state.mayConcern(known) { return state.endNoting(isOwn) }
                let marks = state.marks(of: known)
                let outdated = state.outdate(by: marks)
                if !outdated.isEmpty { return outdated }
                woken = state.note(known, marks)
                return state.endNoting(isOwn)
            }
            // The values of a watcher depend on all of its stores. Before a watcher is marked, whose reader may
            // build on the commit.
            for watcher in outdated { Self.outdate(watcher, in: watcher.registries[...]) }
        } while !outdated.isEmpty
        for waking in woken { waking.resume() }
    }

    /// Allows observations again.
    func opened() {
        state.withLock { $0.isFinished = false }
    }

    /// Ends every observation, including its part in the ancestors, which it follows too; new ones end at once.
    func closed(under parent: StoreCoordinator?) {
        let (watchers, rows) = state.withLock { state in
            let entries = state.entries.values
            let rows = entries.count { $0.region?.rows.isEmpty == false }
            defer { state = State(isFinished: true) }
            return (entries.map(\.watcher), rows)
        }
        gate.count(observations: -watchers.count, rowObservations: -rows)
        for watcher in watchers { watcher.end() }
        for watcher in watchers { parent?.unwatch(watcher) }
    }
}
