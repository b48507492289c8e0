import Foundation

/// Reads by id, one transaction each, while another thread commits changes of single items without a pause.
struct ReadBesideWriter: StoreWorkload {
    enum Figure {
        /// The time of a read beside the writer.
        case time
        /// How many times the time of a read alone that is.
        case slowdown
    }

    let figure: Figure

    var name: String { figure == .time ? "read-beside-writer" : "slowdown-beside-writer" }
    var title: String {
        figure == .time ? "read by id beside a committing writer" : "the same, times a read alone"
    }
    var unit: Unit { figure == .time ? .nanoseconds : .times }
    var storeOptions: StoreOptions { StoreOptions(isIndexed: true) }
    /// "At least 0.9 of the share of its reads that raw keeps" is at most 1 / 0.9 of raw's slowdown.
    var targets: [Target] {
        figure == .time ? .line(grdb: 2.5) : .line(sqlite: 1 / 0.9, lmdb: 1 / 0.9, memory: nil)
    }

    func operations(items: Int) -> ClosedRange<Int> { 20...20 }

    /// A refusal as busy would be thrown, and end the run.
    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        _ = try timeBesideWriter(store, load)
        var found: [Restaurant] = []
        try store.stream { found.append($0.restaurant) }
        try store.compareCounts(found.count, load.dataset.restaurants.count, asked: "everything after it")
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        switch figure {
        case .time: try timeBesideWriter(store, load)
        case .slowdown: try timeBesideWriter(store, load) / timeOfRead(store, load)
        }
    }

    private func timeBesideWriter<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let writer = try RestlessWriter(store, ids: load.dataset.distinctIDs)
        defer { writer.stop() }
        writer.waitForFirstCommit()
        let time = try timeOfRead(store, load)
        writer.stop()
        try writer.rethrow()
        return time
    }

    /// Reads for as long as a sample lasts, a few at a time.
    private func timeOfRead<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        var reads = 0
        while clock.now - start < load.time {
            let first = reads % max(1, load.dataset.ids.count - load.count)
            let ids = Array(load.dataset.ids[first...].prefix(load.count))
            try store.readOneByOne(ids: ids) { blackHole($0) }
            reads += ids.count
        }
        return (clock.now - start) / .nanoseconds(1) / Double(reads)
    }
}
