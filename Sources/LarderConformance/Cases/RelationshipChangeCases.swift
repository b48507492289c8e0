import Larder

/// Changes of a reference from its other side: the relationships that are derived from it.
enum RelationshipChangeCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("An item added to an owner refers to it", proves: 4, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let (ada, bob) = (try accessor.libraryPerson(1), try accessor.libraryPerson(2))
                let (first, second) = (try accessor.libraryBook(1), try accessor.libraryBook(2))
                try expect(try bob.books.add(first), "added")
                try expect(try !bob.books.add(id: 1), "there already")
                try expect(try bob.edited.add(ids: [2, 1, 2]), equals: 2)

                try expect(first.author.id, equals: bob.id)
                try expect(first.editor?.id, equals: bob.id)
                try expect(second.author.id, equals: ada.id)
                try expect(second.editor?.id, equals: bob.id)
                try expect(try bob.books.ids(), equals: [1])
                try expect(try ada.books.ids(), equals: [2, 3])
                try expect(try bob.edited.ids(), equals: [1, 2])
            }
            let books = try store.items(Book.all)
            try expect(books.map(\.author.id.rawValue), equals: [2, 1, 1])
            try expect(books.map { $0.editor?.id.rawValue }, equals: [2, 2, nil])
        }
        ConformanceCase("An item removed from its owner refers to none", proves: 4, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let (ada, bob) = (try accessor.libraryPerson(1), try accessor.libraryPerson(2))
                try ada.edited.add(ids: [1, 2, 3])
                let first = try accessor.libraryBook(1)
                try expect(try ada.edited.remove(first), "removed")
                try expect(try !ada.edited.remove(id: 1), "not there")
                try expect(try !bob.edited.remove(id: 2), "another owner's")
                try expect(try !bob.edited.remove(id: 99), "no book")

                try expect(first.editor?.id, equals: nil)
                try expect(try ada.edited.ids(), equals: [2, 3])
                try expect(try ada.edited.removeAll(), equals: 2)
                try expect(try accessor.libraryBook(2).editor?.id, equals: nil)
            }
            try expect(try store.items(Book.all).map { $0.editor?.id.rawValue }, equals: [nil, nil, nil])
        }
        ConformanceCase(
            "An item cannot be removed from an owner that it must have", proves: 3, 15
        ) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let ada = try accessor.libraryPerson(1)
                let error = try expectError(.invalidValue) { try ada.books.remove(id: 1) }
                try expect(error.itemType, equals: "Book")
                try expect(error.attribute, equals: "author")
                try expect(error.identifier, equals: .integer(1))
                try expectError(.invalidValue) { try ada.books.removeAll() }
                try expectError(.invalidValue) { try ada.books.replace(byIDs: [1, 2]) }
                try expect(try ada.books.ids(), equals: [1, 2, 3])
                try expect(try !ada.books.replace(byIDs: [1, 2, 3]), "no change")
                let bob = try accessor.libraryPerson(2)
                try expect(try bob.books.removeAll(), equals: 0)
                try expect(try bob.books.replace(byIDs: [2]), "a change")
            }
            try expect(try store.items(Book.all).map(\.author.id.rawValue), equals: [1, 2, 1])
        }
        ConformanceCase("Replacing frees the items that are left out", proves: 4, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let ada = try accessor.libraryPerson(1)
                let books = try [1, 2, 3].map { try accessor.libraryBook($0) }
                ada.edited = [books[0].item, books[1].item]
                try expect(books.map { $0.editor?.id }, equals: [ada.id, ada.id, nil])
                try expect(try ada.edited.replace(by: [books[2].item, books[1].item]), "a change")
                try expect(books.map { $0.editor?.id }, equals: [nil, ada.id, ada.id])
                ada.edited = []
                try expect(books.map { $0.editor?.id }, equals: [nil, nil, nil])
                try expect(try ada.edited.replace(byIDs: [3]), "a change")
            }
            try expect(try store.items(Book.all).map { $0.editor?.id.rawValue }, equals: [nil, nil, 1])
        }
        ConformanceCase("An item that does not exist cannot be added", proves: 3, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let bob = try accessor.libraryPerson(2)
                let error = try expectError(.itemNotFound) { try bob.books.add(ids: [1, 99]) }
                try expect(error.itemType, equals: "Book")
                try expect(error.identifier, equals: .integer(99))
                try expect(try bob.books.ids(), equals: [])
            }
            try expect(try store.items(Book.all).map(\.author.id.rawValue), equals: [1, 1, 1])
        }
        ConformanceCase("The other side of a one-to-one can be set", proves: 4, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [
                    Passport("a", holder: 1), Passport("b"), Passport("c", holder: 2),
                ])
                let (ada, bob) = (try accessor.libraryPerson(1), try accessor.libraryPerson(2))
                let old = try require(try accessor.mutableItem(id: "a", of: Passport.self))
                let new = try require(try accessor.mutableItem(id: "b", of: Passport.self))
                try expect(try ada.passport.ids(), equals: ["a"])
                try expect(try ada.passport.set(new), "a change")
                try expect(try !ada.passport.set(id: "b"), "no change")
                try expect(old.holder?.id, equals: nil)
                try expect(new.holder?.id, equals: ada.id)
                try expect(try ada.passport.ids(), equals: ["b"])
                try expect(try bob.passport.set(new.item), "a change")
                try expect(new.holder?.id, equals: bob.id)
                try expect(try ada.passport.set(old), "a change")
                bob.passport = nil
                try expect(new.holder?.id, equals: nil)
                try expect(try !bob.passport.set(id: nil), "no change")
                ada.passport = ToOneInverse(id: new.item.id)
            }
            try expect(
                try store.items(Passport.all).map { $0.holder?.id.rawValue }, equals: [nil, 1, nil])
        }
        ConformanceCase("An inserted value takes the items it was given", proves: 4, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let books = try [1, 2, 3].map { try accessor.libraryBook($0) }
                var cleo = Person(3, "Cleo")
                cleo.books = [books[0].item, books[2].item]
                cleo.edited = [books[1].item]
                let handle = try accessor.insert(cleo)
                try expect(books.map(\.author.id.rawValue), equals: [3, 1, 3])
                try expect(books.map { $0.editor?.id.rawValue }, equals: [nil, 3, nil])
                try expect(try handle.books.ids(), equals: [1, 3])

                var people = (10..<1000 as Range<Int64>).map { Person($0) }
                people[500].books = [books[0].item]
                people[989].edited = [books[1].item, books[2].item]
                people[989].passport = ToOneInverse(try accessor.insert(Passport("p", holder: 1)).item)
                try accessor.insert(contentsOf: people)
                try expect(books.map(\.author.id.rawValue), equals: [510, 1, 3])
                try expect(books.map { $0.editor?.id.rawValue }, equals: [nil, 999, 999])
            }
            try expect(try store.items(Book.all).map(\.author.id.rawValue), equals: [510, 1, 3])
            try expect(try store.items(Passport.all).map { $0.holder?.id.rawValue }, equals: [999])
        }
        ConformanceCase("A stored value takes the items it was given", proves: 4, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let books = try [1, 2, 3].map { try accessor.libraryBook($0) }
                var bob = Person(2, "Robert")
                bob.edited = [books[0].item, books[1].item]
                try accessor.upsert(bob)
                bob.edited = [books[1].item, books[2].item]
                let handle = try accessor.update(bob)
                try expect(books.map { $0.editor?.id.rawValue }, equals: [nil, 2, 2])
                try expect(try handle.edited.ids(), equals: [2, 3])

                var ada = Person(1, "Countess")
                ada.edited = [books[2].item]
                ada.books = [books[0].item]
                try expectError(.invalidValue) { try accessor.upsert(ada) }
                try expect(try accessor.libraryPerson(1).name, equals: "Ada")
                try expect(books.map { $0.editor?.id.rawValue }, equals: [nil, 2, 2])
            }
            try expect(try store.items(Person.all).map(\.name), equals: ["Ada", "Robert"])
            try expect(try store.items(Book.all).map { $0.editor?.id.rawValue }, equals: [nil, 2, 2])
        }
        ConformanceCase(
            "A savepoint that fails gives items back to their owners", proves: 3, 4
        ) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let (ada, bob) = (try accessor.libraryPerson(1), try accessor.libraryPerson(2))
                let first = try accessor.libraryBook(1)
                try ada.edited.add(first)
                try expectOwnError {
                    try accessor.savepoint {
                        try bob.books.add(first)
                        try ada.edited.removeAll()
                        try expect(first.author.id, equals: bob.id)
                        try expect(first.editor?.id, equals: nil)
                        throw OwnError()
                    }
                }
                try expect(first.author.id, equals: ada.id)
                try expect(first.editor?.id, equals: ada.id)
            }
            try expect(try store.item(1, of: Book.self)?.author.id.rawValue, equals: 1)
            try expect(try store.item(1, of: Book.self)?.editor?.id.rawValue, equals: 1)
        }
        ConformanceCase(
            "Values set on handles come before a change from the other side", proves: 4
        ) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let (ada, bob) = (try accessor.libraryPerson(1), try accessor.libraryPerson(2))
                let (first, second) = (try accessor.libraryBook(1), try accessor.libraryBook(2))
                first.title = "First"
                first.author = ToOne(bob)
                second.editor = ToOne(ada)
                try expect(try bob.books.ids(), equals: [1])
                try expect(try ada.edited.ids(), equals: [2])
                first.year = 1843
                try ada.books.add(first)
                first.title += "!"
                try expect(first.author.id, equals: ada.id)
            }
            let first = try require(try store.item(1, of: Book.self))
            try expect(first.title, equals: "First!")
            try expect(first.year, equals: 1843)
            try expect(first.author.id.rawValue, equals: 1)
        }
        ConformanceCase("Ten thousand items of one owner", proves: 3, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (1000..<11_000 as Range<Int64>).map { Book($0, by: 1) })
                let bob = try accessor.libraryPerson(2)
                try expect(try bob.edited.add(ids: 1000..<11_000), equals: 10_000)
                try expectError(.itemNotFound) { try bob.edited.replace(byIDs: 999..<2000) }
                try expect(try bob.edited.replace(byIDs: 1000..<2000), "a change")
            }
            let edited = try store.writeSync { try $0.libraryPerson(2).edited.ids() }
            try expect(edited, equals: Array(1000..<2000))
            try expect(try store.count(Book.where(\.editor != nil)), equals: 1000)
            let removed = try store.writeSync { try $0.libraryPerson(2).edited.removeAll() }
            try expect(removed, equals: 1000)
            try expect(try store.count(Book.where(\.editor != nil)), equals: 0)
            // The invariants are checked for each item that is left.
            let deleted = try store.writeSync { try $0.deleteItems(for: Book.where(\.id >= 1000)) }
            try expect(deleted, equals: 10_000)
        }
        ConformanceCase("An item may be its own owner", proves: 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let (ada, bob) = (try accessor.libraryPerson(1), try accessor.libraryPerson(2))
                try expect(try ada.pupils.add(ids: [1, 2].map { ItemID(rawValue: $0) }), equals: 2)
                try expect(ada.mentor?.id, equals: ada.id)
                try expect(bob.mentor?.id, equals: ada.id)
                try expect(try bob.pupils.add(ada), "added")
                try expect(ada.mentor?.id, equals: bob.id)
                try expect(try ada.pupils.ids(), equals: [bob.id])
            }
            try expect(try store.items(Person.all).map { $0.mentor?.id.rawValue }, equals: [2, 1])
        }
        ConformanceCase(
            "Items cannot be added while their type is being read", proves: 4
        ) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let bob = try accessor.libraryPerson(2)
                try accessor.forEachItem(for: Book.where(\.id == 1)) { book in
                    try expectError(.changedDuringIteration) { try bob.books.add(book) }
                    try accessor.libraryLabel("red").books.add(book)
                }
                try expect(try bob.books.ids(), equals: [])
            }
            try LinkFixture.expect(store, labels: ["red"], [], [])
        }
    }
}
