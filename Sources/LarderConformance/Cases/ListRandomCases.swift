import Larder

/// Random edits, and the changes that the lists of several requests report.
enum ListRandomCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "After random edits, each change of a list gives what a new read gives", proves: 8, 21
        ) { world in
            let store = try world.open(Restaurant.self)
            try await run(observing: store, editing: [store])
        }
        ConformanceCase(
            "After random edits on both sides, each change of a list in a child gives what a new read gives",
            proves: 18, 21
        ) { world in
            let store = try world.open(Restaurant.self)
            let child = try store.makeChildDataStore()
            try await run(observing: child, editing: [child, store])
            try child.discard()
        }
    }

    private static func run(observing store: any DataStore, editing stores: [any DataStore]) async throws {
        let seed = ConformanceSeed.value
        do {
            var random = RandomEdits(seed: seed)
            var lists = random.requests.map { request, sections in
                ObservedLists(store.list(request, sectionedBy: sections), of: store)
            }
            for position in lists.indices { _ = try await lists[position].next() }
            for _ in 0..<60 {
                let edits = random.edits()
                let edited = stores[random.number(0...(stores.count - 1))]
                try await edited.writeAsync { accessor in for edit in edits { try edit.run(in: accessor) } }
                let position = random.number(0...(lists.count - 1))
                // A slow observer waits for several commits.
                if random.isNow(oneIn: 3) { try await expectNewest(&lists[position]) }
                if random.isNow(oneIn: 8) {
                    let (request, sections) = random.requests[random.number(0...(random.requests.count - 1))]
                    try lists[position].source.refetch(request, sectionedBy: sections)
                    let update = try await lists[position].next()
                    try expect(update?.isRefetched, equals: true)
                }
            }
            for position in lists.indices { try await expectNewest(&lists[position]) }
        } catch {
            throw ConformanceFailure.seeded(error, seed)
        }
    }

    private static func expectNewest(_ list: inout ObservedLists<Restaurant>) async throws {
        let fresh = try await list.fresh()
        if fresh == list.last { return }
        _ = try await list.next()
        try expect(list.last, equals: try require(fresh))
    }
}

private struct RandomEdits: SeededFixture {
    var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(state: seed)
    }

    let requests: [(DataStoreRequest<Restaurant>, ListSectioning<Restaurant>?)] = [
        (Restaurant.all, nil),
        (Restaurant.all.sorted(by: \.name), .by(\.city)),
        (Restaurant.all.sorted(by: \.seats, .descending), .by(\.note)),
        (Restaurant.where(\.seats > 1).sorted(by: \.city, .descending), .by(\.city) { "in \($0)" }),
        (Restaurant.all.sorted(by: \.name).offset(2).limit(4), .by(\.city)),
        (Restaurant.all.sorted(by: \.name).sorted(by: \.seats).limit(5), nil),
    ]

    struct Edit {
        let restaurant: Restaurant
        let isDeletion: Bool

        func run(in accessor: DataStoreReadWriteAccessor) throws {
            if isDeletion {
                try accessor.delete(id: restaurant.id, of: Restaurant.self)
            } else {
                try accessor.upsert(restaurant)
            }
        }
    }

    mutating func edits() -> [Edit] {
        (0..<number(1...4)).map { _ in
            let restaurant = Restaurant(
                Int64(number(1...12)), name: ["a", "b", "c", "d"][number(0...3)],
                city: ["x", "y", ""][number(0...2)], seats: number(0...3),
                note: [nil, "p", "q"][number(0...2)])
            return Edit(restaurant: restaurant, isDeletion: isNow(oneIn: 3))
        }
    }
}
