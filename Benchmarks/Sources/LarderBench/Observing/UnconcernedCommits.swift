import Larder

/// Commits that change one attribute, beside observations of counts that test another one.
struct UnconcernedCommits {
    private let store: any DataStore
    private let ids: [Int64]
    private static let observerCount = 1000

    init(in store: any DataStore, _ data: Dataset, count: Int) throws {
        self.store = store
        ids = Array(data.ids.prefix(count))
        try store.setup()
        let items = data.records(as: LarderRestaurant.self)
        try write { try $0.insert(contentsOf: items) }
    }

    /// The time of one commit, alone and beside the observations: medians of as many rounds, in turn.
    func measure(rounds: Int) async throws -> (alone: Double, beside: Double) {
        var times: (alone: [Double], beside: [Double]) = ([], [])
        try commitEach()
        for _ in 0..<rounds {
            times.alone.append(try nanoseconds { try commitEach() })
            let observers = await observe()
            times.beside.append(try nanoseconds { try commitEach() })
            for observer in observers { observer.cancel() }
            for observer in observers { await observer.value }
        }
        let count = Double(ids.count)
        return (times.alone.sorted()[rounds / 2] / count, times.beside.sorted()[rounds / 2] / count)
    }

    private func commitEach() throws {
        for id in ids {
            try write { try $0.mutableItem(id: id, of: LarderRestaurant.self)?.reviews += 1 }
        }
    }

    /// `writeSync` is not for async code, which this calls on purpose: nothing else is measured.
    private func write(_ block: (DataStoreReadWriteAccessor) throws -> Void) throws {
        try store.writeSync(block)
    }

    /// Starts the observations, and returns when each waits for its second value.
    private func observe() async -> [Task<Void, Never>] {
        let arrivals = Arrivals()
        let tasks = (0..<Self.observerCount).map { number in
            let bound = Double(number) * Restaurant.highestRating / Double(Self.observerCount)
            let values = store.values(ofCount: LarderRestaurant.where(\.rating > bound))
            return Task {
                do {
                    for try await count in values {
                        blackHole(count)
                        arrivals.note()
                    }
                } catch {
                    reportProgress("An observation has failed: \(error)")
                }
            }
        }
        await arrivals.wait(for: Self.observerCount)
        return tasks
    }
}
