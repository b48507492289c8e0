import Larder

/// The places and snapshots that blocks of children take in their ancestors.
enum ChildPlaceCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A block of a child takes one place of its parent, and all reads inside share it", proves: 5, 18
        ) { world in
            let store = try narrowStore(in: world)
            let child = try store.makeChildDataStore()
            let sibling = try store.makeChildDataStore()
            let grandchild = try child.makeChildDataStore()

            try child.read { accessor in
                try expect(try accessor.countItems(for: Restaurant.all), equals: 2)
                try expect(try store.count(Restaurant.all), equals: 2)
                try sibling.writeSync { try $0.insert(Restaurant(10)) }
                try expect(try sibling.count(Restaurant.all), equals: 3)
                var names: [String?] = []
                try accessor.forEachItem(for: Restaurant.all) { item in
                    names.append(try store.item(item.id, of: Restaurant.self)?.name)
                }
                try expect(names, equals: ["", ""])
            }
            try grandchild.read { accessor in
                // Before the first request of the block itself.
                try expect(try store.count(Restaurant.all), equals: 2)
                try expect(try child.count(Restaurant.all), equals: 2)
                try expect(try accessor.countItems(for: Restaurant.all), equals: 2)
            }
            try grandchild.writeSync { accessor in
                try accessor.insert(Restaurant(11))
                try expect(try store.count(Restaurant.all), equals: 2)
                try expect(try child.count(Restaurant.all), equals: 2)
                try expect(try grandchild.count(Restaurant.all), equals: 2)
                try expectError(.nestedTransaction, writingTo: store) { _ in }
                try expectError(.nestedTransaction) { try store.tearDown() }
            }
            try expect(try grandchild.count(Restaurant.all), equals: 3)
            // Each block has given its place back.
            try expect(try store.count(Restaurant.all), equals: 2)
            try store.tearDown()
        }
        ConformanceCase(
            "A block of a child and the reads of its parent inside it see one snapshot", proves: 1, 18
        ) { world in
            let store = try world.openWithRestaurants()
            let count = try store.count(Restaurant.all)
            let child = try store.makeChildDataStore()
            let sibling = try store.makeChildDataStore()
            func insertElsewhere(_ number: Int64) throws {
                try Background { try store.writeSync { _ = try $0.insert(Restaurant(number)) } }.value()
            }

            try child.read { accessor in
                try expect(try store.count(Restaurant.all), equals: count)
                try insertElsewhere(900)
                try expect(try accessor.countItems(for: Restaurant.all), equals: count)
                try expect(try sibling.count(Restaurant.all), equals: count)
                try expect(try store.count(Restaurant.all), equals: count)
            }
            try child.writeSync { accessor in
                try expect(try store.count(Restaurant.all), equals: count + 1)
                try insertElsewhere(901)
                try expect(try store.count(Restaurant.all), equals: count + 1)
                try expect(try accessor.countItems(for: Restaurant.all), equals: count + 1)
            }
            try expect(try child.count(Restaurant.all), equals: count + 2)
            try expect(try store.count(Restaurant.all), equals: count + 2)
        }
        ConformanceCase(
            "A read of the parent outlasts a commit in the middle of a child's block", proves: 1, 18
        ) { world in
            let store = try world.openWithRestaurants()
            let count = try store.count(Restaurant.all)
            let child = try store.makeChildDataStore()

            try child.writeSync { accessor in
                try accessor.insert(Restaurant(900))
                try store.read { reading in
                    try expect(try reading.countItems(for: Restaurant.all), equals: count)
                    try accessor.commit()
                    try Background { try store.writeSync { _ = try $0.insert(Restaurant(901)) } }.value()
                    try expect(try reading.countItems(for: Restaurant.all), equals: count)
                    try expect(try accessor.countItems(for: Restaurant.all), equals: count + 1)
                }
                try child.read { reading in
                    try expect(try reading.countItems(for: Restaurant.all), equals: count + 1)
                    try accessor.commit()
                    try expect(try reading.countItems(for: Restaurant.all), equals: count + 1)
                }
                try accessor.commit()
                try expect(try accessor.countItems(for: Restaurant.all), equals: count + 2)
            }
            try expect(try child.count(Restaurant.all), equals: count + 2)
            try expect(try store.count(Restaurant.all), equals: count + 1)
        }
        ConformanceCase(
            "After a commit in a child's block, handles show what its parent has committed meanwhile",
            proves: 3, 5, 18
        ) { world in
            let store = try world.openWithRestaurants()
            func change(_ body: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Void) throws {
                try Background { try store.writeSync(body) }.value()
            }
            let child = try store.makeChildDataStore()

            try child.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                try expect(handle.seats, equals: 40)
                try change { try $0.mutableRestaurant(1).seats = 50 }
                try expect(handle.seats, equals: 40)
                try accessor.commit()
                try expect(handle.seats, equals: 50)
                try expect(try accessor.mutableRestaurant(1) === handle, "one handle")
                handle.seats = 40
            }
            try expect(try child.restaurant(1)?.seats, equals: 40)
            try store.merge(child)
            try expect(try store.restaurant(1)?.seats, equals: 40)

            let error = try expectError(.itemNotFound, writingTo: child) { accessor in
                let handle = try accessor.mutableRestaurant(2)
                try change { _ = try $0.delete(id: ItemID(rawValue: 2), of: Restaurant.self) }
                try accessor.commit()
                handle.seats = 1
            }
            try expect(error.identifier, equals: .integer(2))
            try expect(try child.restaurant(2), equals: nil)
        }
        ConformanceCase(
            "A call that fails leaves a child's block the snapshot that code of the app has read in it",
            proves: 3, 18, 19
        ) { world in
            let store = try world.openWithRestaurants()
            for fail in failingCalls {
                try store.writeSync { try $0.mutableRestaurant(1).seats = 40 }
                let child = try store.makeChildDataStore()

                try child.writeSync { accessor in
                    var seats = 0
                    try fail(accessor) {
                        seats = (try? accessor.restaurant(1)?.seats) ?? 0
                        try? Background { try store.writeSync { try $0.mutableRestaurant(1).seats = 50 } }
                            .value()
                    }
                    try expect(seats, equals: 40)
                    try expect(try accessor.restaurant(1)?.seats, equals: 40)
                    try accessor.mutableRestaurant(1).seats = seats + 1
                }

                let error = try expectError(.mergeConflict) { try store.merge(child) }
                try expect(error.conflicts.map(\.kind), equals: [.changedOnBothSides(attribute: "seats")])
                try expect(try store.restaurant(1)?.seats, equals: 50)
            }
        }
        ConformanceCase(
            "A child that was refreshed meanwhile shows one state in an older block of its parent", proves: 2,
            18
        ) { world in
            try expectOneState(in: world, touchedBefore: true) { try $0.refresh() }
        }
        ConformanceCase(
            "A child that has touched an item meanwhile shows one state in an older block of its parent",
            proves: 2, 18
        ) { world in
            try expectOneState(in: world, touchedBefore: false) { child in
                try child.writeSync { try $0.mutableRestaurant(1).note = "staged" }
            }
        }
        ConformanceCase(
            "A child that was merged meanwhile shows everything in an older block of its parent", proves: 2,
            18
        ) { world in
            let store = try world.openWithRestaurants()
            let count = try store.count(Restaurant.all)
            let child = try store.makeChildDataStore()
            let sibling = try store.makeChildDataStore()
            let grandchild = try child.makeChildDataStore()

            try store.read { accessor in
                try expect(try accessor.countItems(for: Restaurant.all), equals: count)
                try child.writeSync { try $0.insert(Restaurant(900)) }
                try grandchild.writeSync { try $0.insert(Restaurant(901)) }
                try Background { _ = try store.merge(child) }.value()

                try expect(try child.count(Restaurant.all), equals: count + 1)
                try expect(try grandchild.count(Restaurant.all), equals: count + 2)
                try child.writeSync { accessor in
                    try expect(try accessor.countItems(for: Restaurant.all), equals: count + 1)
                    try expectError(.duplicateIdentifier) { try accessor.insert(Restaurant(900)) }
                    try accessor.insert(Restaurant(902))
                }
                try expect(try child.count(Restaurant.all), equals: count + 2)
                // The block itself, and what was not merged, keep the snapshot of the block.
                try expect(try accessor.countItems(for: Restaurant.all), equals: count)
                try expect(try sibling.count(Restaurant.all), equals: count)
                try expect(try store.count(Restaurant.all), equals: count)
            }
            try store.merge(child)
            try expect(try store.count(Restaurant.all), equals: count + 2)

            // The newer snapshot needs a place of its own.
            let narrow = try narrowStore(in: world)
            let draft = try narrow.makeChildDataStore()
            try narrow.read { accessor in
                try expect(try accessor.countItems(for: Restaurant.all), equals: 2)
                try draft.writeSync { try $0.insert(Restaurant(3)) }
                try expect(try draft.count(Restaurant.all), equals: 3)
                try Background { _ = try narrow.merge(draft) }.value()
                try expectError(.wouldDeadlock) { _ = try draft.count(Restaurant.all) }
            }
            try expect(try draft.count(Restaurant.all), equals: 3)
        }
        ConformanceCase(
            "A block of a child that has shown what is staged shows nothing of a later merge", proves: 1, 18
        ) { world in
            try expectNothingMerged(into: try world.openWithRestaurants())
        }
        ConformanceCase(
            "A block of a child's child that has shown what is staged shows nothing of later merges",
            proves: 1, 18
        ) { world in
            let store = try world.openWithRestaurants()
            for touchesBetween in [false, true] {
                try expectNothingMerged(into: store, isBelow: true, touchesBetween: touchesBetween)
            }
        }
        ConformanceCase(
            "A policy that writes to the stores of its merge is refused", proves: 5, 19
        ) { world in
            let store = try world.open(Restaurant.self)
            try store.writeSync { try $0.insert(Restaurant(1, name: "base")) }
            let child = try store.makeChildDataStore()
            let grandchild = try child.makeChildDataStore()
            for (name, store) in [("child", child as any DataStore), ("parent", store)] {
                try store.writeSync { try $0.mutableRestaurant(1).name = name }
            }
            let calls: [@Sendable () throws -> Void] = [
                { try child.writeSync { _ in } }, { try child.flush() }, { try child.refresh() },
                { try child.rollBack() }, { try child.discard() }, { try child.tearDown() },
                { try child.destroy() }, { try child.merge(grandchild) }, { try store.writeSync { _ in } },
                { try store.flush() }, { try store.tearDown() }, { try store.merge(child) },
                { _ = try store.mergePreview(child) },
            ]

            let result = try store.merge(
                child,
                policy: .resolve { _ in
                    for call in calls { try expectError(.nestedTransaction) { try call() } }
                    try child.setup()
                    try expect(try child.restaurant(1)?.name, equals: "child")
                    try expect(try store.restaurant(1)?.name, equals: "parent")
                    return .child
                })

            try expect(result.settled.count, equals: 1)
            try expect(try store.restaurant(1)?.name, equals: "child")
            try expect(try child.restaurant(1)?.name, equals: "child")
            try child.writeSync { try $0.mutableRestaurant(1).name = "later" }
        }
    }

    /// Calls that fail after code of the app has read.
    private static var failingCalls: [(DataStoreReadWriteAccessor, @escaping () -> Void) throws -> Void] {
        // The slug is another restaurant's.
        func taken(_ read: @escaping () -> Void) -> some Sequence<Restaurant> {
            ([900] as [Int64]).lazy.map { id -> Restaurant in
                read()
                return Restaurant(id, slug: "otoro")
            }
        }
        return [
            { accessor, read in
                try expectOwnError {
                    try accessor.savepoint {
                        read()
                        throw OwnError()
                    }
                }
            },
            { accessor, read in
                try expectError(.uniqueViolation) { try accessor.insert(contentsOf: taken(read)) }
            },
            { accessor, read in
                try expectError(.uniqueViolation) { try accessor.upsert(contentsOf: taken(read)) }
            },
            { accessor, read in
                let sources = [ImportCases.Source("new", name: "new")]
                try expectOwnError {
                    try accessor.importItems(from: sources, using: ImportCases.map) { _ in
                        read()
                        throw OwnError()
                    }
                }
            },
        ]
    }

    /// A store with two restaurants that one block may read at a time.
    private static func narrowStore(in world: ConformanceWorld) throws -> any DataStore {
        let store = try world.openElsewhere(Restaurant.self, maximumReaders: 1)
        try store.writeSync { try $0.insert(contentsOf: [Restaurant(1), Restaurant(2)]) }
        return store
    }

    /// A block of a child shows a staged item, and asks the store for another one once both are changed and merged.
    ///
    /// - Parameters:
    ///   - isBelow: True for a child of the store's child.
    ///   - touchesBetween: True if the store's child has touched an item of its own.
    private static func expectNothingMerged(
        into store: any DataStore, isBelow: Bool = false, touchesBetween: Bool = false
    ) throws {
        let child = try store.makeChildDataStore()
        let draft = try isBelow ? child.makeChildDataStore() : child
        try store.writeSync { accessor in
            for id in [1, 2] as [Int64] { try accessor.mutableRestaurant(id).seats = 50 }
        }
        if touchesBetween { try child.writeSync { try $0.mutableRestaurant(3).seats = 60 } }
        try draft.writeSync { try $0.mutableRestaurant(1).seats = 60 }

        try draft.read { accessor in
            try expect(try accessor.restaurant(1)?.seats, equals: 60)
            try Background {
                try draft.writeSync { accessor in
                    for id in [1, 2] as [Int64] { try accessor.mutableRestaurant(id).seats = 70 }
                }
                if isBelow { try child.merge(draft) }
                try store.merge(child)
            }.value()
            try expect(try accessor.restaurant(2)?.seats, equals: 50)
            try expect(try accessor.restaurant(1)?.seats, equals: 60)
        }
        for shown in [draft, child, store] as [any DataStore] {
            try expect(try shown.restaurant(1)?.seats, equals: 70)
            try expect(try shown.restaurant(2)?.seats, equals: 70)
        }
    }

    /// Two items are changed by one commit, and the child takes over one of them in another thread, while a block of its
    /// parent runs: inside of that the child shows both.
    private static func expectOneState(
        in world: ConformanceWorld, touchedBefore: Bool,
        _ takeOver: @escaping @Sendable (ChildDataStore) throws -> Void
    ) throws {
        let store = try world.openWithRestaurants()
        @Sendable func give(_ seats: (Int, Int)) throws {
            try store.writeSync { accessor in
                try accessor.mutableRestaurant(1).seats = seats.0
                try accessor.mutableRestaurant(2).seats = seats.1
            }
        }
        func seats(_ store: any DataStore) throws -> [Int?] {
            try store.read { accessor in
                try [1, 2].map { try accessor.item(id: ItemID(rawValue: $0), of: Restaurant.self)?.seats }
            }
        }
        let sibling = try store.makeChildDataStore()
        for draft in [try store.makeChildDataStore(), try sibling.makeChildDataStore()] {
            try give((50, 50))
            if touchedBefore {
                try draft.writeSync { try $0.mutableRestaurant(1).note = "staged" }
            }

            try store.read { accessor in
                try expect(try accessor.item(id: ItemID(rawValue: 2), of: Restaurant.self)?.seats, equals: 50)
                try Background {
                    try give((60, 40))
                    try takeOver(draft)
                }.value()

                try expect(try seats(draft), equals: [60, 40])
                try expect(try accessor.item(id: ItemID(rawValue: 2), of: Restaurant.self)?.seats, equals: 50)
            }
        }
    }
}
