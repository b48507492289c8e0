import Larder

/// Indexes and unique values of several attributes, one of them a text without regard to case.
enum FoldedCompoundCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A name that an owner has once is compared without regard to case", proves: 11, 15) {
            world in
            let store = try filled(in: world)
            let changes: [(DataStoreReadWriteAccessor) throws -> Void] = [
                { _ = try $0.insert(Bottle(9, "pORT", in: 1)) },
                { _ = try $0.upsert(Bottle(9, "PORT", in: 1)) },
                { _ = try $0.update(Bottle(2, "port", in: 1)) },
                { try bottle(2, in: $0).label = "PORT" },
                { try bottle(4, in: $0).cellar = ToOne(id: 1) },
                { _ = try $0.update(Bottle.where(\.id == 3), .set(\.cellar, to: ToOne(id: 1))) },
                { _ = try cellar(1, in: $0).bottles.add(id: 3) },
            ]

            for (number, change) in changes.enumerated() {
                let error = try expectError(.uniqueViolation, writingTo: store) { try change($0) }
                try expect(error.attribute, equals: "cellar, label", "change \(number)")
                try expect(error.identifier, equals: .integer(1), "change \(number)")
            }
            try expectError(.uniqueViolation, writingTo: store) {
                try $0.insert(contentsOf: [Bottle(9, "new", in: 2), Bottle(10, "NEW", in: 2)])
            }
            // The second text is the item's own, which the call does not give.
            let error = try expectError(.uniqueViolation, writingTo: store) {
                _ = try $0.update(Bottle.where(\.id == 3), .set(\.cellar, to: ToOne(id: 1)))
            }
            try expect(
                error.message,
                equals: "The item 1 already has the cellar 1 and label \"Port\", which equals \"PORT\" "
                    + "without regard to case.")
            try expect(
                try bottles(store), equals: ["1 1/Port 0", "2 1/madeira 0", "3 2/PORT 0", "4 -/port 0"])
        }
        ConformanceCase(
            "A name is free in another owner, in none, and in another case of its own", proves: 11
        ) { world in
            let store = try filled(in: world)

            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [
                    Bottle(5, "MADEIRA", in: 2), Bottle(6, "madeira"), Bottle(7, "MADEIRA"),
                ])
                let (first, second) = (try bottle(1, in: accessor), try bottle(2, in: accessor))
                (first.label, second.label) = ("MADEIRA", "PORT")
                try bottle(3, in: accessor).label = "port"
            }

            try expect(
                try bottles(store),
                equals: [
                    "1 1/MADEIRA 0", "2 1/PORT 0", "3 2/port 0", "4 -/port 0", "5 2/MADEIRA 0",
                    "6 -/madeira 0",
                    "7 -/MADEIRA 0",
                ])
        }
        ConformanceCase("Items of an owner are found and ordered without regard to case", proves: 7, 8) {
            world in
            let store = try filled(in: world)
            let ofFirst: Filter<Bottle> = \.cellar.id == 1
            let byLabel = Bottle.all.sorted(by: \.cellar.id).sorted(by: \.label, .caseInsensitive)

            try expect(
                [
                    (ofFirst && .equals(\.label, "PORT", .caseInsensitive), [1]),
                    (ofFirst && .hasPrefix(\.label, "MA", .caseInsensitive), [2]),
                    (ofFirst && .equals(\.label, "rum", .caseInsensitive), []),
                ], in: store)
            try expect(byLabel, gives: [4, 2, 1, 3] as [Int64], in: store)
            try expect(
                Bottle.all.sorted(by: \.count).sorted(
                    by: \.label, [.caseInsensitive, .diacriticInsensitive]),
                gives: [2, 1, 3, 4] as [Int64], in: store)
        }
        ConformanceCase("An owner and a name find an item without regard to case", proves: 11) { world in
            let store = try filled(in: world)

            try store.writeSync { accessor in
                let port = try accessor.upsert(Bottle(90, "PORT", in: 1, count: 7), by: \.label, \.cellar)
                try expect(port.id, equals: 1)
                let madeira = try accessor.findOrInsert(Bottle(91, "MADEIRA", in: 1), by: \.cellar, \.label)
                try expect(madeira.label, equals: "madeira")
                let counts = try accessor.upsert(
                    contentsOf: [
                        Bottle(92, "Madeira", in: 1, count: 3), Bottle(93, "new", in: 2),
                        Bottle(94, "NEW", in: 2, count: 4), Bottle(95, "PORT"),
                    ],
                    by: \.cellar, \.label)
                try expect(counts, equals: ImportCounts(inserted: 2, updated: 2))
            }

            try expect(
                try bottles(store),
                equals: [
                    "1 1/PORT 7", "2 1/Madeira 3", "3 2/PORT 0", "4 -/port 0", "93 2/NEW 4", "95 -/PORT 0",
                ])
        }
        ConformanceCase("An import finds items of an owner without regard to case", proves: 11, 15) { world in
            let store = try filled(in: world)
            let map = ImportMap<Bottle, Line>(
                by: \.label, \.cellar,
                from: { line in line.cellar.map { (line.label, ToOne(id: $0)) } }
            ) {
                Import(\.count, from: \.count)
            }.inserting { Bottle(Int64($0.count) + 100, $0.label) }
            let lines = [
                Line(1, "PORT", 1), Line(nil, "port", 2), Line(2, "port", 3), Line(1, "Cava", 4),
                Line(1, "CAVA", 5),
            ]

            let counts = try store.writeSync { try $0.importItems(from: lines, using: map) }

            try expect(counts, equals: ImportCounts(inserted: 1, updated: 3, skipped: 1))
            // A key is what an item was found by: the stored text stays.
            try expect(
                try bottles(store),
                equals: ["1 1/Port 1", "2 1/madeira 0", "3 2/PORT 3", "4 -/port 0", "104 1/Cava 5"])
            let within = ImportMap<Bottle, Line>(by: \.label, within: \.cellar, from: \.label) {
                Import(\.count, from: \.count)
            }.inserting { Bottle(Int64($0.count) + 100, $0.label) }
            let cellars = ImportMap<Cellar, (String, [Line])>(by: \.name, from: \.0) {
                Import(\.bottles, from: \.1, using: within, .replaceDeleting)
            }
            let sources = [("NORTH", [Line(nil, "MADEIRA", 8), Line(nil, "Tokaj", 9)])]
            try store.writeSync { try $0.importItems(from: sources, using: cellars) }
            try expect(
                try bottles(store), equals: ["2 1/madeira 8", "3 2/PORT 3", "4 -/port 0", "109 1/Tokaj 9"])
            try expect(try store.items(Cellar.all).map(\.name), equals: ["North", "South"])
        }
        ConformanceCase("An import refers to items by a key without regard to case", proves: 11, 15) {
            world in
            let store = try filled(in: world)
            let map = ImportMap<Bottle, (Int64, String)>(by: \.id, from: \.0) {
                Import(\.cellar, by: \.name, from: \.1)
            }

            let sources = [(2, "SOUTH"), (3, "sOUTH")] as [(Int64, String)]
            let counts = try store.writeSync { try $0.importItems(from: sources, using: map) }

            try expect(counts, equals: ImportCounts(updated: 1, unchanged: 1))
            try expect(
                try bottles(store), equals: ["1 1/Port 0", "2 2/madeira 0", "3 2/PORT 0", "4 -/port 0"])
            let error = try expectError(.targetNotFound, writingTo: store) {
                try $0.importItems(from: [(4, "Roof")] as [(Int64, String)], using: map)
            }
            try expect(error.message, equals: "No Cellar has the name \"Roof\".")
        }
        ConformanceCase("A merge finds names of one owner that differ in case alone", proves: 11, 19) {
            world in
            let store = try filled(in: world)
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                try accessor.insert(Bottle(20, "Dao", in: 1))
                let third = try bottle(3, in: accessor)
                (third.label, third.cellar) = ("Malaga", ToOne(id: 1))
            }
            try store.writeSync {
                try $0.insert(contentsOf: [Bottle(21, "DAO", in: 1), Bottle(22, "MALAGA", in: 1)])
            }

            let error = try expectError(.mergeConflict) { try store.merge(child) }

            for holder: Int64 in [21, 22] {
                let kind = MergeConflict.Kind.notUnique(attribute: "cellar, label", holder: .integer(holder))
                try expect(error.conflicts.count { $0.kind == kind }, equals: 1, "a clash with \(holder)")
            }
            try expect(error.conflicts.count, equals: 2)
            try store.merge(child, policy: .parentWins)
            try expect(
                try bottles(store),
                equals: [
                    "1 1/Port 0", "2 1/madeira 0", "3 2/PORT 0", "4 -/port 0", "21 1/DAO 0", "22 1/MALAGA 0",
                ])
        }
        ConformanceCase(
            "A name that a child has changed clashes in the owner that the parent has given", proves: 11, 19
        ) { world in
            let store = try filled(in: world)
            let child = try store.makeChildDataStore()
            try child.writeSync { try bottle(4, in: $0).label = "CAVA" }
            try store.writeSync { accessor in
                try accessor.insert(Cellar(3, "East"))
                try accessor.insert(Bottle(5, "cava", in: 3))
                try bottle(4, in: accessor).cellar = ToOne(id: 3)
            }

            let error = try expectError(.mergeConflict) { try store.merge(child) }

            try expect(
                error.conflicts.map(\.kind),
                equals: [.notUnique(attribute: "cellar, label", holder: .integer(5))])
            try expect(error.conflicts.map(\.identifier), equals: [.integer(4)])
            try store.writeSync { try $0.delete(id: 5, of: Bottle.self) }
            try store.merge(child)
            try expect(
                try bottles(store), equals: ["1 1/Port 0", "2 1/madeira 0", "3 2/PORT 0", "4 3/CAVA 0"])
        }
        ConformanceCase("A savepoint gives names back without regard to case", proves: 3, 11) { world in
            let store = try filled(in: world)

            try store.writeSync { accessor in
                try expectOwnError {
                    try accessor.savepoint {
                        try bottle(1, in: accessor).label = "Rum"
                        try accessor.insert(Bottle(9, "PORT", in: 1))
                        throw OwnError()
                    }
                }
                try accessor.insert(Bottle(10, "RUM", in: 1))
                try expectError(.uniqueViolation) { try accessor.insert(Bottle(11, "PORT", in: 1)) }
            }

            try expect(
                try bottles(store),
                equals: ["1 1/Port 0", "2 1/madeira 0", "3 2/PORT 0", "4 -/port 0", "10 1/RUM 0"])
        }
    }

    private struct Line: Sendable {
        let cellar: Int64?
        let label: String
        let count: Int

        init(_ cellar: Int64?, _ label: String, _ count: Int) {
            (self.cellar, self.label, self.count) = (cellar, label, count)
        }
    }

    /// Two bottles in the first cellar, one in the second and one in none; three have one label.
    private static func filled(in world: ConformanceWorld) throws -> any DataStore {
        let store = try world.open(Cellar.self, Bottle.self)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Cellar(1, "North"), Cellar(2, "South")])
            try accessor.insert(contentsOf: [
                Bottle(1, "Port", in: 1), Bottle(2, "madeira", in: 1), Bottle(3, "PORT", in: 2),
                Bottle(4, "port"),
            ])
        }
        return store
    }

    private static func bottle(
        _ id: Int64, in accessor: DataStoreReadWriteAccessor
    ) throws -> Mutable<Bottle> {
        try require(try accessor.mutableItem(id: id, of: Bottle.self))
    }

    private static func cellar(
        _ id: Int64, in accessor: DataStoreReadWriteAccessor
    ) throws -> Mutable<Cellar> {
        try require(try accessor.mutableItem(id: id, of: Cellar.self))
    }

    private static func bottles(_ store: any DataStore) throws -> [String] {
        try store.items(Bottle.all).map {
            "\($0.id) \($0.cellar.map { "\($0.id)" } ?? "-")/\($0.label) \($0.count)"
        }
    }
}
