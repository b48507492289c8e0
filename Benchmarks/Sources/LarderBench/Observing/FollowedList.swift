import Larder

/// A list that is followed while one of its items changes.
struct FollowedList {
    /// Processor time in nanoseconds.
    struct Result {
        let reading: Double
        let updating: Double
    }

    private let store: any DataStore
    private let list: StoreList<LarderRestaurant>
    private let read: (DataStoreReadAccessor) throws -> Void
    private let ids: [Int64]
    private static let changeCount = 20

    /// - Parameter isSectioned: True for a list by city, and by name in each; otherwise it is by identifier.
    init(in store: any DataStore, _ data: Dataset, isSectioned: Bool) {
        self.store = store
        ids = Array(data.distinctIDs.prefix(Self.changeCount))
        if isSectioned {
            let request = LarderRestaurant.all.sorted(by: \.name)
            list = store.list(request, sectionedBy: \.city)
            read = { blackHole(try $0.list(for: request, sectionedBy: .by(\.city))) }
        } else {
            list = store.list(LarderRestaurant.all)
            read = { blackHole(try $0.items(for: LarderRestaurant.all)) }
        }
    }

    /// The time to read the list once, and from a commit that changes one item to the change of the list.
    func measure(round: Int) async throws -> Result {
        try store.read(read)
        let reading = try time { for _ in 0..<Self.changeCount { try store.read(read) } }
        let alone = try time { try commitEach(Int64(round) * 1_000_000) }
        var updates = list.makeAsyncIterator()
        _ = try await updates.next()
        let start = Stopwatch.processorTime
        for (number, id) in ids.enumerated() {
            try commit(Int64(round) * 1_000_000 + Int64(number) + 500_000, id)
            let count = try await updates.next()?.change?.updatedItems.count
            if count != 1 {
                throw WrongAnswer(asked: "the changed items of a list", expected: 1, found: count)
            }
        }
        let followed = Double(Stopwatch.processorTime - start)
        let count = Double(Self.changeCount)
        return Result(reading: reading / count, updating: (followed - alone) / count)
    }

    private func commitEach(_ reviews: Int64) throws {
        for (number, id) in ids.enumerated() { try commit(reviews + Int64(number), id) }
    }

    private func commit(_ reviews: Int64, _ id: Int64) throws {
        try store.writeSync { accessor in
            try accessor.mutableItem(id: id, of: LarderRestaurant.self)?.reviews = reviews
        }
    }

    private func time(_ work: () throws -> Void) rethrows -> Double {
        let start = Stopwatch.processorTime
        try work()
        return Double(Stopwatch.processorTime - start)
    }
}
