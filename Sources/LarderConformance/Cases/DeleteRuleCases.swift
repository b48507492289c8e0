import Larder

/// The items that refer to a deleted one go, are freed, or keep it, by their delete rules.
enum DeleteRuleCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Items that refer to a deleted one are freed", proves: 4, 16) { world in
            let store = try open(world)

            try store.writeSync { accessor in
                let pupil = try require(try accessor.mutableItem(id: ItemID<Person>(rawValue: 2)))
                let book = try require(try accessor.mutableItem(id: 2, of: Book.self))
                let passport = try require(try accessor.mutableItem(id: "a", of: Passport.self))
                pupil.name = "Beatrix"
                try expect(try accessor.delete(id: ItemID<Person>(rawValue: 1)), "an item that was there")
                try expect(pupil.mentor == nil, "no mentor in the handle")
                try expect(pupil.name, equals: "Beatrix")
                try expect(book.editor == nil, "no editor in the handle")
                try expect(passport.holder == nil, "no holder in the handle")
                book.title = "Still here"
            }

            try expect(try store.items(Person.all).map(\.name), equals: ["Beatrix", "Cy"])
            try expect(try store.count(Person.where(\.mentor != nil)), equals: 0)
            try expect(try store.items(Book.all).map(\.title), equals: ["Still here"])
            try expect(try store.count(Book.where(\.editor != nil)), equals: 0)
            try expect(try store.items(Passport.all).map { $0.holder?.id.rawValue ?? 0 }, equals: [0, 2])

            let other = try nodes(
                try world.sibling(),
                [Node(1), Node(2, \.friend, 1), Node(3, \.partner, 1), Node(4, \.friend, 2)])
            try other.writeSync { try $0.delete(id: 1, of: Node.self) }
            try expect(try other.items(Node.all).map { $0.friend?.id ?? 0 }, equals: [0, 0, 2])
            try expect(try other.count(Node.where(\.partner != nil)), equals: 0)
        }
        ConformanceCase(
            "Items go with the one that they belong to, by each call that deletes", proves: 4, 16
        ) { world in
            let store = try open(world)
            let first = try require(try store.item(ItemID(rawValue: 1), of: Person.self))
            let calls: [(DataStoreReadWriteAccessor) throws -> Bool] = [
                { try $0.delete(first) },
                { accessor in
                    try accessor.delete(
                        try require(try accessor.mutableItem(id: ItemID<Person>(rawValue: 1))))
                },
                { try $0.delete(id: ItemID<Person>(rawValue: 1)) },
                { try $0.deleteItems(for: Person.where(\.name == "Ada")) == 1 },
            ]

            for call in calls {
                try expectOwnError {
                    try store.writeSync { accessor in
                        let book = try require(try accessor.mutableItem(id: 3, of: Book.self))
                        try expect(try call(accessor), "one item, which was asked for")
                        try expect(try accessor.items(for: Book.all).map(\.id), equals: [2])
                        let error = try expectError(.itemNotFound) {
                            try book.replace(by: Book(3, by: 2))
                        }
                        try expect(error.identifier, equals: .integer(3))
                        throw OwnError()
                    }
                }
                try expect(try store.items(Book.all).map(\.id), equals: [1, 2, 3])
            }

            // An item of the same identifier is another one.
            try store.writeSync { accessor in
                let book = try require(try accessor.mutableItem(id: 3, of: Book.self))
                try accessor.delete(id: ItemID<Person>(rawValue: 1))
                let again = try accessor.insert(Book(3, "again", by: 2))
                try expect(again === book, "the same handle for the same identifier")
                book.year = 2000
                try expect(try accessor.delete(id: ItemID<Person>(rawValue: 1)), equals: false)
            }
            try expect(try store.items(Book.all).map(\.year), equals: [0, 2000])
        }
        ConformanceCase(
            "An item is not deleted while others forbid it, and nothing has changed then", proves: 3, 16
        ) { world in
            let store = try open(world)

            try store.writeSync { accessor in
                let shelf = try require(try accessor.mutableItem(id: 1, of: Shelf.self))
                let error = try expectError(.deletionDenied) { try accessor.delete(shelf) }
                try expect(error.itemType, equals: "Shelf")
                try expect(error.identifier, equals: .integer(1))
                try expect(error.attribute, equals: "books")
                try expect(
                    error.message,
                    equals: "The Shelf 1 cannot be deleted while the Book 1 is not, by the delete rule of "
                        + "Shelf.books.")
                shelf.room = "still here"
                try expectError(.deletionDenied) { try accessor.deleteAllItems(of: Shelf.self) }
                try expectError(.deletionDenied) { try accessor.deleteItems(for: Shelf.all) }
                try expectError(.deletionDenied) { try accessor.delete(id: 1, of: Shelf.self) }
                try expect(try accessor.countItems(for: Shelf.all), equals: 2)
                try expect(try accessor.delete(id: 2, of: Shelf.self), "a shelf without books")
                try accessor.delete(id: 1, of: Book.self)
                try accessor.insert(Book(4, by: 2, shelf: 1))
                try expectError(.deletionDenied) { try accessor.delete(id: 1, of: Shelf.self) }
                try accessor.mutableItem(id: 4, of: Book.self)?.shelf = nil
                try expect(try accessor.delete(id: 1, of: Shelf.self), "a shelf whose book has left it")
            }

            try expect(try store.count(Shelf.all), equals: 0)
            try expect(try store.items(Book.all).map(\.id), equals: [2, 3, 4])
        }
        ConformanceCase(
            "An item that goes too does not forbid a deletion, in whatever order", proves: 16
        ) { world in
            // The ward goes as a child of its guardian, and of another item of the call, before it and after it.
            for (ward, guardian) in [(1, 300), (300, 1)] as [(Int64, Int64)] {
                var all = (1...600).map { Node($0, weight: 1) }
                all[Int(ward) - 1].guardian = ToOne(id: guardian)
                all.append(Node(700, weight: 1, \.parent, ward))
                var last = Node(701, weight: 1, \.parent, 700)
                last.guardian = ToOne(id: 700)
                all.append(last)
                let store = try nodes(try world.sibling(), all)

                try store.writeSync { accessor in
                    try expectError(.deletionDenied) { try accessor.delete(id: guardian, of: Node.self) }
                    try expect(try accessor.countItems(for: Node.all), equals: 602)
                    try expect(
                        try accessor.deleteItems(for: Node.where(\.weight == 1)), equals: 602,
                        "the requested ones, including items that were deleted with others")
                }
                try expect(try ids(store), equals: [])
            }
        }
        ConformanceCase(
            "Items that go together count each, in whatever order they are found", proves: 16
        ) { world in
            // By their parents the children are found in the order 30, 20, 10.
            let store = try nodes(
                world,
                [
                    Node(1), Node(2), Node(3), Node(4), Node(5), Node(30, \.parent, 1), Node(20, \.parent, 2),
                    Node(10, \.parent, 3),
                ])

            try store.writeSync { accessor in
                for (child, refused) in [(30, true), (20, true), (10, true), (5, false)] as [(Int64, Bool)] {
                    let node = try accessor.mutableItem(id: child, of: Node.self)
                    node?.anchor = ToOne(id: 4)
                    let parents = Node.where(.isIn(\.id, [1, 2, 3]))
                    if refused {
                        let error = try expectError(.deletionDenied) {
                            try accessor.deleteItems(for: parents)
                        }
                        try expect(error.identifier, equals: .integer(child))
                        node?.anchor = nil
                    } else {
                        try expect(try accessor.deleteItems(for: parents), equals: 3)
                    }
                }
            }
            try expect(try ids(store), equals: [4, 5])
        }
        ConformanceCase(
            "An item takes along what it refers to, or stays because of it", proves: 16
        ) { world in
            let store = try nodes(
                world,
                [
                    Node(1, \.tail, 2), Node(2, \.tail, 3), Node(3, \.tail, 1), Node(4, \.anchor, 5), Node(5),
                    Node(6, \.tail, 5), Node(7, \.tail, 7), Node(8, \.anchor, 8),
                ])

            try store.writeSync { accessor in
                try accessor.delete(id: 2, of: Node.self)
                try expect(try accessor.items(for: Node.all).map(\.id), equals: [4, 5, 6, 7, 8])
                let error = try expectError(.deletionDenied) { try accessor.delete(id: 4, of: Node.self) }
                try expect(error.identifier, equals: .integer(4))
                try expect(error.attribute, equals: "anchor")
                try expect(
                    error.message,
                    equals: "The Node 4 cannot be deleted while the Node 5 is not, by the delete rule of "
                        + "Node.anchor.")
                try expect(try accessor.deleteItems(for: Node.where(.isIn(\.id, [7, 8]))), equals: 2)
                try accessor.mutableItem(id: 6, of: Node.self)?.anchor = ToOne(id: 5)
                try accessor.delete(id: 6, of: Node.self)
                try expect(try accessor.items(for: Node.all).map(\.id), equals: [4])
                try expect(
                    try accessor.item(id: 4, of: Node.self)?.anchor == nil, "no anchor, as it has gone")
                try accessor.delete(id: 4, of: Node.self)
            }
            try expect(try ids(store), equals: [])
        }
        ConformanceCase(
            "Links go with either end, and carry rules of their own", proves: 16
        ) { world in
            let store = try nodes(world, (1...9).map { Node($0) })
            let plain = try LinkRows("links", of: Node.self, in: nodeTypes)
            let bundle = try LinkRows("bundle", of: Node.self, in: nodeTypes)
            let ties = try LinkRows("ties", of: Node.self, in: nodeTypes)
            func link(_ id: Int64, _ source: Int64, _ target: Int64) -> (Int64, Constant, Constant) {
                (id, .integer(source), .integer(target))
            }

            try store.writeSync { accessor in
                try plain.insert([link(1, 1, 2), link(2, 2, 1), link(3, 2, 2), link(4, 3, 4)], accessor)
                try accessor.delete(id: 2, of: Node.self)
                try expect(try plain.all(accessor), equals: ["3-4"])

                // 5 → 6 → 7 → 5 go together; 8 stays, although it is bundled with one of them.
                try bundle.insert([link(1, 5, 6), link(2, 6, 7), link(3, 7, 5), link(4, 8, 6)], accessor)
                try accessor.delete(id: 6, of: Node.self)
                try expect(try bundle.all(accessor), equals: [])
                try expect(try accessor.items(for: Node.all).map(\.id), equals: [1, 3, 4, 8, 9])

                try ties.insert([link(1, 8, 9)], accessor)
                let error = try expectError(.deletionDenied) { try accessor.delete(id: 8, of: Node.self) }
                try expect(error.identifier, equals: .integer(8))
                try expect(error.attribute, equals: "ties")
                try expect(try ties.all(accessor), equals: ["8-9"], "links after a refused deletion")
                try expect(try accessor.deleteItems(for: Node.where(\.id >= 8)), equals: 2)
                try expect(try ties.all(accessor), equals: [])

                try bundle.insert([link(1, 1, 3), link(2, 1, 4)], accessor)
                try ties.insert([link(2, 3, 4)], accessor)
                try accessor.delete(id: 1, of: Node.self)
                try expect(try accessor.countItems(for: Node.all), equals: 0)
                for rows in [plain, bundle, ties] { try expect(try rows.all(accessor), equals: []) }
            }
        }
        ConformanceCase(
            "A reference without a rule does not change", proves: 16
        ) { world in
            let store = try nodes(world, [Node(1), Node(2, \.shadow, 1), Node(3, \.shadow, 1)])

            try store.writeSync { accessor in
                try accessor.delete(id: 1, of: Node.self)
                let node = try require(try accessor.mutableItem(id: 2, of: Node.self))
                try expect(node.shadow?.id, equals: 1)
                node.weight = 7
                try expectError(.targetNotFound) { try accessor.insert(Node(4, \.shadow, 1)) }
                node.friend = ToOne(id: 3)
            }
            try expectError(.targetNotFound, writingTo: store) { accessor in
                try accessor.update(Node.where(\.id == 3), .set(\.parent, to: ToOne(id: 1)))
            }
            try store.writeSync { try $0.update(Node(3, weight: 4, \.shadow, 1)) }

            try expect(try store.items(Node.all).map(\.shadow?.id), equals: [1, 1])
            try expect(try store.items(Node.all).map(\.weight), equals: [7, 4])
            // A store that is checked again holds none.
            try store.writeSync { try $0.update(Node.all, .set(\.shadow, to: nil)) }
        }
        ConformanceCase("Rings and items that belong to themselves are deleted", proves: 16) { world in
            var all = (1...300).map { Node($0, \.parent, $0 == 300 ? 1 : $0 + 1) }
            all.append(Node(301, \.parent, 301))
            all.append(Node(302, \.friend, 302))
            let store = try nodes(world, all)

            try store.writeSync { accessor in
                try expect(try accessor.delete(id: 120, of: Node.self), "an item of the ring")
                try expect(try accessor.items(for: Node.all).map(\.id), equals: [301, 302])
                try accessor.delete(id: 301, of: Node.self)
                try accessor.delete(id: 302, of: Node.self)
            }
            try expect(try ids(store), equals: [])
        }
        ConformanceCase(
            "Many items go with one, and long chains with their first", proves: 16
        ) { world in
            var all = [Node(1), Node(2)]
            all += (3...700).map { Node($0, \.parent, 1) }
            all += (701...900).map { Node($0, \.parent, $0 == 701 ? 5 : $0 - 1) }
            all += (901...1500).map { Node($0, \.friend, 1) }
            let store = try nodes(world, all)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (1...600).map { Leaf("\($0)", of: 1, on: $0 + 900) })
            }

            try store.writeSync { try $0.delete(id: 1, of: Node.self) }

            try expect(try store.count(Node.all), equals: 601)
            try expect(try store.count(Node.where(\.friend != nil)), equals: 0)
            try expect(try store.count(Leaf.all), equals: 0)
        }
        ConformanceCase(
            "Deleting all items of a type follows their rules", proves: 16
        ) { world in
            let store = try open(world)
            let labels = try LinkRows("labels", of: Book.self, in: Library.types)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Label("x"), Label("y")])
                try labels.insert(
                    [
                        (1, .integer(1), .text("x")), (2, .integer(1), .text("y")),
                        (3, .integer(2), .text("x")),
                    ],
                    accessor)
            }

            try store.writeSync { accessor in
                let label = try require(try accessor.mutableItem(id: "x", of: Label.self))
                try expect(try accessor.deleteAllItems(of: Label.self), equals: 2)
                try expect(try labels.all(accessor), equals: [])
                try expectError(.itemNotFound) { try label.replace(by: Label("x", rank: 5)) }
                let book = try require(try accessor.mutableItem(id: 1, of: Book.self))
                let passport = try require(try accessor.mutableItem(id: "a", of: Passport.self))
                try expect(try accessor.deleteAllItems(of: Person.self), equals: 3)
                try expect(passport.holder == nil, "no holder in the handle")
                try expectError(.itemNotFound) { try book.replace(by: Book(1, by: 1)) }
                try expect(try accessor.countItems(for: Book.all), equals: 0)
                try expect(try accessor.deleteAllItems(of: Shelf.self), equals: 2)
            }
            try expect(try store.count(Passport.where(\.holder == nil)), equals: 2)

            var all = (1...600).map { Node($0, \.parent, $0 % 2 == 0 ? $0 - 1 : nil) }
            all[0].guardian = ToOne(id: 600)
            let other = try nodes(try world.sibling(), all)
            try other.writeSync { accessor in
                try accessor.insert(Leaf("a", of: 7, on: 8))
                try expect(
                    try accessor.deleteAllItems(of: Node.self), equals: 600,
                    "also those that went with others")
            }
            try expect(try other.count(Leaf.all), equals: 0)
        }
    }

    private static let nodeTypes: [any DataStoreItem.Type] = [Node.self, Leaf.self]

    static func open(_ world: ConformanceWorld) throws -> any DataStore {
        let store = try GraphRuleCases.open(world)
        try store.writeSync { accessor in
            try accessor.insert(
                contentsOf: [Person(1, "Ada"), Person(2, "Bea", mentor: 1), Person(3, "Cy", mentor: 1)])
            try accessor.insert(contentsOf: [Shelf(1), Shelf(2)])
            try accessor.insert(contentsOf: [
                Book(1, by: 1, editedBy: 2, shelf: 1), Book(2, by: 2, editedBy: 1),
                Book(3, by: 1, editedBy: 1),
            ])
            try accessor.insert(contentsOf: [Passport("a", holder: 1), Passport("b", holder: 2)])
        }
        return store
    }

    private static func nodes(
        _ world: ConformanceWorld, _ nodes: [Node]
    ) throws -> any DataStore {
        let store = try world.open(Node.self, Leaf.self)
        try store.writeSync { try $0.insert(contentsOf: nodes) }
        return store
    }

    private static func ids(_ store: any DataStore) throws -> [Int64] {
        try store.items(Node.all).map(\.id)
    }
}

// MARK: Many items

extension DeleteRuleCases {}
