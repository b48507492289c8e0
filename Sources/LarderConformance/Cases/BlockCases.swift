import Larder

/// Calls inside a block, and accessors and handles after it.
enum BlockCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A read accessor is refused after its block", proves: 5) { world in
            let store = try world.openFilled()
            var leaked: DataStoreReadAccessor?
            try store.read { leaked = $0 }
            let accessor = try require(leaked)
            try expect(!(accessor is DataStoreReadWriteAccessor), "an accessor that cannot write")

            let calls: [() throws -> Void] = [
                { _ = try accessor.items(for: Restaurant.all) },
                { _ = try accessor.firstItem(for: Restaurant.all) },
                { _ = try accessor.restaurant(1) }, { _ = try accessor.countItems(for: Restaurant.all) },
                { _ = try accessor.contains(Restaurant.all) }, { _ = try accessor.ids(for: Restaurant.all) },
                { _ = try accessor.contains(id: ItemID(rawValue: 1), of: Restaurant.self) },
                { _ = try accessor.values(for: Restaurant.all, \.name, \.city) },
                { try accessor.forEachItem(for: Restaurant.all) { _ in } },
                { _ = try accessor.explain(Restaurant.all) },
            ]
            for call in calls { try expectError(.accessorExpired) { try call() } }
            // Resources that a later block reuses do not serve the accessor of an earlier one.
            try store.read { other in
                _ = try other.countItems(for: Restaurant.all)
                for call in calls { try expectError(.accessorExpired) { try call() } }
            }
            try store.read { _ in for call in calls { try expectError(.accessorExpired) { try call() } } }
        }
        ConformanceCase("A write accessor is refused after its block", proves: 5) { world in
            let store = try world.openFilled()
            var leaked: DataStoreReadWriteAccessor?
            try store.writeSync { leaked = $0 }
            let accessor = try require(leaked)

            let calls: [() throws -> Void] = [
                { _ = try accessor.items(for: Restaurant.all) }, { try accessor.insert(Restaurant(20)) },
                { try accessor.insert(contentsOf: [Restaurant(20)]) }, { try accessor.upsert(Restaurant(1)) },
                { try accessor.upsert(Restaurant(1, slug: "roma"), by: \.slug) },
                { _ = try accessor.mutableItems(for: Restaurant.all) },
                { _ = try accessor.mutableRestaurant(1) },
                { _ = try accessor.mutableVersion(of: Fixture.restaurant(1)) },
                { try accessor.forEachMutableItem(for: Restaurant.all) { _ in } },
                { try accessor.update(Restaurant.all, .set(\.seats, to: 0)) },
                { try accessor.delete(Fixture.restaurant(1)) },
                { try accessor.deleteItems(for: Restaurant.all) },
                { try accessor.deleteAllItems(of: Restaurant.self) }, { try accessor.cancel() },
                { try accessor.commit() }, { try accessor.savepoint {} }, { try accessor.afterCommit {} },
            ]
            for call in calls { try expectError(.accessorExpired) { try call() } }
            // Resources that a later block reuses do not serve the accessor of an earlier one.
            try store.read { other in
                _ = try other.countItems(for: Restaurant.all)
                for call in calls { try expectError(.accessorExpired) { try call() } }
            }
            try store.writeSync { _ in for call in calls { try expectError(.accessorExpired) { try call() } }
            }
            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase(
            "The accessor of an inner read ends with the inner block", proves: 5
        ) { world in
            let store = try world.openFilled()

            try store.read { outer in
                var leaked: DataStoreReadAccessor?
                try store.read { leaked = $0 }
                let inner = try require(leaked)
                try expectError(.accessorExpired) { _ = try inner.items(for: Restaurant.all) }
                try expect(try outer.countItems(for: Restaurant.all), equals: 12)
            }
        }
        ConformanceCase(
            "A set after the block changes nothing and is reported", proves: 5
        ) { world in
            let store = try world.openFilled()
            let reported = Outcome<any Error>()
            store.errorHandler = { reported.set($0) }
            let handle = try store.writeSync { try $0.mutableRestaurant(1) }

            handle.seats = 7

            try expect(handle.seats, equals: 40)
            let error = try reported.require() as? DataStoreError
            try expect(error?.code, equals: .accessorExpired)
            try expect(error?.itemType, equals: "Restaurant")
            try expect(error?.identifier, equals: .integer(1))
            try store.writeSync { _ in }
            try expect(try store.restaurant(1)?.seats, equals: 40)
        }
        ConformanceCase(
            "A handle can be read after its block, but not changed", proves: 5
        ) { world in
            let store = try world.openFilled()
            let handle = try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                handle.seats = 41
                return handle
            }

            try expect(handle.item.seats, equals: 41)
            try expect(handle.name, equals: "Trattoria Roma")
            try expect(try handle.value(forKey: "seats") as? Int64, equals: 41)
            try expectError(.accessorExpired) { try handle.setValue(5, forKey: "seats") }
            try expectError(.accessorExpired) { try handle.replace(by: Fixture.restaurant(1)) }
            try store.writeSync { _ in
                try expectError(.accessorExpired) { try handle.setValue(5, forKey: "seats") }
            }
            try expect(try store.restaurant(1)?.seats, equals: 41)
        }
        ConformanceCase("A write inside a write is refused", proves: 5) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.insert(Restaurant(20))
                try expectError(.nestedTransaction, writingTo: store) { _ in throw OwnError() }
                try accessor.insert(Restaurant(21))
            }

            try expect(Restaurant.all, gives: Array(1...12) + [20, 21], in: store)
        }
        ConformanceCase("A write inside a read is refused", proves: 5) { world in
            let store = try world.openFilled()

            try store.read { accessor in
                try expectError(.nestedTransaction, writingTo: store) { _ in throw OwnError() }
                try store.read { _ in
                    _ = try expectError(.nestedTransaction, writingTo: store) { _ in throw OwnError() }
                }
                try expect(try accessor.countItems(for: Restaurant.all), equals: 12)
            }
        }
        ConformanceCase(
            "flush, tearDown and destroy inside a block are refused", proves: 5
        ) { world in
            let store = try world.openFilled()
            func expectRefused() throws {
                try expectError(.nestedTransaction) { try store.flush() }
                try expectError(.nestedTransaction) { try store.tearDown() }
                try expectError(.nestedTransaction) { try store.destroy() }
            }

            try store.read { accessor in
                try expectRefused()
                try expect(try accessor.countItems(for: Restaurant.all), equals: 12)
            }
            try store.writeSync { accessor in
                try accessor.insert(Restaurant(20))
                try expectRefused()
                try store.read { _ in try expectRefused() }
            }

            try expect(try store.count(Restaurant.all), equals: 13)
        }
        ConformanceCase("Blocks of one store work inside blocks of another", proves: 5) { world in
            let (store, other) = (try world.openFilled(), try world.openElsewhere(Restaurant.self))

            try store.read { accessor in
                try other.writeSync { writer in
                    try accessor.forEachItem(for: Restaurant.all) { _ = try writer.insert($0) }
                    try expect(try other.count(Restaurant.all), equals: 0)
                }
            }
            try expectOwnError {
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Restaurant.self)
                    try other.writeSync { _ = try $0.delete(Fixture.restaurant(1)) }
                    throw OwnError()
                }
            }

            try expect(try store.count(Restaurant.all), equals: 12)
            try expect(Restaurant.all, gives: Array(2...12), in: other)
        }
        ConformanceCase("setup inside a block of an open store does nothing", proves: 5) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.insert(Restaurant(20))
                try store.setup()
                try expect(try accessor.countItems(for: Restaurant.all), equals: 13)
            }

            try expect(try store.count(Restaurant.all), equals: 13)
        }
        ConformanceCase("Hooks run once after the commit, in their order", proves: 5) { world in
            let store = try world.openFilled()
            let calls = Locked<[String]>([])

            try store.writeSync { accessor in
                for number in 1...3 {
                    try accessor.afterCommit {
                        let count = try? store.count(Restaurant.all)
                        calls.withLock { $0.append("\(number): \(count ?? -1)") }
                    }
                }
                try accessor.insert(Restaurant(20))
                try expect(calls.withLock { $0 }, equals: [])
            }

            try expect(calls.withLock { $0 }, equals: ["1: 13", "2: 13", "3: 13"])
        }
        ConformanceCase("Hooks of what was not committed never run", proves: 3, 5) { world in
            let store = try world.openFilled()
            let calls = Locked<[String]>([])
            func note(_ text: String, _ accessor: DataStoreReadWriteAccessor) throws {
                try accessor.afterCommit { calls.withLock { $0.append(text) } }
            }

            try expectOwnError {
                try store.writeSync { accessor in
                    try note("thrown", accessor)
                    throw OwnError()
                }
            }
            try expectError(.cancelled, writingTo: store) { accessor in
                try note("cancelled", accessor)
                try accessor.cancel()
            }
            try expectError(.uniqueViolation, writingTo: store) { accessor in
                try note("clashing", accessor)
                try accessor.mutableRestaurant(1).slug = "otoro"
            }
            try store.writeSync { accessor in
                try note("kept", accessor)
                try expectOwnError {
                    try accessor.savepoint {
                        try note("savepoint", accessor)
                        throw OwnError()
                    }
                }
                try accessor.savepoint { try note("kept savepoint", accessor) }
            }

            try expect(calls.withLock { $0 }, equals: ["kept", "kept savepoint"])
        }
        ConformanceCase("A hook may write, as the writer is free again", proves: 5) { world in
            let store = try world.openFilled()
            let failure = Locked<(any Error)?>(nil)

            try store.writeSync { accessor in
                try accessor.afterCommit {
                    do {
                        try store.writeSync { _ = try $0.insert(Restaurant(21)) }
                    } catch {
                        failure.withLock { $0 = error }
                    }
                }
                try accessor.insert(Restaurant(20))
            }

            if let error = failure.withLock({ $0 }) { throw error }
            try expect(Restaurant.where(\.id > ItemID(rawValue: 12)), gives: [20, 21], in: store)
        }
        ConformanceCase(
            "Hooks of a commit in the middle run although the block throws", proves: 3, 5
        ) { world in
            let store = try world.openFilled()
            let calls = Locked<[String]>([])

            try expectOwnError {
                try store.writeSync { accessor in
                    try accessor.afterCommit { calls.withLock { $0.append("first") } }
                    try accessor.insert(Restaurant(20))
                    try accessor.commit()
                    try accessor.afterCommit { calls.withLock { $0.append("second") } }
                    throw OwnError()
                }
            }

            try expect(calls.withLock { $0 }, equals: ["first"])
        }
    }
}
