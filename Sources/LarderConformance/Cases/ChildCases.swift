import Larder

/// Child stores: what they see, what they keep to themselves, and how they end.
enum ChildCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A child sees its parent, and its parent not the child", proves: 18) { world in
            let store = try world.openWithRestaurants()
            let before = try store.items(Restaurant.all)
            let child = try store.makeChildDataStore()
            try expect(try child.items(Restaurant.all), equals: before)

            try child.writeSync { accessor in
                try require(try accessor.mutableItem(id: before[0].id, of: Restaurant.self)).name = "changed"
                try expect(try accessor.delete(id: before[1].id, of: Restaurant.self), "the item was there")
                try accessor.insert(Restaurant(900, name: "new"))
            }

            try expect(try store.items(Restaurant.all), equals: before)
            var expected = before
            expected[0].name = "changed"
            expected.remove(at: 1)
            expected.append(Restaurant(900, name: "new"))
            try expect(try child.items(Restaurant.all), equals: expected)
            try expect(try child.count(Restaurant.all), equals: before.count)
            try expect(try store.makeChildDataStore().items(Restaurant.all), equals: before)
        }
        ConformanceCase("Requests in a child merge both sides in order", proves: 7, 8, 18) { world in
            let store = try world.open(Restaurant.self)
            try store.writeSync { accessor in
                try accessor.insert(
                    contentsOf: (1...40).map {
                        Restaurant($0, city: "city \($0 % 3)", rating: Double($0 % 7))
                    })
            }
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                try accessor.update(Restaurant.where(\.id <= ItemID(rawValue: 6)), .set(\.rating, to: 3.5))
                try accessor.deleteItems(for: Restaurant.where(\.city == "city 0").limit(4))
                try accessor.insert(
                    contentsOf: (41...50).map {
                        Restaurant($0, city: "city \($0 % 3)", rating: Double($0 % 5))
                    })
            }
            let all = try child.items(Restaurant.all)
            try expect(all.count, equals: 46)

            let sorted = all.sorted { ($0.rating, $1.id.rawValue) > ($1.rating, $0.id.rawValue) }
            let request = Restaurant.all.sorted(by: \.rating, .descending).sorted(by: \.id)
            try expect(try child.items(request), equals: sorted)
            for offset in [0, 1, 5, 44, 46, 60] {
                for limit in [0, 1, 7, 100] {
                    let window = Array(sorted.dropFirst(offset).prefix(limit))
                    try expect(try child.items(request.offset(offset).limit(limit)), equals: window)
                    try expect(try child.count(request.offset(offset).limit(limit)), equals: window.count)
                }
            }
            let filtered = sorted.filter { $0.city == "city 1" && $0.rating > 2 }
            let filter = request.filter(\.city == "city 1" && \.rating > 2)
            try expect(try child.items(filter), equals: filtered)
            try expect(try child.count(filter), equals: filtered.count)
            let values = try child.read { try $0.values(for: filter, \.city) }
            try expect(values, equals: filtered.map(\.city))
        }
        ConformanceCase(
            "Items that a child has not touched follow their parent", proves: 18
        ) { world in
            let store = try world.open(Restaurant.self)
            try store.writeSync { try $0.insert(contentsOf: (1...3).map { Restaurant($0, name: "old") }) }
            let child = try store.makeChildDataStore()
            try child.writeSync {
                try require(try $0.mutableItem(id: .init(rawValue: 1), of: Restaurant.self)).seats = 7
            }

            try store.writeSync { accessor in
                try accessor.update(Restaurant.all, .set(\.name, to: "new"))
                try accessor.delete(id: .init(rawValue: 3), of: Restaurant.self)
                try accessor.insert(Restaurant(4, name: "new"))
            }

            try expect(try child.items(Restaurant.all).map(\.name), equals: ["old", "new", "new"])
            try expect(try child.items(Restaurant.all).map(\.id.rawValue), equals: [1, 2, 4])
            // Touched after the change: what the child keeps is the new version.
            try child.writeSync {
                try require(try $0.mutableItem(id: .init(rawValue: 2), of: Restaurant.self)).seats = 8
            }
            try store.writeSync { try $0.update(Restaurant.all, .set(\.name, to: "newest")) }
            try expect(try child.items(Restaurant.all).map(\.name), equals: ["old", "new", "newest"])
        }
        ConformanceCase(
            "An item that both sides have inserted stays deleted in the child", proves: 16, 18
        ) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            for side in [child, store] as [any DataStore] {
                try side.writeSync { try $0.insert(Book(20, by: side === child ? 4 : 3)) }
            }
            try child.writeSync { accessor in
                try accessor.delete(id: 20, of: Book.self)
                try expect(try accessor.countItems(for: Book.all), equals: 5)
                try accessor.delete(id: .init(rawValue: 3), of: Person.self)
            }
            try expect(try child.items(Book.all).map(\.id), equals: [10, 11, 12, 13])
            try expect(try child.stagedChanges.deleted(Book.self).map(\.id), equals: [14])
            // The author is deleted, and with it the book that the child has not seen.
            try store.merge(child)
            try expect(try store.items(Book.all).map(\.id), equals: [10, 11, 12, 13])

            for side in [child, store] as [any DataStore] {
                try side.writeSync { try $0.insert(Book(21, by: side === child ? 4 : 1)) }
            }
            try child.writeSync { try $0.delete(id: 21, of: Book.self) }
            try expect(try child.count(Book.all), equals: 4)
            try store.merge(child)
            try expect(try child.count(Book.all), equals: 5)
        }
        ConformanceCase("A child of a child sees both", proves: 18) { world in
            let store = try world.open(Restaurant.self)
            try store.writeSync { try $0.insert(contentsOf: [Restaurant(1), Restaurant(2), Restaurant(3)]) }
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                try require(try accessor.mutableItem(id: .init(rawValue: 1), of: Restaurant.self)).name =
                    "child"
                try accessor.insert(Restaurant(4, name: "child"))
            }
            let grandchild = try child.makeChildDataStore()
            try grandchild.writeSync { accessor in
                try require(try accessor.mutableItem(id: .init(rawValue: 2), of: Restaurant.self)).name =
                    "grandchild"
                try accessor.delete(id: .init(rawValue: 4), of: Restaurant.self)
                try accessor.delete(id: .init(rawValue: 3), of: Restaurant.self)
            }

            try expect(try store.items(Restaurant.all).map(\.name), equals: ["", "", ""])
            try expect(try child.items(Restaurant.all).map(\.name), equals: ["child", "", "", "child"])
            try expect(try grandchild.items(Restaurant.all).map(\.name), equals: ["child", "grandchild"])
            try child.merge(grandchild)
            try expect(try child.items(Restaurant.all).map(\.name), equals: ["child", "grandchild"])
            try expect(try store.items(Restaurant.all).map(\.name), equals: ["", "", ""])
            try store.merge(child)
            try expect(try store.items(Restaurant.all).map(\.name), equals: ["child", "grandchild"])
            try expect(try grandchild.items(Restaurant.all).map(\.name), equals: ["child", "grandchild"])
        }
        ConformanceCase("Relationships of a child lead through both sides", proves: 15, 17, 18) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                try require(try accessor.mutableItem(id: 10, of: Book.self)).author = ToOne(
                    id: ItemID(rawValue: 3))
                try require(try accessor.mutableItem(id: 11, of: Book.self)).labels.add(id: "unused")
                try require(try accessor.mutableItem(id: 13, of: Book.self)).labels.remove(id: "new")
                try accessor.delete(id: 12, of: Book.self)
            }
            func ids(_ request: DataStoreRequest<Book>, in store: any DataStore) throws -> [Int64] {
                try store.items(request).map(\.id)
            }
            let labelled = Book.where(.any(\.labels, \.id == "new"))
            let byCy = Book.where(\.author.name == "Cy")
            try expect(try ids(labelled, in: child), equals: [10, 11])
            try expect(try ids(labelled, in: store), equals: [10, 11, 13])
            try expect(try ids(byCy, in: child), equals: [10, 14])
            try expect(try ids(byCy, in: store), equals: [14])
            try expect(try ids(Book.where(.any(\.labels, \.id == "unused")), in: child), equals: [11])
            let sorted = Book.all.sorted(by: \.author.name).sorted(by: \.id, .descending)
            try expect(try ids(sorted, in: child), equals: [13, 11, 14, 10])
            try expect(try ids(sorted, in: store), equals: [13, 11, 10, 12, 14])
            let books = try child.read { accessor in
                let cy = try require(try accessor.item(id: .init(rawValue: 3), of: Person.self))
                return try accessor.items(cy.books).map(\.id)
            }
            try expect(books, equals: [10, 14])
            let prefetched = try child.items(Book.all.prefetching(\.labels))
            try expect(
                prefetched.map { $0.labels.items?.map(\.id) ?? [] },
                equals: [["new", "old"], ["new", "unused"], ["old", "\u{142}ong"], ["old"]])
        }
        ConformanceCase("Rules hold in a child for the items of its parent", proves: 11, 16, 18) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            try expectError(.deletionDenied, writingTo: child) { try $0.delete(id: 1, of: Shelf.self) }
            try expectError(.targetNotFound, writingTo: child) { try $0.insert(Book(90, by: 77)) }
            try expectError(.duplicateIdentifier, writingTo: child) { try $0.insert(Label("old")) }
            try child.writeSync { try $0.delete(id: .init(rawValue: 1), of: Person.self) }

            try expect(try child.items(Book.all).map(\.id), equals: [12, 14])
            try expect(try child.items(Person.all).map(\.mentor?.id.rawValue), equals: [nil, nil, nil])
            try expect(try store.items(Book.all).map(\.id), equals: [10, 11, 12, 13, 14])
            try expect(try store.items(Person.all).count, equals: 4)
            // Chapters went with the books.
            try expect(try child.count(Chapter.all), equals: 0)
            try store.merge(child)
            try expect(try store.items(Book.all).map(\.id), equals: [12, 14])
            try expect(try store.items(Person.all).map(\.mentor?.id.rawValue), equals: [nil, nil, nil])
            try expect(try store.count(Chapter.all), equals: 0)
        }
        ConformanceCase("Staged changes are listed item by item", proves: 18) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            try expect(!child.hasChanges, "nothing staged")
            try child.writeSync { accessor in
                let book = try require(try accessor.mutableItem(id: 11, of: Book.self))
                book.title = "Fish"
                book.year = 1996
                try book.labels.add(id: "old")
                try book.labels.remove(id: "new")
                try accessor.insert(Label("fresh", rank: 9))
                try accessor.delete(id: .init(rawValue: 4), of: Person.self)
            }
            let changes = try child.stagedChanges
            try expect(child.hasChanges, "something staged")
            try expect(try changes.inserted(Label.self), equals: [Label("fresh", rank: 9)])
            try expect(try changes.deleted(Person.self).map(\.name), equals: ["Di"])
            let updated = try changes.updated(Book.self)
            try expect(updated.map { [$0.old.title, $0.new.title] }, equals: [["Birds", "Fish"]])
            try expect(updated.map(\.attributes), equals: [["title", "year"]])
            try expect(
                changes.linked.map { [$0.relationship, "\($0.source)", "\($0.target)"] },
                equals: [["labels", "11", "old"]])
            try expect(changes.unlinked.map(\.target), equals: [.string("new")])
            try expect(
                changes.description,
                equals: """
                    deleted Person \(ItemID<Person>(rawValue: 4))
                    updated Book 11: title "Birds" -> "Fish", year 1995 -> 1996
                    inserted Label fresh
                    linked Book.labels: 11 - old
                    unlinked Book.labels: 11 - new
                    """)

            // An attribute that is changed back is not a change.
            try child.writeSync { accessor in
                let book = try require(try accessor.mutableItem(id: 11, of: Book.self))
                (book.title, book.year) = ("Birds", 1995)
                try accessor.delete(id: "fresh", of: Label.self)
                try accessor.insert(Library.people[3])
            }
            try expect(try child.stagedChanges.changes.count, equals: 0)
            try expect(child.hasChanges, "the links are still staged")
            try store.merge(child)
            try expect(!child.hasChanges, "nothing staged after the merge")
            try expect(try child.stagedChanges.isEmpty, "nothing staged after the merge")
        }
        ConformanceCase("A discarded child refuses, and so do its children", proves: 18) { world in
            let store = try world.openWithRestaurants()
            let before = try store.items(Restaurant.all)
            let child = try store.makeChildDataStore()
            let grandchild = try child.makeChildDataStore()
            try child.writeSync { try $0.insert(Restaurant(900)) }
            try grandchild.writeSync { try $0.insert(Restaurant(902)) }

            try child.discard()
            try child.discard()
            try expectError(.discarded) { _ = try child.items(Restaurant.all) }
            try expectError(.discarded) { _ = try grandchild.items(Restaurant.all) }
            try expectError(.discarded, writingTo: grandchild) { try $0.insert(Restaurant(901)) }
            try expectError(.discarded) { try store.merge(child) }
            try expectError(.discarded) { try child.merge(grandchild) }
            for store in [child, grandchild] {
                try expectError(.discarded) { try store.read { _ in } }
                try expectError(.discarded) { _ = try store.makeChildDataStore() }
                try expectError(.discarded) { _ = try store.stagedChanges }
                try expectError(.discarded) { try store.setup() }
                try expectError(.discarded) { try store.flush() }
                try expectError(.discarded) { try store.refresh() }
                try expectError(.discarded) { try store.rollBack() }
                try expect(!store.hasChanges, "nothing staged in a discarded store")
            }
            try grandchild.discard()
            try expect(try store.items(Restaurant.all), equals: before)
        }
        ConformanceCase("A child that is rolled back follows its parent again", proves: 18) { world in
            let store = try world.openWithRestaurants()
            let before = try store.items(Restaurant.all)
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                try accessor.deleteAllItems(of: Restaurant.self)
                try accessor.insert(Restaurant(900))
            }
            try child.rollBack()
            try expect(try child.items(Restaurant.all), equals: before)
            try child.writeSync { try $0.insert(Restaurant(901)) }
            try store.merge(child)
            try expect(try store.items(Restaurant.all), equals: before + [Restaurant(901)])
        }
        ConformanceCase(
            "A child whose ancestor is closed refuses, and continues when it is open again", proves: 18
        ) { world in
            let store = try world.openWithRestaurants()
            let child = try store.makeChildDataStore()
            let grandchild = try child.makeChildDataStore()
            try child.writeSync { try $0.insert(Restaurant(900)) }
            try grandchild.writeSync { try $0.insert(Restaurant(901)) }
            let expected = try grandchild.items(Restaurant.all)

            try store.tearDown()
            try expectError(.closed) { _ = try grandchild.items(Restaurant.all) }
            try expectError(.closed, writingTo: child) { try $0.insert(Restaurant(902)) }
            try expectError(.closed) { try store.merge(child) }
            try expectError(.closed) { _ = try store.makeChildDataStore() }
            for child in [child, grandchild] {
                try expectError(.closed) { try child.read { _ in } }
                try expectError(.closed) { _ = try child.makeChildDataStore() }
                try expectError(.closed) { _ = try child.stagedChanges }
                try expectError(.closed) { try child.setup() }
                try expectError(.closed) { try child.flush() }
                try expectError(.closed) { try child.rollBack() }
                try expect(!child.hasChanges, "what is staged cannot be read")
            }
            try store.setup()
            try expect(try grandchild.items(Restaurant.all), equals: expected)
            try child.merge(grandchild)
            try store.merge(child)
            try expect(try store.items(Restaurant.all), equals: expected)
        }
        ConformanceCase("Blocks of a child and its parent inside each other", proves: 2, 18) { world in
            let store = try world.openWithRestaurants()
            let count = try store.count(Restaurant.all)
            let child = try store.makeChildDataStore()
            let grandchild = try child.makeChildDataStore()

            try child.read { accessor in
                try expect(try accessor.countItems(for: Restaurant.all), equals: count)
                try expect(try store.count(Restaurant.all), equals: count)
                try expectError(.nestedTransaction, writingTo: store) { _ in }
                try expectError(.nestedTransaction) { try store.tearDown() }
                try expectError(.nestedTransaction) { try store.merge(child) }
                try expectError(.nestedTransaction) { try child.discard() }
                try grandchild.writeSync { try $0.insert(Restaurant(900)) }
            }
            try expect(try grandchild.count(Restaurant.all), equals: count + 1)
            // Inside a block of the parent, a child reads the snapshot of that block.
            try store.read { accessor in
                try expect(try accessor.countItems(for: Restaurant.all), equals: count)
                try child.writeSync { try $0.insert(Restaurant(901)) }
                try expect(try child.count(Restaurant.all), equals: count + 1)
            }
            try store.writeSync { accessor in
                try accessor.insert(Restaurant(902))
                try expect(try child.count(Restaurant.all), equals: count + 1)
                try child.writeSync { try $0.insert(Restaurant(903)) }
                try expectError(.nestedTransaction) { try store.merge(child) }
            }
            try expect(try child.count(Restaurant.all), equals: count + 3)
        }
        ConformanceCase("All items deleted in a child are there in its parent", proves: 18) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                try accessor.insert(Label("fresh"))
                try expect(try accessor.deleteAllItems(of: Label.self), equals: 5)
                try expect(try accessor.countItems(for: Label.all), equals: 0)
                try accessor.insert(Label("fresher"))
            }
            try expect(try child.items(Label.all).map(\.id), equals: ["fresher"])
            try expect(try child.items(Book.where(\.labels.count > 0)).count, equals: 0)
            try expect(try store.items(Label.all).count, equals: 4)
            try expect(try store.items(Book.where(\.labels.count > 0)).count, equals: 4)
            try store.merge(child)
            try expect(try store.items(Label.all).map(\.id), equals: ["fresher"])
            try expect(try store.items(Book.where(\.labels.count > 0)).count, equals: 0)
        }
        ConformanceCase("A child that is released takes its changes with it", proves: 18) { world in
            let store = try world.openWithRestaurants()
            let before = try store.items(Restaurant.all)
            weak var released: ChildDataStore?
            do {
                let child = try store.makeChildDataStore()
                released = child
                try child.writeSync { try $0.deleteAllItems(of: Restaurant.self) }
            }
            try expect(released == nil, "a child without references is gone")
            try expect(try store.items(Restaurant.all), equals: before)
        }
        ConformanceCase("A child of a store that is not open is refused", proves: 18) { world in
            let store = try world.makeStore(Restaurant.self)
            try expectError(.notSetUp) { _ = try store.makeChildDataStore() }
            try store.setup()
            _ = try store.makeChildDataStore()
        }
    }
}
