import Larder

/// Single items that are followed, with what has changed.
enum ItemChangeCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A followed item reports its changes, old and new", proves: 21) { world in
            let store = try world.openWithRestaurants()
            var item = Restaurant(20, name: "A", rating: 3)
            try await store.writeAsync { [item] in _ = try $0.insert(item) }
            var changes = Changes(store.changes(ofItem: id, of: Restaurant.self))
            try await changes.expectNext(.found, nil, item)

            try await store.writeAsync { accessor in
                let item = try accessor.mutableRestaurant(20)
                (item.name, item.rating, item.note) = ("B", 4, "new")
            }
            var old = item
            (item.name, item.rating, item.note) = ("B", 4, "new")
            let change = try await changes.expectNext(
                .updated(attributes: ["name", "rating", "note"]), old, item,
                "name \"A\" -> \"B\", rating 3.0 -> 4.0, note nil -> \"new\"")
            try expect(change?[\.rating]?.old, equals: 3)
            try expect(change?[\.rating]?.new, equals: 4)
            let note = try require(change?[\.note])
            try expect(note.old, equals: nil)
            try expect(note.new, equals: "new")
            try expect(change?[\.seats] == nil, "seats have not changed")

            // Neither another item of the type, nor the same value again.
            try await store.writeAsync { accessor in
                try accessor.mutableRestaurant(1).rating = 1.5
                try accessor.mutableRestaurant(20).rating = 4
            }
            try await store.writeAsync { _ = try $0.update(Restaurant.all, .set(\.seats, to: 9)) }
            old = item
            item.seats = 9
            try await changes.expectNext(.updated(attributes: ["seats"]), old, item, "seats 0 -> 9")
            // Each iteration has a beginning of its own.
            var others = Changes(store.changes(ofItem: id, of: Restaurant.self))
            try await others.expectNext(.found, nil, item)
        }
        ConformanceCase("A followed item may go and come back", proves: 21) { world in
            let store = try world.openWithRestaurants()
            let (first, second) = (Restaurant(20, name: "first"), Restaurant(20, name: "second"))
            var changes = Changes(store.changes(ofItem: id, of: Restaurant.self))

            try await changes.expectNext(.notFound)
            try await store.writeAsync { _ = try $0.insert(Restaurant(21)) }
            try await store.writeAsync { _ = try $0.insert(first) }
            try await changes.expectNext(.inserted, nil, first)
            try await store.writeAsync { _ = try $0.delete(id: id, of: Restaurant.self) }
            try await changes.expectNext(.deleted, first)
            try await store.writeAsync { _ = try $0.insert(second) }
            try await changes.expectNext(.inserted, nil, second)
            // Deleted and inserted between two values: what differs.
            try await store.writeAsync { accessor in
                try accessor.delete(id: id, of: Restaurant.self)
                try accessor.insert(first)
            }
            try await changes.expectNext(
                .updated(attributes: ["name"]), second, first, "name \"second\" -> \"first\"")
            try await store.writeAsync { _ = try $0.deleteAllItems(of: Restaurant.self) }
            try await changes.expectNext(.deleted, first)
        }
        ConformanceCase("Changes of an item that cancel out are not reported", proves: 21) { world in
            let store = try world.openWithRestaurants()
            let item = Restaurant(20, name: "A")
            var changes = Changes(store.changes(ofItem: id, of: Restaurant.self))
            try await changes.expectNext(.notFound)

            try await store.writeAsync { _ = try $0.insert(item) }
            try await store.writeAsync { _ = try $0.delete(id: id, of: Restaurant.self) }
            do {
                try await store.writeAsync { accessor in
                    _ = try accessor.insert(item)
                    throw OwnError()
                }
            } catch is OwnError {}
            try await store.writeAsync { _ = try $0.insert(item) }
            try await changes.expectNext(.inserted, nil, item)
            try await store.writeAsync { try $0.mutableRestaurant(20).name = "B" }
            try await store.writeAsync { try $0.mutableRestaurant(20).name = "A" }
            try await store.writeAsync { _ = try $0.delete(id: id, of: Restaurant.self) }
            try await changes.expectNext(.deleted, item)
        }
        ConformanceCase("Changes of an item add up while its consumer is busy", proves: 21) { world in
            let store = try world.open(Restaurant.self)
            try await store.writeAsync { _ = try $0.insert(Restaurant(20)) }
            var changes = Changes(store.changes(ofItem: id, of: Restaurant.self))
            try await changes.expectNext(.found, nil, Restaurant(20))

            for seats in 1...30 {
                try await store.writeAsync { try $0.mutableRestaurant(20).seats = seats }
            }
            try await store.writeAsync { try $0.mutableRestaurant(20).city = "Rome" }
            try await changes.expectNext(
                .updated(attributes: ["city", "seats"]), Restaurant(20),
                Restaurant(20, city: "Rome", seats: 30),
                "city \"\" -> \"Rome\", seats 0 -> 30")
        }
        ConformanceCase("A followed item reports which items it shows", proves: 17, 21) { world in
            let store = try Library.open(world)
            var changes = store.changes(ofItem: 11, of: Book.self, including: \.labels, \.chapters)
                .makeAsyncIterator()
            var alone = store.changes(ofItem: 11, of: Book.self).makeAsyncIterator()
            let first = try await changes.next()
            try expect(first?.kind, equals: .found)
            _ = try await alone.next()

            try await store.writeAsync { accessor in
                guard let book = try accessor.mutableItem(id: 11, of: Book.self) else { return }
                try book.labels.add(Label("old"))
                try book.chapters.add(Chapter(5))
                try book.chapters.add(Chapter(2))
            }
            var change = try await changes.next()
            try expect(change?.kind, equals: .updated(attributes: ["labels", "chapters"]))
            try expect(change?[\.labels]?.old, equals: ["new"])
            try expect(change?[\.labels]?.new, equals: ["new", "old"])
            try expect(change?[\.chapters]?.old, equals: [])
            try expect(change?[\.chapters]?.new, equals: [Chapter(5).id, Chapter(2).id])
            try expect(change?.attributeChanges.isEmpty, equals: true)

            try await store.writeAsync { accessor in
                let book = try accessor.mutableItem(id: 11, of: Book.self)
                try book?.chapters.move(from: 1, to: 0)
                // A label that changes is still the same one.
                try accessor.mutableItem(id: "new", of: Label.self)?.rank = 77
            }
            change = try await changes.next()
            try expect(change?.kind, equals: .updated(attributes: ["chapters"]))
            try expect(change?[\.chapters]?.new, equals: [Chapter(2).id, Chapter(5).id])
            try expect(change?[\.labels] == nil, "the labels are the same")

            // A reference is an attribute; the other iteration has seen nothing else.
            try await store.writeAsync { accessor in
                try accessor.mutableItem(id: 11, of: Book.self)?.editor = ToOne(id: ItemID(rawValue: 3))
            }
            for change in [try await changes.next(), try await alone.next()] {
                try expect(change?.kind, equals: .updated(attributes: ["editor"]))
                let editor = try require(change?[\.editor])
                try expect(editor.old, equals: nil)
                try expect(editor.new?.id, equals: ItemID(rawValue: 3))
                let texts = change?.attributeChanges.map(\.description)
                try expect(texts, equals: ["editor nil -> 0000000000003"])
            }
        }
        ConformanceCase("A followed item in a child shows both sides", proves: 18, 21) { world in
            let store = try world.open(Restaurant.self)
            try await store.writeAsync { _ = try $0.insert(Restaurant(20, name: "A")) }
            let draft = try store.makeChildDataStore()
            var inDraft = Changes(draft.changes(ofItem: id, of: Restaurant.self))
            var inStore = Changes(store.changes(ofItem: id, of: Restaurant.self))
            try await inDraft.expectNext(.found, nil, Restaurant(20, name: "A"))
            try await inStore.expectNext(.found, nil, Restaurant(20, name: "A"))

            try await store.writeAsync { try $0.mutableRestaurant(20).name = "B" }
            let (old, new) = (Restaurant(20, name: "A"), Restaurant(20, name: "B"))
            try await inDraft.expectNext(.updated(attributes: ["name"]), old, new, "name \"A\" -> \"B\"")
            try await inStore.expectNext(.updated(attributes: ["name"]), old, new, "name \"A\" -> \"B\"")
            try await draft.writeAsync { try $0.mutableRestaurant(20).seats = 4 }
            try await inDraft.expectNext(
                .updated(attributes: ["seats"]), Restaurant(20, name: "B"),
                Restaurant(20, name: "B", seats: 4),
                "seats 0 -> 4")
            try await store.merge(draft)
            try await inStore.expectNext(
                .updated(attributes: ["seats"]), Restaurant(20, name: "B"),
                Restaurant(20, name: "B", seats: 4),
                "seats 0 -> 4")
            try await draft.writeAsync { _ = try $0.delete(id: id, of: Restaurant.self) }
            try await inDraft.expectNext(.deleted, Restaurant(20, name: "B", seats: 4))
            try draft.rollBack()
            try await inDraft.expectNext(.inserted, nil, Restaurant(20, name: "B", seats: 4))
            try draft.discard()
            try await inDraft.expectNext(nil)
        }
        ConformanceCase("A followed item ends with its store, and throws", proves: 21) { world in
            let store = try Library.open(world)
            var changes = Changes(store.changes(ofItem: 11, of: Book.self))
            try await changes.expectNext(.found, nil, Library.books[1])
            let foreign = store.changes(ofItem: id, of: Restaurant.self)
            _ = try await expectError(
                .unknownItemType, async: { for try await _ in foreign { throw OwnError() } })
            let distant = store.changes(ofItem: 11, of: Book.self, including: \.author.books)
            _ = try await expectError(
                .invalidRequest, async: { for try await _ in distant { throw OwnError() } })

            try store.tearDown()
            try await changes.expectNext(nil)
            try await changes.expectNext(nil)
        }
    }

    /// Goes through the changes of one item.
    private struct Changes<Item: DataStoreItem & Equatable> {
        private var iterator: StoreValues<ItemChange<Item>>.Iterator

        init(_ changes: StoreValues<ItemChange<Item>>) { iterator = changes.makeAsyncIterator() }

        /// Expects a change, with its attributes as text.
        @discardableResult
        mutating func expectNext(
            _ kind: ItemChange<Item>.Kind?, _ old: Item? = nil, _ item: Item? = nil,
            _ attributes: String = "",
            file: StaticString = #fileID, line: Int = #line
        ) async throws -> ItemChange<Item>? {
            let change = try await iterator.next()
            try expect(change?.kind, equals: kind, file: file, line: line)
            try expect(change?.old, equals: old, "the old item", file: file, line: line)
            try expect(change?.item, equals: item, "the item", file: file, line: line)
            let text = change?.attributeChanges.map(\.description).joined(separator: ", ") ?? ""
            try expect(text, equals: attributes, file: file, line: line)
            return change
        }
    }

    private static let id = ItemID<Restaurant>(rawValue: 20)
}
