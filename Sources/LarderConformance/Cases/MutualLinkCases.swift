import Larder

/// Items of one call that are given to each other, from both ends of a relationship.
enum MutualLinkCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Items of one call that are given to each other are linked once", proves: 15) {
            world in
            let store = try LinkFixture.open(world)
            let labels = [4, 5].map { (book: Int64) in
                var label = Label("new \(book)")
                label.books = ToMany(ids: [book])
                return label
            }

            try store.writeSync { accessor in
                let book = try accessor.insert(Book(4, by: 1, labels: [labels[0]]), with: [labels[0]])
                try expect(try book.labels.ids(), equals: ["new 4"])
                // The label comes first.
                try accessor.insert(labels[1], with: [Book(5, by: 1, labels: [labels[1]])])
                try expect(try accessor.libraryLabel("new 5").books.ids(), equals: [5])
            }

            for id in [4, 5] as [Int64] {
                try expect(try LinkFixture.labels(of: id, in: store), equals: ["new \(id)"])
                // There was one only.
                try store.writeSync {
                    try expect(try $0.libraryBook(id).labels.remove(id: "new \(id)"), "removed")
                }
                try expect(try LinkFixture.labels(of: id, in: store), equals: [])
            }
        }
        ConformanceCase("Items of one type that are given to each other are linked once", proves: 8, 15) {
            world in
            let store = try world.open(Peer.self)
            let peers = [
                Peer(1, followed: [1, 2], followers: [1, 3], rankedBy: [1, 2], ranked: [3, 1, 2]),
                Peer(2, followed: [], followers: [1], rankedBy: [1], ranked: [1]),
                Peer(3, followed: [1], followers: [], rankedBy: [1], ranked: []),
            ]
            let others = (1000..<1300).map { Peer($0) }
            let writes: [(DataStoreReadWriteAccessor, [Peer]) throws -> Void] = [
                { try $0.insert(contentsOf: $1) }, { _ = try $0.upsert(contentsOf: $1) },
                { _ = try $0.insert($1[0], with: Array($1.dropFirst())) },
            ]

            for write in writes {
                for isReversed in [false, true] {
                    let list: [Peer] = isReversed ? peers.reversed() : peers
                    // Next to each other and hundreds apart.
                    for between in [[], others] {
                        try store.writeSync { accessor in
                            try accessor.deleteAllItems(of: Peer.self)
                            try write(accessor, [list[0]] + between + [list[1], list[2]])
                        }
                        try store.writeSync { accessor in
                            try expect(try ids(1, accessor), equals: [[1, 2], [1, 3], [1, 2], [3, 1, 2]])
                            try expect(try ids(2, accessor), equals: [[], [1], [1], [1]])
                            try expect(try ids(3, accessor), equals: [[1], [], [1], []])
                            let first = try require(try accessor.mutableItem(id: 1, of: Peer.self))
                            try expect(try first.followed.remove(id: 2), "removed")
                            try expect(try first.ranked.remove(id: 1), "removed")
                            try expect(try ids(1, accessor), equals: [[1], [1, 3], [2], [3, 2]])
                        }
                    }
                }
            }
        }
        ConformanceCase(
            "Items of one type are given to each other in the order of their sources", proves: 15
        ) { world in
            struct Source: Sendable {
                let id: Int
                var followed: [Int]?
                var followers: [Int]?
            }
            let store = try world.open(Peer.self)
            let map = ImportMap<Peer, Source>(by: \.id, from: \.id) {
                Import(\.followed, by: \.id, from: { $0.followed })
                Import(\.followers, by: \.id, from: { $0.followers })
            }
            let sources = [
                Source(id: 1, followed: [2]), Source(id: 2, followers: [1, 3]), Source(id: 1, followed: []),
            ]
            let others = (1000..<1300).map { Source(id: $0) }
            let writes: [(DataStoreReadWriteAccessor, [Source]) throws -> Void] = [
                { _ = try $0.upsert(contentsOf: $1.map { Peer($0.id, $0.followed, $0.followers) }) },
                { _ = try $0.importItems(from: $1, using: map) },
            ]

            for write in writes {
                // Next to each other and hundreds apart.
                for between in [[], others] {
                    try store.writeSync { accessor in
                        try accessor.deleteAllItems(of: Peer.self)
                        try accessor.insert(contentsOf: [Peer(1), Peer(2), Peer(3)])
                        try write(accessor, [sources[0]] + between + sources[1...])
                        try expect(try ids(1, accessor), equals: [[], [], [], []])
                        try expect(try ids(2, accessor), equals: [[], [3], [], []])
                        try expect(try ids(3, accessor), equals: [[2], [], [], []])
                    }
                }
            }
        }
        ConformanceCase("A new item keeps what its call gave it from the other end", proves: 15) { world in
            let store = try LinkFixture.open(world)
            var id: Int64 = 10
            for own in [["red"], []] {
                for isBookFirst in [false, true] {
                    id += 1
                    let name = "x \(id)"
                    var label = Label(name)
                    label.books = ToMany(ids: [id])
                    let book = Book(id, by: 1, labels: ToMany(ids: own))
                    try store.writeSync { accessor in
                        if isBookFirst {
                            _ = try accessor.insert(book, with: [label])
                        } else {
                            _ = try accessor.insert(label, with: [book])
                        }
                    }
                    try expect(try LinkFixture.labels(of: id, in: store), equals: own + [name])
                }
            }
        }
        ConformanceCase(
            "A new item has its own items first, then what its call gave it from the other end",
            proves: 8, 15
        ) { world in
            struct Source: Sendable {
                let id: Int
                var followed: [Source] = []
                var ranked: [Int] = []
            }
            let store = try world.open(Peer.self)
            let peers = [
                Peer(1, followed: [], followers: [2], rankedBy: [2], ranked: []),
                Peer(2, followed: [3], followers: [], rankedBy: [], ranked: [3]), Peer(3),
            ]
            let nested = ImportMap<Peer, Source>(by: \.id, from: \.id) {
                Import(\.rankedBy, by: \.id, from: \.ranked)
            }
            let map = ImportMap<Peer, Source>(by: \.id, from: \.id) {
                Import(\.followed, from: \.followed, using: nested)
                Import(\.ranked, by: \.id, from: \.ranked)
            }

            for isReversed in [false, true] {
                let list: [Peer] = isReversed ? peers.reversed() : peers
                for isUpserted in [false, true] {
                    try store.writeSync { accessor in
                        try accessor.deleteAllItems(of: Peer.self)
                        if isUpserted {
                            _ = try accessor.upsert(contentsOf: list)
                        } else {
                            try accessor.insert(contentsOf: list)
                        }
                    }
                    try store.writeSync { accessor in
                        try expect(try ids(1, accessor), equals: [[], [2], [2], []])
                        try expect(try ids(2, accessor), equals: [[1, 3], [], [], [3, 1]])
                        try expect(try ids(3, accessor), equals: [[], [2], [2], []])
                    }
                }
            }
            for (id, ranked) in [(10, [3]), (20, [])] as [(Int, [Int])] {
                // The nested one names the one around it, before that gets its own list.
                let source = Source(id: id, followed: [Source(id: id + 1, ranked: [id])], ranked: ranked)
                try store.writeSync { accessor in
                    try accessor.importItems(from: [source], using: map)
                    try expect(try ids(id, accessor), equals: [[id + 1], [], [], ranked + [id + 1]])
                }
            }
        }
        ConformanceCase(
            "Items that have their own order are left over like those that have none", proves: 15
        ) { world in
            let store = try world.open(Peer.self)
            let map = ImportMap<Peer, (Int, [Int])>(by: \.id, from: \.0) {
                Import(\.rankedBy, by: \.id, from: \.1, .replaceDeleting)
            }
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Peer(1), Peer(2), Peer(3)])
                let second = try require(try accessor.mutableItem(id: 2, of: Peer.self))
                _ = try second.ranked.add(ids: [1])
                for counts in [ImportCounts(updated: 1), ImportCounts(unchanged: 1)] {
                    try expect(
                        try accessor.importItems(from: [(1, [3])] as [(Int, [Int])], using: map),
                        equals: counts)
                    try expect(try ids(1, accessor), equals: [[], [], [3], []])
                    try expect(try ids(3, accessor), equals: [[], [], [], [1]])
                }
            }
            try expect(try store.items(Peer.all).map(\.id), equals: [1, 3])
        }
        ConformanceCase("Nested objects that refer back are linked once", proves: 15) { world in
            struct Tag: Sendable {
                let id: String
                let books: [Int64]
            }
            struct Source: Sendable {
                let id: Int64
                let tags: [Tag]
            }
            let store = try LinkFixture.open(world)
            let keyed = ImportMap<Label, Tag>(by: \.id, from: \.id) {
                Import(\.rank) { _ in 1 }
                Import(\.books, by: \.id, from: \.books)
            }
            let hooked = ImportMap<Label, Tag>(by: \.id, from: \.id) { Import(\.rank) { _ in 1 } }
                .didImport { label, tag, _ in try label.books.add(ids: tag.books) }

            for (id, tags) in [(10, keyed), (20, hooked)] as [(Int64, ImportMap<Label, Tag>)] {
                let books = ImportMap<Book, Source>(by: \.id, from: \.id) {
                    Import(\.title) { "book \($0.id)" }
                    Import(\.year) { _ in 2000 }
                    Import(\.author) { _ in ToOne(id: ItemID(rawValue: 1)) }
                    Import(\.labels, from: \.tags, using: tags)
                }
                let source = Source(
                    id: id, tags: [Tag(id: "a\(id)", books: [id, 1]), Tag(id: "b\(id)", books: [id])])
                try store.writeSync { try $0.importItems(from: [source], using: books) }

                try expect(try LinkFixture.labels(of: id, in: store), equals: ["a\(id)", "b\(id)"])
                try store.writeSync {
                    try expect(try $0.libraryBook(id).labels.remove(id: "a\(id)"), "removed")
                }
                try expect(try LinkFixture.labels(of: id, in: store), equals: ["b\(id)"])
            }
            try expect(try LinkFixture.labels(of: 1, in: store), equals: ["a10", "a20"])
        }
    }

    /// The identifiers of the related items of a peer, one list for each relationship in the order of declaration.
    private static func ids(_ id: Int, _ accessor: DataStoreReadWriteAccessor) throws -> [[Int]] {
        let peer = try require(try accessor.mutableItem(id: id, of: Peer.self))
        return [
            try peer.followed.ids(), try peer.followers.ids(), try peer.rankedBy.ids(), try peer.ranked.ids(),
        ]
    }
}

/// An item with links to others of its type, some of them in an order, which both ends show.
private struct Peer: DataStoreItem {
    let id: Int
    var followed: ToMany<Peer>
    var followers: ToMany<Peer>
    var rankedBy: ToMany<Peer>
    var ranked: OrderedToMany<Peer>

    init(_ id: Int) {
        self.id = id
        (followed, followers, rankedBy, ranked) = (.notGiven, .notGiven, .notGiven, .notGiven)
    }

    init(_ id: Int, _ followed: [Int]?, _ followers: [Int]?) {
        self.init(id)
        if let followed { self.followed = ToMany(ids: followed) }
        if let followers { self.followers = ToMany(ids: followers) }
    }

    init(_ id: Int, followed: [Int], followers: [Int], rankedBy: [Int], ranked: [Int]) {
        self.id = id
        self.followed = ToMany(ids: followed)
        self.followers = ToMany(ids: followers)
        self.rankedBy = ToMany(ids: rankedBy)
        self.ranked = OrderedToMany(ids: ranked)
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Peer, Int>(column: 0)
        let followed = RelationshipAttribute<Peer, ToMany<Peer>>(number: 0)
        let followers = RelationshipAttribute<Peer, ToMany<Peer>>(number: 1)
        let rankedBy = RelationshipAttribute<Peer, ToMany<Peer>>(number: 2)
        let ranked = RelationshipAttribute<Peer, OrderedToMany<Peer>>(number: 3)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Peer", attributes: [.attribute("id", Int.self)],
        relationships: [
            .relationship("followed", ToMany<Peer>.self),
            .relationship("followers", ToMany<Peer>.self, of: Peer.self, inverse: Peer.attributes.followed),
            .relationship("rankedBy", ToMany<Peer>.self, of: Peer.self, inverse: Peer.attributes.ranked),
            .relationship("ranked", OrderedToMany<Peer>.self),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        followed = try row.value(atRelationship: 0, of: Peer.self)
        followers = try row.value(atRelationship: 1, of: Peer.self)
        rankedBy = try row.value(atRelationship: 2, of: Peer.self)
        ranked = try row.value(atRelationship: 3, of: Peer.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(followed, atRelationship: 0)
        try row.set(followers, atRelationship: 1)
        try row.set(rankedBy, atRelationship: 2)
        try row.set(ranked, atRelationship: 3)
    }
}
