import struct Foundation.UUID
import Larder

/// References lead to items that exist, and no two items hold one end of a one-to-one relationship.
enum GraphRuleCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A reference to an item that does not exist is refused by every call", proves: 3, 15
        ) { world in
            let store = try openWithBook(world)

            try store.writeSync { accessor in
                func refused(_ call: () throws -> Void, line: Int = #line) throws {
                    let error = try expectError(.targetNotFound, line: line, call)
                    try expect(error.itemType, equals: "Book", line: line)
                    try expect(error.attribute, equals: "author", line: line)
                }
                try refused { try accessor.insert(Book(2, by: 99)) }
                try refused {
                    try accessor.insert(contentsOf: (2...600).map { Book($0, by: $0 == 300 ? 99 : 1) })
                }
                try refused { try accessor.upsert(Book(2, by: 99)) }
                try refused { try accessor.upsert(Book(1, by: 99)) }
                try refused { try accessor.update(Book(1, by: 99)) }
                try refused {
                    try accessor.update(Book.all, .set(\.author, to: ToOne(id: ItemID(rawValue: 99))))
                }
                try accessor.insert(Book(3, "Other", by: 2))
            }

            try expect(try store.items(Book.all).map(\.id), equals: [1, 3])
            try expect(
                try store.items(Book.all).map(\.author.id.rawValue), equals: [1, 2])
            try expect(try store.item(1, of: Book.self)?.title, equals: "Notes")
        }
        ConformanceCase(
            "A set of a reference to an item that does not exist dooms its block", proves: 5, 15
        ) { world in
            let store = try openWithBook(world)

            try expectError(.targetNotFound, writingTo: store) { accessor in
                let book = try require(try accessor.mutableItem(id: 1, of: Book.self))
                book.author = ToOne(id: ItemID(rawValue: 99))
            }
            try expectError(.targetNotFound, writingTo: store) { accessor in
                let book = try require(try accessor.mutableItem(id: 1, of: Book.self))
                try book.replace(by: Book(1, by: 1, shelf: 99))
                try expectError(.targetNotFound) { _ = try accessor.countItems(for: Book.all) }
            }
            try expectError(.targetNotFound, writingTo: store) { accessor in
                try accessor.forEachMutableItem(for: Book.all) { book in
                    book.editor = ToOne(id: ItemID(rawValue: 99))
                }
            }
            try store.writeSync { accessor in
                let book = try require(try accessor.mutableItem(id: 1, of: Book.self))
                book.author = ToOne(id: ItemID(rawValue: 99))
                book.author = ToOne(id: ItemID(rawValue: 2))
            }

            let book = try require(try store.item(1, of: Book.self))
            try expect(book.author.id.rawValue, equals: 2)
            try expect(book.editor?.id.rawValue, equals: 2)
            try expect(book.shelf?.id, equals: 1)
        }
        ConformanceCase(
            "The error of a reference names both items", proves: 15
        ) { world in
            let store = try openWithBook(world)

            let error = try expectError(.targetNotFound, writingTo: store) { accessor in
                try accessor.insert(contentsOf: [Book(7, by: 1), Book(8, by: 2, shelf: 44)])
            }
            let other = try expectError(.targetNotFound, writingTo: store) { accessor in
                try accessor.insert(Passport("é", holder: 5))
            }

            try expect(
                error.message,
                equals: "shelf of the Book 8 refers to the Shelf 44, which is not in the store.")
            try expect(error.identifier, equals: .integer(8))
            try expect(
                other.message,
                equals: "holder of the Passport é refers to the Person \(ItemID<Person>(rawValue: 5)), "
                    + "which is not in the store.")
            try expect(other.identifier, equals: .string("é"))
            try expect(other.itemType, equals: "Passport")
            try expect(other.attribute, equals: "holder")
        }
        ConformanceCase(
            "A reference may lead to any item of the same call, and to the item itself", proves: 15
        ) { world in
            let store = try open(world)

            try store.writeSync { accessor in
                // In a ring, so that one of them refers to an item of another part of the call.
                try accessor.insert(contentsOf: (1...600).map { Person($0, mentor: $0 == 600 ? 1 : $0 + 1) })
                try expectError(.targetNotFound) {
                    try accessor.insert(contentsOf: (601...1200).map { Person($0, mentor: $0 + 1) })
                }
                try accessor.insert(Person(2000, mentor: 2000))
                try accessor.upsert(Person(2001, mentor: 2001))
                try expectError(.targetNotFound) { try accessor.insert(Person(2002, mentor: 2003)) }
            }

            try expect(try store.count(Person.all), equals: 602)
            let people = try store.items(Person.where(\.id >= ItemID(rawValue: 600)))
            try expect(people.map { $0.mentor?.id.rawValue ?? -1 }, equals: [1, 2000, 2001])
        }
        ConformanceCase(
            "References are judged by the present state of the block", proves: 4, 15
        ) { world in
            let store = try openWithBook(world)

            try store.writeSync { accessor in
                try accessor.insert(Person(3))
                try accessor.insert(Book(3, by: 3))
                try? accessor.savepoint {
                    try accessor.insert(Person(4))
                    try accessor.insert(Book(4, by: 4))
                    throw OwnError()
                }
                try expectError(.targetNotFound) { try accessor.insert(Book(5, by: 4)) }
                try accessor.delete(id: ItemID<Person>(rawValue: 3))
                try expectError(.targetNotFound) { try accessor.insert(Book(6, by: 3)) }
            }
            try expectError(.targetNotFound, writingTo: store) { try $0.insert(Book(6, by: 3)) }

            try expect(try store.items(Book.all).map(\.id), equals: [1])
            try expect(try store.items(Person.all).map(\.id.rawValue), equals: [1, 2])
        }
        ConformanceCase("A link has an item at both ends", proves: 15) { world in
            let store = try openWithBook(world)
            let labels = try LinkRows("labels", of: Book.self, in: Library.types)
            let chapters = try LinkRows("chapters", of: Book.self, in: Library.types)
            let chapter = Chapter(1)
            let uuid = try Constant(encoding: chapter.id)

            try store.writeSync { accessor in
                try accessor.insert(Label("Fun"))
                try accessor.insert(chapter)
                try labels.insert([(1, .integer(1), .text("Fun"))], accessor)
                try chapters.insert([(1, .integer(1), uuid)], accessor)
                let noTarget = try expectError(.targetNotFound) {
                    try labels.insert([(2, .integer(1), .text("fun"))], accessor)
                }
                try expect(
                    noTarget.message,
                    equals: "labels of the Book 1 refers to the Label fun, which is not in the store.")
                try expectError(.targetNotFound) {
                    try labels.insert([(2, .integer(2), .text("Fun"))], accessor)
                }
                try expectError(.targetNotFound) {
                    try chapters.insert([(2, .integer(1), try Constant(encoding: Chapter(2).id))], accessor)
                }
                try expect(try labels.all(accessor), equals: ["1-\"Fun\""])
                try accessor.delete(id: "Fun", of: Label.self)
                try expect(try labels.all(accessor), equals: [])
                try expect(try chapters.all(accessor).count, equals: 1)
                try accessor.delete(id: 1, of: Book.self)
                try expect(try chapters.all(accessor), equals: [])
            }

            try expect(try store.count(Chapter.all), equals: 0, "chapters, which go with their book")
        }
        ConformanceCase(
            "A one-to-one reference frees the present holder", proves: 4, 15
        ) { world in
            let store = try open(world)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (1...3).map { Person($0) })
                try accessor.insert(contentsOf: [
                    Passport("a", holder: 1), Passport("b"), Passport("c", holder: 3),
                ])
            }

            try store.writeSync { accessor in
                let first = try require(try accessor.mutableItem(id: "a", of: Passport.self))
                let second = try require(try accessor.mutableItem(id: "b", of: Passport.self))
                second.holder = ToOne(id: ItemID(rawValue: 1))
                _ = try accessor.countItems(for: Passport.all)
                try expect(first.holder == nil, "the freed holder in its handle")
                try expect(second.holder?.id.rawValue, equals: 1)
                let new = try accessor.insert(Passport("d", holder: 1))
                try expect(second.holder == nil, "the holder freed by an insert in its handle")
                try accessor.upsert(Passport("a", number: 5, holder: 1))
                try expect(new.holder == nil, "the holder freed by an upsert in its handle")
                try expect(first.number, equals: 5)
                try expectOwnError {
                    try accessor.savepoint {
                        second.holder = ToOne(id: ItemID(rawValue: 1))
                        _ = try accessor.countItems(for: Passport.all)
                        try expect(first.holder == nil, "the freed holder inside a savepoint")
                        throw OwnError()
                    }
                }
                try expect(first.holder?.id.rawValue, equals: 1, "the holder after the savepoint")
                try expect(second.holder == nil, "the other after the savepoint")
            }
            try expect(try holders(store), equals: [1, 0, 3, 0])

            let count = try store.writeSync { accessor in
                try accessor.update(
                    Passport.where(\.id == "d"), .set(\.holder, to: ToOne(id: ItemID(rawValue: 3))))
            }
            try expect(count, equals: 1)
            try expect(try holders(store), equals: [1, 0, 0, 3])

            try store.writeSync { accessor in
                // Both are saved together, so that they change places.
                let first = try require(try accessor.mutableItem(id: "a", of: Passport.self))
                let last = try require(try accessor.mutableItem(id: "d", of: Passport.self))
                (first.holder, last.holder) = (last.holder, first.holder)
            }
            try expect(try holders(store), equals: [3, 0, 0, 1])
        }
        ConformanceCase(
            "If one call sets several holders, the last one stays", proves: 15
        ) { world in
            let store = try open(world)

            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Person(1), Person(2)])
                try accessor.insert(contentsOf: ["a", "b", "c"].map { Passport($0, holder: 1) })
                try accessor.insert(contentsOf: (100...700).map { Passport("\($0)", holder: 2) })
            }
            try expect(try store.items(Passport.where(\.holder != nil)).map(\.id), equals: ["700", "c"])

            try store.writeSync { accessor in
                let count = try accessor.update(
                    Passport.where(\.id < "103"), .set(\.holder, to: ToOne(id: ItemID(rawValue: 1))))
                try expect(count, equals: 3)
            }
            try expect(try store.items(Passport.where(\.holder != nil)).map(\.id), equals: ["102", "700"])
        }
        ConformanceCase(
            "A required one-to-one reference keeps others away until it is given up", proves: 15
        ) { world in
            let store = try world.open(Node.self, Leaf.self)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (1...4).map { Node($0) })
                try accessor.insert(contentsOf: [Leaf("a", of: 1, on: 1), Leaf("b", of: 1, on: 2)])
            }

            try store.writeSync { accessor in
                let error = try expectError(.uniqueViolation) { try accessor.insert(Leaf("c", of: 1, on: 2)) }
                try expect(error.identifier, equals: .string("b"))
                try expect(error.attribute, equals: "seat")
                try expect(error.message, equals: "The item b already has the seat 2.")
                try expectError(.uniqueViolation) {
                    try accessor.insert(contentsOf: [Leaf("c", of: 1, on: 3), Leaf("d", of: 1, on: 3)])
                }
                try accessor.delete(id: "b", of: Leaf.self)
                try accessor.insert(Leaf("c", of: 1, on: 2))
                let first = try require(try accessor.mutableItem(id: "a", of: Leaf.self))
                let third = try require(try accessor.mutableItem(id: "c", of: Leaf.self))
                (first.seat, third.seat) = (third.seat, first.seat)
            }
            try expectError(.uniqueViolation, writingTo: store) { accessor in
                try accessor.mutableItem(id: "a", of: Leaf.self)?.seat = ToOne(id: 1)
            }

            try expect(try store.items(Leaf.all).map(\.seat.id), equals: [2, 1])
        }
        ConformanceCase(
            "References are kept by blocks that wait for one commit", proves: 2, 3, 15
        ) { world in
            let store = try openWithBook(world)

            let blocks: [@Sendable (DataStoreReadWriteAccessor) throws -> Void] = [
                { try $0.insert(Book(2, by: 2)) },
                { try $0.insert(Book(3, by: 3)) },
                { try $0.insert(Person(3)) },
                { try $0.insert(Book(4, by: 3)) },
                { accessor in try accessor.mutableItem(id: 2, of: Book.self)?.shelf = ToOne(id: 9) },
                { try $0.insert(contentsOf: [Passport("a", holder: 1), Passport("b", holder: 1)]) },
                { accessor in
                    try accessor.insert(Passport("c", holder: 1))
                    throw OwnError()
                },
                { try $0.insert(Book(5, by: 1)) },
            ]
            let results = try WaitingWriteCases.results(of: blocks, in: store)

            try expect(
                WaitingWriteCases.codes(results),
                equals: [
                    "stored", "targetNotFound", "stored", "stored", "targetNotFound", "stored",
                    "OwnError(number: 1)", "stored",
                ])
            try expect(try store.items(Book.all).map(\.id), equals: [1, 2, 4, 5])
            try expect(try holders(store), equals: [0, 1])
        }
    }

    static func open(_ world: ConformanceWorld) throws -> any DataStore {
        try world.open(Person.self, Passport.self, Book.self, Label.self, Shelf.self, Chapter.self)
    }

    static func openWithBook(_ world: ConformanceWorld) throws -> any DataStore {
        let store = try open(world)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Person(1, "Ada"), Person(2, "Bea", mentor: 1)])
            try accessor.insert(Shelf(1))
            try accessor.insert(Book(1, "Notes", by: 1, editedBy: 2, shelf: 1))
        }
        return store
    }
}

// MARK: One-to-one

extension GraphRuleCases {
    private static func holders(_ store: any DataStore) throws -> [Int64] {
        try store.items(Passport.all).map { $0.holder?.id.rawValue ?? 0 }
    }
}
