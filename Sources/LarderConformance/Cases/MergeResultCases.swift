import struct Foundation.UUID
import Larder

/// A merge carries the result of a child: what it shows, and not how it came to that.
enum MergeResultCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A parent that has not changed equals the child after the merge", proves: 16, 19
        ) { world in
            let store = try world.open(Node.self, Leaf.self)
            for (name, before, act) in MergeScenes.all {
                for isNested in [false, true] {
                    try clear(store)
                    try store.writeSync(before)
                    let child = try store.makeChildDataStore()
                    let nested = isNested ? try child.makeChildDataStore() : child
                    try nested.writeSync(act)
                    let expected = try state(nested)
                    let deleted = try nested.stagedChanges.changes.filter {
                        if case .deleted = $0.kind { true } else { false }
                    }.count
                    if isNested { try child.merge(nested) }
                    let preview = try store.mergePreview(child)
                    try expect(preview.deleted, equals: deleted, "previewed deletions, \(name)")
                    let result = try store.merge(child)
                    try expect(result.deleted, equals: deleted, "deletions, \(name)")
                    try expect(try state(store), equals: expected, name)
                }
            }
        }
        ConformanceCase(
            "Delete rules act again on what the child could not see", proves: 16, 19
        ) { world in
            let (store, child) = try family(world, [Node(1), Node(2, \.parent, 1), Node(3), Node(4)])
            try child.writeSync { try MergeScenes.delete(1, $0) }
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [
                    Node(5, \.parent, 1), Node(6, \.parent, 5), Node(7, \.friend, 5),
                ])
                try links("bundle").insert([(1, .integer(5), .integer(3))], accessor)
                try MergeScenes.set(4, \.shadow, 6, accessor)
            }
            let preview = try store.mergePreview(child)
            try expect([preview.inserted, preview.updated, preview.deleted], equals: [0, 1, 5])
            let result = try store.merge(child)
            try expect([result.inserted, result.updated, result.deleted], equals: [0, 1, 5])
            try expect(try state(store), equals: ["4: 0 - - - 6 - - -", "7: 0 - - - - - - -"])
        }
        ConformanceCase(
            "A reference of the child to what goes in the merge is a conflict", proves: 16, 19
        ) { world in
            let (store, child) = try family(world, [Node(1), Node(2), Node(3)])
            try child.writeSync { accessor in
                try MergeScenes.delete(1, accessor)
                try accessor.insert(contentsOf: [Node(4, \.parent, 2), Node(5, \.guardian, 4)])
                try MergeScenes.set(3, \.friend, 2, accessor)
            }
            try store.writeSync { try MergeScenes.set(2, \.parent, 1, $0) }
            let error = try expectError(.mergeConflict) { try store.merge(child) }
            let gone = AnyItemID.integer(2)
            try expect(
                error.conflicts.map { "\($0.identifier) \($0.kind)" },
                equals: [
                    "3 \(MergeConflict.Kind.targetNotFound(relationship: "friend", target: gone))",
                    "4 \(MergeConflict.Kind.targetNotFound(relationship: "parent", target: gone))",
                ])
            try store.merge(child, policy: .parentWins)
            try expect(
                try state(store), equals: ["3: 0 - - - - - - -", "4: 0 - - - - - - -", "5: 0 - - 4 - - - -"])
        }
        ConformanceCase(
            "A reference that both sides have changed is decided by itself", proves: 16, 19
        ) { world in
            let (store, child) = try family(
                world, [Node(1), Node(2), Node(3, \.friend, 1), Node(4, \.friend, 1)])
            try child.writeSync { try MergeScenes.delete(1, $0) }
            try store.writeSync { accessor in
                try MergeScenes.set(1, \.friend, 2, accessor)
                try MergeScenes.set(3, \.friend, 2, accessor)
            }
            try store.merge(child, policy: .resolve { $0.identifier == .integer(1) ? .parent : .child })
            let kept = ["1: 0 - 2 - - - - -", "2: 0 - - - - - - -"]
            let (decided, left) = ("3: 0 - - - - - - -", "4: 0 - 1 - - - - -")
            try expect(try state(store), equals: kept + [decided, left])
        }
        ConformanceCase(
            "An item that stays takes nothing along through one that the child has kept", proves: 16, 19
        ) { world in
            let (store, child) = try family(world, [Node(1, \.tail, 2), Node(2), Node(3, \.parent, 2)])
            try child.writeSync { accessor in
                try MergeScenes.set(1, \.tail, nil, accessor)
                try MergeScenes.delete(1, accessor)
                try MergeScenes.delete(3, accessor)
            }
            try store.writeSync { try MergeScenes.set(1, \.friend, 2, $0) }
            let result = try store.merge(child, policy: .parentWins)
            try expect([result.inserted, result.updated, result.deleted], equals: [0, 0, 1])
            try expect(try state(store), equals: ["1: 0 - 2 - - - 2 -", "2: 0 - - - - - - -"])
        }
        ConformanceCase(
            "A deletion that is denied for what goes with it is a conflict", proves: 16, 19
        ) { world in
            let (store, child) = try family(
                world, [Node(1), Node(2, \.parent, 1), Node(3, \.parent, 1), Node(9)])
            try child.writeSync { try MergeScenes.delete(1, $0) }
            try store.writeSync { try MergeScenes.set(9, \.guardian, 2, $0) }
            let error = try expectError(.mergeConflict) { try store.merge(child) }
            try expect(error.conflicts.map(\.identifier), equals: [.integer(2)])
            _ = try expectError(.mergeConflict) { try store.merge(child, policy: .childWins) }
            let before = try state(store)
            let result = try store.merge(child, policy: .parentWins)
            try expect(result.settled.map(\.identifier), equals: [.integer(2), .integer(1)])
            try expect([result.inserted, result.updated, result.deleted], equals: [0, 0, 0])
            try expect(try state(store), equals: before)

            // A deletion that the parent alone would make is denied for the item that the child has deleted.
            try child.writeSync { try MergeScenes.delete(3, $0) }
            try store.writeSync { try $0.insert(contentsOf: [Node(5, \.parent, 3), Node(6, \.guardian, 5)]) }
            let unseen = try expectError(.mergeConflict) { try store.merge(child) }
            try expect(unseen.conflicts.map(\.identifier), equals: [.integer(3)])
            try store.merge(child, policy: .parentWins)
            try expect(try store.count(Node.all), equals: 6)
        }
        ConformanceCase(
            "Items stay related to what a denied deletion leaves where it is", proves: 16, 19
        ) { world in
            let (store, child) = try family(world, [Node(1), Node(2), Node(9)])
            try child.writeSync {
                try MergeScenes.delete(1, $0)
                try $0.insert(contentsOf: [Node(6, \.friend, 2), Node(7, \.parent, 2)])
            }
            // The second item would go with the first one.
            try store.writeSync {
                try MergeScenes.set(2, \.parent, 1, $0)
                try MergeScenes.set(9, \.guardian, 1, $0)
            }
            let result = try store.merge(child, policy: .parentWins)
            try expect(result.settled.map(\.identifier), equals: [.integer(1)])
            try expect([result.inserted, result.updated, result.deleted], equals: [2, 0, 0])
            try expect(try store.item(6, of: Node.self)?.friend?.id, equals: 2)
            try expect(try store.item(7, of: Node.self)?.parent?.id, equals: 2)
        }
        ConformanceCase(
            "A merged deletion is denied by none that goes with it later", proves: 16, 19
        ) { world in
            let (store, child) = try family(world, [Node(1), Node(2, \.parent, 1), Node(9)])
            try child.writeSync { try MergeScenes.delete(1, $0) }
            try store.writeSync {
                try $0.insert(contentsOf: [Node(7, \.parent, 2), Node(6, \.parent, 7)])
                try MergeScenes.set(6, \.guardian, 2, $0)
            }
            try store.merge(child)
            try expect(try store.ids(Node.all), equals: [.integer(9)])
        }
        ConformanceCase(
            "An item that the policy keeps stays with what would go with it", proves: 16, 19
        ) { world in
            let (store, child) = try family(
                world, [Node(1), Node(2, \.parent, 1), Node(3, \.friend, 1), Node(4), Node(5, \.parent, 2)])
            try store.writeSync { try links("links").insert([(1, .integer(1), .integer(4))], $0) }
            try child.writeSync { try MergeScenes.delete(1, $0) }
            try store.writeSync { try $0.update(Node(1, weight: 7)) }
            let before = try state(store)
            let error = try expectError(.mergeConflict) { try store.merge(child) }
            try expect(error.conflicts.map(\.kind), equals: [.deletedInChild])
            let result = try store.merge(child, policy: .parentWins)
            try expect(result.settled.map(\.kind), equals: [.deletedInChild])
            try expect(try state(store), equals: before)

            // The other way round: what stays keeps the item with which it would go.
            try child.writeSync { try MergeScenes.delete(2, $0) }
            try store.writeSync { try $0.update(Node(5, weight: 7, \.parent, 2)) }
            let settled = try store.merge(child, policy: .parentWins).settled
            try expect(settled.map(\.identifier), equals: [.integer(5), .integer(2)])
            try expect(try store.count(Node.all), equals: 5)
        }
        ConformanceCase(
            "An optional one-to-one set on both sides is a conflict", proves: 15, 19
        ) { world in
            func family() throws -> (any DataStore, ChildDataStore) {
                let store = try world.reopen(Node.self, Leaf.self)
                try clear(store)
                try store.writeSync {
                    try $0.insert(contentsOf: [Node(5), Node(6), Node(1), Node(2), Node(3, \.partner, 5)])
                }
                return (store, try store.makeChildDataStore())
            }
            func holders(_ store: any DataStore) throws -> [String] {
                try store.items(Node.all).compactMap { node in node.partner.map { "\(node.id)-\($0.id)" } }
            }
            let taken = MergeConflict.Kind.notUnique(attribute: "partner", holder: .integer(2))
            for (policy, expected) in [(MergePolicy.parentWins, ["2-5"]), (.childWins, ["1-5"])] {
                let (store, child) = try family()
                try child.writeSync { try MergeScenes.set(1, \.partner, 5, $0) }
                try store.writeSync { try MergeScenes.set(2, \.partner, 5, $0) }
                let error = try expectError(.mergeConflict) { try store.merge(child) }
                try expect(error.conflicts.map(\.kind), equals: [taken])
                try expect(error.conflicts[0].identifier, equals: .integer(1))
                try expect(try store.merge(child, policy: policy).settled.map(\.kind), equals: [taken])
                try expect(try holders(store), equals: expected)
            }
            // The new holder goes elsewhere in the parent, so the old one is not freed.
            let (store, child) = try family()
            try child.writeSync { try MergeScenes.set(1, \.partner, 5, $0) }
            try store.writeSync { try MergeScenes.set(1, \.partner, 6, $0) }
            try store.merge(child, policy: .parentWins)
            try expect(try holders(store), equals: ["1-6", "3-5"])
        }
        ConformanceCase("A required one-to-one set on both sides is a conflict", proves: 15, 19) { world in
            let (store, child) = try family(world, [Node(1), Node(2)])
            try child.writeSync { _ = try $0.insert(Leaf("child", of: 1, on: 2)) }
            try store.writeSync { _ = try $0.insert(Leaf("parent", of: 1, on: 2)) }
            let taken = MergeConflict.Kind.notUnique(attribute: "seat", holder: .string("parent"))
            for policy in [MergePolicy.fail, .childWins] {
                let error = try expectError(.mergeConflict) { try store.merge(child, policy: policy) }
                try expect(error.conflicts.map(\.kind), equals: [taken])
            }
            try expect(try store.mergePreview(child).conflicts.map(\.kind), equals: [taken])
            try expect(try store.merge(child, policy: .parentWins).settled.map(\.kind), equals: [taken])
            try expect(try store.items(Leaf.all).map(\.id), equals: ["parent"])
        }
        ConformanceCase(
            "A value that goes with a deletion is free in the merge", proves: 11, 15, 19
        ) { world in
            let (store, child) = try family(world, [Node(1), Node(2), Node(3)])
            try child.writeSync { accessor in
                try MergeScenes.delete(1, accessor)
                try accessor.insert(Leaf("child", of: 2, on: 3))
            }
            // It goes with its node, which the child has deleted.
            try store.writeSync { _ = try $0.insert(Leaf("parent", of: 1, on: 3)) }
            let result = try store.merge(child)
            try expect([result.inserted, result.deleted], equals: [1, 2])
            try expect(try store.items(Leaf.all).map(\.id), equals: ["child"])
        }
        ConformanceCase("A compound unique value takes no single value", proves: 11, 19) { world in
            let store = try world.open(Restaurant.self, Dish.self)
            let child = try store.makeChildDataStore()
            try child.writeSync { _ = try $0.insert(Dish(1, at: 1, name: "soup")) }
            try store.writeSync { _ = try $0.insert(Dish(2, at: 1, name: "soup")) }
            let error = try expectError(.invalidValue) {
                try store.merge(child, policy: .resolve { _ in .value("other") })
            }
            try expect(error.itemType, equals: "Dish")
            try expect(
                try store.merge(child, policy: .parentWins).settled.map(\.kind),
                equals: [
                    .notUnique(attribute: "restaurant, name", holder: ItemID<Dish>(rawValue: 2).anyItemID)
                ])
            try expect(try store.items(Dish.all).map(\.id.rawValue), equals: [2])
        }
        ConformanceCase("A policy gives only values that the item can have", proves: 9, 19) { world in
            let store = try world.open(Dish.self)
            try store.writeSync { _ = try $0.insert(Dish(1)) }
            let child = try store.makeChildDataStore()
            try child.writeSync { _ = try $0.update(Dish(1, course: .starter)) }
            try store.writeSync { _ = try $0.update(Dish(1, course: .dessert)) }
            let error = try expectError(.wrongType) {
                try store.merge(child, policy: .resolve { _ in .value("nonsense") })
            }
            try expect([error.itemType, error.attribute], equals: ["Dish", "course"])
            try expect(try store.items(Dish.all).map(\.course), equals: [.dessert])
            try store.merge(child, policy: .resolve { _ in .value("main") })
            try expect(try store.items(Dish.all).map(\.course), equals: [.main])
        }
        ConformanceCase("A policy gives integers within the attribute's type", proves: 9, 19) { world in
            let (store, child) = try family(world, changing: { $0.int8 = $1 })
            for value in [300, -129, Int.max] as [Int] {
                let error = try expectError(.wrongType) {
                    try store.merge(child, policy: .resolve { _ in .value(value) })
                }
                try expect([error.itemType, error.attribute], equals: ["Everything", "int8"])
                try expect(error.identifier, equals: ItemID<Everything>(rawValue: 1).anyItemID)
                try expect(try store.items(Everything.all).map(\.int8), equals: [2])
            }
            // Another width, and small enough.
            try store.merge(child, policy: .resolve { _ in .value(Int64(-128)) })
            try expect(try store.items(Everything.all).map(\.int8), equals: [-128])
        }
        ConformanceCase("A policy gives JSON of the attribute's shape", proves: 9, 19) { world in
            let (store, child) = try family(world, changing: { $0.nutrition.energy = Int($1) })
            let tags = Tags(words: ["sweet"], weights: [:])
            let error = try expectError(.wrongType) {
                try store.merge(child, policy: .resolve { _ in .value(tags) })
            }
            try expect([error.itemType, error.attribute], equals: ["Everything", "nutrition"])
            try expect(
                try store.items(Everything.all).map(\.nutrition),
                equals: [Nutrition(energy: 2, protein: -0.5)])
            let nutrition = Nutrition(energy: 3, protein: 0.5, source: "label")
            try store.merge(child, policy: .resolve { _ in .value(nutrition) })
            try expect(try store.items(Everything.all).map(\.nutrition), equals: [nutrition])
        }
        ConformanceCase("A policy is asked once for each conflict", proves: 19) { world in
            let count: Int64 = 2000
            let (store, child) = try family(world, (0...count).map { Node($0) })
            try child.writeSync { accessor in
                for id in 1...count { try MergeScenes.delete(id, accessor) }
                try accessor.update(Node(0, weight: 1))
            }
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (1...count).map { Node(10_000 + $0, \.guardian, $0) })
                try accessor.update(Node(0, weight: 2))
            }
            let asked = Locked(0)
            let result = try store.merge(
                child,
                policy: .resolve { _ in
                    asked.withLock { $0 += 1 }
                    return .parent
                })
            try expect(asked.withLock { $0 }, equals: Int(count) + 1)
            try expect(result.settled.count, equals: Int(count) + 1)
            try expect(try store.count(Node.all), equals: 2 * Int(count) + 1)
        }
        ConformanceCase("A chain of unique values is settled at once", proves: 11, 19) { world in
            let count: Int64 = 2000
            let store = try world.open(Restaurant.self)
            try store.writeSync {
                try $0.insert(contentsOf: (1...count).map { Restaurant($0, slug: "\($0)") })
            }
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                for id in (1...count).reversed() { try accessor.update(Restaurant(id, slug: "\(id + 1)")) }
            }
            try store.writeSync { _ = try $0.insert(Restaurant(count + 1, slug: "\(count + 1)")) }
            let result = try store.merge(child, policy: .parentWins)
            try expect(result.settled.count, equals: Int(count))
            try expect(try store.items(Restaurant.all).map(\.slug), equals: (1...count + 1).map { "\($0)" })
        }
        ConformanceCase("Chains of values that no two items share are settled", proves: 11, 19) { world in
            let store = try world.open(storing: ValueChain.types)
            for chain in ValueChain.allCases {
                let child = try chain.make(20, in: store)
                let result = try store.merge(child, policy: .parentWins)
                try expect(result.settled.count, equals: 20)
                try expect(try chain.values(in: store), equals: Array(1...21))
            }
        }
        ConformanceCase("A link that both sides have added is shown once", proves: 15, 18) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            func add(_ store: any DataStore) throws {
                try store.writeSync {
                    try require(try $0.mutableItem(id: 12, of: Book.self)).labels.add(id: "unused")
                }
            }
            try add(child)
            try add(store)
            try child.read { accessor in
                let book = try require(try accessor.item(id: 12, of: Book.self))
                try expect(try accessor.items(book.labels).map(\.id), equals: ["unused"])
                try expect(try accessor.countItems(book.labels), equals: 1)
                let one = Book.where(\.labels.count == 1)
                try expect(try accessor.ids(for: one), equals: [11, 12, 14])
            }
            try child.writeSync {
                try require(try $0.mutableItem(id: 12, of: Book.self)).labels.remove(id: "unused")
            }
            try expect(try LinkFixture.labels(of: 12, in: child), equals: [])
            try store.merge(child)
            try expect(try LinkFixture.labels(of: 12, in: store), equals: [])
        }
        ConformanceCase(
            "An ordered link that both sides have added does not conflict", proves: 15, 19
        ) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            func add(_ chapters: [UInt8], _ store: any DataStore) throws {
                try store.writeSync { accessor in
                    let book = try require(try accessor.mutableItem(id: 12, of: Book.self))
                    for number in chapters { try book.chapters.add(Chapter(number)) }
                }
            }
            try add([5], child)
            try add([3, 4, 5], store)
            try expect(try store.merge(child).settled, equals: [])
            let chapters = try store.read { accessor in
                try accessor.items(try require(try accessor.item(id: 12, of: Book.self)).chapters).map {
                    $0.id.uuid.15
                }
            }
            try expect(chapters, equals: [2, 3, 4, 5])
        }
        ConformanceCase("An awaited merge of a cancelled task does not run", proves: 2, 19) { world in
            let store = try world.open(Restaurant.self)
            let child = try store.makeChildDataStore()
            try await child.writeAsync { _ = try $0.insert(Restaurant(1)) }
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                do {
                    try await store.merge(child)
                    return false
                } catch is CancellationError {
                    return true
                }
            }
            let isCancelled = try await task.value
            try expect(isCancelled, "the merge is cancelled")
            func count() async throws -> Int {
                try await store.readAsync { try $0.countItems(for: Restaurant.all) }
            }
            let before = try await count()
            try expect(before, equals: 0)
            try await store.merge(child)
            let after = try await count()
            try expect(after, equals: 1)
        }
    }

    private static func links(_ name: String) throws -> LinkRows {
        try MergeScenes.links(name)
    }

    private static func state(_ store: any DataStore) throws -> [String] {
        try store.read { accessor in
            var lines = try accessor.items(for: Node.all).map { node in
                let references = [
                    node.parent, node.friend, node.guardian, node.shadow, node.partner, node.tail,
                    node.anchor,
                ].map { $0.map { "\($0.id)" } ?? "-" }
                return "\(node.id): \(node.weight) \(references.joined(separator: " "))"
            }
            lines += try accessor.items(for: Leaf.all).map { "\($0.id): \($0.node.id) \($0.seat.id)" }
            for name in ["links", "bundle", "ties"] {
                lines += try links(name).all(accessor).map { "\(name) \($0)" }
            }
            return lines
        }
    }

    // MARK: The result

    private static func clear(_ store: any DataStore) throws {
        try store.writeSync { accessor in
            try accessor.deleteAllItems(of: Leaf.self)
            // The item that denies a deletion is deleted in the same call.
            try accessor.deleteAllItems(of: Node.self)
        }
    }

    private static func family(_ world: ConformanceWorld, _ nodes: [Node]) throws -> (
        any DataStore, ChildDataStore
    ) {
        let store = try world.open(Node.self, Leaf.self)
        try store.writeSync { try $0.insert(contentsOf: nodes) }
        return (store, try store.makeChildDataStore())
    }

    /// A store and its child, which have both changed one item.
    private static func family(
        _ world: ConformanceWorld, changing change: (inout Everything, Int8) -> Void
    ) throws -> (any DataStore, ChildDataStore) {
        let store = try world.open(Everything.self)
        var item = Everything.smallest(1)
        try store.writeSync { _ = try $0.insert(item) }
        let child = try store.makeChildDataStore()
        change(&item, 1)
        try child.writeSync { _ = try $0.update(item) }
        change(&item, 2)
        try store.writeSync { _ = try $0.update(item) }
        return (store, child)
    }

    // MARK: Rules on what the child could not see

    // MARK: One-to-ones and unique values

    // MARK: Many conflicts

    // MARK: Links of both sides
}
