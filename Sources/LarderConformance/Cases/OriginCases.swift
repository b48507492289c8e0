import Larder

/// Origins of writes, and the changes that a write reports.
enum OriginCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A change set carries the origin of its write", proves: 5, 21) { world in
            let store = try world.open(Restaurant.self)
            let changes = store.changes

            try write(to: store, origin: "sync") { _ = try $0.insert(Restaurant(1)) }
            try write(to: store) { _ = try $0.insert(Restaurant(2)) }
            try await store.writeAsync(origin: "value") { try $0.insert(Restaurant(3)).id.rawValue }
            try await store.writeAsync(origin: "handle") { try $0.insert(Restaurant(4)) }
            try await store.writeAsync(origin: "void") { try $0.mutableRestaurant(4).seats = 1 }
            store.writeAsync(origin: "completion", { _ = try $0.insert(Restaurant(5)) }, completion: nil)
            try await store.flush()
            func writeLater() {
                store.writeAsync(origin: "unheard") { try $0.mutableRestaurant(5).seats = 1 }
            }
            writeLater()
            try await store.flush()
            let child = try store.makeChildDataStore()
            try await child.writeAsync(origin: "child") { _ = try $0.insert(Restaurant(6)) }
            try await store.merge(child, origin: "merge")
            let sources = ["seventh", "eighth"].map { ImportCases.Source($0, name: $0, seats: 1) }
            try await store.importItems(
                from: sources, using: ImportCases.map, committingEvery: 1, origin: "import")
            try store.tearDown()

            var heard: [WriteOrigin?] = []
            for await set in changes { heard.append(set.origin) }
            try expect(
                heard,
                equals: [
                    "sync", nil, "value", "handle", "void", "completion", "unheard", "merge", "import",
                    "import",
                ])
        }
        ConformanceCase("Blocks that share a commit keep their origins", proves: 2, 21) { world in
            let store = try world.open(Restaurant.self)
            let changes = store.changes
            var updates = store.values(ofCount: Restaurant.all).withOrigins.makeAsyncIterator()
            var evens = store.values(ofCount: Restaurant.all).ignoring("odd").withOrigins.makeAsyncIterator()
            try await expectNext(&updates, 0, [])
            try await expectNext(&evens, 0, [])

            for id in 0..<40 as Range<Int64> {
                store.writeAsync(
                    origin: id % 2 == 0 ? "even" : "odd", { _ = try $0.insert(Restaurant(id)) },
                    completion: nil)
            }
            try await store.flush()

            try await expectNext(&updates, 40, ["even", "odd"])
            try await expectNext(&evens, 40, ["even"])
            try store.tearDown()
            var heard: [WriteOrigin?] = []
            for await set in changes { heard.append(set.origin) }
            try expect(heard, equals: (0..<40).map { $0 % 2 == 0 ? "even" : "odd" })
        }
        ConformanceCase(
            "Changes leave out the origins that are ignored", proves: 5, 21
        ) { world in
            let store = try world.open(Restaurant.self)
            let changes = store.changes.ignoring("a").ignoring("b")

            for (id, origin) in (["a", nil, "b", "c", "a"] as [WriteOrigin?]).enumerated() {
                try await store.writeAsync(origin: origin) { _ = try $0.insert(Restaurant(Int64(id))) }
            }
            try store.tearDown()

            var heard: [WriteOrigin?] = []
            for await set in changes { heard.append(set.origin) }
            try expect(heard, equals: [nil, "c"])
        }
        ConformanceCase("Origins are told apart by the bytes of their names", proves: 7, 21) { world in
            let store = try world.open(Restaurant.self)
            let changes = store.changes.ignoring("\u{E9}")
            try expect(Set<WriteOrigin>(["\u{E9}", "e\u{301}"]).count, equals: 2)

            try await store.writeAsync(origin: "\u{E9}") { _ = try $0.insert(Restaurant(1)) }
            try await store.writeAsync(origin: "e\u{301}") { _ = try $0.insert(Restaurant(2)) }
            try store.tearDown()

            var heard: [WriteOrigin?] = []
            for await set in changes { heard.append(set.origin) }
            try expect(heard, equals: ["e\u{301}"])
        }
        ConformanceCase("A value names the origins that have brought it", proves: 21) { world in
            let store = try world.openWithRestaurants()
            try await store.writeAsync(origin: "before") { _ = try $0.deleteAllItems(of: Restaurant.self) }
            var counts = store.values(ofCount: Restaurant.where(\.rating > 4)).withOrigins.makeAsyncIterator()
            try await expectNext(&counts, 0, [])

            try await store.writeAsync(origin: "one") { _ = try $0.insert(Restaurant(1, rating: 5)) }
            try await expectNext(&counts, 1, ["one"])
            try await store.writeAsync { _ = try $0.insert(Restaurant(2, rating: 5)) }
            try await expectNext(&counts, 2, [nil])
            // Neither touches what is counted.
            try await store.writeAsync(origin: "other attribute") { try $0.mutableRestaurant(1).seats = 1 }
            try await store.writeAsync(origin: "no change") { _ = try $0.items(for: Restaurant.all) }
            // Three commits that are seen in one value.
            try await store.writeAsync(origin: "one") { _ = try $0.insert(Restaurant(3, rating: 5)) }
            try await store.writeAsync(origin: "two") { try $0.mutableRestaurant(1).rating = 1 }
            try await store.writeAsync { _ = try $0.insert(Restaurant(4, rating: 5)) }
            try await expectNext(&counts, 3, ["one", "two", nil])
            do {
                try await store.writeAsync(origin: "rolled back") { accessor in
                    _ = try accessor.insert(Restaurant(5, rating: 5))
                    throw OwnError()
                }
            } catch is OwnError {}
            try await store.writeAsync(origin: "one") { _ = try $0.deleteAllItems(of: Restaurant.self) }
            try await expectNext(&counts, 0, ["one"])
        }
        ConformanceCase("Commits of an ignored origin bring no value", proves: 21) { world in
            let store = try world.open(Restaurant.self)
            let ids = store.values { try $0.ids(for: Restaurant.all).map(\.rawValue) }
            var others = ids.ignoring("own").makeAsyncIterator()
            var foreign = ids.ignoring("own").ignoring("other").withOrigins.makeAsyncIterator()
            let first = try await others.next()
            try expect(first, equals: [])
            try await expectNext(&foreign, [], [])

            try await store.writeAsync(origin: "own") { _ = try $0.insert(Restaurant(1)) }
            try await store.writeAsync(origin: "other") { _ = try $0.insert(Restaurant(2)) }
            let second = try await others.next()
            try expect(second, equals: [1, 2], "a value is a state of the store")
            try await store.writeAsync(origin: "own") { _ = try $0.insert(Restaurant(3)) }
            try await store.writeAsync { _ = try $0.insert(Restaurant(4)) }
            let third = try await others.next()
            try expect(third, equals: [1, 2, 3, 4])
            try await expectNext(&foreign, [1, 2, 3, 4], [nil])
        }
        ConformanceCase("A list names origins, and leaves one out", proves: 21) { world in
            let store = try world.open(Restaurant.self)
            let list = store.list(Restaurant.all)
            var all = list.makeAsyncIterator()
            var others = list.ignoring("own").makeAsyncIterator()
            for update in [try await all.next(), try await others.next()] {
                try expect(update?.origins, equals: [])
                try expect(update?.list.count, equals: 0)
            }

            try await store.writeAsync(origin: "own") { _ = try $0.insert(Restaurant(1)) }
            let own = try await all.next()
            try expect(own?.list.map(\.id.rawValue), equals: [1])
            try expect(own?.origins.contains("own"), equals: true)
            try await store.writeAsync(origin: "other") { _ = try $0.insert(Restaurant(2)) }
            let other = try await others.next()
            try expect(other?.list.map(\.id.rawValue), equals: [1, 2])
            try expect(other?.change?.insertedItems.count, equals: 2, "a change from the list that came last")
            try expect(other?.origins.contains("other"), equals: true)
            try expect(other?.origins.contains("own"), equals: false)
            try list.refetch(Restaurant.where(\.rating >= 0))
            let refetched = try await others.next()
            try expect(refetched?.isRefetched, equals: true)
        }
        ConformanceCase("Values in a child name origins of both sides", proves: 18, 21) { world in
            let store = try world.open(Restaurant.self)
            let child = try store.makeChildDataStore()
            var inChild = child.values(ofCount: Restaurant.all).withOrigins.makeAsyncIterator()
            var inParent = store.values(ofCount: Restaurant.all).withOrigins.makeAsyncIterator()
            try await expectNext(&inChild, 0, [])
            try await expectNext(&inParent, 0, [])

            try await child.writeAsync(origin: "child") { _ = try $0.insert(Restaurant(1)) }
            try await expectNext(&inChild, 1, ["child"])
            try await store.writeAsync(origin: "parent") { _ = try $0.insert(Restaurant(2)) }
            try await expectNext(&inParent, 1, ["parent"])
            try await expectNext(&inChild, 2, ["parent"])
            try await store.merge(child, origin: "merge")
            try await expectNext(&inParent, 2, ["merge"])
            // The merge has changed nothing that the child shows.
            try await store.writeAsync(origin: "later") { _ = try $0.insert(Restaurant(3)) }
            try await expectNext(&inChild, 3, ["later", "merge"])
        }
        ConformanceCase("A write reports what it has changed", proves: 5, 21) { world in
            let store = try world.openWithRestaurants()

            let result = try store.writeSyncReportingChanges(origin: "editor") { accessor in
                try accessor.insert(Restaurant(20))
                try accessor.mutableRestaurant(1).seats = 99
                try accessor.delete(id: ItemID(rawValue: 2), of: Restaurant.self)
                return try accessor.countItems(for: Restaurant.all)
            }

            try expect(result.value, equals: Fixture.restaurants.count)
            try expect(result.hasChanges, "an item was inserted")
            try expect(result.changes.origin, equals: "editor")
            try expect(result.changes.inserted(Restaurant.self).map(\.rawValue), equals: [20])
            try expect(result.changes.updated(Restaurant.self).map(\.id.rawValue), equals: [1])
            try expect(result.changes.updated(Restaurant.self).map(\.attributes), equals: [["seats"]])
            try expect(result.changes.deleted(Restaurant.self).map(\.rawValue), equals: [2])
        }
        ConformanceCase("A write that changes nothing reports no changes", proves: 5, 21) { world in
            let store = try world.openWithRestaurants()
            let blocks: [(DataStoreReadWriteAccessor) throws -> Void] = [
                { _ in },
                { _ = try $0.items(for: Restaurant.all) },
                { try $0.mutableRestaurant(1).seats = 40 },
                { try $0.delete(Restaurant(99)) },
                { accessor in
                    try accessor.insert(Restaurant(20))
                    try accessor.delete(id: ItemID(rawValue: 20), of: Restaurant.self)
                },
                { accessor in
                    try? accessor.savepoint {
                        try accessor.deleteAllItems(of: Restaurant.self)
                        throw OwnError()
                    }
                },
            ]

            for (number, block) in blocks.enumerated() {
                let result = try store.writeSyncReportingChanges(block)
                try expect(result.changes.changes.map(\.text), equals: [], "block \(number)")
                try expect(!result.hasChanges, "block \(number) reports no changes")
            }
        }
        ConformanceCase("A write reports all its commits, or its error", proves: 3, 21) { world in
            let store = try world.open(Restaurant.self)

            let result = try store.writeSyncReportingChanges { accessor in
                try accessor.insert(contentsOf: [Restaurant(1), Restaurant(2)])
                try accessor.commit()
                try accessor.mutableRestaurant(1).seats = 1
                try accessor.delete(id: ItemID(rawValue: 2), of: Restaurant.self)
                try accessor.commit()
                try accessor.insert(Restaurant(3))
            }
            try expect(
                result.changes.changes.map(\.text),
                equals: ["Restaurant 1 inserted", "Restaurant 3 inserted"])

            try expectOwnError {
                _ = try store.writeSyncReportingChanges { accessor in
                    try accessor.insert(Restaurant(4))
                    throw OwnError()
                }
            }
            let later = try store.writeSyncReportingChanges { try $0.mutableRestaurant(1).seats = 7 }
            try expect(later.changes.changes.map(\.text), equals: ["Restaurant 1 updated seats"])
        }
        ConformanceCase(
            "Writes that share a commit report their own changes", proves: 2, 21
        ) { world in
            let store = try world.open(Restaurant.self)

            let reported = try await withThrowingTaskGroup(of: (Int64, [String]).self) { group in
                for id in 0..<40 as Range<Int64> {
                    group.addTask {
                        let result = try await store.writeAsyncReportingChanges { accessor in
                            if id % 4 != 0 { try accessor.insert(Restaurant(id)) }
                            return id
                        }
                        return (result.value, result.changes.changes.map(\.text))
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }

            try expect(reported.count, equals: 40)
            for (id, changes) in reported {
                try expect(changes, equals: id % 4 == 0 ? [] : ["Restaurant \(id) inserted"])
            }
        }
    }

    /// Waits for a value and its origins, and compares both.
    ///
    /// A subject may make commits without an origin of its own, as a child that is merged in between does.
    private static func expectNext<Value: Sendable & Equatable>(
        _ iterator: inout StoreUpdates<Value>.Iterator, _ value: Value, _ origins: Set<WriteOrigin?>,
        file: StaticString = #fileID, line: Int = #line
    ) async throws {
        let update = try await iterator.next()
        try expect(update?.value, equals: value, file: file, line: line)
        try expect(
            update?.origins.filter { $0 != nil || origins.contains(nil) }, equals: origins, file: file,
            line: line)
    }
}
