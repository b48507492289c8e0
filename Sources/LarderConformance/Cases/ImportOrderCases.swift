import Larder

/// The sources of an import count one after the other, whatever its parts do together.
enum ImportOrderCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Keys refer to items that wait for a unique value", proves: 11, 15) { world in
            let store = try world.open(Station.self, Region.self)
            let byName = ImportMap<Station, Stop>(by: \.name, from: \.name) {
                Import(\.code, from: \.code)
                Import(\.previous, by: \.name, from: \.previous)
            }.inserting { Station($0.id, $0.name, code: $0.code) }
            let byID = ImportMap<Station, Stop>(by: \.id, from: \.id) {
                Import(\.name, from: \.name)
                Import(\.code, from: \.code)
                Import(\.previous, by: \.name, from: \.previous)
            }
            func check(
                _ stops: [Stop], _ map: ImportMap<Station, Stop>, _ expected: [String], line: Int = #line
            ) throws {
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Station.self)
                    try accessor.insert(contentsOf: [Station(1, "a", code: 1), Station(2, "b", code: 2)])
                    try accessor.importItems(from: stops, using: map)
                }
                try expect(try Self.stations(store), equals: expected, line: line)
            }

            // The first waits for the code of the last.
            let stops = [Stop(3, "c", 1), Stop(4, "d", 4, after: "c"), Stop(1, "a", 5)]
            let expected = ["1 a 5 -", "2 b 2 -", "3 c 1 -", "4 d 4 3"]
            try check(stops, byName, expected)
            try check(stops, byID, expected)
            // A stored item that waits has its new name, which another one has too until the last source.
            let renamed = [Stop(1, "b", 1), Stop(3, "c", 3, after: "b"), Stop(2, "x", 2)]
            try check(renamed, byID, ["1 b 1 -", "2 x 2 -", "3 c 3 1"])
            try expectError(.targetNotFound) {
                try check([Stop(1, "b", 1), Stop(3, "c", 3, after: "a"), Stop(2, "x", 2)], byID, [])
            }
            // Names of items that wait change after they were looked for.
            try check(
                [
                    Stop(3, "b", 3), Stop(4, "b", 4), Stop(5, "e", 5, after: "b"), Stop(4, "d", 4),
                    Stop(6, "f", 6, after: "b"), Stop(7, "g", 7, after: "d"), Stop(2, "x", 2),
                ], byID, ["1 a 1 -", "2 x 2 -", "3 b 3 -", "4 d 4 -", "5 e 5 4", "6 f 6 3", "7 g 7 4"])
        }
        ConformanceCase(
            "Nested objects find items that wait for a unique value by any key", proves: 11
        ) { world in
            let store = try world.open(Station.self, Region.self)
            let nested = ImportMap<Station, String>(by: \.name, from: \.self).inserting {
                Station(90, $0, code: 90)
            }
            let map = ImportMap<Station, Stop>(by: \.id, from: \.id) {
                Import(\.name, from: \.name)
                Import(\.code, from: \.code)
                Import(\.previous, from: \.previous, using: nested)
            }
            func run(_ stops: [Stop]) throws -> [String] {
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Station.self)
                    try accessor.insert(contentsOf: [Station(1, "a", code: 1), Station(2, "b", code: 2)])
                    try accessor.importItems(from: stops, using: map)
                }
                return try stations(store)
            }

            try expect(
                try run([Stop(3, "c", 1), Stop(4, "d", 4, after: "c"), Stop(1, "a", 5)]),
                equals: ["1 a 5 -", "2 b 2 -", "3 c 1 -", "4 d 4 3"])
            // A stored item that waits does not have its old name any more.
            try expect(
                try run([Stop(1, "b", 1), Stop(3, "c", 3, after: "a"), Stop(2, "x", 2)]),
                equals: ["1 b 1 -", "2 x 2 -", "3 c 3 90", "90 a 90 -"])
        }
        ConformanceCase("Nested objects refer by keys to items of earlier sources", proves: 15) { world in
            let store = try world.open(Station.self, Region.self, Train.self)
            let regions = ImportMap<Region, Stop>(by: \.name, from: \.name) {
                Import(\.center, by: \.name, from: \.previous)
            }.inserting { Region($0.id, $0.name) }
            let stations = ImportMap<Station, (Stop, Stop?)>(by: \.name, from: \.0.name) {
                Import(\.region, from: \.1, using: regions)
            }.inserting { Station($0.0.id, $0.0.name, code: $0.0.code) }
            let starts = ImportMap<Station, Stop>(by: \.name, from: \.name).inserting {
                Station($0.id, $0.name, code: $0.code)
            }
            let trains = ImportMap<Train, (Int64, Stop?, Stop?)>(by: \.id, from: \.0) {
                Import(\.region, from: \.1, using: regions)
                Import(\.start, from: \.2, using: starts)
            }
            let center = Stop(1, "a", 1)
            let region = Stop(8, "north", 0, after: "a")
            // Next to each other and hundreds apart.
            for distance in [1, 300] {
                var stops: [(Stop, Stop?)] = (0..<400).map {
                    (Stop(1000 + $0, "s\($0)", 1000 + Int($0)), nil)
                }
                stops[0].0 = center
                stops[distance].1 = region
                var runs: [(Int64, Stop?, Stop?)] = (0..<400).map { ($0, nil, nil) }
                runs[0].2 = center
                runs[distance].1 = region
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Station.self)
                    try accessor.deleteAllItems(of: Region.self)
                    try accessor.importItems(from: stops, using: stations)
                }
                try expect(try store.items(Region.all).map { $0.center?.id }, equals: [1])
                try expect(
                    try store.item(1000 + Int64(distance), of: Station.self)?.region?.id, equals: 8)
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Station.self)
                    try accessor.deleteAllItems(of: Region.self)
                    try accessor.deleteAllItems(of: Train.self)
                    try accessor.importItems(from: runs, using: trains)
                }
                try expect(try store.items(Region.all).map { $0.center?.id }, equals: [1])
                try expect(try store.item(Int64(distance), of: Train.self)?.region?.id, equals: 8)
                try expect(try store.item(0, of: Train.self)?.start?.id, equals: 1)
            }
        }
        ConformanceCase("A source sees what its nested objects have taken by a key", proves: 11, 15) {
            world in
            struct Source: Sendable {
                let name: String
                let folder: Int64
                let files: [Int64]
            }
            let store = try world.open(Folder.self, File.self, Entry.self)
            func folders(_ items: ImportedItems) -> ImportMap<Folder, Source> {
                ImportMap(by: \.id, from: { ItemID(rawValue: $0.folder) }) {
                    Import(\.name) { _ in "" }
                    Import(\.files, by: \.id, from: \.files, items)
                }
            }
            let byID = ImportMap<File, Source>(by: \.id, from: { _ in 1 }) {
                Import(\.folder, from: { $0 }, using: folders(.replace))
            }
            let byFolder = ImportMap<File, Source>(
                by: \.name, \.folder,
                from: { source in
                    let folder: ToOne<Folder>? = ToOne(id: ItemID(rawValue: source.folder))
                    return (source.name, folder)
                }
            ) {
                Import(\.folder, from: { $0 }, using: folders(.add))
            }.inserting { File(9, $0.name) }
            func run(_ source: Source, _ map: ImportMap<File, Source>) throws -> [String] {
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: File.self)
                    try accessor.deleteAllItems(of: Folder.self)
                    try accessor.insert(contentsOf: [Folder(1), Folder(2)])
                    try accessor.insert(File(1, "a", in: 1))
                    try accessor.importItems(from: [source], using: map)
                }
                return try store.items(File.all).map { file in
                    "\(file.id) \(file.folder.map { "\($0.id.rawValue)" } ?? "-")/\(file.name)"
                }
            }

            // The folder loses the file to which it belongs.
            try expect(try run(Source(name: "a", folder: 1, files: []), byID), equals: ["1 1/a"])
            // The folder gets the file that is looked for in it.
            try expect(try run(Source(name: "a", folder: 2, files: [1]), byFolder), equals: ["1 2/a"])
        }
        ConformanceCase(
            "Linked items that a later source of their owner leaves out are deleted, however near", proves: 15
        ) { world in
            let store = try LinkFixture.open(world)
            let map = ImportMap<Book, (Int64, [String])>(by: \.id, from: \.0) {
                Import(\.labels, from: \.1, using: ImportGraphCases.labels, .replaceDeleting)
            }.inserting { Book($0.0, by: 1) }

            // An owner that is stored, and one that is new.
            for owner in [1, 4] as [Int64] {
                for distance in [1, 300] {
                    var sources: [(Int64, [String])] = (1000..<1400).map { ($0, []) }
                    sources[0] = (owner, ["new"])
                    sources[distance] = (owner, ["red"])
                    try store.writeSync { accessor in
                        try accessor.deleteItems(for: Book.where(\.id == 4))
                        try accessor.importItems(from: sources, using: map)
                    }
                    try expect(try LinkFixture.labels(of: owner, in: store), equals: ["red"])
                    try expect(
                        try store.items(Label.all).map(\.id),
                        equals: ["black", "blue", "green", "red", "white"])
                }
            }

            // Two lines for one relationship: the first source gives it items by the second line.
            let twice = ImportMap<Book, (Int64, [String]?, [String]?)>(by: \.id, from: \.0) {
                Import(\.labels, by: \.id, from: \.1)
                Import(\.labels, by: \.id, from: \.2)
            }.inserting { Book($0.0, by: 1) }
            try store.writeSync { accessor in
                try accessor.importItems(
                    from: [(7, nil, ["red"]), (7, ["blue"], nil)] as [(Int64, [String]?, [String]?)],
                    using: twice)
            }
            try expect(try LinkFixture.labels(of: 7, in: store), equals: ["blue"])

            // Each source counts by what it has changed itself: the second has changed nothing.
            for distance in [1, 300] {
                var sources: [(Int64, [String])] = (1000..<1400).map { ($0, []) }
                sources[0] = (8, ["red"])
                sources[distance] = (8, ["red"])
                sources[distance + 1] = (8, ["red", "blue"])
                let counts = try store.writeSync { accessor in
                    try accessor.deleteItems(for: Book.where(\.id == 8))
                    return try accessor.importItems(from: sources, using: map)
                }
                try expect(counts, equals: ImportCounts(inserted: 1, updated: 1, unchanged: 398))
            }
        }
        ConformanceCase(
            "Linked items are deleted if the import deletes the last of their owners", proves: 15, 16
        ) { world in
            let library = try LinkFixture.open(world, labels: ["red"], ["blue", "red"])
            let books = ImportMap<Book, Int64>(by: \.id, from: \.self) {
                Import(\.labels, by: \.id, from: { _ in [] }, .replaceDeleting)
            }
            let people = ImportMap<Person, [Int64]>(by: \.id, from: { _ in ItemID(rawValue: 1) }) {
                Import(\.books, from: { $0 }, using: books, .replaceDeleting)
            }
            // The first book has no labels any more, and the second one goes.
            try library.writeSync { try $0.importItems(from: [[1]] as [[Int64]], using: people) }
            try expect(try library.items(Book.all).map(\.id), equals: [1])
            try expect(try library.items(Label.all).map(\.id), equals: ["black", "blue", "green", "white"])

            let store = try world.openElsewhere(Linked.self)
            let emptied = ImportMap<Linked, Int>(by: \.id, from: \.self) {
                Import(\.others, by: \.id, from: { _ in [] }, .replaceDeleting)
            }
            func run(_ sources: [Int]) throws -> [Int] {
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Linked.self)
                    try accessor.insert(
                        contentsOf: [
                            Linked(1, others: [2]), Linked(2, others: [5]), Linked(3, others: [2]),
                            Linked(4, others: [3]), Linked(5), Linked(6, others: [5]),
                        ])
                    try accessor.importItems(from: sources, using: emptied)
                }
                return try store.items(Linked.all).map(\.id)
            }
            try expect(try run([1, 6]), equals: [1, 2, 3, 4, 5, 6])
            // The third goes, and so the second, of which it was the last owner, and so the fifth.
            try expect(try run([1, 6, 4]), equals: [1, 4, 6])
        }
        ConformanceCase(
            "Items that a later source of their owner leaves out are deleted, however near", proves: 15
        ) { world in
            let store = try world.open(Folder.self, File.self, Entry.self)
            let map = ImportMap<Folder, (Int64, [Int64])>(by: \.id, from: { ItemID(rawValue: $0.0) }) {
                Import(\.name) { _ in "" }
                Import(\.files, by: \.id, from: \.1, .replaceDeleting)
            }

            for distance in [1, 300] {
                var sources: [(Int64, [Int64])] = (1000..<1400).map { ($0, []) }
                sources[0] = (1, [2])
                sources[distance] = (1, [1])
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: File.self)
                    try accessor.deleteAllItems(of: Folder.self)
                    try accessor.insert(contentsOf: [Folder(1), Folder(2)])
                    try accessor.insert(contentsOf: [File(1, "a", in: 1), File(2, "b", in: 2)])
                    try accessor.importItems(from: sources, using: map)
                }
                try expect(try store.items(File.all).map(\.id), equals: [1])
            }
        }
        ConformanceCase(
            "An item that its owner leaves out stays if a later source lets it refer to an owner", proves: 15
        ) { world in
            struct Source: Sendable {
                let id: Int
                var parent: Int?
                var children: [Int]?
            }
            let store = try world.open(Linked.self)
            let map = ImportMap<Linked, Source>(by: \.id, from: \.id) {
                Import(\.parent, by: \.id, from: \.parent)
                Import(\.children, by: \.id, from: \.children, .replaceDeleting)
            }
            func run(_ sources: Source...) throws -> [String] {
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Linked.self)
                    try accessor.insert(contentsOf: [Linked(1, children: [5]), Linked(2), Linked(5)])
                    try accessor.importItems(from: sources, using: map)
                }
                return try store.items(Linked.all).map { item in
                    "\(item.id) \(item.parent.map { "\($0.id)" } ?? "-")"
                }
            }

            let leaving = Source(id: 1, children: [])
            let (back, away) = (Source(id: 5, parent: 1), Source(id: 5, parent: 2))
            try expect(try run(leaving), equals: ["1 -", "2 -"])
            // It refers to the owner still.
            try expect(try run(leaving, back), equals: ["1 -", "2 -", "5 1"])
            try expect(try run(leaving, away), equals: ["1 -", "2 -", "5 2"])
            try expect(try run(leaving, away, back), equals: ["1 -", "2 -", "5 1"])
            try expect(try run(leaving, back, leaving), equals: ["1 -", "2 -"])
        }
        ConformanceCase(
            "An item is deleted if another one takes its place with an owner of a single item", proves: 15
        ) { world in
            typealias Source = (Int64, [String])
            let store = try Library.openEmpty(world)
            func people(_ passport: Import<Person, Source>) -> ImportMap<Person, Source> {
                ImportMap(by: \.id, from: { ItemID(rawValue: $0.0) }) {
                    Import(\.name) { "person \($0.0)" }
                    passport
                }
            }
            let passports = ImportMap<Passport, String>(by: \.id, from: \.self) {
                Import(\.number) { _ in 1 }
            }
            let maps = [
                people(Import(\.passport, by: \.id, from: \.1, .replaceDeleting)),
                people(Import(\.passport, from: \.1, using: passports, .replaceDeleting)),
            ]

            for map in maps {
                for distance in [1, 300] {
                    func run(_ given: Source...) throws -> [String] {
                        var sources: [Source] = (1000..<1400).map { ($0, []) }
                        for (place, source) in given.enumerated() { sources[place * distance] = source }
                        try store.writeSync { accessor in
                            try accessor.deleteAllItems(of: Passport.self)
                            try accessor.deleteAllItems(of: Person.self)
                            try accessor.insert(contentsOf: [Person(1), Person(2)])
                            try accessor.insert(contentsOf: [Passport("a", holder: 1), Passport("b")])
                            try accessor.importItems(from: sources, using: map)
                        }
                        return try store.items(Passport.all).map { passport in
                            "\(passport.id) \(passport.holder.map { "\($0.id.rawValue)" } ?? "-")"
                        }
                    }

                    try expect(try run((1, ["b"])), equals: ["b 1"])
                    try expect(try run((1, ["a"])), equals: ["a 1", "b -"])
                    try expect(try run((1, ["b"]), (1, [])), equals: [])
                    try expect(try run((1, ["a"]), (1, ["b"])), equals: ["b 1"])
                    try expect(try run((1, ["b"]), (1, ["a"])), equals: ["a 1"])
                    // Another owner gets it.
                    try expect(try run((1, ["b"]), (2, ["a"])), equals: ["a 2", "b 1"])
                    try expect(try run((2, ["a"]), (1, ["b"])), equals: ["a 2", "b 1"])
                }
            }
        }
        ConformanceCase(
            "Another owner loses what a later source of the new one leaves out, however near", proves: 15
        ) { world in
            let store = try world.open(Folder.self, File.self, Entry.self)
            let map = ImportMap<Folder, (Int64, [Int64])>(by: \.id, from: { ItemID(rawValue: $0.0) }) {
                Import(\.name) { _ in "" }
                Import(\.files, by: \.id, from: \.1)
            }

            for distance in [1, 300] {
                var sources: [(Int64, [Int64])] = (1000..<1400).map { ($0, []) }
                sources[0] = (1, [2])
                sources[distance] = (1, [])
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: File.self)
                    try accessor.deleteAllItems(of: Folder.self)
                    try accessor.insert(contentsOf: [Folder(1), Folder(2)])
                    try accessor.insert(File(2, "b", in: 2))
                    try accessor.importItems(from: sources, using: map)
                }
                try expect(try store.items(File.all).map { $0.folder == nil }, equals: [true])
            }
            // An entry must have a folder, and the call is judged by what it leaves.
            let entries = ImportMap<Entry, Int64>(by: \.id, from: { ItemID(rawValue: $0) }) {
                Import(\.name) { "\($0)" }
            }
            let required = ImportMap<Folder, (Int64, [Int64])>(by: \.id, from: { ItemID(rawValue: $0.0) }) {
                Import(\.name) { _ in "" }
                Import(\.entries, from: \.1, using: entries)
            }
            for distance in [1, 300] {
                func run(_ last: (Int64, [Int64]), stored: [Int64] = [5, 6]) throws -> [Int64] {
                    var sources: [(Int64, [Int64])] = (1000..<1400).map { ($0, []) }
                    (sources[0], sources[distance]) = ((1, [5]), last)
                    try store.writeSync { accessor in
                        try accessor.deleteAllItems(of: Folder.self)
                        try accessor.insert(contentsOf: [Folder(1), Folder(2)])
                        try accessor.insert(
                            contentsOf: stored.map { Entry(ItemID(rawValue: $0), "\($0)", in: 1) })
                        try accessor.importItems(from: sources, using: required)
                    }
                    return try store.items(Entry.all).map(\.folder.id.rawValue)
                }
                try expect(try run((1, [5, 6]), stored: [5]), equals: [1, 1])
                try expect(try run((2, [6])), equals: [1, 2])
                try expectError(.invalidValue) { _ = try run((2, [])) }
            }
        }
    }

    /// A source of a station.
    private struct Stop: Sendable {
        let id: Int64
        let name: String
        let code: Int
        let previous: String?

        init(_ id: Int64, _ name: String, _ code: Int, after previous: String? = nil) {
            (self.id, self.name, self.code, self.previous) = (id, name, code, previous)
        }
    }

    private static func stations(_ store: any DataStore) throws -> [String] {
        try store.items(Station.all).map {
            "\($0.id) \($0.name) \($0.code) \($0.previous.map { "\($0.id)" } ?? "-")"
        }
    }
}
