import Larder

/// Observations that ignore an origin, and whose reads depend on what they find.
enum IgnoredOriginCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A value that ignores an origin follows what ignored commits have made it depend on", proves: 21
        ) { world in
            let store = try makeChain(in: world)
            var names = chain(of: store).ignoring("own").withOrigins.makeAsyncIterator()
            try await expectNext(&names, ["1", "2", "3"], [])

            try await store.writeAsync(origin: "own") { try $0.mutableRestaurant(2).seats = 5 }
            try await store.writeAsync(origin: "new end") { try $0.mutableRestaurant(5).name = "five" }
            // Touches what has been read at all times, so that a missed commit is a wrong value and not a wait.
            try await store.writeAsync(origin: "last") { try $0.mutableRestaurant(1).name = "one" }
            try await expectNext(&names, ["one", "2", "five"], ["new end", "last"])

            try await store.writeAsync(origin: "own") { try $0.mutableRestaurant(1).seats = 3 }
            try await store.writeAsync(origin: "own") { try $0.mutableRestaurant(3).seats = 6 }
            try await store.writeAsync(origin: "old end") { try $0.mutableRestaurant(5).name = "5" }
            try await store.writeAsync(origin: "new end") { try $0.mutableRestaurant(6).name = "six" }
            try await expectNext(&names, ["one", "3", "six"], ["new end"])
        }
        ConformanceCase(
            "A value in a child that ignores an origin follows what either side has made it depend on",
            proves: 18, 21
        ) { world in
            let store = try makeChain(in: world)
            let child = try store.makeChildDataStore()
            var names = chain(of: child).ignoring("own").withOrigins.makeAsyncIterator()
            try await expectNext(&names, ["1", "2", "3"], [])

            try await store.writeAsync(origin: "own") { try $0.mutableRestaurant(2).seats = 5 }
            try await child.writeAsync(origin: "child") { try $0.mutableRestaurant(5).name = "five" }
            try await child.writeAsync(origin: "last") { try $0.mutableRestaurant(1).name = "one" }
            try await expectNext(&names, ["one", "2", "five"], ["child", "last"])

            try await child.writeAsync(origin: "own") { try $0.mutableRestaurant(1).seats = 3 }
            try await child.writeAsync(origin: "own") { try $0.mutableRestaurant(3).seats = 6 }
            try await store.writeAsync(origin: "parent") { try $0.mutableRestaurant(6).name = "six" }
            try await expectNext(&names, ["one", "3", "six"], ["parent"])
            try child.discard()
        }
        ConformanceCase(
            "After an ignored commit, one that touches nothing that is read brings no value", proves: 21
        ) { world in
            let store = try makeChain(in: world)
            let updates = chain(of: store).ignoring("own").withOrigins
            let (heard, hears) = AsyncThrowingStream<(value: [String], origins: Set<WriteOrigin?>), any Error>
                .makeStream()
            let observer = Task {
                do {
                    for try await update in updates { hears.yield(update) }
                    hears.finish()
                } catch {
                    hears.finish(throwing: error)
                }
            }
            var iterator = heard.makeAsyncIterator()
            let first = try await iterator.next()
            try expect(first?.value, equals: ["1", "2", "3"])

            for round in 1...10 {
                try await store.writeAsync(origin: "own") {
                    try $0.mutableRestaurant(2).name = "two \(round)"
                }
                try await store.writeAsync(origin: "elsewhere") {
                    try $0.mutableRestaurant(6).name = "\(round)"
                }
                try await store.writeAsync(origin: "elsewhere") {
                    try $0.mutableRestaurant(5).name = "\(round)"
                }
                try await store.writeAsync(origin: "here") {
                    try $0.mutableRestaurant(3).name = "three \(round)"
                }
                let newest = ["1", "two \(round)", "three \(round)"]
                while let next = try await iterator.next() {
                    // An earlier commit may be among the origins again if it came while a value was read. A
                    // subject may make commits without an origin of its own.
                    try expect(!next.origins.isEmpty, "a commit has brought the value")
                    try expect(next.origins.subtracting(["here", nil]), equals: [])
                    if next.value == newest { break }
                }
            }
            observer.cancel()
            await observer.value
        }
        ConformanceCase(
            "Blocks that share a commit bring a value if one that is heard follows an ignored one",
            proves: 2, 21
        ) { world in
            let store = try makeChain(in: world)
            var names = chain(of: store).ignoring("own").withOrigins.makeAsyncIterator()
            try await expectNext(&names, ["1", "2", "3"], [])

            store.writeAsync(origin: "own", { try $0.mutableRestaurant(2).seats = 5 }, completion: nil)
            store.writeAsync(origin: "end", { try $0.mutableRestaurant(5).name = "five" }, completion: nil)
            try await store.flush()
            try await store.writeAsync(origin: "last") { try $0.mutableRestaurant(1).name = "one" }
            try await expectNext(&names, ["one", "2", "five"], ["end", "last"])
        }
        ConformanceCase(
            "After random commits, a value that ignores an origin misses none of another", proves: 21
        ) { world in
            let store = try makeChain(in: world)
            try await run(observing: store, writingTo: [store])
        }
        ConformanceCase(
            "After random commits, a value in a child that ignores an origin misses none of another",
            proves: 18, 21
        ) { world in
            let store = try makeChain(in: world)
            let child = try store.makeChildDataStore()
            try await run(observing: child, writingTo: [child, store])
            try child.discard()
        }
    }

    /// Restaurants of which each names the next one by its seats: 1 leads to 2, and so on, and the last one to 1.
    private static func makeChain(in world: ConformanceWorld) throws -> any DataStore {
        let store = try world.open(Restaurant.self)
        try write(to: store) { accessor in
            try accessor.insert(
                contentsOf: (1...count).map { Restaurant($0, name: "\($0)", seats: Int($0 % count) + 1) })
        }
        return store
    }

    private static let count: Int64 = 6

    /// The names of the first three restaurants of the chain.
    private static func chain(of store: any DataStore) -> StoreValues<[String]> {
        store.values { try names(in: $0) }
    }

    private static func names(in accessor: DataStoreReadAccessor) throws -> [String] {
        var names: [String] = []
        var next: Int64 = 1
        for _ in 1...3 {
            let restaurant = try require(
                try accessor.item(id: ItemID(rawValue: next), of: Restaurant.self), "the restaurant \(next)")
            names.append(restaurant.name)
            next = Int64(restaurant.seats)
        }
        return names
    }

    private static func read(_ store: any DataStore) async throws -> [String] {
        try await store.readAsync { try names(in: $0) }
    }

    private static func expectNext(
        _ iterator: inout StoreUpdates<[String]>.Iterator, _ names: [String], _ origins: Set<WriteOrigin>,
        file: StaticString = #fileID, line: Int = #line
    ) async throws {
        let update = try await iterator.next()
        try expect(update?.value, equals: names, file: file, line: line)
        // A subject may make commits without an origin of its own.
        try expect(Set((update?.origins ?? []).compactMap(\.self)), equals: origins, file: file, line: line)
    }

    private static func run(observing store: any DataStore, writingTo stores: [any DataStore]) async throws {
        let seed = ConformanceSeed.value
        do {
            var random = RandomCommits(seed: seed)
            var names = chain(of: store).ignoring("own").withOrigins.makeAsyncIterator()
            _ = try await names.next()
            for round in 1...100 {
                let before = try await read(store)
                let id = Int64(random.number(1...Int(count)))
                let (seats, isOwn) = (random.number(1...Int(count)), random.isNow(oneIn: 2))
                let origin = isOwn ? WriteOrigin("own") : WriteOrigin("\(round)")
                try await stores[random.number(0...(stores.count - 1))].writeAsync(origin: origin) {
                    accessor in
                    let restaurant = try accessor.mutableRestaurant(id)
                    restaurant.name = "\(id) in \(round)"
                    restaurant.seats = seats
                }
                if isOwn { continue }
                if try await read(store) == before { continue }
                // As in the first case.
                try await store.writeAsync(origin: "last") { try $0.mutableRestaurant(1).name = "\(round)" }
                let update = try await names.next()
                let value = try await read(store)
                try expect(update?.value, equals: value, "commit \(round)")
                try expect(update?.origins.contains(origin), equals: true, "commit \(round)")
                try expect(update?.origins.contains("own"), equals: false, "commit \(round)")
            }
        } catch {
            throw ConformanceFailure.seeded(error, seed)
        }
    }
}

private struct RandomCommits: SeededFixture {
    var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(state: seed) }
}
