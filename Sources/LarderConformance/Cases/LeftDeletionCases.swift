import Larder

/// Merges that do not make a deletion of the child, and refreshes that leave nothing to merge.
enum LeftDeletionCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Rows that went with an item of the child stay with the parent's item of its identifier",
            proves: 16, 19
        ) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            for (side, name) in [(child, "The child's"), (store, "The parent's")] as [(any DataStore, String)]
            {
                try side.writeSync { accessor in
                    try accessor.insert(Person(9, name))
                    try accessor.insert(Label("fresh"))
                }
            }
            try store.writeSync { accessor in
                try accessor.insert(Book(30, by: 9))
                try accessor.insert(Book(31, by: 1, editedBy: 9, labels: ToMany([Label("fresh")])))
            }
            let parents = try books(in: store)

            try child.writeSync { accessor in
                try accessor.delete(id: ItemID(rawValue: 9), of: Person.self)
                try accessor.delete(id: "fresh", of: Label.self)
            }
            try expect(
                try books(in: child),
                equals: [
                    "10 by 1, 2: new, old", "11 by 1: new", "12 by 2, 1", "13 by 1, 2: new, old, łong",
                    "14 by 3, 3: old", "31 by 1",
                ])
            let result = try store.merge(child)

            try expect([result.inserted, result.updated, result.deleted], equals: [0, 0, 0])
            try expect(try books(in: store), equals: parents)
            try expect(parents.suffix(2), equals: ["30 by 9", "31 by 1, 9: fresh"])
            try expect(
                try store.item(ItemID(rawValue: 9), of: Person.self)?.name, equals: "The parent's")
        }
        ConformanceCase(
            "An item of the parent that the child did not see goes by the parent's rules", proves: 16, 19
        ) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            try child.writeSync { try $0.insert(Book(30, by: 4)) }
            try store.writeSync { try $0.insert(Book(30, by: 3)) }

            try child.writeSync { accessor in
                try accessor.delete(id: 30, of: Book.self)
                try accessor.delete(id: ItemID(rawValue: 3), of: Person.self)
            }
            let result = try store.merge(child)

            // Cy, with the book of which the child has known, and with the other one.
            try expect(result.deleted, equals: 3)
            try expect(try store.items(Book.all).map(\.id), equals: [10, 11, 12, 13])
        }
        ConformanceCase(
            "An item that went with its last owner stays with that owner, if the policy keeps it", proves: 16,
            19
        ) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                try require(try accessor.mutableItem(id: 10, of: Book.self)).author = ToOne(
                    id: ItemID(rawValue: 2))
                try accessor.delete(id: ItemID(rawValue: 2), of: Person.self)
            }
            try expect(try child.items(Book.all).map(\.id), equals: [11, 13, 14])
            try store.writeSync { accessor in
                try require(try accessor.mutableItem(id: ItemID(rawValue: 2), of: Person.self)).name = "Bob"
            }
            let before = try books(in: store)

            let result = try store.merge(child, policy: .parentWins)

            try expect([result.inserted, result.updated, result.deleted], equals: [0, 0, 0])
            try expect(try books(in: store), equals: before)
            try expect(before[0], equals: "10 by 1, 2: new, old")
        }
        ConformanceCase(
            "A value that both sides have set alike follows the parent from a refresh on", proves: 18, 19
        ) { world in
            let store = try world.openWithRestaurants()
            let child = try store.makeChildDataStore()
            func set(_ seats: Int, in side: any DataStore) throws {
                try side.writeSync { try $0.mutableRestaurant(1).seats = seats }
            }
            for side in [child, store] as [any DataStore] { try set(41, in: side) }
            try child.refresh()
            try expect(child.hasChanges, equals: false)

            // Set back by the child: a change of its own.
            try set(40, in: child)
            try expect(
                try child.stagedChanges.description,
                equals: "updated Restaurant \(ItemID<Restaurant>(rawValue: 1)): seats 41 -> 40")
            try store.merge(child)
            try expect(try store.restaurant(1)?.seats, equals: 40)

            // Beside a value of the child alone.
            try child.writeSync { accessor in
                let restaurant = try accessor.mutableRestaurant(1)
                (restaurant.seats, restaurant.note) = (42, "staged")
            }
            try set(42, in: store)
            try child.refresh()
            try set(43, in: store)
            try expect(try child.restaurant(1)?.seats, equals: 42)
            try child.refresh()
            try expect(try child.restaurant(1)?.seats, equals: 43)
            try expect(try store.merge(child).updated, equals: 1)
            let merged = try require(try store.restaurant(1))
            try expect(merged.seats, equals: 43)
            try expect(merged.note, equals: "staged")
        }
        ConformanceCase("A link that was removed and added again stays unchanged", proves: 15, 18, 19) {
            world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            func change(_ body: @escaping (Mutable<Book>) throws -> Void) throws {
                try child.writeSync { try body(try require(try $0.mutableItem(id: 10, of: Book.self))) }
            }
            try change { book in
                try book.labels.remove(Label("new"))
                try book.labels.add(Label("new"))
            }
            try expect(child.hasChanges, equals: false)
            try expect(try child.stagedChanges.description, equals: "")

            // In an order, it is moved.
            try change { book in
                try book.chapters.remove(Chapter(3))
                try book.chapters.add(Chapter(3))
            }
            try expect(
                try child.stagedChanges.description, equals: "moved Book.chapters: 10 - \(Chapter(3).id)")
            try change { try $0.labels.remove(Label("new")) }
            try expect(
                try child.stagedChanges.description,
                equals: "unlinked Book.labels: 10 - new\nmoved Book.chapters: 10 - \(Chapter(3).id)")
            try expect(try store.merge(child).deleted, equals: 0)
            let book = try require(
                try store.items(Book.where(\.id == 10).prefetching(\.labels, \.chapters)).first)
            try expect(book.labels.items?.map(\.id), equals: ["old"])
            try expect(book.chapters.items?.map(\.id), equals: [1, 2, 3].map { Chapter($0).id })
        }
        ConformanceCase("A link that was removed twice is one change", proves: 15, 18, 19) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            func change(_ side: any DataStore, _ body: (Mutable<Book>) throws -> Void) throws {
                try side.writeSync { try body(try require(try $0.mutableItem(id: 10, of: Book.self))) }
            }
            for side in [child, store] as [any DataStore] {
                try change(side) { try $0.labels.remove(Label("old")) }
            }
            // The parent has it under another identifier then.
            try change(store) { try $0.labels.add(Label("old")) }
            try change(child) { try $0.labels.add(Label("old")) }
            try change(child) { try $0.labels.remove(Label("old")) }

            let changes = try child.stagedChanges
            try expect(changes.unlinked.map(\.target), equals: [.string("old")])
            try expect(changes.description, equals: "unlinked Book.labels: 10 - old")
            try store.merge(child)
            try expect(try LinkFixture.labels(of: 10, in: store), equals: ["new"])
        }
        ConformanceCase("A nested import by an attribute that is not unique is refused", proves: 11) {
            world in
            let store = try Library.open(world)
            let people = ImportMap<Person, String>(by: \.name, from: \.self)
            let books = ImportMap<Book, String>(by: \.id, from: { _ in 10 }) {
                Import(\.author, from: \.self, using: people)
            }

            let error = try expectError(.invalidRequest, writingTo: store) {
                try $0.importItems(from: ["Ada"], using: books)
            }

            try expect(error.itemType, equals: "Person")
            try expect(error.attribute, equals: "name")
            try expect(try store.items(Person.all).map(\.name), equals: ["Ada", "Bo", "Cy", "Di"])
        }
    }

    /// The books with the numbers of their authors and editors, and their labels.
    private static func books(in store: any DataStore) throws -> [String] {
        try store.items(Book.all.prefetching(\.labels)).map { book in
            let editor = book.editor.map { ", \($0.id.rawValue)" } ?? ""
            let labels = (book.labels.items ?? []).map(\.id).sorted().joined(separator: ", ")
            return "\(book.id) by \(book.author.id.rawValue)\(editor)" + (labels.isEmpty ? "" : ": " + labels)
        }
    }
}
