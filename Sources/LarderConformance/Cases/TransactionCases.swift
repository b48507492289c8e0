import Larder

/// A block is stored whole, or leaves no trace.
enum TransactionCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A block that throws changes nothing, whatever it did", proves: 3) { world in
            let store = try world.openFilled()

            try expectOwnError {
                try store.writeSync { accessor in
                    try changeEverything(accessor)
                    try expect(try accessor.countItems(for: Dish.all), equals: 1)
                    try accessor.mutableRestaurant(3).seats = 3
                    throw OwnError()
                }
            }

            try expectUnchanged(store)
        }
        ConformanceCase("The error of a block passes through unchanged", proves: 3) { world in
            let store = try world.openFilled()

            try expectOwnError(42) { try store.writeSync { _ in throw OwnError(number: 42) } }
            try expectOwnError(43) {
                try store.writeSync { accessor in
                    try accessor.insert(Restaurant(20))
                    try accessor.savepoint { throw OwnError(number: 43) }
                }
            }

            try expectUnchanged(store)
        }
        ConformanceCase("A write returns what its block returns", proves: 2) { world in
            let store = try world.openFilled()

            let (count, id) = try store.writeSync { accessor in
                let handle = try accessor.insert(Restaurant(20))
                return (try accessor.countItems(for: Restaurant.all), handle.id)
            }

            try expect(count, equals: 13)
            try expect(id.rawValue, equals: 20)
        }
        ConformanceCase("A cancelled block changes nothing", proves: 3) { world in
            let store = try world.openFilled()

            try expectError(.cancelled, writingTo: store) { accessor in
                try changeEverything(accessor)
                try accessor.cancel()
            }

            try expectUnchanged(store)
        }
        ConformanceCase(
            "A cancelled block stays cancelled when the error is swallowed", proves: 3
        ) { world in
            let store = try world.openFilled()

            try expectError(.cancelled, writingTo: store) { accessor in
                try changeEverything(accessor)
                try expectError(.cancelled) { try accessor.cancel() }
                try expectError(.cancelled) { try accessor.insert(Restaurant(800)) }
                try expectError(.cancelled) { _ = try accessor.items(for: Restaurant.all) }
                try expectError(.cancelled) { try accessor.commit() }
            }
            try expectError(.cancelled, writingTo: store) { accessor in
                do {
                    try accessor.savepoint {
                        try accessor.insert(Restaurant(800))
                        try accessor.cancel()
                    }
                } catch {}
            }

            try expectUnchanged(store)
        }
        ConformanceCase("A block that does nothing changes nothing", proves: 3) { world in
            let store = try world.openFilled()

            try store.writeSync { _ in }
            try expect(try store.writeSync { _ in 5 }, equals: 5)
            try expect(try store.writeSync { try $0.countItems(for: Restaurant.all) }, equals: 12)

            try expectUnchanged(store)
        }
        ConformanceCase(
            "A call that throws leaves what came before and after it", proves: 3
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.insert(Restaurant(20, name: "before"))
                let calls: [(DataStoreError.Code, () throws -> Void)] = [
                    (.duplicateIdentifier, { try accessor.insert(Restaurant(1)) }),
                    (.uniqueViolation, { try accessor.insert(Restaurant(50, slug: "roma")) }),
                    (.invalidValue, { try accessor.insert(Restaurant(50, rating: .nan)) }),
                    (
                        .duplicateIdentifier,
                        { try accessor.insert(contentsOf: [Restaurant(50), Restaurant(20)]) }
                    ),
                    (.uniqueViolation, { try accessor.update(Restaurant.all, .set(\.slug, to: "one")) }),
                    (.invalidRequest, { try accessor.deleteItems(for: Restaurant.all.limit(-1)) }),
                    (.unknownItemType, { try accessor.insert(Keyed<Int64>(1)) }),
                ]
                for (code, call) in calls {
                    try expectError(code) { try call() }
                    try expect(try accessor.countItems(for: Restaurant.all), equals: 13)
                }
                try accessor.insert(Restaurant(21, name: "after"))
            }

            try expect(
                try store.items(Restaurant.all),
                equals: Fixture.restaurants + [Restaurant(20, name: "before"), Restaurant(21, name: "after")])
        }
        ConformanceCase("Changes committed in the middle of a block stay", proves: 3) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.insert(Restaurant(20))
                try accessor.commit()
                try expect(try store.count(Restaurant.all), equals: 13)
                try accessor.insert(Restaurant(21))
                try accessor.commit()
                try accessor.commit()
                try accessor.insert(Restaurant(22))
                try expect(try store.count(Restaurant.all), equals: 14)
                try expect(try accessor.countItems(for: Restaurant.all), equals: 15)
            }

            try expect(try store.count(Restaurant.all), equals: 15)
        }
        ConformanceCase(
            "A throw after a commit in the middle undoes what came after", proves: 3
        ) { world in
            let store = try world.openFilled()

            try expectOwnError {
                try store.writeSync { accessor in
                    try accessor.insert(Restaurant(20, slug: "kept"))
                    try accessor.mutableRestaurant(1).seats = 1
                    try accessor.commit()
                    try accessor.mutableRestaurant(1).seats = 2
                    try accessor.insert(Restaurant(21, slug: "lost"))
                    try accessor.deleteItems(for: Restaurant.where(\.city == "Berlin"))
                    throw OwnError()
                }
            }

            try expect(Restaurant.where(.isIn(\.slug, ["kept", "lost"])), gives: [20], in: store)
            try expect(try store.restaurant(1)?.seats, equals: 1)
            try expect(try store.count(Restaurant.all), equals: 13)

            let cancelled = try expectError(.cancelled, writingTo: store) { accessor in
                try accessor.insert(Restaurant(22, slug: "kept too"))
                try accessor.commit()
                try accessor.insert(Restaurant(23, slug: "lost"))
                try accessor.cancel()
            }

            try expect(cancelled.advice, equals: "All that commit() had not stored is undone, as asked.")
            try expect(Restaurant.where(.isIn(\.slug, ["kept too", "lost"])), gives: [22], in: store)
        }
        ConformanceCase("Handles live on after a commit in the middle", proves: 3, 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                handle.seats = 1
                try accessor.commit()
                try expect(try store.restaurant(1)?.seats, equals: 1)
                handle.note = "second"
                try expect(try accessor.mutableRestaurant(1) === handle, "one handle")
                try accessor.delete(id: ItemID(rawValue: 2), of: Restaurant.self)
            }

            try expect(try store.restaurant(1)?.seats, equals: 1)
            try expect(try store.restaurant(1)?.note, equals: "second")
            try expect(try store.restaurant(2), equals: nil)
        }
        ConformanceCase(
            "commit is refused in writeAsync and inside a savepoint", proves: 3
        ) { world in
            let store = try world.openWithRestaurants()

            try await expectError(
                .unsupported,
                async: {
                    try await store.writeAsync { accessor in
                        try accessor.insert(Restaurant(20))
                        try accessor.commit()
                    }
                })
            try await store.writeAsync { accessor in
                try accessor.savepoint {
                    try accessor.insert(Restaurant(21))
                    try expectError(.unsupported) { try accessor.commit() }
                }
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants + [Restaurant(21)])
        }
        ConformanceCase("Ten thousand items are one commit, or none", proves: 3) { world in
            let store = try world.open(Versioned<Plain>.self)
            func insert(_ accessor: DataStoreReadWriteAccessor) throws {
                try accessor.insert(contentsOf: (0..<10_000).lazy.map { Versioned<Plain>($0, .integer($0)) })
            }

            try expectOwnError {
                try store.writeSync { accessor in
                    try insert(accessor)
                    throw OwnError()
                }
            }
            try expect(try store.count(Versioned<Plain>.all), equals: 0)
            try store.writeSync { try insert($0) }

            try expect(try store.count(Versioned<Plain>.all), equals: 10_000)
            try expect(
                try store.item(9_999, of: Versioned<Plain>.self), equals: Versioned(9_999, .integer(9_999)))
        }
        ConformanceCase(
            "Each write sees what the writes before it have left", proves: 2, 3
        ) { world in
            let store = try world.openFilled()

            for round in 1...5 {
                let seen = try store.writeSync { accessor in
                    let handle = try accessor.mutableRestaurant(1)
                    let seen = handle.seats
                    handle.seats = seen + round
                    return seen
                }
                try expect(seen, equals: 40 + round * (round - 1) / 2)
            }

            try expect(try store.restaurant(1)?.seats, equals: 55)
        }
        ConformanceCase("A thousand small commits add up", proves: 3) { world in
            let store = try world.open(Keyed<Int64>.self)

            for id in 0..<300 as Range<Int64> {
                try store.writeSync { accessor in
                    try accessor.insert(Keyed(id, label: "\(id)"))
                    if id >= 10 { try accessor.delete(id: id - 10, of: Keyed<Int64>.self) }
                }
            }

            try expect(Keyed<Int64>.all, gives: Array(290..<300), in: store)
            try expect(Keyed<Int64>.where(\.label == "295"), gives: [295], in: store)
            try expect(Keyed<Int64>.where(\.label == "5"), gives: [Int64](), in: store)
        }
    }

    /// One change of every kind.
    private static func changeEverything(_ accessor: DataStoreReadWriteAccessor) throws {
        try accessor.insert(Restaurant(20, name: "New", slug: "new"))
        try accessor.insert(contentsOf: (30..<700).map { Restaurant($0) })
        try accessor.mutableRestaurant(1).slug = "changed"
        try accessor.upsert(Restaurant(2, name: "Upserted"))
        try accessor.upsert(Restaurant(21, name: "By slug", slug: "otoro"), by: \.slug)
        try accessor.update(
            Restaurant.where(\.city == "Berlin"), .set(\.city, to: "Bonn"), .set(\.rating, to: 1))
        try accessor.delete(Fixture.restaurant(4))
        try accessor.deleteItems(for: Restaurant.where(\.city == "Athens"))
        try accessor.deleteAllItems(of: Dish.self)
        try accessor.insert(Dish(1, name: "Only one"))
    }

    private static func expectUnchanged(
        _ store: any DataStore, file: StaticString = #fileID, line: Int = #line
    ) throws {
        try expect(try store.items(Restaurant.all), equals: Fixture.restaurants, file: file, line: line)
        try expect(try store.items(Dish.all), equals: Fixture.dishes, file: file, line: line)
        let berlin = try store.ids(Restaurant.where(\.city == "Berlin"))
        try expect(berlin, equals: [.integer(8), .integer(9), .integer(10)], file: file, line: line)
        let roma = try store.ids(Restaurant.where(\.slug == "roma"))
        try expect(roma, equals: [.integer(1)], file: file, line: line)
        try expect(try store.count(Restaurant.where(\.rating == 1)), equals: 0, file: file, line: line)
    }

    private enum Plain: ItemVersion {
        static let schema = EntitySchema(
            "Plain", attributes: [.attribute("id", Int64.self), .attribute("number", Int64.self)])
    }
}
