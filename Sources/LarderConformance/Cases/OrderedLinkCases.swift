import struct Foundation.UUID
import Larder

/// Links in an order that the app decides.
enum OrderedLinkCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Items are added at the end of their order", proves: 8, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let book = try accessor.libraryBook(1)
                try expect(try book.chapters.add(Chapter(5)), "added")
                try expect(try book.chapters.add(contentsOf: chapters([9, 1, 9, 5, 7])), equals: 3)
                try expect(try !book.chapters.add(Chapter(5)), "there already")
                try expect(try order(book), equals: [5, 9, 1, 7])
                try expect(try book.chapters.remove(Chapter(9)), "removed")
                try expect(try book.chapters.add(Chapter(9)), "added again")
            }
            try expect(try stored(1, store), equals: [5, 1, 7, 9])
        }
        ConformanceCase("Items can be inserted at every position", proves: 8, 15) { world in
            let store = try LinkFixture.open(world)

            for position in 0...4 {
                try store.writeSync { accessor in
                    let book = try accessor.libraryBook(1)
                    try book.chapters.replace(by: chapters([1, 2, 3, 4]))
                    try expect(try book.chapters.insert(Chapter(9), at: position), "inserted")
                    var expected: [UInt8] = [1, 2, 3, 4]
                    expected.insert(9, at: position)
                    try expect(try order(book), equals: expected, "order after an insertion at \(position)")
                    // There already, and so moved.
                    try expect(
                        try book.chapters.insert(Chapter(9), at: 0) == (position > 0), "moved if elsewhere")
                    try expect(try order(book), equals: [9, 1, 2, 3, 4])
                }
            }
            try expect(try stored(1, store), equals: [9, 1, 2, 3, 4])
        }
        ConformanceCase("Items can be moved from every position to every other", proves: 8, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let book = try accessor.libraryBook(1)
                for start in 0..<6 {
                    for end in 0..<6 {
                        let numbers: [UInt8] = [1, 2, 3, 4, 5, 6]
                        try book.chapters.replace(by: chapters(numbers))
                        var expected = numbers
                        expected.insert(expected.remove(at: start), at: end)
                        try expect(try book.chapters.move(from: start, to: end) == (start != end), "moved")
                        try expect(
                            try order(book), equals: expected, "order after a move of \(start) to \(end)")
                        try book.chapters.replace(by: chapters(numbers))
                        try expect(
                            try book.chapters.move(Chapter(numbers[start]), to: end) == (start != end),
                            "moved")
                        try expect(
                            try order(book), equals: expected, "order after a move of \(start) to \(end)")
                    }
                }
                try expect(try !book.chapters.move(Chapter(9), to: 0), "a chapter that is not there")
            }
        }
        ConformanceCase(
            "Random insertions, moves and removals keep the order of an array", proves: 8
        ) { world in
            let store = try LinkFixture.open(world)
            var numbers = RandomSteps()

            try store.writeSync { accessor in
                let book = try accessor.libraryBook(2)
                try accessor.insert(contentsOf: (10...60 as ClosedRange<UInt8>).map { Chapter($0) })
                var expected: [UInt8] = []
                for step in 0..<600 {
                    let number = UInt8(1 + numbers.next(below: 60))
                    let present = expected.firstIndex(of: number)
                    let position = numbers.next(below: expected.count + (present == nil ? 1 : 0))
                    switch (numbers.next(below: 5), present) {
                    case (0, let present?):
                        try book.chapters.remove(Chapter(number))
                        expected.remove(at: present)
                    case (_, nil):
                        try book.chapters.insert(Chapter(number), at: position)
                        expected.insert(number, at: position)
                    case (_, let present?):
                        try book.chapters.move(Chapter(number), to: position)
                        expected.insert(expected.remove(at: present), at: position)
                    }
                    if step % 20 == 0 {
                        try expect(try order(book), equals: expected, "order after step \(step)")
                    }
                }
                try expect(try order(book), equals: expected)
            }
        }
        ConformanceCase("A position outside is refused and changes nothing", proves: 3, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let book = try accessor.libraryBook(1)
                try expectError(.invalidRequest) { try book.chapters.insert(Chapter(1), at: 1) }
                try book.chapters.add(contentsOf: chapters([1, 2, 3]))
                try expectError(.invalidRequest) { try book.chapters.insert(Chapter(4), at: 4) }
                try expectError(.invalidRequest) { try book.chapters.insert(Chapter(4), at: -1) }
                try expectError(.invalidRequest) { try book.chapters.move(from: 3, to: 0) }
                try expectError(.invalidRequest) { try book.chapters.move(from: -1, to: 0) }
                try expectError(.invalidRequest) { try book.chapters.move(from: 0, to: -1) }
                try expectError(.invalidRequest) { try book.chapters.move(Chapter(1), to: 4) }
                try expect(try order(book), equals: [1, 2, 3])
            }
            try expect(try stored(1, store), equals: [1, 2, 3])
        }
        ConformanceCase("An inserted value brings its order", proves: 8, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let book = try accessor.insert(
                    Book(4, by: 1, labels: [Label("red")], chapters: OrderedToMany(chapters([3, 1, 2, 3]))))
                try expect(try order(book), equals: [3, 1, 2])
                try accessor.insert(
                    contentsOf: (10..<600 as Range<Int64>).map { id in
                        Book(id, by: 1, chapters: OrderedToMany(chapters([9, UInt8(id % 8) + 1])))
                    })
                try accessor.upsert(Book(1, by: 1, chapters: OrderedToMany(chapters([2, 1]))))
                try accessor.update(
                    Book(4, by: 1, chapters: OrderedToMany(ids: chapters([1, 2, 3]).map(\.id))))
            }
            try expect(try stored(4, store), equals: [1, 2, 3])
            try expect(try stored(1, store), equals: [2, 1])
            try expect(try stored(10, store), equals: [9, 3])
            try expect(try stored(599, store), equals: [9, 8])
            try expect(try LinkFixture.labels(of: 4, in: store), equals: ["red"])
        }
        ConformanceCase("Replacing takes over the order", proves: 8, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let book = try accessor.libraryBook(1)
                try expect(try book.chapters.replace(by: chapters([1, 2, 3, 4])), "a change")
                try expect(try book.chapters.replace(by: chapters([4, 2, 9, 1])), "a change")
                try expect(try order(book), equals: [4, 2, 9, 1])
                try expect(try !book.chapters.replace(by: chapters([4, 2, 9, 1])), "no change")
                try expect(
                    try book.chapters.replace(by: chapters([4, 9, 2, 1])), "a change of the order alone")
                book.chapters = OrderedToMany(chapters([7, 4, 9]))
            }
            try expect(try stored(1, store), equals: [7, 4, 9])
        }
        ConformanceCase(
            "Items inserted between the last two, hundreds of times, keep their order", proves: 8
        ) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let book = try accessor.libraryBook(1)
                try accessor.insert(contentsOf: (10...255 as ClosedRange<UInt8>).map { Chapter($0) })
                try book.chapters.add(contentsOf: chapters([1, 2]))
                var (low, high): ([UInt8], [UInt8]) = ([1], [2])
                for number in 3...255 as ClosedRange<UInt8> {
                    try book.chapters.insert(Chapter(number), at: low.count)
                    if number.isMultiple(of: 2) { low.append(number) } else { high.append(number) }
                }
                try expect(try order(book), equals: low + high.reversed())
                // There is room again, at the same place and elsewhere.
                try book.chapters.move(from: 0, to: low.count)
                try expect(
                    try order(book),
                    equals: low.dropFirst() + [high[high.count - 1], 1] + high.reversed().dropFirst())
            }
        }
        ConformanceCase("Ten thousand items in an order", proves: 8, 15) { world in
            let store = try world.open(OrderedOwner.self, Keyed<Int64>.self)

            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (0..<10_000 as Range<Int64>).map { Keyed($0) })
                try accessor.insert(OrderedOwner(id: "all"))
            }
            try store.writeSync { accessor in
                let owner = try require(try accessor.mutableItem(id: "all", of: OrderedOwner.self))
                try expect(try owner.items.add(ids: (0..<10_000).reversed()), equals: 10_000)
                try expect(try owner.items.ids(), equals: (0..<10_000).reversed())
                try expect(try owner.items.move(from: 9_999, to: 0), "moved")
                try expect(try owner.items.move(id: 9_999, to: 5_000), "moved")
                let expected: [Int64] = [0] + (5000..<9999).reversed() + [9999] + (1..<5000).reversed()
                try expect(try owner.items.ids(), equals: expected)
                try expect(try owner.items.replace(byIDs: 0..<10_000), "a change")
            }
            let ids = try store.writeSync { accessor in
                try accessor.mutableItem(id: "all", of: OrderedOwner.self)?.items.ids()
            }
            try expect(ids, equals: Array(0..<10_000))
            // The invariants are checked for each item that is left.
            try store.writeSync { accessor in
                try accessor.mutableItem(id: "all", of: OrderedOwner.self)?.items.replace(byIDs: [7])
                try accessor.deleteItems(for: Keyed<Int64>.where(\.id != 7))
            }
        }
        ConformanceCase("A savepoint that fails undoes its moves", proves: 3, 8) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                let book = try accessor.libraryBook(1)
                try book.chapters.add(contentsOf: chapters([1, 2, 3]))
                try expectOwnError {
                    try accessor.savepoint {
                        try book.chapters.move(from: 2, to: 0)
                        try book.chapters.insert(Chapter(9), at: 1)
                        try book.chapters.remove(Chapter(2))
                        throw OwnError()
                    }
                }
                try expect(try order(book), equals: [1, 2, 3])
            }
            try expect(try stored(1, store), equals: [1, 2, 3])
        }
        ConformanceCase("An order of its own for each item", proves: 8, 15) { world in
            let store = try LinkFixture.open(world)

            try store.writeSync { accessor in
                try accessor.libraryBook(1).chapters.add(contentsOf: chapters([1, 2, 3]))
                try accessor.libraryBook(2).chapters.add(contentsOf: chapters([3, 1]))
                try accessor.libraryBook(3).chapters.insert(Chapter(2), at: 0)
                try accessor.libraryBook(2).chapters.insert(Chapter(2), at: 1)
                try accessor.libraryBook(1).chapters.move(from: 0, to: 2)
            }
            try expect(try stored(1, store), equals: [2, 3, 1])
            try expect(try stored(2, store), equals: [3, 2, 1])
            try expect(try stored(3, store), equals: [2])
        }
        ConformanceCase("The order is there when the store is opened again", proves: 3, 8) { world in
            var store = try LinkFixture.open(world)

            try store.writeSync { try $0.libraryBook(1).chapters.add(contentsOf: chapters([3, 1, 2])) }
            store = try LinkFixture.reopen(world)
            try expect(try stored(1, store), equals: [3, 1, 2])
        }
    }

    private static func chapters(_ numbers: [UInt8]) -> [Chapter] { numbers.map { Chapter($0) } }

    /// The chapters of a book by their numbers.
    private static func order(_ book: Mutable<Book>) throws -> [UInt8] {
        try book.chapters.ids().map { $0.uuid.15 }
    }

    private static func stored(_ id: Int64, _ store: any DataStore) throws -> [UInt8] {
        try store.writeSync { try order(try $0.libraryBook(id)) }
    }
}

/// The same steps in each run, on every engine.
private struct RandomSteps {
    private var state: UInt64 = 20_261_122

    mutating func next(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(max(1, bound)))
    }
}

/// Items in an order whose identifiers are text.
private struct OrderedOwner: DataStoreItem {
    let id: String
    var items: OrderedToMany<Keyed<Int64>>

    struct Attributes: StoredAttributes {
        let id = Attribute<OrderedOwner, String>(column: 0)
        let items = RelationshipAttribute<OrderedOwner, OrderedToMany<Keyed<Int64>>>(number: 0)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema(
        "OrderedOwner", attributes: [.attribute("id", String.self)],
        relationships: [.relationship("items", OrderedToMany<Keyed<Int64>>.self)])

    init(id: String) {
        self.id = id
        items = .notGiven
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        items = try row.value(atRelationship: 0, of: OrderedOwner.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(items, atRelationship: 0)
    }
}
