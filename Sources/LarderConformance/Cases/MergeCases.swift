import Larder

/// Merging a child store into its parent: three versions of everything, and no change lost.
enum MergeCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A merge stores what was staged, once", proves: 4, 19) { world in
            let (store, child) = try family(in: world)
            try child.writeSync { accessor in
                try accessor.insert(Restaurant(4, name: "new"))
                try require(try accessor.mutableItem(id: id(1), of: Restaurant.self)).name = "changed"
                try accessor.delete(id: id(2), of: Restaurant.self)
            }
            let first = try store.merge(child)
            try expect([first.inserted, first.updated, first.deleted], equals: [1, 1, 1])
            try expect(try store.items(Restaurant.all).map(\.name), equals: ["changed", "name", "new"])
            try store.writeSync { try $0.delete(id: id(4), of: Restaurant.self) }
            let second = try store.merge(child)
            try expect([second.inserted, second.updated, second.deleted], equals: [0, 0, 0])
            try expect(try store.items(Restaurant.all).map(\.name), equals: ["changed", "name"])
            try change(3, in: child) { $0.name = "later" }
            try store.merge(child)
            try expect(try store.items(Restaurant.all).map(\.name), equals: ["changed", "later"])
        }
        ConformanceCase("Changes of different attributes of an item combine", proves: 19) { world in
            let (store, child) = try family(in: world)
            try change(1, in: child) { $0.name = "child" }
            try change(1, in: store) { $0.city = "parent" }
            try change(2, in: child) { $0.seats = 5 }
            try change(2, in: store) { $0.seats = 5 }
            try expect(try store.merge(child).settled, equals: [])
            let merged = try require(try restaurant(1, in: store))
            try expect([merged.name, merged.city], equals: ["child", "parent"])
            try expect(try restaurant(2, in: store)?.seats, equals: 5)
        }
        ConformanceCase("The same attribute changed on both sides is a conflict", proves: 19) { world in
            let (store, child) = try family(in: world)
            try change(1, in: child) { ($0.name, $0.seats) = ("child", 3) }
            try change(1, in: store) { ($0.name, $0.city) = ("parent", "parent") }

            let found = try conflicts(child, into: store)
            try expect(found.map(\.kind), equals: [.changedOnBothSides(attribute: "name")])
            let conflict = found[0]
            try expect(conflict.identifier, equals: id(1).anyItemID)
            try expect(try conflict.base(Restaurant.self)?.name, equals: "name")
            try expect(try conflict.child(Restaurant.self)?.name, equals: "child")
            try expect(try conflict.parent(Restaurant.self)?.name, equals: "parent")
            try expect(
                conflict.description,
                equals: """
                    Restaurant \(id(1)): name was changed on both sides (base "name", child "child", parent "parent")
                    """)

            let settled = try store.merge(child, policy: .parentWins).settled
            try expect(settled.map(\.kind), equals: [.changedOnBothSides(attribute: "name")])
            let merged = try require(try restaurant(1, in: store))
            try expect([merged.name, merged.city, "\(merged.seats)"], equals: ["parent", "parent", "3"])
            try expect(try child.items(Restaurant.all), equals: try store.items(Restaurant.all))

            try change(1, in: child) { $0.name = "child" }
            try change(1, in: store) { $0.name = "parent again" }
            try store.merge(child, policy: .childWins)
            try expect(try restaurant(1, in: store)?.name, equals: "child")
        }
        ConformanceCase(
            "An item deleted on one side and changed on the other is a conflict", proves: 19
        ) { world in
            let (store, child) = try family(in: world)
            try change(1, in: child) { $0.name = "child" }
            try store.writeSync { try $0.delete(id: id(1), of: Restaurant.self) }
            try child.writeSync { try $0.delete(id: id(2), of: Restaurant.self) }
            try change(2, in: store) { $0.name = "parent" }
            try child.writeSync { try $0.delete(id: id(3), of: Restaurant.self) }
            try store.writeSync { try $0.delete(id: id(3), of: Restaurant.self) }

            let found = try conflicts(child, into: store)
            try expect(found.map(\.kind), equals: [.deletedInParent, .deletedInChild])
            let preview = try store.mergePreview(child, policy: .parentWins)
            try expect([preview.inserted, preview.updated, preview.deleted], equals: [0, 0, 0])
            let result = try store.merge(child, policy: .childWins)
            try expect(result.settled.map(\.kind), equals: [.deletedInParent, .deletedInChild])
            try expect(try store.items(Restaurant.all).map(\.name), equals: ["child"])
        }
        ConformanceCase(
            "An item inserted on both sides is compared value by value", proves: 19
        ) { world in
            let (store, child) = try family(in: world)
            try child.writeSync { try $0.insert(Restaurant(9, name: "child", city: "same")) }
            try store.writeSync { try $0.insert(Restaurant(9, name: "parent", city: "same")) }
            try child.writeSync { try $0.insert(Restaurant(10, name: "equal")) }
            try store.writeSync { try $0.insert(Restaurant(10, name: "equal")) }
            let found = try conflicts(child, into: store)
            try expect(found.map(\.kind), equals: [.changedOnBothSides(attribute: "name")])
            try expect(try found[0].base(Restaurant.self), equals: nil)
            try store.merge(child, policy: .childWins)
            try expect(try restaurant(9, in: store), equals: Restaurant(9, name: "child", city: "same"))
        }
        ConformanceCase("A unique value taken meanwhile is a conflict", proves: 11, 19) { world in
            let (store, child) = try family(in: world)
            try change(1, in: child) { ($0.slug, $0.name) = ("wanted", "child") }
            try child.writeSync { try $0.insert(Restaurant(8, slug: "also wanted")) }
            try change(2, in: store) { $0.slug = "wanted" }
            try change(3, in: store) { $0.slug = "also wanted" }

            let kinds: [MergeConflict.Kind] = [
                .notUnique(attribute: "slug", holder: id(2).anyItemID),
                .notUnique(attribute: "slug", holder: id(3).anyItemID),
            ]
            try expect(try conflicts(child, into: store).map(\.kind), equals: kinds)
            try expect(try conflicts(child, into: store, policy: .childWins).map(\.kind), equals: kinds)
            try expect(try store.merge(child, policy: .parentWins).settled.map(\.kind), equals: kinds)
            let merged = try store.items(Restaurant.all)
            try expect(merged.map(\.slug), equals: ["slug 1", "wanted", "also wanted"])
            try expect(merged[0].name, equals: "child")

            try change(1, in: child) { $0.slug = "next" }
            try change(2, in: store) { $0.slug = "next" }
            try store.merge(child, policy: .resolve { _ in .value("other") })
            try expect(try restaurant(1, in: store)?.slug, equals: "other")
            try change(1, in: child) { $0.slug = "last" }
            try change(2, in: store) { $0.slug = "last" }
            let stubborn = try conflicts(child, into: store, policy: .resolve { _ in .value("last") })
            try expect(stubborn.map(\.kind), equals: [kinds[0]])
        }
        ConformanceCase(
            "A unique value that two items of the parent hold is one conflict", proves: 11, 18, 19
        ) { world in
            let (store, child) = try family(in: world)
            let nested = try child.makeChildDataStore()
            try nested.writeSync { try $0.insert(Restaurant(8, slug: "wanted")) }
            try change(1, in: child) { $0.slug = "wanted" }
            try change(2, in: store) { $0.slug = "wanted" }
            try expect(try child.items(Restaurant.all).map(\.slug), equals: ["wanted", "wanted", "slug 3"])

            let taken = MergeConflict.Kind.notUnique(attribute: "slug", holder: id(1).anyItemID)
            try expect(try conflicts(nested, into: child).map(\.kind), equals: [taken])
            // The same as one of several changes.
            try change(3, in: nested) { $0.name = "nested" }
            try expect(try conflicts(nested, into: child).map(\.kind), equals: [taken])
        }
        ConformanceCase("A conflict can be settled by the app", proves: 19) { world in
            let (store, child) = try family(in: world)
            try change(1, in: child) { ($0.seats, $0.name, $0.city) = (10, "child", "child") }
            try change(1, in: store) { ($0.seats, $0.name, $0.city) = (5, "parent", "parent") }
            let policy = MergePolicy.resolve { conflict in
                switch conflict.kind {
                case .changedOnBothSides(attribute: "seats"):
                    let child = try conflict.child(Restaurant.self)?.seats ?? 0
                    return .value(child + (try conflict.parent(Restaurant.self)?.seats ?? 0))
                case .changedOnBothSides(attribute: "name"): return .child
                default: return .parent
                }
            }
            try store.merge(child, policy: policy)
            let merged = try require(try restaurant(1, in: store))
            try expect([merged.name, merged.city, "\(merged.seats)"], equals: ["child", "parent", "15"])

            try change(1, in: child) { $0.seats = 1 }
            try change(1, in: store) { $0.seats = 2 }
            try expectOwnError { try store.merge(child, policy: .resolve { _ in throw OwnError() }) }
            try expectError(.wrongType) { try store.merge(child, policy: .resolve { _ in .value("text") }) }
            try expect(try restaurant(1, in: store)?.seats, equals: 2)
            try expect(try restaurant(1, in: child)?.seats, equals: 1)
        }
        ConformanceCase("A value of the policy that the parent has already changes nothing", proves: 18, 19) {
            world in
            let (store, child) = try family(in: world)
            let nested = try child.makeChildDataStore()
            try change(1, in: nested) { $0.seats = 1 }
            try change(2, in: nested) { $0.slug = "wanted" }
            // Not the child's own: it shows what its parent has.
            try change(1, in: store) { $0.seats = 2 }
            try change(3, in: store) { $0.slug = "wanted" }
            let policy = MergePolicy.resolve { conflict in
                conflict.kind == .changedOnBothSides(attribute: "seats") ? .value(2) : .value("slug 2")
            }
            let preview = try child.mergePreview(nested, policy: policy)
            let result = try child.merge(nested, policy: policy)
            for result in [preview, result] {
                try expect([result.inserted, result.updated, result.deleted], equals: [0, 0, 0])
                try expect(result.settled.count, equals: 2)
            }
            try expect(child.stagedChanges.isEmpty, "nothing is staged in the parent of a merge")
            try change(1, in: store) { $0.seats = 3 }
            try change(2, in: store) { $0.name = "later" }
            try expect(try restaurant(1, in: child)?.seats, equals: 3)
            try expect(try restaurant(2, in: child)?.name, equals: "later")
        }
        ConformanceCase("A preview shows a merge and changes nothing", proves: 19) { world in
            let (store, child) = try family(in: world)
            try child.writeSync { accessor in
                try accessor.insert(Restaurant(4))
                try require(try accessor.mutableItem(id: id(1), of: Restaurant.self)).name = "child"
                try require(try accessor.mutableItem(id: id(2), of: Restaurant.self)).seats = 4
            }
            try change(1, in: store) { $0.name = "parent" }
            let before = (try store.items(Restaurant.all), try child.items(Restaurant.all))
            try expect(
                try store.mergePreview(child).conflicts.map(\.kind),
                equals: [.changedOnBothSides(attribute: "name")])
            let wanted = try store.mergePreview(child, policy: .childWins)
            try expect([wanted.inserted, wanted.updated, wanted.deleted], equals: [1, 2, 0])
            try expect(wanted.conflicts, equals: [])
            try expect(try store.items(Restaurant.all), equals: before.0)
            try expect(try child.items(Restaurant.all), equals: before.1)
            try expect(child.hasChanges, "still staged")
        }
        ConformanceCase(
            "A child is brought up to date and keeps its changes", proves: 18, 19
        ) { world in
            let (store, child) = try family(in: world)
            try store.writeSync { try $0.insert(contentsOf: (4...6).map { Restaurant($0, name: "name") }) }
            try child.refresh()  // nothing is staged
            try change(1, in: child) { $0.seats = 3 }
            try change(2, in: child) { $0.name = "child" }
            for number: Int64 in [3, 5] {
                try change(number, in: child) { $0.seats = 3 }
                try change(number, in: child) { $0.seats = 0 }
            }
            try child.writeSync { accessor in
                try accessor.delete(id: id(4), of: Restaurant.self)
                try accessor.insert(Restaurant(9, name: "child"))
            }
            try store.writeSync { accessor in
                try accessor.update(Restaurant.all, .set(\.name, to: "parent"))
                try accessor.delete(id: id(5), of: Restaurant.self)
            }
            func names() throws -> [String] {
                try child.items(Restaurant.all).map { "\($0.id.rawValue) \($0.name) \($0.seats)" }
            }
            let rest = ["6 parent 0", "9 child 0"]
            try expect(try names(), equals: ["1 name 3", "2 child 0", "3 name 0", "5 name 0"] + rest)

            try child.refresh()

            try expect(try names(), equals: ["1 parent 3", "2 child 0", "3 parent 0"] + rest)
            try expect(
                try child.stagedChanges.description,
                equals: """
                    updated Restaurant \(id(1)): seats 0 -> 3
                    updated Restaurant \(id(2)): name "name" -> "child"
                    deleted Restaurant \(id(4))
                    inserted Restaurant \(id(9))
                    """)
            try child.writeSync { accessor in
                _ = try expectError(.nestedTransaction) { try child.refresh() }
                try accessor.update(Restaurant.where(\.id == id(9)), .set(\.seats, to: 9))
            }
            // Attributes that both sides have changed are left to the merge.
            try expect(
                try conflicts(child, into: store).map { "\($0.identifier) \($0.kind)" },
                equals: ["\(id(2)) changedOnBothSides(attribute: \"name\")", "\(id(4)) deletedInChild"])
            try store.merge(child, policy: .childWins)
            try expect(
                try names(), equals: ["1 parent 3", "2 child 0", "3 parent 0", "6 parent 0", "9 child 9"])
            try expect(try store.items(Restaurant.all), equals: try child.items(Restaurant.all))
            try expect(child.parent === store, "the store that made the child")
            try child.discard()
            _ = try expectError(.discarded) { try child.refresh() }
        }
        ConformanceCase("Only the own child is merged", proves: 19) { world in
            let (store, child) = try family(in: world)
            let grandchild = try child.makeChildDataStore()
            let elsewhere = try world.openElsewhere(Restaurant.self, Dish.self)
            try expectError(.foreignChild) { try elsewhere.merge(child) }
            try expectError(.foreignChild) { try store.merge(grandchild) }
            try expectError(.foreignChild) { try store.merge(store) }
            try expectError(.foreignChild) { try child.merge(store) }
            try expectError(.foreignChild) { _ = try elsewhere.mergePreview(child) }
            try elsewhere.destroy()
        }
        ConformanceCase("Two children of one parent merge in either order", proves: 19) { world in
            for isReversed in [false, true] {
                let store = try world.reopen(Restaurant.self)
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Restaurant.self)
                    try accessor.insert(Restaurant(1, name: "name", city: "city"))
                }
                let children = [try store.makeChildDataStore(), try store.makeChildDataStore()]
                try change(1, in: children[0]) { $0.name = "first" }
                try children[0].writeSync { try $0.insert(Restaurant(2)) }
                try change(1, in: children[1]) { $0.city = "second" }
                try children[1].writeSync { try $0.insert(Restaurant(3)) }
                for child in isReversed ? children.reversed() : children { try store.merge(child) }
                try expect(
                    try store.items(Restaurant.all),
                    equals: [Restaurant(1, name: "first", city: "second"), Restaurant(2), Restaurant(3)])
            }
        }
        ConformanceCase("A merge is one commit of its parent", proves: 4, 19) { world in
            let (store, child) = try family(in: world)
            let changes = store.changes
            try write(to: child) { accessor in
                try accessor.insert(Restaurant(4))
                try require(try accessor.mutableItem(id: id(1), of: Restaurant.self)).name = "child"
                try accessor.delete(id: id(2), of: Restaurant.self)
            }
            try await store.merge(child)
            try store.tearDown()
            var sets: [[String]] = []
            for await set in changes { sets.append(set.changes.map(\.text)) }
            try expect(
                sets,
                equals: [["Restaurant 1 updated name", "Restaurant 2 deleted", "Restaurant 4 inserted"]])
        }
        ConformanceCase("An awaited merge keeps its turn among the writes", proves: 2, 19) { world in
            let (store, child) = try family(in: world)
            child.writeAsync({ _ = try $0.insert(Restaurant(4, name: "staged")) }, completion: nil)
            store.writeAsync({ _ = try $0.insert(Restaurant(5, name: "before")) }, completion: nil)
            let result = try await store.merge(child)
            try expect(result.inserted, equals: 1)
            try await store.flush()
            let names = try await store.readAsync { try $0.items(for: Restaurant.all).map(\.name) }
            try expect(names, equals: ["name", "name", "name", "staged", "before"])
            try await child.writeAsync { accessor in
                try require(try accessor.mutableItem(id: id(1), of: Restaurant.self)).name = "child"
            }
            try await store.writeAsync { accessor in
                try require(try accessor.mutableItem(id: id(1), of: Restaurant.self)).name = "parent"
            }
            let error = try await expectError(.mergeConflict, async: { try await store.merge(child) })
            try expect(error.conflicts.count, equals: 1)
        }
        ConformanceCase("Values are swapped between unique items by a merge", proves: 11, 19) { world in
            let (store, child) = try family(in: world)
            try child.writeSync { accessor in
                let first = try require(try accessor.mutableItem(id: id(1), of: Restaurant.self))
                let second = try require(try accessor.mutableItem(id: id(2), of: Restaurant.self))
                (first.slug, second.slug) = (second.slug, first.slug)
                try accessor.delete(id: id(3), of: Restaurant.self)
                try accessor.insert(Restaurant(4, slug: "slug 3"))
            }
            try store.merge(child)
            try expect(try store.items(Restaurant.all).map(\.slug), equals: ["slug 2", "slug 1", "slug 3"])
        }
        ConformanceCase("Thousands of staged items are merged", proves: 19) { world in
            let store = try world.open(Restaurant.self)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (1...1500).map { Restaurant($0, city: "old") })
            }
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                try accessor.update(Restaurant.all, .set(\.city, to: "new"))
                try accessor.insert(contentsOf: (1501...3000).map { Restaurant($0, city: "new") })
            }
            try expect(try child.count(Restaurant.where(\.city == "new")), equals: 3000)
            let result = try store.merge(child)
            try expect([result.inserted, result.updated], equals: [1500, 1500])
            try expect(try store.count(Restaurant.where(\.city == "new")), equals: 3000)
        }
    }

    private static func id(_ number: Int64) -> ItemID<Restaurant> { ItemID(rawValue: number) }

    /// A store with three restaurants, and a child of it.
    private static func family(in world: ConformanceWorld) throws -> (any DataStore, ChildDataStore) {
        let store = try world.open(Restaurant.self, Dish.self)
        try store.writeSync { accessor in
            try accessor.insert(
                contentsOf: (1...3).map { Restaurant($0, name: "name", city: "city", slug: "slug \($0)") })
        }
        return (store, try store.makeChildDataStore())
    }

    private static func change(
        _ number: Int64, in store: any DataStore, _ body: (Mutable<Restaurant>) -> Void
    ) throws {
        try store.writeSync { body(try require(try $0.mutableItem(id: id(number), of: Restaurant.self))) }
    }

    private static func restaurant(_ number: Int64, in store: any DataStore) throws -> Restaurant? {
        try store.read { try $0.item(id: id(number), of: Restaurant.self) }
    }

    /// Merges, and returns the conflicts for which it fails.
    private static func conflicts(
        _ child: ChildDataStore, into store: any DataStore, policy: MergePolicy = .fail
    ) throws -> [MergeConflict] {
        let parentBefore = try store.items(Restaurant.all)
        let childBefore = try child.items(Restaurant.all)
        let error = try expectError(.mergeConflict) { try store.merge(child, policy: policy) }
        try expect(try store.items(Restaurant.all), equals: parentBefore, "the parent after a failed merge")
        try expect(try child.items(Restaurant.all), equals: childBefore, "the child after a failed merge")
        return error.conflicts
    }
}
