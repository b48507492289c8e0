import class Foundation.Thread
import Larder

/// Writes off the calling thread: their order, their completions, their errors.
enum WritingAsyncCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Asynchronous writes run in the order of the calls", proves: 2) { world in
            let store = try world.open(Keyed<Int64>.self)
            let done = Locked<[Int64]>([])
            let all = Outcome<[Int64]>()

            for id in 0..<100 as Range<Int64> {
                store.writeAsync(
                    { accessor in
                        let rank = try accessor.countItems(for: Keyed<Int64>.all)
                        try accessor.insert(Keyed(id, rank: rank))
                    },
                    completion: { _ in
                        let completed = done.withLock { done in
                            done.append(id)
                            return done
                        }
                        if completed.count == 100 { all.set(completed) }
                    })
            }
            try store.flush()

            try expect(try store.items(Keyed<Int64>.all).map(\.rank), equals: Array(0..<100))
            try expect(try all.require(), equals: Array(0..<100))
        }
        ConformanceCase(
            "A synchronous write waits for the asynchronous ones before it", proves: 2
        ) { world in
            let store = try world.open(Keyed<Int64>.self)

            for round in 0..<20 as Range<Int64> {
                store.writeAsync { _ = try $0.insert(Keyed(round * 2)) }
                let count = try store.writeSync { accessor in
                    try accessor.insert(Keyed(round * 2 + 1))
                    return try accessor.countItems(for: Keyed<Int64>.all)
                }
                try expect(count, equals: Int(round + 1) * 2)
            }
        }
        ConformanceCase("An asynchronous write runs off the calling thread", proves: 2) { world in
            let store = try world.openFilled()
            let here = ObjectIdentifier(Thread.current)
            let outcome = Outcome<Bool>()

            store.writeAsync(
                { _ in ObjectIdentifier(Thread.current) == here },
                completion: { result in
                    outcome.set((try? result.get()) ?? true)
                })

            try expect(try outcome.require(), equals: false, "whether the block ran on the calling thread")
            try expect(try store.writeSync { _ in ObjectIdentifier(Thread.current) == here }, equals: true)
        }
        ConformanceCase(
            "A completion comes once, after the commit, with the result", proves: 2
        ) { world in
            let store = try world.openFilled()
            let calls = Locked<[String]>([])
            let outcome = Outcome<Bool>()

            store.writeAsync(
                { accessor in
                    try accessor.insert(Restaurant(20))
                    return try accessor.countItems(for: Restaurant.all)
                },
                completion: { result in
                    let seen = try? store.count(Restaurant.all)
                    calls.withLock { $0.append("\((try? result.get()) ?? -1), \(seen ?? -1) seen") }
                    outcome.set(true)
                })
            _ = try outcome.require()
            try store.flush()
            try store.writeSync { _ in }

            try expect(calls.withLock { $0 }, equals: ["13, 13 seen"])
        }
        ConformanceCase(
            "A completion gets the error of a block, and nothing is stored", proves: 2, 3
        ) { world in
            let store = try world.openFilled()
            let (own, clash) = (Outcome<any Error>(), Outcome<any Error>())

            store.writeAsync(
                { accessor in
                    try accessor.deleteAllItems(of: Restaurant.self)
                    throw OwnError(number: 6)
                },
                completion: { (result: Result<Void, any Error>) in own.set(result.error) })
            store.writeAsync(
                { try $0.mutableRestaurant(1).slug = "otoro" }, completion: { clash.set($0.error) })

            try expect(try own.require() as? OwnError, equals: OwnError(number: 6))
            try expect((try clash.require() as? DataStoreError)?.code, equals: .uniqueViolation)
            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("A completion may write", proves: 2, 5) { world in
            let store = try world.openFilled()
            let outcome = Outcome<Int>()

            store.writeAsync(
                { _ = try $0.insert(Restaurant(20)) },
                completion: { _ in
                    let count = try? store.writeSync { accessor in
                        try accessor.insert(Restaurant(21))
                        return try accessor.countItems(for: Restaurant.all)
                    }
                    outcome.set(count ?? -1)
                })

            try expect(try outcome.require(), equals: 14)
        }
        ConformanceCase(
            "An error without completion goes to the error handler", proves: 2
        ) { world in
            let store = try world.openFilled()
            let (own, clash) = (Outcome<any Error>(), Outcome<any Error>())
            store.errorHandler = { error in
                if error is OwnError { own.set(error) } else { clash.set(error) }
            }

            store.writeAsync { _ in throw OwnError(number: 9) }
            store.writeAsync { _ = try $0.insert(Restaurant(1)) }

            try expect(try own.require() as? OwnError, equals: OwnError(number: 9))
            try expect((try clash.require() as? DataStoreError)?.code, equals: .duplicateIdentifier)
        }
        ConformanceCase(
            "Every error of a call goes to the error handler once", proves: 2, 23
        ) { world in
            let store = try world.openFilled()
            let reported = Locked<[Int]>([])
            let (outcome, last) = (Outcome<Bool>(), Outcome<Bool>())
            store.errorHandler = { error in
                let number = (error as? OwnError)?.number ?? 0
                reported.withLock { $0.append(number) }
                if number == 9 { last.set(true) }
            }

            store.writeAsync(
                { _ in throw OwnError(number: 2) },
                completion: { (_: Result<Void, any Error>) in outcome.set(true) })
            _ = try outcome.require()
            store.writeAsync { _ = try $0.insert(Restaurant(20)) }
            try expectOwnError(3) { try store.writeSync { _ in throw OwnError(number: 3) } }
            try expectOwnError(4) { try store.read { _ in throw OwnError(number: 4) } }
            store.writeAsync { _ in throw OwnError(number: 9) }
            _ = try last.require()

            try expect(reported.withLock { $0 }, equals: [2, 3, 4, 9])
            try expect(try store.count(Restaurant.all), equals: 13)
        }
        ConformanceCase(
            "An asynchronous write given inside a block runs after it", proves: 2, 5
        ) { world in
            let store = try world.openFilled()
            let seen = Outcome<Int>()

            try store.writeSync { accessor in
                store.writeAsync(
                    { try $0.countItems(for: Restaurant.all) },
                    completion: { seen.set((try? $0.get()) ?? -1) })
                try accessor.insert(Restaurant(20))
                try expect(try accessor.countItems(for: Restaurant.all), equals: 13)
            }
            try expect(try seen.require(), equals: 13)

            try store.read { _ in store.writeAsync { _ = try $0.insert(Restaurant(21)) } }
            try store.flush()
            try expect(try store.count(Restaurant.all), equals: 14)
        }
        ConformanceCase("flush waits for all writes given so far", proves: 2) { world in
            let store = try world.open(Keyed<Int64>.self)

            try store.flush()
            for id in 0..<30 as Range<Int64> { store.writeAsync { _ = try $0.insert(Keyed(id)) } }
            try store.flush()

            try expect(try store.count(Keyed<Int64>.all), equals: 30)
        }
        ConformanceCase("Awaiting flush waits for all writes given so far", proves: 2) { world in
            let store = try world.open(Keyed<Int64>.self)

            for id in 0..<30 as Range<Int64> {
                store.writeAsync({ _ = try $0.insert(Keyed(id)) }, completion: nil)
            }
            try await store.flush()

            try expect(try store.count(Keyed<Int64>.all), equals: 30)
        }
        ConformanceCase("Awaiting a write gives its value after the commit", proves: 2) { world in
            let store = try world.openWithRestaurants()

            let name = try await store.writeAsync { accessor in
                try accessor.insert(Restaurant(20))
                let handle = try accessor.mutableRestaurant(1)
                handle.name += "!"
                return handle.name
            }

            try expect(name, equals: "Trattoria Roma!")
            try expect(try store.restaurant(1)?.name, equals: "Trattoria Roma!")
            try expect(try store.count(Restaurant.all), equals: 13)
        }
        ConformanceCase(
            "Awaiting a write throws its error, and nothing is stored", proves: 2, 3
        ) { world in
            let store = try world.openWithRestaurants()

            do {
                try await store.writeAsync { accessor in
                    try accessor.deleteAllItems(of: Restaurant.self)
                    throw OwnError(number: 3)
                }
                try expect(false, "an error")
            } catch let error as OwnError {
                try expect(error.number, equals: 3)
            }
            try await expectError(.cancelled, async: { try await store.writeAsync { try $0.cancel() } })

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase(
            "A write whose task is cancelled before it starts does not run", proves: 2
        ) { world in
            let store = try world.openWithRestaurants()
            let (writing, go) = (Signal(), Signal())
            let first = Background {
                try store.writeSync { _ in
                    writing.fire()
                    try go.wait()
                }
            }
            try await writing.fired()

            let task = Task { try await store.writeAsync { _ = try $0.insert(Restaurant(20)) } }
            task.cancel()
            go.fire()
            try first.value()
            do {
                try await task.value
                try expect(false, "CancellationError")
            } catch is CancellationError {}

            try await store.flush()
            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("A write that has started runs to its end", proves: 2) { world in
            let store = try world.openWithRestaurants()
            let (writing, go) = (Signal(), Signal())

            let task = Task {
                try await store.writeAsync { accessor in
                    try accessor.insert(Restaurant(20))
                    writing.fire()
                    try go.wait()
                    return 5
                }
            }
            try await writing.fired()
            task.cancel()
            go.fire()

            let value = try await task.value
            try expect(value, equals: 5)
            try expect(try store.count(Restaurant.all), equals: 13)
        }
        ConformanceCase("Fifty tasks that count lose no count", proves: 2) { world in
            let store = try world.openWithRestaurants()

            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask { try await store.writeAsync { try $0.mutableRestaurant(1).seats += 1 } }
                }
                try await group.waitForAll()
            }

            try expect(try store.restaurant(1)?.seats, equals: 90)
        }
        ConformanceCase("Eight threads that count lose no count", proves: 2) { world in
            let store = try world.openFilled()

            let threads = (0..<8).map { number in
                Background {
                    for round in 0..<20 {
                        if (number + round) % 3 == 0 {
                            store.writeAsync { try $0.mutableRestaurant(1).seats += 1 }
                        } else {
                            try store.writeSync { try $0.mutableRestaurant(1).seats += 1 }
                        }
                    }
                }
            }
            for thread in threads { try thread.value() }
            try store.flush()

            try expect(try store.restaurant(1)?.seats, equals: 200)
        }
        ConformanceCase("A nested call in an asynchronous write is refused", proves: 5) { world in
            let store = try world.openWithRestaurants()

            try await store.writeAsync { accessor in
                try expectError(.nestedTransaction, writingTo: store) { _ in }
                try expectError(.nestedTransaction) { try store.flush() }
                try expectError(.nestedTransaction) { try store.tearDown() }
                try expectError(.nestedTransaction) { try store.destroy() }
                try accessor.insert(Restaurant(20))
            }
            try await store.readAsync { _ in
                _ = try expectError(.nestedTransaction) { try store.tearDown() }
            }

            try expect(try store.count(Restaurant.all), equals: 13)
        }
        ConformanceCase("Hooks of an asynchronous write run before its completion", proves: 5) { world in
            let store = try world.openFilled()
            let calls = Locked<[String]>([])
            let outcome = Outcome<Bool>()

            store.writeAsync(
                { accessor in
                    try accessor.afterCommit { calls.withLock { $0.append("hook") } }
                    try accessor.insert(Restaurant(20))
                },
                completion: { _ in
                    calls.withLock { $0.append("completion") }
                    outcome.set(true)
                })
            _ = try outcome.require()

            try expect(calls.withLock { $0 }, equals: ["hook", "completion"])
        }
        ConformanceCase("One write of a row of asynchronous ones fails alone", proves: 2, 3) { world in
            let store = try world.open(Keyed<Int64>.self)
            let results = Locked<[Int64: Bool]>([:])
            let all = Outcome<[Int64: Bool]>()

            for id in 0..<60 as Range<Int64> {
                store.writeAsync(
                    { accessor in
                        try accessor.insert(Keyed(id))
                        if id % 5 == 2 { throw OwnError() }
                        if id % 5 == 4 { try accessor.insert(Keyed(id)) }
                    },
                    completion: { result in
                        let completed = results.withLock { results in
                            results[id] = result.error is NoError
                            return results
                        }
                        if completed.count == 60 { all.set(completed) }
                    })
            }

            let expected = [Int64](0..<60).filter { $0 % 5 != 2 && $0 % 5 != 4 }
            try expect(try all.require().filter(\.value).keys.sorted(), equals: expected)
            try expect(Keyed<Int64>.all, gives: expected, in: store)
        }
    }
}
