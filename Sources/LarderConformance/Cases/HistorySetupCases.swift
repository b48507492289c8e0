import Larder

/// The rules of awaiting a `setup()` with a history, and of its reports.
enum HistorySetupCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "An awaited setup leaves the caller's actor, and a second one does nothing", proves: 12
        ) { @MainActor world in
            try fill(world, with: [One(1, .integer(90)), One(2, .integer(30))])
            let (isFree, rows) = (Signal(), Locked(0))
            let today = try world.makeStore(
                storing: HistoryCases.history {
                    try isFree.wait()
                    rows.withLock { $0 += 1 }
                })

            // Runs once this task has left the actor, and not before.
            Task { @MainActor in isFree.fire() }
            try await today.setupAsync()

            let expected = [Three(1, .real(1.5), .null), Three(2, .real(0.5), .null)]
            try expect(try today.items(Three.all), equals: expected)
            try await today.setupAsync()
            try today.setup()
            try expect(try today.items(Three.all), equals: expected)
            try expect(rows.withLock { $0 }, equals: 2)
        }
        ConformanceCase(
            "An awaited setup whose task is cancelled changes nothing", proves: 12
        ) { world in
            try fill(world, with: [One(1, .integer(90)), One(2, .integer(30))])
            let (isRunning, go) = (Signal(), Signal())
            let today = try world.makeStore(
                storing: HistoryCases.history {
                    isRunning.fire()
                    try go.wait()
                })
            let before = try HistoryCases.stored(world, today)

            let running = Task { try await today.setupAsync() }
            // On a thread of its own, as the steps of many cases may hold all threads of the pool.
            let canceling = Background {
                try isRunning.wait()
                running.cancel()
                go.fire()
            }
            try await expectError(.cancelled) { try await running.value }
            try canceling.value()
            let early = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await today.setupAsync()
            }
            try await expectError(.cancelled) { try await early.value }

            try expectError(.notSetUp) { try today.read { _ in } }
            try expect(try HistoryCases.stored(world, today), equals: before)
            try await today.setupAsync()
            try expect(try today.count(Three.all), equals: 2)
        }
        ConformanceCase("A store reports which changes its setup has made", proves: 12) { world in
            let store = try HistoryCases.open(world, HistoryCases.history(upTo: 1))
            // A child has the schema of its parent, which reports the changes.
            let adapter = store.coordinator.adapter
            if ((adapter as? any AdapterDecorator)?.wrappedAdapter ?? adapter) is OverlayAdapter { return }
            try await store.writeAsync { try $0.insert(One(1, .integer(90))) }
            try world.closeAll()
            let today = try world.makeStore(storing: HistoryCases.history())
            var events = today.events.makeAsyncIterator()

            try today.setup()
            try today.tearDown()
            try today.setup()

            let migrated = StoreMigration(from: "1", to: "3", steps: ["1 → 2", "2 → 3"])
            for expected in [.migrated(migrated), .opened, .closed, .opened] as [StoreEvent] {
                let event = await events.next()
                try expect(event, equals: expected)
            }

            let place = try world.sibling()
            let plain = try place.open(One.self)
            try plain.tearDown()
            let changed = try place.makeStore(Two.self)
            var changes = changed.events.makeAsyncIterator()
            try changed.setup()
            try changed.tearDown()
            let small = StoreMigration(from: nil, to: nil, steps: [])
            for expected in [.migrated(small), .opened, .closed] as [StoreEvent] {
                let event = await changes.next()
                try expect(event, equals: expected)
            }
        }
    }

    private typealias One = HistoryCases.One
    private typealias Two = HistoryCases.Two
    private typealias Three = HistoryCases.Three

    /// Leaves a closed store of the first version with these items.
    private static func fill(_ world: ConformanceWorld, with items: [One]) throws {
        let store = try HistoryCases.open(world, HistoryCases.history(upTo: 1))
        try store.writeSync { try $0.insert(contentsOf: items) }
        try world.closeAll()
    }
}
