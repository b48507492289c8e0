import Larder

/// Items of owners whose rows wait for a unique value until the end of their call.
enum WaitingOwnerCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "An owner that waits takes back nothing that a later source gave to another", proves: 11, 15
        ) { world in
            let store = try world.open(Cellar.self, Bottle.self)
            let bottles = ImportMap<Bottle, Int64>(by: \.id, from: \.self).inserting { Bottle($0, "l\($0)") }
            let maps = [ImportedItems.add, .replace].map { items in
                ImportMap<Cellar, Source>(by: \.id, from: \.id) {
                    Import(\.name, from: \.name)
                    Import(\.bottles, by: \.id, from: \.bottles, items)
                }
            }
            let nested = ImportMap<Cellar, Source>(by: \.id, from: \.id) {
                Import(\.name, from: \.name)
                Import(\.bottles, from: \.bottles, using: bottles, .replaceDeleting)
            }
            func run(
                _ owners: [Int64], apart distance: Int, _ map: ImportMap<Cellar, Source>
            ) throws -> [Int64?] {
                var sources = (0..<(1 + 300 * owners.count)).map { Source(1000 + Int64($0), "n\($0)") }
                for (place, owner) in owners.enumerated() {
                    sources[place * distance] = Source(owner, owner == 3 ? "two" : "four", [5])
                }
                // Cellar 3 waits for this.
                sources[sources.count - 1] = Source(2, "other")
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Bottle.self)
                    try accessor.deleteAllItems(of: Cellar.self)
                    try accessor.insert(contentsOf: [Cellar(1, "one"), Cellar(2, "two")])
                    try accessor.insert(Bottle(5, "a", in: 1))
                    try accessor.importItems(from: sources, using: map)
                }
                return try store.items(Bottle.all).map { $0.cellar?.id }
            }

            for map in maps + [nested] {
                for distance in [1, 300] {
                    try expect(try run([3, 4], apart: distance, map), equals: [4])
                    try expect(try run([4, 3], apart: distance, map), equals: [3])
                    try expect(try run([3, 4, 3], apart: distance, map), equals: [3])
                }
            }
        }
        ConformanceCase("The last of several owners that wait gets an item", proves: 11, 15) { world in
            let store = try world.open(Cellar.self, Bottle.self)
            let map = ImportMap<Cellar, Source>(by: \.id, from: \.id) {
                Import(\.name, from: \.name)
                Import(\.bottles, by: \.id, from: \.bottles, .add)
            }
            let pairs = (1...20).flatMap { (number: Int64) in
                [
                    Source(100 + 2 * number, "n\(2 * number - 1)", [number]),
                    Source(101 + 2 * number, "n\(2 * number)", [number]),
                ]
            }
            let between = (0..<300).map { Source(1000 + $0, "f\($0)") }
            let renamed = (1...40).map { Source($0, "m\($0)") }

            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (1...40).map { Cellar($0, "n\($0)") })
                try accessor.insert(contentsOf: (1...20).map { Bottle($0, "l\($0)") })
                try accessor.importItems(from: pairs + between + renamed, using: map)
            }

            try expect(
                try store.items(Bottle.all).compactMap { $0.cellar?.id },
                equals: (1...20).map { 101 + 2 * $0 })
        }
        ConformanceCase("The last of several items that wait refers to an item alone", proves: 11, 15) {
            world in
            let store = try world.open(Ticket.self, Seat.self)
            let map = ImportMap<Ticket, Ticket>(by: \.id, from: \.id) {
                Import(\.number, from: \.number)
                Import(\.seat, from: \.seat)
            }
            let pairs = (1...20).flatMap { (number: Int64) in
                [
                    Ticket(100 + 2 * number, 2 * number - 1, seat: number),
                    Ticket(101 + 2 * number, 2 * number, seat: number),
                ]
            }
            let between = (1000..<1300).map { Ticket($0, $0) }
            let renumbered = (1...40).map { Ticket($0, 500 + $0) }

            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (1...20).map { Seat($0) })
                try accessor.insert(contentsOf: (1...40).map { Ticket($0, $0) })
                try accessor.importItems(from: pairs + between + renumbered, using: map)
            }

            try expect(
                try store.items(Ticket.all).compactMap { ticket in
                    ticket.seat.map { "\(ticket.id) \($0.id)" }
                },
                equals: (1...20).map { "\(101 + 2 * $0) \($0)" })

            // A holder is freed even if another one takes its place and leaves it again, waiting or not.
            let places = ImportMap<Ticket, Ticket>(by: \.id, from: \.id) {
                Import(\.number, from: \.number)
                Import(\.seat, ifPresent: { $0.seat.map { Optional($0) } })
                Import(\.table, ifPresent: { $0.table.map { Optional($0) } })
            }
            func run(
                _ tickets: Ticket..., apart distance: Int, upserting isUpsert: Bool = false
            ) throws -> [String] {
                var sources = (0..<1000).map { Ticket(1000 + $0, 1000 + $0) }
                for (place, ticket) in tickets.enumerated() { sources[place * distance] = ticket }
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Ticket.self)
                    try accessor.upsert(contentsOf: [Seat(1), Seat(2), Seat(3)])
                    try accessor.insert(contentsOf: [Ticket(1, 1, seat: 1), Ticket(3, 3)])
                    if isUpsert {
                        try accessor.upsert(contentsOf: sources)
                    } else {
                        try accessor.importItems(from: sources, using: places)
                    }
                }
                return try store.items(Ticket.where(\.id < 1000)).map { ticket in
                    let places = [ticket.seat, ticket.table].map { $0.map { "\($0.id)" } ?? "-" }
                    return "\(ticket.id) \(places[0]) \(places[1])"
                }
            }

            for distance in [1, 300] {
                let (first, second) = (Ticket(3, 3, seat: 1), Ticket(3, 3, seat: 2))
                for isUpsert in [false, true] {
                    try expect(
                        try run(first, second, apart: distance, upserting: isUpsert),
                        equals: ["1 - -", "3 2 -"])
                    // It waits for the number of the first ticket, which the last source changes.
                    let waiting = [Ticket(3, 1, seat: 1), Ticket(3, 1, seat: 2)]
                    try expect(
                        try run(
                            waiting[0], waiting[1], Ticket(1, 9), apart: distance, upserting: isUpsert),
                        equals: ["1 - -", "3 2 -"])
                }
                // The order of the sources counts for each column by itself.
                try expect(
                    try run(
                        Ticket(3, 3, seat: 1), Ticket(4, 4, seat: 1), Ticket(3, 3, table: 2),
                        apart: distance),
                    equals: ["1 - -", "3 - 2", "4 1 -"])
                // The last one gets it, whether it waits or not.
                try expect(
                    try run(Ticket(3, 1, seat: 1), Ticket(4, 4, seat: 1), Ticket(1, 9), apart: distance),
                    equals: ["1 - -", "3 - -", "4 1 -"])
                try expect(
                    try run(Ticket(4, 4, seat: 1), Ticket(3, 1, seat: 1), Ticket(1, 9), apart: distance),
                    equals: ["1 - -", "3 1 -", "4 - -"])
            }
        }
        ConformanceCase("An item waits if its new owner has another one with its name", proves: 11, 15) {
            world in
            let store = try world.open(Folder.self, File.self, Entry.self)
            let files = ImportMap<File, Int64>(by: \.id, from: \.self) {
                Import(\.name) { _ in "a" }
                Import(\.size) { _ in 0 }
            }
            func run(_ sources: [FolderSource], _ items: ImportedItems) throws -> [[String]] {
                let nested = folders(Import(\.files, from: \.items, using: files, items))
                let byKey = folders(Import(\.files, by: \.id, from: \.items, items))
                return try [nested, byKey].map { map in
                    try store.writeSync { accessor in
                        try accessor.deleteAllItems(of: File.self)
                        try accessor.deleteAllItems(of: Folder.self)
                        try accessor.insert(contentsOf: [Folder(1), Folder(2)])
                        try accessor.insert(contentsOf: [File(1, "a", in: 1), File(2, "a", in: 2)])
                        try accessor.importItems(from: sources, using: map)
                    }
                    return try store.items(File.all).map { file in
                        "\(file.id) \(file.folder.map { "\($0.id.rawValue)" } ?? "-")"
                    }
                }
            }
            func twice(_ files: [String]) -> [[String]] { [files, files] }

            let takes = FolderSource(1, [2])
            try expect(try run([takes], .replaceDeleting), equals: twice(["2 1"]))
            try expect(try run([takes], .replace), equals: twice(["1 -", "2 1"]))
            let others = (1000..<1300).map { FolderSource($0, []) }
            for between in [[], others] {
                func add(_ last: FolderSource...) throws -> [[String]] {
                    try run([takes] + between + last, .add)
                }
                try expect(try add(FolderSource(3, [1])), equals: twice(["1 3", "2 1"]))
                // The file that waits goes to another folder, or back to its own.
                try expect(try add(FolderSource(3, [2])), equals: twice(["1 1", "2 3"]))
                try expect(try add(FolderSource(2, [2])), equals: twice(["1 1", "2 2"]))
                try expect(
                    try add(FolderSource(3, [2]), takes, FolderSource(4, [1])), equals: twice(["1 4", "2 1"]))
            }
            // Nothing takes the name away.
            let error = try expectError(.uniqueViolation) { _ = try run([takes], .add) }
            try expect(error.attribute, equals: "folder, name")
        }
        ConformanceCase(
            "An item that waits is not taken from its former owner, which is given others", proves: 11, 15
        ) { world in
            let store = try openBundles(world)
            let entries = ImportMap<Entry, Int64>(by: \.id, from: { ItemID(rawValue: $0) }) {
                Import(\.name) { _ in "x" }
            }
            var sources = (1000..<1400).map { FolderSource($0, []) }
            // Entry 1 waits for the name of entry 2.
            sources[0] = FolderSource(2, [1, 2])
            sources[300] = FolderSource(1, [])
            sources[399] = FolderSource(3, [2])

            for items in [ImportedItems.replace, .replaceDeleting] {
                let nested = folders(Import(\.entries, from: \.items, using: entries, items))
                let byKey = folders(
                    Import(
                        \.entries, by: \.id,
                        from: { source in source.items.map { ItemID<Entry>(rawValue: $0) } }, items))
                for map in [nested, byKey] {
                    try store.writeSync { accessor in
                        try accessor.deleteAllItems(of: Folder.self)
                        try accessor.insert(contentsOf: [Folder(1), Folder(2), Folder(3)])
                        try accessor.insert(
                            contentsOf: [1, 2].map { Entry(ItemID(rawValue: $0), "x", in: $0) })
                        try accessor.importItems(from: sources, using: map)
                    }
                    try expect(
                        try store.items(Entry.all).map { "\($0.id.rawValue) \($0.folder.id.rawValue)" },
                        equals: ["1 2", "2 3"])
                }
            }
            // Entry 2 cannot leave folder 3, so entry 1 waits for its name in vain.
            let replacing = folders(Import(\.entries, from: \.items, using: entries))
            let error = try expectError(.invalidValue, writingTo: store) { accessor in
                try accessor.importItems(from: [FolderSource(3, [1])], using: replacing)
            }
            try expect(error.identifier, equals: .itemID(2))
            // An owner counts that must give an item away. A line that only replaces keeps no item that another line deletes.
            let twice = ImportMap<Folder, (Int64, [Int64]?, [Int64]?)>(
                by: \.id, from: { ItemID(rawValue: $0.0) }
            ) {
                Import(\.name) { _ in "" }
                Import(
                    \.entries, by: \.id, from: { $0.1?.map { ItemID<Entry>(rawValue: $0) } }, .replaceDeleting
                )
                Import(\.entries, by: \.id, from: { $0.2?.map { ItemID<Entry>(rawValue: $0) } })
            }
            for distance in [1, 300] {
                func run(_ first: (Int64, [Int64]?, [Int64]?), _ last: (Int64, [Int64]?, [Int64]?)) throws
                    -> (entries: [String], counts: ImportCounts)
                {
                    var sources: [(Int64, [Int64]?, [Int64]?)] = (1000..<1400).map { ($0, nil, nil) }
                    (sources[0], sources[distance]) = (first, last)
                    let counts = try store.writeSync { accessor in
                        try accessor.deleteAllItems(of: Folder.self)
                        try accessor.insert(contentsOf: [Folder(1), Folder(2)])
                        try accessor.insert(
                            contentsOf: [5, 6].map { Entry(ItemID(rawValue: $0), "\($0)", in: 1) })
                        return try accessor.importItems(from: sources, using: twice)
                    }
                    let entries = try store.items(Entry.all)
                    return (entries.map { "\($0.id.rawValue) \($0.folder.id.rawValue)" }, counts)
                }
                let moved = try run((1, nil, [5]), (2, nil, [6]))
                try expect(moved.entries, equals: ["5 1", "6 2"])
                try expect(moved.counts, equals: ImportCounts(inserted: 398, updated: 2))
                try expect(try run((1, [5], nil), (1, nil, [5])).entries, equals: ["5 1"])
            }
        }
        ConformanceCase(
            "An item that waits does not go with its former owner, which is left over", proves: 11, 15, 16
        ) { world in
            let store = try openBundles(world)
            let entries = ImportMap<Entry, Int64>(by: \.id, from: { ItemID(rawValue: $0) }) {
                Import(\.name) { _ in "x" }
            }
            let nested = folders(Import(\.entries, from: \.items, using: entries, .replaceDeleting))
            let map = ImportMap<Bundle, [FolderSource]>(by: \.id, from: { _ in 1 }) {
                Import(\.folders, from: { $0 }, using: nested, .replaceDeleting)
            }

            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Folder(1), Folder(2)])
                try accessor.insert(
                    contentsOf: [1, 2].map { Entry(ItemID(rawValue: $0), "x", in: $0) })
                try accessor.insert(Bundle(1, folders: [ItemID(rawValue: 1), ItemID(rawValue: 2)]))
                // Entry 2 waits for the name of entry 1, while folder 2 is in no bundle any more.
                try accessor.importItems(from: [[FolderSource(1, [2])]], using: map)
            }

            try expect(try store.items(Folder.all).map(\.id.rawValue), equals: [1])
            try expect(
                try store.items(Entry.all).map { "\($0.id.rawValue) \($0.folder.id.rawValue)" },
                equals: ["2 1"])
        }
        ConformanceCase(
            "An item that waits refers no more to one that is left over and deleted", proves: 11, 15, 16
        ) { world in
            let store = try openBundles(world)
            let stations = ImportMap<Station, Station>(by: \.id, from: \.id) {
                Import(\.name, from: \.name)
                Import(\.code, from: \.code)
                Import(\.previous, from: \.previous)
            }
            let map = ImportMap<Bundle, [Station]>(by: \.id, from: { _ in 1 }) {
                Import(\.stations, from: { $0 }, using: stations, .replaceDeleting)
            }
            func station(code: Int) -> Station {
                var station = Station(2, "b", code: code)
                station.previous = ToOne(id: 1)
                return station
            }

            // A new station, and a stored one.
            for stored in [[], [station(code: 5)]] {
                // With the code of station 1, it waits.
                for code in [2, 1] {
                    try store.writeSync { accessor in
                        try accessor.deleteAllItems(of: Bundle.self)
                        try accessor.deleteAllItems(of: Station.self)
                        try accessor.insert(contentsOf: [Station(1, "a", code: 1)] + stored)
                        try accessor.insert(Bundle(1, stations: [1]))
                        try accessor.importItems(from: [[station(code: code)]], using: map)
                    }
                    try expect(
                        try store.items(Station.all).map { "\($0.id) \($0.code) \($0.previous == nil)" },
                        equals: ["2 \(code) true"])
                }
            }
        }
    }

    private static func openBundles(_ world: ConformanceWorld) throws -> any DataStore {
        try world.open(
            Bundle.self, Folder.self, File.self, Entry.self, Station.self, Region.self)
    }

    /// A source of a folder, with its files or entries.
    private struct FolderSource: Sendable {
        let id: Int64
        let items: [Int64]

        init(_ id: Int64, _ items: [Int64]) {
            (self.id, self.items) = (id, items)
        }
    }

    private static func folders(
        _ items: Import<Folder, FolderSource>
    ) -> ImportMap<Folder, FolderSource> {
        ImportMap(by: \.id, from: { ItemID(rawValue: $0.id) }) {
            Import(\.name) { _ in "" }
            items
        }
    }

    /// A source of a cellar.
    private struct Source: Sendable {
        let id: Int64
        let name: String
        let bottles: [Int64]

        init(_ id: Int64, _ name: String, _ bottles: [Int64] = []) {
            (self.id, self.name, self.bottles) = (id, name, bottles)
        }
    }
}

/// An item with links to others, which do not show it.
private struct Bundle: DataStoreItem {
    let id: Int64
    var folders: ToMany<Folder>
    var stations: ToMany<Station>

    init(_ id: Int64, folders: [ItemID<Folder>] = [], stations: [Int64] = []) {
        self.id = id
        self.folders = ToMany(ids: folders)
        self.stations = ToMany(ids: stations)
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Bundle, Int64>(column: 0)
        let folders = RelationshipAttribute<Bundle, ToMany<Folder>>(number: 0)
        let stations = RelationshipAttribute<Bundle, ToMany<Station>>(number: 1)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Bundle", attributes: [.attribute("id", Int64.self)],
        relationships: [
            .relationship("folders", ToMany<Folder>.self, inverse: nil),
            .relationship("stations", ToMany<Station>.self, inverse: nil),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        folders = try row.value(atRelationship: 0, of: Bundle.self)
        stations = try row.value(atRelationship: 1, of: Bundle.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(folders, atRelationship: 0)
        try row.set(stations, atRelationship: 1)
    }
}
