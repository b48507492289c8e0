import Larder

/// Threads that wait for each other: one of them gets an error, and the others continue.
enum DeadlockCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Two writers that wait for each other get an error and do not hang", proves: 5
        ) { world in
            let (store, other) = (try world.openFilled(), try world.openElsewhere(Restaurant.self))
            let (inStore, inOther) = (Signal(), Signal())
            func write(
                to first: any DataStore, then second: any DataStore, firing fired: Signal,
                after awaited: Signal
            ) -> Background<Bool> {
                Background {
                    try first.writeSync { _ in
                        fired.fire()
                        try awaited.wait()
                        return try isAllowed { try second.writeSync { _ in } }
                    }
                }
            }

            let one = write(to: store, then: other, firing: inStore, after: inOther)
            let two = write(to: other, then: store, firing: inOther, after: inStore)

            try expectOneRefusal([one, two])
            try store.writeSync { _ in try other.writeSync { _ in } }
        }
        ConformanceCase("Readers beyond the limit wait for one to end", proves: 1) { world in
            let store = try world.openElsewhere(Restaurant.self, maximumReaders: 2)
            let (running, most) = (Locked(0), Locked(0))
            let places = Signal()

            let readers = (0..<6).map { _ in
                Background {
                    try store.read { accessor in
                        let now = running.withLock { running in
                            running += 1
                            return running
                        }
                        most.withLock { $0 = max($0, now) }
                        if now == 2 { places.fire() }
                        // The first to come in waits for the second, so that both places are taken once.
                        try places.wait()
                        let count = try accessor.countItems(for: Restaurant.all)
                        running.withLock { $0 -= 1 }
                        return count
                    }
                }
            }

            try expect(try readers.map { try $0.value() }, equals: [0, 0, 0, 0, 0, 0])
            try expect(most.withLock { $0 }, equals: 2, "how many read at once")
        }
        ConformanceCase(
            "A writer and the readers it waits for, which wait for it, get an error", proves: 5
        ) { world in
            let store = try world.openFilled()
            let other = try world.openElsewhere(Restaurant.self, maximumReaders: 2)
            let isWriting = Signal()
            let isReading = [Signal(), Signal()]

            let readers = isReading.enumerated().map { number, fired in
                Background {
                    try other.read { accessor in
                        _ = try accessor.countItems(for: Restaurant.all)
                        fired.fire()
                        try isWriting.wait()
                        return try isAllowed {
                            try store.writeSync { _ = try $0.insert(Restaurant(Int64(20 + number))) }
                        }
                    }
                }
            }
            let writer = Background {
                try store.writeSync { accessor in
                    isWriting.fire()
                    for signal in isReading { try signal.wait() }
                    return try isAllowed { _ = try other.read { try $0.countItems(for: Restaurant.all) } }
                }
            }

            let allowed = try expectOneRefusal(readers + [writer])
            try expect(
                try store.count(Restaurant.all), equals: 12 + allowed.dropLast().filter { $0 }.count,
                "the items after those writes that were not refused")
            try expect(try other.count(Restaurant.all), equals: 0)
        }
        ConformanceCase(
            "A tearDown and a reader that wait for each other get an error", proves: 5
        ) { world in
            let (store, other) = (try world.openFilled(), try world.openElsewhere(Restaurant.self))
            let (isReading, isWriting) = (Signal(), Signal())

            let reader = Background {
                try other.read { accessor in
                    _ = try accessor.countItems(for: Restaurant.all)
                    isReading.fire()
                    try isWriting.wait()
                    return try isAllowed { try store.writeSync { _ in } }
                }
            }
            let writer = Background {
                try store.writeSync { _ in
                    isWriting.fire()
                    try isReading.wait()
                    return try isAllowed { try other.tearDown() }
                }
            }

            let allowed = try expectOneRefusal([reader, writer])
            if allowed[1] {
                try expectError(.closed) { _ = try other.count(Restaurant.all) }
                try other.setup()
            }
            try expect(
                try other.count(Restaurant.all), equals: 0, "a store that a refused tearDown leaves open")
            try other.tearDown()
        }
        ConformanceCase(
            "A tearDown and a pending write that wait for each other get an error", proves: 5
        ) { world in
            let (store, other) = (try world.openFilled(), try world.openElsewhere(Restaurant.self))
            let (isPending, isWriting) = (Signal(), Signal())
            let pending = Outcome<Bool>()

            other.writeAsync { _ in
                isPending.fire()
                try isWriting.wait()
                pending.set(try isAllowed { try store.writeSync { _ in } })
            }
            let writer = Background {
                try store.writeSync { _ in
                    isWriting.fire()
                    try isPending.wait()
                    return try isAllowed { try other.tearDown() }
                }
            }

            let outcomes = [try writer.value(), try pending.require()]
            try expect(outcomes.filter { $0 }.count, equals: 1, "how many of the threads were not refused")
        }
        // One thread tears the store down, another waits to do so, and a reader of the store waits for that one.
        ConformanceCase(
            "A circle through two tearDowns of one store is an error", proves: 5
        ) { world in
            let store = try world.openFilled()
            let (other, third) = (
                try world.openElsewhere(Restaurant.self), try world.openElsewhere(Restaurant.self)
            )
            let isReading = Signal()
            let isWriting = [Signal(), Signal()]

            let reader = Background {
                try other.read { accessor in
                    _ = try accessor.countItems(for: Restaurant.all)
                    isReading.fire()
                    for signal in isWriting { try signal.wait() }
                    return try isAllowed { try third.writeSync { _ in } }
                }
            }
            let writers = zip([store, third], isWriting).map { written, fired in
                Background {
                    try written.writeSync { _ in
                        fired.fire()
                        try isReading.wait()
                        return try isAllowed { try other.tearDown() }
                    }
                }
            }

            // Two, when the first tearDown is refused and the second takes its place in the circle.
            let outcomes = try ([reader] + writers).map { try $0.value() }
            try expect(outcomes.contains(false), "one of the threads is refused")
            if outcomes.dropFirst().contains(true) {
                try expectError(.closed) { _ = try other.count(Restaurant.all) }
            } else {
                try expect(try other.count(Restaurant.all), equals: 0)
            }
        }
        ConformanceCase(
            "A store that is opened or closed by its own setup is an error", proves: 5, 12
        ) { world in
            try fillOldVersion(in: world)
            let (store, refusals) = (Locked<(any DataStore)?>(nil), Locked(0))
            let callItself: @Sendable () throws -> Void = {
                guard let store = store.withLock({ $0 }) else { return }
                for call in [store.setup, store.tearDown, store.destroy] as [() throws -> Void] {
                    try expectError(.wouldDeadlock) { try call() }
                }
                refusals.withLock { $0 += 1 }
            }
            let failure = Locked<(any Error)?>(nil)
            let today = try world.makeStore(
                storing: HistoryCases.history(before: callItself),
                progress: { _ in
                    do { try callItself() } catch { failure.withLock { $0 = error } }
                })
            store.withLock { $0 = today }

            try today.setup()
            store.withLock { $0 = nil }

            if let failure = failure.withLock({ $0 }) { throw failure }
            try expect(refusals.withLock { $0 } > 1, "a step and a report of progress have called the store")
            try expect(try today.count(HistoryCases.Three.all), equals: 1)
            try today.tearDown()
            try today.setup()
        }
        ConformanceCase("Two stores whose steps open each other are an error", proves: 5, 12) { world in
            let worlds = [world, try world.sibling()]
            for world in worlds { try fillOldVersion(in: world) }
            let stores = Locked<[any DataStore]>([])
            let signals = [Signal(), Signal()]
            let allowed = Locked<[Bool]>([])
            let made = try worlds.enumerated().map { number, world in
                try world.makeStore(
                    storing: HistoryCases.history {
                        signals[number].fire()
                        try signals[1 - number].wait()
                        let other = stores.withLock { $0[1 - number] }
                        let isAllowed = try isAllowed { try other.setup() }
                        allowed.withLock { $0.append(isAllowed) }
                    })
            }
            stores.withLock { $0 = made }

            let setups = made.map { store in Background { try store.setup() } }
            for setup in setups { try setup.value() }
            stores.withLock { $0 = [] }

            try expect(
                allowed.withLock { $0.count { !$0 } }, equals: 1, "how many of the threads were refused")
            for store in made { try expect(try store.count(HistoryCases.Three.all), equals: 1) }
        }
    }
}

extension DeadlockCases {
    /// Leaves the place with a closed store of the first version, whose one row the step to the current one
    /// reads.
    private static func fillOldVersion(in world: ConformanceWorld) throws {
        let store = try HistoryCases.open(world, HistoryCases.history(upTo: 1))
        try store.writeSync { try $0.insert(HistoryCases.One(1, .integer(90))) }
        try world.closeAll()
    }
}

/// False when the call was refused because it would have waited for ever.
private func isAllowed(_ call: () throws -> Void) throws -> Bool {
    do {
        try call()
        return true
    } catch DataStoreError.Code.wouldDeadlock {
        return false
    }
}

/// Checks that all threads end and one of them was refused, and names the ones that were not.
@discardableResult
private func expectOneRefusal(
    _ threads: [Background<Bool>], file: StaticString = #fileID, line: Int = #line
) throws -> [Bool] {
    let outcomes = try threads.map { try $0.value(file: file, line: line) }
    try expect(
        outcomes.filter { !$0 }.count, equals: 1, "how many of the threads were refused", file: file,
        line: line)
    return outcomes
}
