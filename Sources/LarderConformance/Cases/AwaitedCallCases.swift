import Larder
import LarderFiles

/// Calls that wait for blocks, in the form that async code awaits.
enum AwaitedCallCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("An awaited tearDown leaves the caller's actor, and waits for blocks", proves: 2, 5) {
            @MainActor world in
            let store = try world.openWithRestaurants()
            let before = try store.items(Restaurant.all)
            let (isReading, isFree) = (Signal(), Signal())
            let reader = Background<[Restaurant]> {
                try store.read { accessor in
                    isReading.fire()
                    try isFree.wait()
                    return try accessor.items(for: Restaurant.all)
                }
            }
            try await isReading.fired()

            // Runs once this task has left the actor, and not before.
            Task { @MainActor in isFree.fire() }
            try await store.tearDownAsync()

            try expect(try reader.value(), equals: before)
            try expectError(.closed) { _ = try store.items(Restaurant.all) }
            try await store.tearDownAsync()
            try store.setup()
            try expect(try store.items(Restaurant.all), equals: before)
        }
        ConformanceCase("An awaited tearDown or destroy does its work in a cancelled task", proves: 5, 12) {
            world in
            let store = try world.openWithRestaurants()
            let before = try store.items(Restaurant.all)

            try await cancelled { try await store.tearDownAsync() }
            try expectError(.closed) { _ = try store.items(Restaurant.all) }
            try store.setup()
            try expect(try store.items(Restaurant.all), equals: before)

            try await cancelled { try await store.destroyAsync() }
            try store.setup()
            try expect(try store.items(Restaurant.all), equals: [])
        }
        ConformanceCase(
            "An awaited write that a closed store refuses does not wait for completions", proves: 2, 5
        ) { world in
            let store = try world.openWithRestaurants()
            let (isCompleting, isRefused) = (Signal(), Signal())
            let isFirst = Outcome<Bool>()
            store.writeAsync(
                { _ in },
                completion: { (_: Result<Void, any Error>) in
                    isCompleting.fire()
                    isFirst.set((try? isRefused.wait()) != nil)
                })
            try await isCompleting.fired()
            try await store.tearDownAsync()

            try await expectError(.closed, async: { try await store.writeAsync { _ in } })
            isRefused.fire()

            try expect(try isFirst.require(), equals: true, "whether the write ended before the completion")
        }
        ConformanceCase("A child is awaited while it is refreshed, rolled back and discarded", proves: 18) {
            world in
            let store = try world.openWithRestaurants()
            let child = try store.makeChildDataStore()
            try await child.writeAsync { try $0.mutableRestaurant(1).seats = 900 }
            try await store.writeAsync { try $0.mutableRestaurant(1).name = "renamed" }

            try await child.refreshAsync()
            try expect(try child.restaurant(1)?.name, equals: "renamed")
            try expect(try child.restaurant(1)?.seats, equals: 900)

            try await child.rollBackAsync()
            try expect(try child.restaurant(1)?.seats, equals: 40)
            try expect(child.hasChanges, equals: false)

            try await child.discardAsync()
            try await child.discardAsync()
            try await expectError(.discarded, async: { try await child.refreshAsync() })
            try await expectError(.discarded, async: { try await child.rollBackAsync() })
        }
        ConformanceCase("An awaited preview of a merge has its turn, and changes nothing", proves: 2, 19) {
            world in
            let store = try world.openWithRestaurants()
            let child = try store.makeChildDataStore()
            try await child.writeAsync { try $0.mutableRestaurant(1).name = "child" }
            // Without an await: the preview comes after it.
            store.writeAsync({ try $0.mutableRestaurant(1).name = "parent" }, completion: nil)

            let preview = try await store.mergePreview(child)

            try expect(preview.conflicts.map(\.kind), equals: [.changedOnBothSides(attribute: "name")])
            try expect(try store.restaurant(1)?.name, equals: "parent")
            try expect(try child.restaurant(1)?.name, equals: "child")
            let wanted = try await store.mergePreview(child, policy: .childWins)
            try expect([wanted.inserted, wanted.updated, wanted.deleted], equals: [0, 1, 0])
            try expect(try store.restaurant(1)?.name, equals: "parent")
        }
        ConformanceCase("Awaited tools of a file do what the others do", proves: 12) { world in
            guard let scene = FileScene(world), let store = try scene.tools([Restaurant.self, Dish.self])
            else {
                return
            }
            let place = scene.file("copy")
            try await expectError(.notSetUp, async: { _ = try await store.statisticsAsync() })
            try store.setup()
            try await store.writeAsync { try $0.insert(contentsOf: (1...3).map { Restaurant($0) }) }

            let counts = try await store.statisticsAsync().itemCounts
            let defects = try await store.checkIntegrityAsync()
            try await store.backupAsync(to: place)

            try expect(counts, equals: ["Restaurant": 3, "Dish": 0])
            try expect(defects, equals: [])
            let copy = try scene.store(at: place, [Restaurant.self, Dish.self])
            try copy.setup()
            try expect(try copy.items(Restaurant.all), equals: (1...3).map { Restaurant($0) })
            try await copy.tearDownAsync()
            try await store.tearDownAsync()
        }
    }

    /// Awaits a body in a task that is cancelled before.
    private static func cancelled(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await body()
        }.value
    }
}
