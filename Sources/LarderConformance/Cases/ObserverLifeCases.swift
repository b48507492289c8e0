import Larder

/// Observers that come and go while writers commit and the store is closed and opened.
enum ObserverLifeCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Observers come and go beside writers and a store that closes", proves: 5, 21
        ) { world in
            let seed = ConformanceSeed.value
            do {
                try await run(world, seed: seed)
            } catch {
                throw ConformanceFailure.seeded(error, seed)
            }
        }
    }

    private static func run(_ world: ConformanceWorld, seed: UInt64) async throws {
        let store = try world.open(Restaurant.self)
        let isOver = Locked(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<3 as Range<UInt64> {
                group.addTask { try await observe(store, until: isOver, seed: seed &+ number) }
            }
            for number in 0..<2 as Range<Int64> {
                group.addTask { try await write(to: store, number: number, until: isOver) }
            }
            group.addTask {
                for round in 1...8 {
                    if round > 1 { try store.setup() }
                    for _ in 0..<20 {
                        _ = try await store.readAsync { try $0.countItems(for: Restaurant.all) }
                    }
                    // The last time it stays closed, which ends those who would wait for one more value.
                    if round == 8 { isOver.withLock { $0 = true } }
                    try store.tearDown()
                }
            }
            try await group.waitForAll()
        }
        try store.setup()

        let count = try await store.readAsync { try $0.countItems(for: Restaurant.all) }
        var counts = store.values(ofCount: Restaurant.all).makeAsyncIterator()
        let first = try await counts.next()
        try expect(first, equals: count)
        try await store.writeAsync { _ = try $0.insert(Restaurant(1_000_000)) }
        let second = try await counts.next()
        try expect(second, equals: count + 1)
    }

    /// Begins observations of all kinds, takes some values of each, and ends it in one way or another.
    private static func observe(_ store: any DataStore, until isOver: Locked<Bool>, seed: UInt64) async throws
    {
        var random = SplitMix64(state: seed)
        while !isOver.withLock({ $0 }) {
            let wanted = Int(random.next() % 3) + 1
            switch random.next() % 4 {
            case 0:
                try await ignoringClosed {
                    try await take(wanted, of: store.values(of: Restaurant.all.limit(20)))
                }
            case 1:
                let values = store.values(ofCount: Restaurant.all).ignoring("writer 0").withOrigins
                try await ignoringClosed { try await take(wanted, of: values) }
            case 2:
                let task = Task {
                    try await ignoringClosed {
                        try await take(wanted, of: store.values(ofCount: Restaurant.all))
                    }
                }
                await Task.yield()
                task.cancel()
                try await task.value
            default:
                let changes = store.changes
                await Task.yield()
                withExtendedLifetime(changes) {}
            }
        }
    }

    private static func take<Values: AsyncSequence>(_ count: Int, of values: Values) async throws {
        var left = count
        for try await _ in values {
            left -= 1
            if left == 0 { return }
        }
    }

    private static func write(to store: any DataStore, number: Int64, until isOver: Locked<Bool>) async throws
    {
        var id = number
        while !isOver.withLock({ $0 }) {
            id += 2
            let next = id
            try await ignoringClosed {
                try await store.writeAsync(origin: WriteOrigin("writer \(number)")) { accessor in
                    _ = try accessor.upsert(Restaurant(next % 200))
                    if next % 3 == 0 {
                        try accessor.delete(id: .init(rawValue: next % 100), of: Restaurant.self)
                    }
                }
            }
            await Task.yield()
        }
    }

    /// Runs a body that may find the store closed.
    private static func ignoringClosed(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as DataStoreError where error.code == .closed {
        }
    }
}
