import Larder

/// Attributes that are unique together find items, and what an import leaves over can be deleted.
enum CompoundKeyCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "An item is upserted by attributes that are unique together", proves: 11
        ) { world in
            let store = try open(in: world)

            try store.writeSync { accessor in
                let handle = try accessor.upsert(File(90, "a", in: 1, size: 7), by: \.name, \.folder)
                try expect(handle.id, equals: 1)
                try accessor.upsert(File(91, "a", in: 2, size: 8), by: \.folder, \.name)
                // nil finds nothing.
                try accessor.upsert(File(92, "a", size: 9), by: \.folder, \.name)
            }
            try expect(try files(store), equals: ["1 1/a 7", "2 1/b 0", "3 -/a 0", "91 2/a 8", "92 -/a 9"])
        }
        ConformanceCase(
            "Many items are upserted by attributes that are unique together", proves: 11
        ) { world in
            let store = try open(in: world)
            let new = (0..<600).map { File(1000 + Int64($0), "n\($0 / 2)", in: Int64(1 + $0 % 2), size: $0) }

            let counts = try store.writeSync { accessor in
                try accessor.upsert(
                    contentsOf: new + [
                        File(90, "a", in: 1, size: 5), File(91, "n1", in: 2, size: 6), File(92, "a"),
                    ],
                    by: \.folder, \.name)
            }
            try expect(counts, equals: ImportCounts(inserted: 601, updated: 2))
            let again = try store.writeSync { accessor in
                try accessor.upsert(
                    contentsOf: new.map { File($0.id + 5000, $0.name, in: $0.folder?.id.rawValue, size: 1) },
                    by: \.name, \.folder)
            }
            try expect(again, equals: ImportCounts(updated: 599, unchanged: 1))
            try expect(try store.count(File.all), equals: 604)
            try expect(try store.item(1, of: File.self)?.size, equals: 5)
            try expect(try store.count(File.where(\.size == 1)), equals: 600)
        }
        ConformanceCase("An item is found or inserted by two attributes", proves: 11) { world in
            let store = try open(in: world)

            try store.writeSync { accessor in
                try expect(
                    try accessor.findOrInsert(File(90, "b", in: 1), by: \.folder, \.name).id, equals: 2)
                try expect(
                    try accessor.findOrInsert(File(91, "b", in: 2), by: \.folder, \.name).id, equals: 91)
                try expect(try accessor.findOrInsert(File(92, "a"), by: \.folder, \.name).id, equals: 92)
            }
            try expect(try store.count(File.all), equals: 5)
        }
        ConformanceCase("An import finds items by two attributes", proves: 11) { world in
            let store = try open(in: world)
            let map = filesByNameAndFolder.inserting { File(Int64($0.size) + 100, $0.name) }
            let lines = [
                Line(folder: 1, name: "a", size: 1), Line(folder: nil, name: "a", size: 2),
                Line(folder: 2, name: "a", size: 3), Line(folder: 1, name: "c", size: 4),
                Line(folder: 1, name: "c", size: 5),
            ]

            let counts = try store.writeSync { try $0.importItems(from: lines, using: map) }

            try expect(counts, equals: ImportCounts(inserted: 2, updated: 2, skipped: 1))
            try expect(
                try files(store), equals: ["1 1/a 1", "2 1/b 0", "3 -/a 0", "103 2/a 3", "104 1/c 5"])
            try expect(
                try store.writeSync { try $0.importItems(from: lines, using: map) },
                equals: ImportCounts(updated: 2, unchanged: 2, skipped: 1))
        }
        ConformanceCase(
            "An owner in place of the one in a key takes no value that another item has", proves: 11
        ) { world in
            let store = try open(in: world)
            let files = filesByNameAndFolder.inserting { File(Int64($0.size) + 100, $0.name) }
            let owners = ImportMap<Folder, (Int64, [Line])>(by: \.id, from: { folder($0.0) }) {
                Import(\.files, from: \.1, using: files, .add)
            }
            func run(_ lines: [Line], in owner: Int64) throws {
                try store.writeSync {
                    try $0.importItems(from: [(owner, lines)] as [(Int64, [Line])], using: owners)
                }
            }
            let stored = ["1 1/a 0", "2 1/b 0", "3 -/a 0"]

            // Nothing is found in folder 2, and folder 1 has such a file.
            let inSecond = Line(folder: 2, name: "a", size: 1)
            let error = try expectError(.uniqueViolation) { try run([inSecond], in: 1) }
            try expect(error.identifier, equals: .integer(1))
            try expect(try Self.files(store), equals: stored)
            // The file of folder 1 goes to folder 2 in the same batch.
            let moved = Line(folder: 1, name: "a", size: 2)
            let other = try expectError(.uniqueViolation) { try run([moved, inSecond], in: 2) }
            try expect(other.identifier, equals: .integer(1))
            try expect(try Self.files(store), equals: stored)
            try run([Line(folder: 2, name: "c", size: 2)], in: 1)
            try expect(try Self.files(store), equals: stored + ["102 1/c 2"])
        }
        ConformanceCase("A nested object is not referred to in place of a key", proves: 11) { world in
            let store = try open(in: world)
            let folders = ImportMap<Folder, Int64>(by: \.id, from: { folder($0) })
            let files = ImportMap<File, Line>(
                by: \.name, \.folder, from: { line in line.folder.map { (line.name, ToOne(id: folder($0))) } }
            ) {
                Import(\.folder, from: { Int64($0.size) }, using: folders)
            }.inserting { File(Int64($0.size) + 100, $0.name) }

            try store.writeSync {
                try $0.importItems(
                    from: [Line(folder: 2, name: "a", size: 1), Line(folder: 1, name: "b", size: 2)],
                    using: files)
            }

            try expect(try Self.files(store), equals: ["1 1/a 0", "2 1/b 0", "3 -/a 0", "101 2/a 0"])
        }
        ConformanceCase(
            "Attributes that are not unique together are refused as a key", proves: 11
        ) { world in
            let store = try open(in: world)

            try store.writeSync { accessor in
                let error = try expectError(.invalidRequest) {
                    try accessor.upsert(File(9, "z"), by: \.name, \.size)
                }
                try expect(error.attribute, equals: "name, size")
                try expect(error.advice, equals: #"Write @StoredItem(uniques: [["name", "size"]])."#)
                try expectError(.invalidRequest) {
                    try accessor.upsert(contentsOf: [File(9, "z")], by: \.name)
                }
                try expectError(.invalidRequest) {
                    try accessor.findOrInsert(File(9, "z"), by: \.folder, \.size)
                }
                try expectError(.invalidRequest) {
                    try accessor.importItems(from: [Line(name: "z")], using: entryMap)
                }
            }
            try expect(try store.count(File.all), equals: 3)
        }
        ConformanceCase(
            "Nested objects under a required owner are imported again and again", proves: 11, 15
        ) { world in
            let store = try open(in: world)
            func run(_ sources: [(Int64, [Line]?)], _ items: ImportedItems = .replaceDeleting) throws
                -> ImportCounts
            {
                try store.writeSync { try $0.importItems(from: sources, using: folders(items)) }
            }
            let sources: [(Int64, [Line]?)] = [
                (1, [Line(name: "x", size: 1), Line(name: "y", size: 2)]), (2, nil),
                (3, [Line(name: "x", size: 3)]),
            ]
            try expect(try run(sources), equals: ImportCounts(inserted: 1, updated: 2))
            let expected = ["1/x 1", "1/y 2", "2/x -", "3/x 3"]
            try expect(try entries(store), equals: expected)
            try expect(try run(sources), equals: ImportCounts(unchanged: 3))
            try expect(try entries(store), equals: expected)
            try expect(try store.item(ItemID(rawValue: 1), of: Entry.self)?.note, equals: "1")
            // Left over: with `.replace` refused, otherwise deleted, even by an empty list.
            let fewer: [(Int64, [Line]?)] = [(1, [Line(name: "y", size: 5)]), (2, [])]
            try expectError(.invalidValue) { _ = try run(fewer, .replace) }
            try expect(try entries(store), equals: expected)
            try store.writeSync { accessor in
                let handle = try require(try accessor.mutableItem(id: ItemID<Entry>(rawValue: 1)))
                try accessor.importItems(from: fewer, using: folders(.replaceDeleting))
                try expectError(.itemNotFound) { try accessor.update(handle.item) }
            }
            try expect(try entries(store), equals: ["1/y 5", "3/x 3"])
            try expect(try run(fewer, .add), equals: ImportCounts(unchanged: 2))
        }
        ConformanceCase(
            "Items that an import leaves over go to another owner or are deleted", proves: 15
        ) { world in
            let store = try open(in: world)
            let files = ImportMap<File, Int64>(by: \.id, from: \.self) {
                Import(\.name) { "n\($0)" }
                Import(\.size) { _ in 0 }
            }
            let map = ImportMap<Folder, (Int64, [Int64])>(by: \.id, from: { folder($0.0) }) {
                Import(\.name) { _ in "" }
                Import(\.files, from: \.1, using: files, .replaceDeleting)
            }
            // File 1 goes from folder 1 to folder 900, hundreds of sources later; file 2 goes nowhere.
            var sources: [(Int64, [Int64])] = (100..<500).map { ($0, []) }
            sources[0] = (1, [7])
            sources[350] = (900, [1])

            try store.writeSync { try $0.importItems(from: sources, using: map) }

            try expect(try Self.files(store), equals: ["1 900/n1 0", "3 -/a 0", "7 1/n7 0"])
            // A name that is held by what is left over is free in the same call.
            let byName = ImportMap<File, Line>(by: \.id, from: { Int64($0.size) }) {
                Import(\.name, from: \.name)
                Import(\.size) { _ in 0 }
            }
            let lines = ImportMap<Folder, (Int64, [Line])>(by: \.id, from: { folder($0.0) }) {
                Import(\.files, from: \.1, using: byName, .replaceDeleting)
            }
            try store.writeSync {
                try $0.importItems(
                    from: [(1, [Line(name: "n7", size: 8)])] as [(Int64, [Line])], using: lines)
            }
            try expect(try Self.files(store), equals: ["1 900/n1 0", "3 -/a 0", "8 1/n7 0"])
        }
        ConformanceCase(
            "Items that are left over go even if they wait, and stay with an owner that gets them again",
            proves: 11, 15
        ) { world in
            let store = try open(in: world)
            func run(_ first: [Line], _ last: [Line]) throws -> [String] {
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: File.self)
                    try accessor.insert(contentsOf: [File(1, "a", in: 1), File(2, "b", in: 1)])
                    try accessor.importItems(
                        from: sources(first, last), using: foldersOfFiles(.replaceDeleting))
                }
                return try Self.files(store)
            }

            // It waits for the name of file 1.
            let waiting = Line(name: "a", size: 2)
            try expect(try run([waiting], []), equals: [])
            try expect(try run([], [waiting]), equals: ["2 1/a 0"])
            try expect(try run([], [Line(name: "a", size: 1)]), equals: ["1 1/a 0"])
        }
        ConformanceCase("Items that wait leave an owner that a later source empties", proves: 11, 15) {
            world in
            let store = try open(in: world)
            func run(_ items: ImportedItems, _ id: Int) throws -> [String] {
                // It waits for the name of file 1.
                let waiting = Line(name: "a", size: id)
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: File.self)
                    try accessor.insert(contentsOf: [File(1, "a", in: 1), File(2, "b", in: 2)])
                    try accessor.importItems(from: sources([waiting], []), using: foldersOfFiles(items))
                }
                return try Self.files(store)
            }

            // A new file, and a stored one of another folder.
            try expect(try run(.replace, 9), equals: ["1 -/a 0", "2 2/b 0", "9 -/a 0"])
            try expect(try run(.replace, 2), equals: ["1 -/a 0", "2 -/a 0"])
            try expect(try run(.replaceDeleting, 9), equals: ["2 2/b 0"])
            try expect(try run(.replaceDeleting, 2), equals: [])
            try expect(try run(.add, 1), equals: ["1 1/a 0", "2 2/b 0"])
            // An entry cannot be without a folder.
            let entries = ImportMap<Entry, Line>(by: \.id, from: { ItemID(rawValue: Int64($0.size)) }) {
                Import(\.name, from: \.name)
            }
            let map = ImportMap<Folder, (Int64, [Line])>(by: \.id, from: { folder($0.0) }) {
                Import(\.name) { _ in "" }
                Import(\.entries, from: \.1, using: entries)
            }
            let both = [Line(name: "x", size: 1), Line(name: "x", size: 9)]
            let error = try expectError(.invalidValue) {
                _ = try store.writeSync {
                    try $0.importItems(from: sources(both, [Line(name: "y", size: 1)]), using: map)
                }
            }
            try expect(error.identifier, equals: .itemID(9))
        }
        ConformanceCase("Items that go to an owner that waits are not left over", proves: 11, 15) { world in
            let store = try world.open(Cellar.self, Bottle.self)
            let map = ImportMap<Cellar, (Int64, String, [Int64])>(by: \.id, from: \.0) {
                Import(\.name, from: \.1)
                Import(\.bottles, by: \.id, from: \.2, .replaceDeleting)
            }
            // Cellar 3 waits for the name of cellar 2.
            var sources: [(Int64, String, [Int64])] = (100..<400).map { ($0, "n\($0)", []) }
            sources[0] = (1, "one", [])
            sources[1] = (3, "two", [5])
            sources[299] = (2, "other", [])

            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Cellar(1, "one"), Cellar(2, "two")])
                try accessor.insert(contentsOf: [Bottle(5, "a", in: 1), Bottle(6, "b", in: 1)])
                try accessor.importItems(from: sources, using: map)
            }

            try expect(try store.items(Bottle.all).map { $0.cellar?.id }, equals: [3])
        }
        ConformanceCase(
            "A new owner that is named again keeps none of its earlier items, however near they are",
            proves: 11, 15
        ) { world in
            let store = try world.open(Cellar.self, Bottle.self)
            let bottles = ImportMap<Bottle, Int64>(by: \.id, from: \.self).inserting { Bottle($0, "l\($0)") }
            func run(_ items: ImportedItems, named name: String, apart distance: Int) throws -> [String] {
                let map = ImportMap<Cellar, (Int64, String, [Int64])>(by: \.id, from: \.0) {
                    Import(\.name, from: \.1)
                    Import(\.bottles, from: \.2, using: bottles, items)
                }
                var sources: [(Int64, String, [Int64])] = (100..<500).map { ($0, "n\($0)", []) }
                sources[0] = (9, name, [5, 6])
                sources[distance] = (9, name, [6])
                sources[399] = (1, "other", [])
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Bottle.self)
                    try accessor.deleteAllItems(of: Cellar.self)
                    try accessor.insert(Cellar(1, "one"))
                    try accessor.importItems(from: sources, using: map)
                }
                return try store.items(Bottle.all).map {
                    "\($0.id) \($0.cellar.map { "\($0.id)" } ?? "-")"
                }
            }

            for distance in [1, 300] {
                // With the name of cellar 1, the owner waits.
                for name in ["new", "one"] {
                    try expect(try run(.replace, named: name, apart: distance), equals: ["5 -", "6 9"])
                    try expect(try run(.replaceDeleting, named: name, apart: distance), equals: ["6 9"])
                    try expect(try run(.add, named: name, apart: distance), equals: ["5 9", "6 9"])
                }
            }
        }
        ConformanceCase("An item that is added to a new owner twice is linked once", proves: 15) { world in
            let store = try LinkFixture.open(world)
            let map = ImportMap<Book, (Int64, [String])>(by: \.id, from: \.0) {
                Import(\.labels, by: \.id, from: \.1, .add)
            }.inserting { Book($0.0, by: 1) }

            try store.writeSync {
                try $0.importItems(
                    from: [(4, ["red"]), (4, ["blue", "red"])] as [(Int64, [String])], using: map)
            }

            try expect(try LinkFixture.labels(of: 4, in: store), equals: ["blue", "red"])
        }
        ConformanceCase(
            "Linked items that an import leaves without an owner are deleted", proves: 15
        ) { world in
            let store = try LinkFixture.open(world, labels: ["blue", "red"], ["red"])
            let map = ImportMap<Book, (Int64, [String])>(by: \.id, from: \.0) {
                Import(\.labels, by: \.id, from: \.1, .replaceDeleting)
            }

            try store.writeSync {
                try $0.importItems(from: [(1, ["green"]), (3, ["white"])] as [(Int64, [String])], using: map)
            }

            try LinkFixture.expect(store, labels: ["green"], ["red"], ["white"])
            try expect(try store.items(Label.all).map(\.id), equals: ["black", "green", "red", "white"])
        }
    }

    private static func folder(_ id: Int64) -> ItemID<Folder> { ItemID(rawValue: id) }

    private static func open(in world: ConformanceWorld) throws -> any DataStore {
        let store = try world.open(Folder.self, File.self, Entry.self)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Folder(1, "docs"), Folder(2, "mail")])
            try accessor.insert(contentsOf: [File(1, "a", in: 1), File(2, "b", in: 1), File(3, "a")])
            try accessor.insert(
                contentsOf: [Entry(ItemID(rawValue: 1), "x", in: 1), Entry(ItemID(rawValue: 2), "x", in: 2)])
        }
        return store
    }

    private static func files(_ store: any DataStore) throws -> [String] {
        try store.items(File.all).map {
            "\($0.id) \($0.folder.map { "\($0.id.rawValue)" } ?? "-")/\($0.name) \($0.size)"
        }
    }

    private struct Line: Sendable {
        var folder: Int64?
        var name: String
        var size = 0
    }

    private static let filesByNameAndFolder = ImportMap<File, Line>(
        by: \.name, \.folder, from: { line in line.folder.map { (line.name, ToOne(id: folder($0))) } }
    ) {
        Import(\.size, from: \.size)
    }

    private static func foldersOfFiles(_ items: ImportedItems) -> ImportMap<Folder, (Int64, [Line])> {
        let files = ImportMap<File, Line>(by: \.id, from: { Int64($0.size) }) {
            Import(\.name, from: \.name)
            Import(\.size) { _ in 0 }
        }
        return ImportMap(by: \.id, from: { folder($0.0) }) {
            Import(\.name) { _ in "" }
            Import(\.files, from: \.1, using: files, items)
        }
    }

    /// Two sources of folder 1, hundreds apart.
    private static func sources(_ first: [Line], _ last: [Line]) -> [(Int64, [Line])] {
        let between: [(Int64, [Line])] = (100..<400).map { ($0, []) }
        return [(1, first)] + between + [(1, last)]
    }

    private static let entryMap = ImportMap<Entry, Line>(by: \.name, within: \.folder, from: \.name) {
        Import(\.note) { "\($0.size)" }
    }

    private static func folders(_ items: ImportedItems) -> ImportMap<Folder, (Int64, [Line]?)> {
        ImportMap(by: \.id, from: { folder($0.0) }) {
            Import(\.name) { "f\($0.0)" }
            Import(\.entries, from: \.1, using: entryMap, items)
        }
    }

    private static func entries(_ store: any DataStore) throws -> [String] {
        try store.items(Entry.all).map {
            "\($0.folder.id.rawValue)/\($0.name) \($0.note ?? "-")"
        }.sorted()
    }
}
