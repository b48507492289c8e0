import Larder

/// Nested objects of sources become related items.
enum ImportGraphCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Nested objects become the items that others refer to", proves: 15) { world in
            let store = try Library.open(world)
            let sources = [
                Source(id: 10, author: Author(2, "Bo!")), Source(id: 50, author: Author(90, "Zoe")),
                Source(id: 51, author: Author(90, "Zoe Z")), Source(id: 11),
            ]

            let counts = try store.writeSync { try $0.importItems(from: sources, using: books) }

            try expect(counts, equals: ImportCounts(inserted: 2, updated: 2))
            let people = try store.items(Person.all)
            try expect(people.map(\.name), equals: ["Ada", "Bo!", "Cy", "Di", "Zoe Z"])
            try expect(try book(10, in: store).author.id.rawValue, equals: 2)
            try expect(try book(10, in: store).editor?.id.rawValue, equals: 2)
            try expect(try book(51, in: store).author.id.rawValue, equals: 90)
            try expect(try book(11, in: store).author.id.rawValue, equals: 1)
            // A new book needs an author, and none is left behind.
            let error = try expectError(.invalidValue, writingTo: store) {
                try $0.importItems(
                    from: [Source(id: 60, author: Author(91, "Half")), Source(id: 61)], using: books)
            }
            try expect(error.attribute, equals: "author")
            try expect(error.importPlace, equals: ImportPlace(position: 1))
            try expect(try store.count(Person.all), equals: 5)
            // A nested object without a key becomes nil.
            let editors = ImportMap<Book, Source>(by: \.id, from: \.id) {
                Import(\.editor, from: \.author, using: authors)
            }
            try store.writeSync { accessor in
                try accessor.importItems(
                    from: [
                        Source(id: 10, author: Author(nil, "x")), Source(id: 14),
                        Source(id: 11, author: Author(4, "Di")),
                    ],
                    using: editors)
            }
            try expect(
                try store.items(Book.all).map { $0.editor?.id.rawValue },
                equals: [nil, 4, 1, 2, nil, nil, nil])
        }
        ConformanceCase("Fields that lead to the same items see what sources before have done", proves: 15) {
            world in
            let store = try world.open(Song.self, Album.self)
            let albums = ImportMap<Album, (Int64, String)>(by: \.id, from: \.0) { Import(\.name, from: \.1) }
            struct Source: Sendable {
                let id: Int64
                var album: (Int64, String)?
                var labels: [(Int64, String)]?
            }
            func run(_ sources: [Source], _ album: Import<Song, Source>) throws {
                let songs = ImportMap<Song, Source>(by: \.id, from: \.id) {
                    Import(\.title) { "song \($0.id)" }
                    album
                    Import(\.labels, from: \.labels, using: albums)
                }
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Song.self)
                    try accessor.deleteAllItems(of: Album.self)
                    try accessor.importItems(from: sources, using: songs)
                }
            }
            // Next to each other and hundreds apart.
            for distance in [1, 300] {
                var sources = (0..<400).map { Source(id: $0) }
                sources[0].labels = [(7, "red")]
                sources[distance].album = (7, "blue")
                try run(sources, Import(\.album, ifPresent: \.album, using: albums))
                try expect(try store.items(Album.all).map(\.name), equals: ["blue"])
                try run(sources, Import(\.album, by: \.id, from: \.album?.0))
                try expect(try store.items(Album.all).map(\.name), equals: ["red"])
                try expect(try store.item(Int64(distance), of: Song.self)?.album?.id, equals: 7)
            }
        }
        ConformanceCase("Keys refer to stored items", proves: 15) { world in
            let store = try Library.open(world)
            let map = ImportMap<Book, (Int64, Int?)>(by: \.id, from: \.0) {
                Import(\.shelf, by: \.id, from: \.1)
            }

            try store.writeSync {
                try $0.importItems(from: [(10, 2), (11, nil), (12, 2)] as [(Int64, Int?)], using: map)
            }

            try expect(try store.items(Book.all).map { $0.shelf?.id }, equals: [2, nil, 2, nil, 1])
            let error = try expectError(.targetNotFound, writingTo: store) {
                try $0.importItems(from: [(10, 1), (11, 7)] as [(Int64, Int?)], using: map)
            }
            try expect(error.importPlace, equals: ImportPlace(position: 1))
            try expect(try book(10, in: store).shelf?.id, equals: 2)
        }
        ConformanceCase("Keys refer to items of earlier sources", proves: 15) { world in
            let store = try Library.open(world)
            let map = ImportMap<Person, (id: Int64, mentor: Int64?)>(
                by: \.id, from: { ItemID(rawValue: $0.id) }
            ) {
                Import(\.name) { "person \($0.id)" }
                Import(\.mentor, by: \.id) { $0.mentor.map { ItemID(rawValue: $0) } }
            }
            let sources: [(id: Int64, mentor: Int64?)] = [(20, nil), (21, 20), (22, 21), (20, 22)]

            try store.writeSync { try $0.importItems(from: sources, using: map) }

            let people = try store.items(Person.where(\.id >= ItemID(rawValue: 20)))
            try expect(people.map { $0.mentor?.id.rawValue }, equals: [22, 20, 21])
        }
        ConformanceCase("Lists of nested objects become links", proves: 15) { world in
            let store = try Library.open(world)
            let sources = [
                Source(id: 10, labels: ["fresh", "old", "fresh"], chapters: [2, 1]),
                Source(id: 13, labels: []),
                Source(id: 50, author: Author(1, "Ada"), labels: ["fresh"], chapters: [6, 5]), Source(id: 11),
            ]

            let counts = try store.writeSync { try $0.importItems(from: sources, using: books) }
            let again = try store.writeSync { try $0.importItems(from: sources, using: books) }

            try expect(counts, equals: ImportCounts(inserted: 1, updated: 3))
            try expect(again, equals: ImportCounts(unchanged: 4))
            try expect(try LinkFixture.labels(of: 10, in: store), equals: ["fresh", "old"])
            try expect(try LinkFixture.labels(of: 11, in: store), equals: ["new"])
            try expect(try LinkFixture.labels(of: 13, in: store), equals: [])
            try expect(try LinkFixture.labels(of: 50, in: store), equals: ["fresh"])
            try store.writeSync { accessor in
                try expect(
                    try accessor.libraryBook(10).chapters.ids(), equals: [2, 1].map { Chapter($0).id })
                try expect(
                    try accessor.libraryBook(50).chapters.ids(), equals: [6, 5].map { Chapter($0).id })
            }
            let adding = ImportMap<Book, Source>(by: \.id, from: \.id) {
                Import(\.labels, from: \.labels, using: labels, .add)
            }
            try store.writeSync {
                try $0.importItems(from: [Source(id: 11, labels: ["old", "new"])], using: adding)
            }
            try expect(try LinkFixture.labels(of: 11, in: store), equals: ["new", "old"])
            try expectError(.targetNotFound, writingTo: store) {
                try $0.importItems(from: [Source(id: 11, chapters: [99])], using: books)
            }
        }
        ConformanceCase("Lists of nested objects become items that refer back", proves: 15) { world in
            let store = try Library.open(world)
            // The book refers to its author, and cannot be without one.
            let titles = ImportMap<Book, Int64>(by: \.id, from: \.self) {
                Import(\.title) { "nested \($0)" }
                Import(\.year) { _ in 3 }
            }
            let people = ImportMap<Person, (Int64, [Int64]?)>(by: \.id, from: { ItemID(rawValue: $0.0) }) {
                Import(\.name) { "p\($0.0)" }
                Import(\.books, from: \.1, using: titles, .add)
            }

            try store.writeSync {
                try $0.importItems(
                    from: [(1, [12, 70]), (80, [71]), (2, nil)] as [(Int64, [Int64]?)], using: people)
            }

            try expect(try store.items(Book.all).map(\.id), equals: [10, 11, 12, 13, 14, 70, 71])
            try expect(
                try store.items(Book.all).map(\.author.id.rawValue), equals: [1, 1, 1, 1, 3, 1, 80])
            try expect(try book(70, in: store).title, equals: "nested 70")
            let replacing = ImportMap<Person, (Int64, [Int64]?)>(by: \.id, from: { ItemID(rawValue: $0.0) }) {
                Import(\.books, from: \.1, using: titles)
            }
            try expectError(.invalidValue, writingTo: store) {
                try $0.importItems(from: [(1, [12])] as [(Int64, [Int64]?)], using: replacing)
            }
            try store.writeSync {
                try $0.importItems(from: [(80, [71])] as [(Int64, [Int64]?)], using: replacing)
            }
        }
        ConformanceCase("A nested object that must not change its item refers to it", proves: 15) { world in
            let store = try Library.open(world)
            let careful = authors.shouldUpdate { person, source in
                source.name.utf8.count > person.name.utf8.count
            }
            let books = ImportMap<Book, Source>(by: \.id, from: \.id) {
                Import(\.title) { "book \($0.id)" }
                Import(\.author, from: \.author, using: careful)
                Import(\.year) { _ in 2000 }
            }
            let editors = ImportMap<Book, Source>(by: \.id, from: \.id) {
                Import(\.editor, from: \.author, using: careful)
            }
            let (known, new) = (Author(2, "B"), [Author(90, "Zoe"), Author(90, "Z")])
            let sources = [
                Source(id: 10, author: known), Source(id: 50, author: new[0]), Source(id: 51, author: new[1]),
            ]

            let counts = try store.writeSync { accessor in
                try [
                    accessor.importItems(from: sources, using: books),
                    accessor.importItems(from: sources, using: books),
                    accessor.importItems(
                        from: [Source(id: 10, author: known), Source(id: 11, author: known)], using: editors),
                ]
            }

            try expect(
                counts,
                equals: [
                    ImportCounts(inserted: 2, updated: 1), ImportCounts(unchanged: 3),
                    ImportCounts(updated: 1, unchanged: 1),
                ])
            try expect(try store.items(Person.all).map(\.name), equals: ["Ada", "Bo", "Cy", "Di", "Zoe"])
            try expect(
                try [10, 50, 51].map { try book($0, in: store).author.id.rawValue }, equals: [2, 90, 90])
            try expect(try [10, 11].map { try book($0, in: store).editor?.id.rawValue }, equals: [2, 2])
        }
        ConformanceCase(
            "Nested objects of a list that must not change their items relate them", proves: 15
        ) { world in
            let store = try Library.open(world)
            let frozen = labels.shouldUpdate { _, _ in false }
            let labelled = ImportMap<Book, Source>(by: \.id, from: \.id) {
                Import(\.labels, from: \.labels, using: frozen, .replaceDeleting)
            }
            let titles = ImportMap<Book, Int64>(by: \.id, from: \.self) { Import(\.title) { "nested \($0)" } }
                .shouldUpdate { _, _ in false }
            let people = ImportMap<Person, (Int64, [Int64]?)>(by: \.id, from: { ItemID(rawValue: $0.0) }) {
                Import(\.books, from: \.1, using: titles, .replaceDeleting)
            }
            let sources = [Source(id: 13, labels: ["łong", "new", "fresh"])]
            // A book of the first person is the second's now.
            let owners: [(Int64, [Int64]?)] = [(1, [10, 13]), (2, [12, 11])]

            let counts = try store.writeSync { accessor in
                try [
                    accessor.importItems(from: sources, using: labelled),
                    accessor.importItems(from: sources, using: labelled),
                    accessor.importItems(from: owners, using: people),
                    accessor.importItems(from: owners, using: people),
                ]
            }

            try expect(
                counts,
                equals: [
                    ImportCounts(updated: 1), ImportCounts(unchanged: 1), ImportCounts(updated: 2),
                    ImportCounts(unchanged: 2),
                ])
            try expect(try LinkFixture.labels(of: 13, in: store), equals: ["fresh", "new", "łong"])
            try expect(try store.items(Label.all).map(\.rank), equals: [5, 1, 2, 0, 3])
            let stored = try store.items(Book.all)
            try expect(stored.map(\.title), equals: ["Cats", "Birds", "Ants", "Dogs", "Eels"])
            try expect(stored.map(\.author.id.rawValue), equals: [1, 2, 2, 1, 3])
        }
        ConformanceCase("Nested objects may be of the type that they are in", proves: 15) { world in
            let store = try Library.open(world)
            let mentors = ImportMap<Person, Int64>(by: \.id, from: { ItemID(rawValue: $0) }) {
                Import(\.name) { "m\($0)" }
            }
            let people = ImportMap<Person, (Int64, Int64?)>(by: \.id, from: { ItemID(rawValue: $0.0) }) {
                Import(\.name) { "p\($0.0)" }
                Import(\.mentor, from: \.1, using: mentors)
            }

            let counts = try store.writeSync { accessor in
                try accessor.importItems(
                    from: [(20, 21), (21, 20), (22, 1), (1, nil)] as [(Int64, Int64?)], using: people)
            }

            // The second was there before it came up itself, and its nested object is the first.
            try expect(counts, equals: ImportCounts(inserted: 2, updated: 2))
            let found = try store.items(Person.where(\.id >= ItemID(rawValue: 20)))
            try expect(found.map(\.name), equals: ["m20", "p21", "p22"])
            try expect(found.map { $0.mentor?.id.rawValue }, equals: [21, 20, 1])
            try expect(try store.item(ItemID(rawValue: 1), of: Person.self)?.name, equals: "p1")
        }
        ConformanceCase(
            "Nested objects of their own type count as sources before the next one", proves: 4, 15
        ) { world in
            let store = try Library.openEmpty(world)
            let mentors = ImportMap<Person, Int64>(by: \.id, from: { ItemID(rawValue: $0) }) {
                Import(\.name) { _ in "nested" }
            }
            let people = ImportMap<Person, (Int64, Int64?)>(by: \.id, from: { ItemID(rawValue: $0.0) }) {
                Import(\.name) { _ in "own" }
                Import(\.mentor, from: \.1, using: mentors)
            }
            // The second source may change an item, and not insert it.
            let careful = people.shouldInsert { $0.0 != 2 }
            func check(
                _ map: ImportMap<Person, (Int64, Int64?)>, _ sources: [(Int64, Int64?)], second: String,
                _ counts: ImportCounts, line: Int = #line
            ) throws {
                let found = try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Person.self)
                    return try accessor.importItems(from: sources, using: map)
                }
                try expect(found, equals: counts, line: line)
                let names = try store.items(Person.where(\.id <= ItemID(rawValue: 2))).map(\.name)
                try expect(names, equals: ["own", second], line: line)
            }

            // Next to each other and hundreds apart.
            for distance in [1, 300] {
                let between: [(Int64, Int64?)] = (1..<distance).map { (Int64(1000 + $0), nil) }
                let (owner, nested): ((Int64, Int64?), (Int64, Int64?)) = ((1, 2), (2, nil))
                try check(
                    careful, [owner] + between + [nested], second: "own",
                    ImportCounts(inserted: distance, updated: 1))
                try check(
                    people, [nested] + between + [owner], second: "nested",
                    ImportCounts(inserted: distance + 1))
            }
        }
        ConformanceCase("References lead to items that come later", proves: 15) { world in
            let store = try Library.openEmpty(world)
            let map = ImportMap<Person, Int64>(by: \.id, from: { ItemID(rawValue: $0) }) {
                Import(\.name) { "p\($0)" }
                Import(\.mentor) { $0 < 900 ? ToOne(id: ItemID(rawValue: $0 + 1)) : nil }
            }

            let nowhere = ImportMap<Person, Int64>(by: \.id, from: { ItemID(rawValue: $0) }) {
                Import(\.name) { "n\($0)" }
                Import(\.mentor) { ToOne(id: ItemID(rawValue: $0 + 5000)) }
            }

            try store.writeSync { accessor in
                try accessor.importItems(from: 1...900 as ClosedRange<Int64>, using: map)
                let error = try expectError(.targetNotFound) {
                    try accessor.importItems(from: [3, 950] as [Int64], using: nowhere)
                }
                try expect(error.attribute, equals: "mentor")
            }

            try expect(try store.count(Person.where(\.mentor != nil)), equals: 899)
        }
        ConformanceCase(
            "If several sources refer to one item alone, the last one gets it", proves: 15
        ) { world in
            let store = try Library.open(world)
            let map = ImportMap<Passport, (String, Int64)>(by: \.id, from: \.0) {
                Import(\.number) { ["p1": 11, "\u{E9}-2": 12][$0.0] ?? 0 }
                Import(\.holder, by: \.id) { ItemID(rawValue: $0.1) }
            }
            func check(
                _ sources: [(String, Int64)], _ holders: [Int64?], _ counts: ImportCounts, line: Int = #line
            ) throws {
                try store.writeSync { accessor in
                    try accessor.deleteItems(for: Passport.all)
                    try accessor.insert(contentsOf: Library.passports)
                    try expect(
                        try accessor.importItems(from: sources, using: map), equals: counts, line: line)
                }
                try expect(
                    try ["p1", "\u{E9}-2", "p3", "p0"].map {
                        try store.item($0, of: Passport.self)?.holder?.id.rawValue
                    },
                    equals: holders, line: line)
            }

            try check([("p3", 1), ("p1", 1)], [1, 2, nil, nil], ImportCounts(updated: 1, unchanged: 1))
            try check([("p1", 1), ("p3", 1)], [nil, 2, 1, nil], ImportCounts(updated: 1, unchanged: 1))
            try check([("p3", 1), ("p3", 2)], [nil, nil, 2, nil], ImportCounts(updated: 2))
            try check([("p3", 4), ("p1", 4)], [4, 2, nil, nil], ImportCounts(updated: 2))
            try check([("p1", 4), ("p3", 4)], [nil, 2, 4, nil], ImportCounts(updated: 2))
            try check([("p0", 1), ("p1", 1)], [1, 2, nil, nil], ImportCounts(inserted: 1, unchanged: 1))
            try check([("p1", 1), ("p0", 1)], [nil, 2, nil, 1], ImportCounts(inserted: 1, unchanged: 1))
            try check(
                [("p0", 2), ("p3", 2), ("p1", 2)], [2, nil, nil, nil], ImportCounts(inserted: 1, updated: 2))
            try store.writeSync { accessor in
                try accessor.deleteItems(for: Passport.all)
                try accessor.insert(contentsOf: Library.passports)
                try accessor.upsert(
                    contentsOf: [Passport("p3", holder: 1), Passport("p1", number: 11, holder: 1)], by: \.id)
            }
            try expect(try store.items(Passport.all).map { $0.holder?.id.rawValue }, equals: [1, nil, 2])
        }
    }

    struct Author: Sendable {
        var id: Int64?
        var name: String

        init(_ id: Int64?, _ name: String) {
            self.id = id
            self.name = name
        }
    }

    struct Source: Sendable {
        var id: Int64
        var author: Author?
        var labels: [String]?
        var chapters: [UInt8]?
    }

    static let authors = ImportMap<Person, Author>(by: \.id, from: { $0.id.map { ItemID(rawValue: $0) } }) {
        Import(\.name, from: \.name)
    }
    static let labels = ImportMap<Label, String>(by: \.id, from: \.self) {
        Import(\.rank, from: \.utf8.count)
    }
    static let books = ImportMap<Book, Source>(by: \.id, from: \.id) {
        Import(\.title) { "book \($0.id)" }
        Import(\.author, ifPresent: \.author, using: authors)
        Import(\.labels, from: \.labels, using: labels)
        Import(\.chapters, by: \.id) { $0.chapters.map { $0.map { Chapter($0).id } } }
        Import(\.year) { _ in 2000 }
    }

    private static func book(_ id: Int64, in store: any DataStore) throws -> Book {
        try require(try store.item(id, of: Book.self), "book \(id)")
    }
}
