import Larder

/// The pending changes of a block, completions where the app says, and chains.
enum BlockStyleCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A block knows if it has changes that are not committed", proves: 3, 5) { world in
            let store = try world.open(Restaurant.self)
            try store.writeSync { try $0.insert(contentsOf: [Restaurant(1), Restaurant(2)]) }

            try store.writeSync { accessor in
                try expect(try accessor.hasChanges, equals: false)
                _ = try accessor.items(for: Restaurant.all)
                try expect(try accessor.hasChanges, equals: false, "after a request")
                try accessor.mutableRestaurant(1).seats = 77
                try expect(try accessor.hasChanges, equals: true, "after a set")
                try accessor.commit()
                try expect(try accessor.hasChanges, equals: false, "after a commit")
                try? accessor.savepoint {
                    try accessor.insert(Restaurant(3))
                    try expect(try accessor.hasChanges, equals: true, "in a savepoint")
                    throw OwnError()
                }
                try expect(try accessor.hasChanges, equals: false, "after a savepoint that was undone")
                try accessor.delete(id: Restaurant(2).id, of: Restaurant.self)
                try expect(try accessor.hasChanges, equals: true, "after a deletion")
            }

            try store.writeSync { try expect(try $0.hasChanges, equals: false, "in the next block") }
        }
        ConformanceCase("A block that reports its changes lists those so far", proves: 5) { world in
            let store = try world.open(Restaurant.self)
            try store.writeSync { try $0.insert(contentsOf: [Restaurant(1), Restaurant(2)]) }

            let result = try store.writeSyncReportingChanges(origin: "style") { accessor in
                try expect(try accessor.pendingChanges.isEmpty, equals: true)
                try accessor.mutableRestaurant(1).seats = 77
                try accessor.delete(id: Restaurant(2).id, of: Restaurant.self)
                try accessor.insert(Restaurant(3))
                try accessor.insert(Restaurant(4))
                try accessor.delete(id: Restaurant(4).id, of: Restaurant.self)

                let pending = try accessor.pendingChanges
                try expect(pending.origin, equals: "style")
                try expect(pending.inserted(Restaurant.self), equals: [Restaurant(3).id])
                try expect(pending.updated(Restaurant.self).map(\.id), equals: [Restaurant(1).id])
                try expect(pending.updated(Restaurant.self).map(\.attributes), equals: [["seats"]])
                try expect(pending.deleted(Restaurant.self), equals: [Restaurant(2).id])
                try accessor.commit()
                try expect(try accessor.pendingChanges.isEmpty, equals: true, "after a commit")
                try accessor.insert(Restaurant(5))
                try expect(try accessor.pendingChanges.inserted(Restaurant.self), equals: [Restaurant(5).id])
            }

            try expect(
                result.changes.inserted(Restaurant.self), equals: [Restaurant(3).id, Restaurant(5).id])
        }
        ConformanceCase("A block that reports nothing does not list its changes", proves: 5) { world in
            let store = try world.open(Restaurant.self)
            // Recorded for an observer, and still not the block's to ask for.
            let changes = store.changes

            try store.writeSync { accessor in
                try accessor.insert(Restaurant(1))
                try expectError(.unsupported) { _ = try accessor.pendingChanges }
            }

            try expect(try store.count(Restaurant.all), equals: 1)
            withExtendedLifetime(changes) {}
        }
        ConformanceCase("Blocks that share a commit have changes of their own", proves: 2, 5) { world in
            let store = try world.open(Restaurant.self)
            let seen = Locked<[Bool]>([])

            for id in 1...20 as ClosedRange<Int64> {
                store.writeAsync(
                    { accessor in
                        let before = try accessor.hasChanges
                        try accessor.insert(Restaurant(id))
                        let after = try accessor.hasChanges
                        seen.withLock { $0 += [before, after] }
                    }, completion: nil)
            }
            try await store.flush()

            try expect(seen.withLock { $0 }, equals: (0..<40).map { $0 % 2 == 1 })
        }
        ConformanceCase("A completion runs where the caller says, after the commit", proves: 2) { world in
            let store = try world.open(Restaurant.self)
            let scheduled = Locked<[@Sendable () -> Void]>([])
            let calls = Locked<[String]>([])

            store.writeAsync(
                { accessor in
                    try accessor.afterCommit(by: { work in scheduled.withLock { $0.append(work) } }) {
                        calls.withLock { $0.append("hook") }
                    }
                    return try accessor.insert(Restaurant(1)).id.rawValue
                }, completingBy: { work in scheduled.withLock { $0.append(work) } },
                completion: { result in calls.withLock { $0.append("stored \((try? result.get()) ?? -1)") } })
            store.writeAsync(
                { _ in throw OwnError() }, completingBy: { work in scheduled.withLock { $0.append(work) } },
                completion: { (result: Result<Void, any Error>) in
                    calls.withLock { $0.append(result.error is OwnError ? "own error" : "another") }
                })
            // A completion without a place of its own comes after those before it were handed over.
            let end = Outcome<Bool>()
            store.writeAsync({ _ in true }, completion: { _ in end.set(true) })
            _ = try end.require()

            try expect(calls.withLock { $0 }, equals: [])
            for work in scheduled.withLock({ $0 }) { work() }
            try expect(calls.withLock { $0 }, equals: ["hook", "stored 1", "own error"])
        }
        ConformanceCase("A completion runs on the main actor", proves: 2) { world in
            let store = try world.open(Restaurant.self)

            let count = await withCheckedContinuation { continuation in
                store.writeAsync {
                    try $0.insert(Restaurant(1)).id.rawValue
                } completionOnMainActor: { result in
                    MainActor.assertIsolated()
                    continuation.resume(returning: (try? result.get()) ?? -1)
                }
            }

            try expect(count, equals: 1)
            try expect(try store.count(Restaurant.all), equals: 1)
        }
        ConformanceCase("Errors are handled where the caller says, a child's too", proves: 23) { world in
            let store = try world.open(Restaurant.self)
            let child = try store.makeChildDataStore()
            let scheduled = Locked<[@Sendable () -> Void]>([])
            let handled = Locked<[Int]>([])
            let (first, second) = (Outcome<Bool>(), Outcome<Bool>())
            store.handleErrors(by: { work in
                let count = scheduled.withLock { scheduled in
                    scheduled.append(work)
                    return scheduled.count
                }
                (count == 1 ? first : second).set(true)
            }) { error in
                handled.withLock { $0.append((error as? OwnError)?.number ?? -1) }
            }

            try expectOwnError(1) { try store.read { _ in throw OwnError(number: 1) } }
            _ = try first.require()
            try expectOwnError(2) { try child.writeSync { _ in throw OwnError(number: 2) } }
            _ = try second.require()

            try expect(handled.withLock { $0 }, equals: [])
            for work in scheduled.withLock({ $0 }) { work() }
            try expect(handled.withLock { $0 }, equals: [1, 2])
        }
        ConformanceCase("Errors are handled on the main actor", proves: 23) { world in
            let store = try world.open(Restaurant.self)

            let number = await withCheckedContinuation { continuation in
                store.handleErrorsOnMainActor { error in
                    MainActor.assertIsolated()
                    continuation.resume(returning: (error as? OwnError)?.number ?? -1)
                }
                store.writeAsync { _ in throw OwnError(number: 5) }
            }
            store.errorHandler = nil

            try expect(number, equals: 5)
        }
        ConformanceCase("A chain runs its blocks in the order of the text", proves: 1, 2) { world in
            let store = try world.open(Restaurant.self)
            var counts: [Int] = []

            let chain = try store.chained
                .writeSync { try $0.insert(Restaurant(1)) }
                .read { counts.append(try $0.countItems(for: Restaurant.all)) }
                .writeSync(origin: "chain") { try $0.insert(contentsOf: [Restaurant(2), Restaurant(3)]) }
                .read { counts.append(try $0.countItems(for: Restaurant.all)) }

            try expect(counts, equals: [1, 3])
            try expect(chain.store === store, "the chain leads to another store")
        }
        ConformanceCase("A block that throws ends a chain, and those before it stay", proves: 3) { world in
            let store = try world.open(Restaurant.self)
            var isRead = false

            do {
                try store.chained
                    .writeSync { try $0.insert(Restaurant(1)) }
                    .writeSync { accessor in
                        try accessor.insert(Restaurant(2))
                        throw OwnError()
                    }
                    .read { _ in isRead = true }
            } catch is OwnError {}

            try expect(isRead, equals: false)
            try expect(try store.ids(Restaurant.all), equals: [.integer(1)])
        }
    }
}
