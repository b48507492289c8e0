import struct Foundation.UUID
import Larder

/// References and links that lead to items that are gone: of `.noAction`, and in children whose parent has deleted them.
enum DanglingCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "The identifier after a reference is what the reference holds, even if its item is gone",
            proves: 6, 17
        ) { world in
            let store = try world.open(Node.self, Leaf.self)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [
                    Node(1, \.friend, 1), Node(2, \.shadow, 1), Node(3, \.shadow, 9), Node(4),
                    Node(9, weight: 7),
                ])
                try accessor.delete(id: 9, of: Node.self)
            }
            let shadow = RelationshipReference.column(5)

            try expect(
                [
                    (\.shadow.id == 9, [3]), (\.shadow.id != 9, [1, 2, 4]), (\.shadow.weight == 7, []),
                    (\.shadow.weight != 7, [1, 2, 3, 4]), (.isIn(\.shadow.id, [9, 1]), [2, 3]),
                    (\.shadow.id >= 5 && \.shadow.id <= 20, [3]), (.between(\.shadow.id, 5...20), [3]),
                    (!.between(\.shadow.id, 5...20), [1, 2, 4]),
                    (\.shadow.id == \.shadow.friend.id, [1, 2, 4]), (\.shadow.id != \.shadow.friend.id, [3]),
                    (\.shadow.id * 2 == 18, [3]),
                    (
                        Filter<Node>(
                            .related(
                                shadow, .reference,
                                .all([
                                    .compare(column: 0, .greaterOrEqual, .integer(5)),
                                    .compare(column: 1, .notEqual, .integer(7)),
                                ]))), [3]
                    ),
                    (
                        Filter<Node>(
                            .related(
                                shadow, .reference,
                                .not(
                                    .any([
                                        .compare(column: 0, .equal, .integer(1)),
                                        .compare(column: 1, .equal, .integer(7)),
                                    ])))), [1, 3, 4]
                    ),
                ] as [(Filter<Node>, [Int64])], in: store)
            try expect(Node.all.sorted(by: \.shadow.id), gives: [1, 4, 2, 3], in: store)
        }
        ConformanceCase(
            "After a reference of a child to an item that its parent has deleted, every attribute is nil",
            proves: 6, 8, 17, 18
        ) { world in
            // Bob's own book is gone with him, and book 10 has him as its editor in the child.
            let child = try childWithoutBob(world)
            let bob = SmallLibrary.people[1].id

            try expect(
                [
                    (\.editor == ToOne(id: bob), [10]), (\.editor.id == bob, [10]),
                    (\.editor.name == "Bob", []),
                    (\.editor.name != "Bob", [10, 20, 40, 50, 60]),
                    (\.editor.name != "Cy", [10, 20, 50, 60]),
                    (\.editor.mentor == nil, [10, 20, 40, 50, 60]), (\.editor.mentor != nil, []),
                    (\.editor == nil, [20, 50, 60]), (\.editor.books.count == 0, [10, 20, 50, 60]),
                    (.none(\.editor.books), [10, 20, 50, 60]), (.any(\.editor.books, \.year == 2010), [40]),
                ] as [(Filter<Book>, [Int64])], in: child)
            let sorted = Book.all.sorted(by: \.editor.name)
            try expect(sorted, gives: [10, 20, 50, 60, 40], in: child)
            try expect(sorted.limit(2), gives: [10, 20], in: child)
            try expect(Book.all.sorted(by: \.editor.id), gives: [20, 50, 60, 10, 40], in: child)
        }
        ConformanceCase(
            "A window of a related order of a child has the items that the whole order has", proves: 8, 18
        ) { world in
            let child = try childWithoutBob(world, books: 140)
            let orders: [DataStoreRequest<Book>] = [
                Book.all.sorted(by: \.editor.name), Book.all.sorted(by: \.editor.name, .descending),
                Book.all.sorted(by: \.editor.name).sorted(by: \.title, .descending),
                Book.all.sorted(by: \.editor.name, .descending).sorted(by: \.title).sorted(
                    by: \.year, .descending),
                Book.where(\.id < 1050).sorted(by: \.editor.name), Book.all.sorted(by: \.author.name),
                Book.where(\.editor.name > "B").sorted(by: \.editor.name).sorted(by: \.title),
                Book.where(\.editor.name != "Cy").sorted(by: \.editor.name, .descending),
            ]

            for order in orders {
                let whole = try child.read { try $0.ids(for: order) }
                for (offset, limit) in [(0, 1), (0, 30), (13, 20), (20, 60), (110, 60), (whole.count, 3)] {
                    let window = Array(whole.dropFirst(offset).prefix(limit))
                    try expect(order.offset(offset).limit(limit), gives: window, in: child)
                }
                var paged: [Int64] = []
                var last: Book?
                while true {
                    let page = try child.read { try $0.page(of: order, after: last, size: 17) }
                    paged += page.items.map(\.id)
                    last = page.items.last
                    if !page.hasMore { break }
                }
                try expect(paged, equals: whole)
            }
        }
        ConformanceCase(
            "Links of a child to items that its parent has deleted lead to none", proves: 15, 17, 18
        ) { world in
            let store = try world.openSmallLibrary()
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                try accessor.libraryBook(60).labels.add(ids: ["unused", "blue"])
                try accessor.libraryBook(30).labels.add(ids: ["unused"])
            }
            try store.writeSync { try $0.delete(id: "unused", of: Label.self) }
            let last = try require(try child.item(60, of: Book.self)).labels.request
            let none = try require(try child.item(30, of: Book.self)).labels.request

            let read = try child.items(Book.where(\.id == 60).prefetching(\.labels))
            try expect(read.map { $0.labels.items?.map(\.id) }, equals: [["blue"]])
            for (request, ids) in [(last, ["blue"]), (none, [])] {
                try expect(try child.items(request).map(\.id), equals: ids)
                try expect(try child.count(request), equals: ids.count)
                try expect(try child.read { try $0.contains(request) }, equals: !ids.isEmpty)
                for window in [request.limit(1), request.limit(2), request.sorted(by: \.rank).limit(2)] {
                    try expect(try child.items(window).map(\.id), equals: ids)
                    try expect(try child.count(window), equals: ids.count)
                    try child.read { try expect(try $0.aggregate(window, .count), equals: ids.count) }
                }
                try expect(try child.count(request.offset(1)), equals: 0)
            }
            try expect(
                [
                    (.any(\.labels), [10, 20, 40, 50, 60]), (.none(\.labels), [30]),
                    (\.labels.count == 0, [30]),
                    (\.labels.count == 1, [20, 50, 60]), (\.labels.count > 1, [10, 40]),
                    (.any(\.labels, \.id == "unused"), []),
                    (.none(\.labels, \.id == "blue"), [10, 20, 30]),
                    (.all(\.labels, \.id == "blue"), [30, 50, 60]),
                ] as [(Filter<Book>, [Int64])], in: child)
        }
        ConformanceCase(
            "Links in an order of a child to items that its parent has deleted lead to none", proves: 8, 15,
            18
        ) { world in
            let store = try world.openSmallLibrary()
            let child = try store.makeChildDataStore()
            let chapters = SmallLibrary.chapters
            try store.writeSync { _ = try $0.insert(Chapter(9, "Gone")) }
            try child.writeSync { accessor in
                let book = try accessor.libraryBook(30)
                try book.chapters.insert(Chapter(9), at: 1)
            }
            try store.writeSync { try $0.delete(Chapter(9)) }
            let request = try require(try child.item(30, of: Book.self)).chapters.request
            let all = [chapters[1], chapters[2]].map(\.title)

            try expect(try child.items(request).map(\.title), equals: all)
            try expect(try child.count(request), equals: 2)
            for (offset, limit) in [(0, 1), (0, 2), (1, 1), (1, 5), (2, 1)] {
                let window = Array(all.dropFirst(offset).prefix(limit))
                let request = request.offset(offset).limit(limit)
                try expect(try child.items(request).map(\.title), equals: window)
                try expect(try child.count(request), equals: window.count)
                try expect(try child.read { try $0.maximum(\.title, for: request) }, equals: window.max())
                let filtered = request.filter(\.title != "")
                try expect(try child.items(filtered).map(\.title), equals: window)
            }
            try expect(Book.where(\.chapters.count == 2), gives: [10, 30], in: child)
        }
        ConformanceCase(
            "Positions in an order count the items that are there, not those that the parent has deleted",
            proves: 8, 15, 18
        ) { world in
            typealias Chapters = RelationshipEditor<Book, OrderedToMany<Chapter>>
            let store = try LinkFixture.open(world)
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                let chapters = [7, 1, 8, 2, 9, 4, 7].map { Chapter($0) }
                try accessor.libraryBook(1).chapters.add(contentsOf: chapters)
            }
            try store.writeSync { _ = try $0.delete([Chapter(7), Chapter(8), Chapter(9)]) }
            let changes: [((Chapters) throws -> Bool, order: [UInt8])] = [
                ({ try $0.insert(Chapter(6), at: 0) }, [6, 1, 2, 4]),
                ({ try $0.insert(Chapter(6), at: 1) }, [1, 6, 2, 4]),
                ({ try $0.insert(Chapter(6), at: 2) }, [1, 2, 6, 4]),
                ({ try $0.insert(Chapter(6), at: 3) }, [1, 2, 4, 6]),
                ({ try $0.move(Chapter(4), to: 0) }, [4, 1, 2]),
                ({ try $0.move(Chapter(4), to: 1) }, [1, 4, 2]),
                ({ try $0.move(Chapter(1), to: 2) }, [2, 4, 1]),
                ({ try $0.move(from: 2, to: 1) }, [1, 4, 2]),
                ({ try $0.move(from: 0, to: 1) }, [2, 1, 4]),
                ({ try $0.add(Chapter(6)) }, [1, 2, 4, 6]),
            ]

            try child.writeSync { accessor in
                let book = try accessor.libraryBook(1)
                for (position, (change, order)) in changes.enumerated() {
                    try expectOwnError {
                        try accessor.savepoint {
                            try expect(try change(book.chapters), "change \(position)")
                            let ids = try book.chapters.ids().map(\.uuid.15)
                            try expect(ids, equals: order, "order after change \(position)")
                            throw OwnError()
                        }
                    }
                }
                try expect(try !book.chapters.contains(id: Chapter(8).id), "a chapter that is gone")
                try expect(try book.chapters.contains(id: Chapter(2).id), "a chapter that is there")
                try expectError(.invalidRequest) { try book.chapters.insert(Chapter(6), at: 4) }
                try expectError(.invalidRequest) { try book.chapters.move(Chapter(1), to: 4) }
                try expectError(.invalidRequest) { try book.chapters.move(from: 3, to: 0) }
            }
        }
    }

    /// A child with a book whose editor, Bob, its parent has deleted.
    private static func childWithoutBob(_ world: ConformanceWorld, books: Int64 = 0) throws -> any DataStore {
        let store = try world.openSmallLibrary()
        let edited = SmallLibrary.people.map(\.id.rawValue).filter { $0 != 2 }
        try store.writeSync { accessor in
            try accessor.insert(
                contentsOf: (0..<books).map { number in
                    let editor = number % 7 == 0 ? nil : number % 5 == 0 ? 2 : edited[Int(number % 4)]
                    return Book(1000 + number, "\(number % 3)", by: 1, editedBy: editor, year: Int(number))
                })
        }
        let child = try store.makeChildDataStore()
        try child.writeSync { accessor in
            try accessor.update(Book.where(\.editor.name == "Bob"), .set(\.shelf, to: nil))
        }
        try store.writeSync { try $0.delete(id: ItemID(rawValue: 2), of: Person.self) }
        return child
    }
}
