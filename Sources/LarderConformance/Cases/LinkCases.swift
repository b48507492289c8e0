import Larder

/// Links of many-to-many relationships: both sides agree, whichever is changed.
enum LinkCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Both sides show a link that either has added", proves: 4, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let (first, second) = (try accessor.libraryBook(1), try accessor.libraryBook(2))
                let (red, blue) = (try accessor.libraryLabel("red"), try accessor.libraryLabel("blue"))
                try expect(try first.labels.add(red), "a label that was not there")
                try expect(try blue.books.add(id: 1), "a book that was not there")
                try expect(try blue.books.add(second), "a book that was not there")

                try expect(try first.labels.ids(), equals: ["blue", "red"])
                try expect(try second.labels.ids(), equals: ["blue"])
                try expect(try red.books.ids(), equals: [1])
                try expect(try blue.books.ids(), equals: [1, 2])
                try expect(try first.labels.contains(id: "red"), "red on the first book")
                try expect(try !second.labels.contains(id: "red"), "no red on the second book")
            }
            try LinkFixture.expect(store, labels: ["blue", "red"], ["blue"], [])
        }
        ConformanceCase("Both sides lose a link that either has removed", proves: 4, 15) { world in
            let store = try LinkFixture.open(
                world, labels: ["blue", "green", "red"], ["blue", "red"], ["red"])

            try store.writeSync { accessor in
                let (first, red) = (try accessor.libraryBook(1), try accessor.libraryLabel("red"))
                try expect(try first.labels.remove(id: "green"), "a label that was there")
                try expect(try !first.labels.remove(id: "green"), "a label that was not there")
                try expect(try red.books.remove(first), "a book that was there")
                try expect(try !red.books.remove(id: 99), "a book that does not exist")

                try expect(try first.labels.ids(), equals: ["blue"])
                try expect(try red.books.ids(), equals: [2, 3])
            }
            try LinkFixture.expect(store, labels: ["blue"], ["blue", "red"], ["red"])
            let removed = try store.writeSync { try $0.libraryLabel("red").books.removeAll() }
            try expect(removed, equals: 2)
            try LinkFixture.expect(store, labels: ["blue"], ["blue"], [])
            try expect(try store.count(Book.all), equals: 3)
            try expect(try store.count(Label.all), equals: 5)
        }
        ConformanceCase("A link added twice is one link", proves: 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let (book, red) = (try accessor.libraryBook(1), try accessor.libraryLabel("red"))
                try expect(try book.labels.add(red), "added")
                try expect(try !book.labels.add(id: "red"), "there already")
                try expect(try !red.books.add(book), "there already, seen from the other side")
                try expect(try book.labels.add(ids: ["red", "blue", "blue", "green", "red"]), equals: 2)
            }
            try LinkFixture.expect(store, labels: ["blue", "green", "red"], [], [])
            // There was one only.
            try store.writeSync { try expect(try $0.libraryBook(1).labels.remove(id: "red"), "removed") }
            try LinkFixture.expect(store, labels: ["blue", "green"], [], [])
        }
        ConformanceCase("Replacing adds what is missing and removes the rest", proves: 15) { world in
            let store = try LinkFixture.open(world, labels: ["blue", "red"], ["red"], [])

            try store.writeSync { accessor in
                let book = try accessor.libraryBook(1)
                try expect(try book.labels.replace(byIDs: ["red", "white", "green", "red"]), "a change")
                try expect(try !book.labels.replace(byIDs: ["white", "green", "red"]), "no change")
                try expect(try book.labels.ids(), equals: ["green", "red", "white"])
                let red = try accessor.libraryLabel("red")
                try expect(try red.books.replace(by: [try accessor.libraryBook(3).item]), "a change")
            }
            try LinkFixture.expect(store, labels: ["green", "white"], [], ["red"])
        }
        ConformanceCase("A set of links replaces them at once", proves: 4, 5, 15) { world in
            let store = try LinkFixture.open(world, labels: ["blue", "red"], ["white"], ["black"])

            try store.writeSync { accessor in
                let (first, second) = (try accessor.libraryBook(1), try accessor.libraryBook(2))
                first.labels = [
                    try accessor.libraryLabel("green").item, try accessor.libraryLabel("red").item,
                ]
                try expect(try first.labels.ids(), equals: ["green", "red"])
                second.labels = first.labels
                try accessor.libraryBook(3).labels = []
            }
            try LinkFixture.expect(store, labels: ["green", "red"], ["green", "red"], [])
        }
        ConformanceCase("An inserted value brings its links", proves: 4, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let (red, blue) = (Label("red"), Label("blue"))
                let book = try accessor.insert(Book(4, by: 1, labels: [red, blue, red]))
                try expect(try book.labels.ids(), equals: ["blue", "red"])
                book.title = "Four"  // saved without its labels again
                try expect(try book.labels.remove(red), "removed")
                try expect(try accessor.libraryLabel("blue").books.ids(), equals: [4])
                try expect(book.item.title, equals: "Four")
                try accessor.insert(Book(5, by: 1, labels: ToMany(ids: ["red", "blue"])))
            }
            try expect(try LinkFixture.labels(of: 4, in: store), equals: ["blue"])
            try expect(try LinkFixture.labels(of: 5, in: store), equals: ["blue", "red"])
            try expect(try store.item(4, of: Book.self)?.title, equals: "Four")
        }
        ConformanceCase("Values inserted in bulk bring their links", proves: 3, 15) { world in
            let store = try LinkFixture.open(world)
            let labels = ["black", "blue", "green", "red", "white"].map { Label($0) }

            try store.writeSync { accessor in
                try accessor.insert(
                    contentsOf: (100..<1100 as Range<Int64>).lazy.map { id in
                        Book(id, by: 1, labels: ToMany(labels.prefix(Int(id % 6))))
                    })
            }

            try store.writeSync { accessor in
                for id in [100, 101, 255, 355, 356, 1099] as [Int64] {
                    try expect(
                        try accessor.libraryBook(id).labels.ids(),
                        equals: labels.prefix(Int(id % 6)).map(\.id), "labels of book \(id)")
                }
                for (position, label) in labels.enumerated() {
                    let books = (100..<1100 as Range<Int64>).filter { $0 % 6 > position }
                    try expect(try accessor.libraryLabel(label.id).books.ids(), equals: books, label.id)
                }
            }
        }
        ConformanceCase("Links of a value that is refused are not stored", proves: 3, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                try expectError(.duplicateIdentifier) {
                    try accessor.insert(Book(1, by: 1, labels: [Label("red")]))
                }
                try expectError(.duplicateIdentifier) {
                    try accessor.insert(
                        contentsOf: (-300...1 as ClosedRange<Int64>).map {
                            Book($0, by: 1, labels: [Label("red")])
                        })
                }
                try expect(try accessor.libraryLabel("red").books.ids(), equals: [])
                try accessor.insert(Book(4, by: 1, labels: [Label("red")]))
            }
            try expect(
                try store.writeSync { try $0.libraryLabel("red").books.ids() }, equals: [4])
            try expect(try store.count(Book.all), equals: 4)
        }
        ConformanceCase("A stored value that was given links replaces them", proves: 15) { world in
            let store = try LinkFixture.open(
                world, labels: ["blue", "red"], ["blue", "red"], ["blue", "red"])

            try store.writeSync { accessor in
                let first = try accessor.upsert(
                    Book(1, "One", by: 1, labels: [Label("red"), Label("white")]))
                try expect(try first.labels.ids(), equals: ["red", "white"])
                try accessor.update(Book(2, "Two", by: 1, labels: [Label("green")]))
                try accessor.libraryBook(3).replace(by: Book(3, "Three", by: 1, labels: [Label("red")]))
                try accessor.upsert(Book(4, "Four", by: 1, labels: [Label("black")]))
                first.year = 1900  // saved without its labels again
                try expect(try first.labels.add(id: "black"), "added")
            }
            try LinkFixture.expect(store, labels: ["black", "red", "white"], ["green"], ["red"])
            try expect(try LinkFixture.labels(of: 4, in: store), equals: ["black"])
            try expect(try store.items(Book.all).map(\.title), equals: ["One", "Two", "Three", "Four"])
            try expect(try store.items(Book.all).map(\.year), equals: [1900, 0, 0, 0])
        }
        ConformanceCase(
            "A value that was given no links leaves those that there are", proves: 15
        ) { world in
            let store = try LinkFixture.open(world, labels: ["blue", "red"], ["red"], ["white"])

            let books = try store.items(Book.all)
            try store.writeSync { accessor in
                try accessor.upsert(Book(1, "One", by: 1))
                try accessor.update(books[1])
                let third = try accessor.libraryBook(3)
                try third.replace(by: Book(3, "Three", by: 1))
                try expect(try third.labels.ids(), equals: ["white"])
                try expect(try third.labels.add(id: "black"), "added")
            }
            try LinkFixture.expect(store, labels: ["blue", "red"], ["red"], ["black", "white"])
            try expect(try store.items(Book.all).map(\.title), equals: ["One", "", "Three"])
        }
        ConformanceCase("A savepoint that fails undoes its links", proves: 3) { world in
            let store = try LinkFixture.open(world, labels: ["blue", "red"], ["red"], [])

            try store.writeSync { accessor in
                let first = try accessor.libraryBook(1)
                try first.labels.add(id: "green")
                try expectOwnError {
                    try accessor.savepoint {
                        try first.labels.removeAll()
                        try accessor.libraryLabel("white").books.add(id: 1)
                        try accessor.insert(Book(4, by: 1, labels: [Label("red")]))
                        try accessor.libraryBook(2).labels.replace(byIDs: ["black"])
                        throw OwnError()
                    }
                }
                try expect(try first.labels.ids(), equals: ["blue", "green", "red"])
                try expect(try accessor.libraryLabel("red").books.ids(), equals: [1, 2])
            }
            try LinkFixture.expect(store, labels: ["blue", "green", "red"], ["red"], [])
        }
        ConformanceCase(
            "Writes that wait together keep the links of those that succeed", proves: 3
        ) { world in
            let store = try LinkFixture.open(world, labels: ["blue"], [], [])

            let blocks: [@Sendable (DataStoreReadWriteAccessor) throws -> Void] = [
                { try $0.libraryBook(1).labels.add(id: "red") },
                { accessor in
                    try accessor.libraryBook(1).labels.add(id: "white")
                    throw OwnError()
                },
                { try $0.insert(Book(4, by: 1, labels: [Label("red"), Label("blue")])) },
                { accessor in
                    try accessor.insert(Book(5, by: 1, labels: [Label("red")]))
                    throw OwnError()
                },
                { try $0.libraryLabel("red").books.add(ids: [1, 2, 3]) },
                { accessor in
                    try accessor.libraryLabel("red").books.removeAll()
                    throw OwnError()
                },
                { try $0.libraryBook(2).labels.remove(id: "red") },
            ]
            let results = try WaitingWriteCases.results(of: blocks, in: store)

            try expect(
                WaitingWriteCases.codes(results),
                equals: [
                    "stored", "OwnError(number: 1)", "stored", "OwnError(number: 1)", "stored",
                    "OwnError(number: 1)", "stored",
                ])
            try LinkFixture.expect(store, labels: ["blue", "red"], [], ["red"])
            try expect(try LinkFixture.labels(of: 4, in: store), equals: ["blue", "red"])
        }
        ConformanceCase("Ten thousand links of one item", proves: 3, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (1000..<11_000 as Range<Int64>).map { Book($0, by: 1) })
                let red = try accessor.libraryLabel("red")
                try expect(try red.books.add(ids: (1000..<11_000).reversed()), equals: 10_000)
                try expect(try red.books.add(ids: [1500, 1, 2, 3, 9999, 1]), equals: 3)
            }
            try store.writeSync { accessor in
                let red = try accessor.libraryLabel("red")
                try expect(try red.books.ids(), equals: [1, 2, 3] + Array(1000..<11_000))
                try expect(try accessor.libraryBook(7777).labels.ids(), equals: ["red"])
                try expect(try red.books.replace(byIDs: (2000..<12_000).filter { $0 < 11_000 }), "a change")
                try expect(try red.books.ids(), equals: Array(2000..<11_000))
                try expect(try accessor.libraryBook(1999).labels.ids(), equals: [])
                try expect(try red.books.removeAll(), equals: 9000)
                try expect(try red.books.removeAll(), equals: 0)
            }
            try expect(try LinkFixture.labels(of: 7777, in: store), equals: [])
            // The invariants are checked for each item that is left.
            let deleted = try store.writeSync { try $0.deleteItems(for: Book.where(\.id >= 1000)) }
            try expect(deleted, equals: 10_000)
        }
        ConformanceCase("Links are there when the store is opened again", proves: 3, 15) { world in
            _ = try LinkFixture.open(world, labels: ["blue", "red"], ["red"], [])

            let store = try LinkFixture.reopen(world)

            try LinkFixture.expect(store, labels: ["blue", "red"], ["red"], [])
        }
        ConformanceCase(
            "A type that gets a relationship later has no links, and can have some", proves: 15
        ) { world in
            let early = try world.open(EarlyBook.self, EarlyLabel.self)
            try early.writeSync { accessor in
                try accessor.insert(EarlyBook(id: 1))
                try accessor.insert(EarlyLabel(id: "red"))
            }
            let store = try world.reopen(LaterBook.self, EarlyLabel.self)

            try store.writeSync { accessor in
                let book = try require(try accessor.mutableItem(id: 1, of: LaterBook.self))
                try expect(try book.labels.ids(), equals: [])
                try expect(try book.labels.add(id: "red"), "added")
            }
            let labels = try store.writeSync { accessor in
                try accessor.mutableItem(id: 1, of: LaterBook.self)?.labels.ids()
            }
            try expect(labels, equals: ["red"])
        }
        ConformanceCase("Links do not count as items", proves: 15) { world in
            let store = try LinkFixture.open(world, labels: ["blue", "red"], ["red"], [])

            try store.writeSync { try expect(try $0.deleteAllItems(of: Chapter.self), equals: 9) }

            try expect(try store.count(Book.all), equals: 3)
            try expect(try store.count(Label.all), equals: 5)
            try LinkFixture.expect(store, labels: ["blue", "red"], ["red"], [])
        }
        ConformanceCase(
            "A relationship of a handle whose block has ended is refused", proves: 5
        ) { world in
            let store = try LinkFixture.open(world, labels: ["blue"], [], [])
            var kept: Mutable<Book>?

            try store.writeSync { kept = try $0.libraryBook(1) }

            let book = try require(kept)
            try expectError(.accessorExpired) { try book.labels.add(id: "red") }
            try expectError(.accessorExpired) { try book.labels.removeAll() }
            try expectError(.accessorExpired) { _ = try book.labels.ids() }
            try LinkFixture.expect(store, labels: ["blue"], [], [])
        }
        ConformanceCase(
            "A relationship of a deleted item is refused, and its block continues", proves: 5
        ) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let book = try accessor.libraryBook(1)
                try accessor.delete(book)
                try expectError(.itemNotFound) { try book.labels.add(id: "red") }
                try accessor.libraryBook(2).labels.add(id: "red")
            }
            try expect(try LinkFixture.labels(of: 2, in: store), equals: ["red"])
        }
    }
}
