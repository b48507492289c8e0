import Larder

/// Rows that wait for a unique value, and what their call deletes.
enum WaitingRowCases {
    static let all: [ConformanceCase] = [
        ConformanceCase(
            "Items given to an owner that waits do not go with their former owner", proves: 11, 15, 16
        ) { world in
            let store = try world.open(Pantry.self, Rack.self, Jar.self)

            for items in [ImportedItems.add, .replace, .replaceDeleting] {
                let racks = ImportMap<Rack, RackSource>(by: \.id, from: \.id) {
                    Import(\.code, from: \.code)
                    Import(\.jars, by: \.id, from: { source in source.jars?.map(\.id) }, items)
                }
                try store.writeSync { accessor in
                    try deleteAll(accessor)
                    try accessor.insert(Rack(1, code: 1))
                    try accessor.insert(contentsOf: [Jar(5, label: 5, on: 1), Jar(6, label: 6, on: 1)])
                    try accessor.insert(Pantry(1, racks: [1]))
                    // Rack 3 waits for the code of rack 1, which is left over and takes its jars with it.
                    try accessor.importItems(
                        from: [[RackSource(3, code: 1, jars: [Jar(5, label: 5, on: 3)])]],
                        using: pantries(racks))
                }
                try expect(try state(of: store), equals: ["rack 3 code 1", "jar 5 label 5 on 3"])
            }
        },
        ConformanceCase("An item that waits goes with one that is left over", proves: 11, 15, 16) { world in
            let store = try world.open(Pantry.self, Rack.self, Jar.self)
            let jars = ImportMap<Jar, Jar>(by: \.id, from: \.id) { Import(\.label, from: \.label) }
            let racks = ImportMap<Rack, RackSource>(by: \.id, from: \.id) {
                Import(\.code, from: \.code)
                Import(\.jars, from: \.jars, using: jars, .add)
            }
            let waiting = RackSource(1, code: 1, jars: [Jar(9, label: 5, on: 1)])

            // A new jar, and a stored one of another rack.
            for stored in [[], [Jar(9, label: 9, on: 2)]] {
                try store.writeSync { accessor in
                    try deleteAll(accessor)
                    try accessor.insert(contentsOf: [Rack(1, code: 1), Rack(2, code: 2)])
                    try accessor.insert(contentsOf: [Jar(5, label: 5, on: 1)] + stored)
                    try accessor.insert(Pantry(1, racks: [1, 2]))
                    // Jar 9 waits for the label of jar 5. The last source leaves their rack out.
                    try accessor.importItems(
                        from: [[waiting], [RackSource(2, code: 2)]], using: pantries(racks))
                }
                try expect(try state(of: store), equals: ["rack 2 code 2"])
            }
        },
        ConformanceCase(
            "An item that waits does not go with one to which it refers no more", proves: 11, 15, 16
        ) { world in
            let store = try world.open(Pantry.self, Rack.self, Jar.self)
            let jars = ImportMap<Jar, Jar>(by: \.id, from: \.id) {
                Import(\.label, from: \.label)
                Import(\.rack, by: \.id, from: { $0.rack.id })
                Import(\.next, by: \.id, from: { $0.next?.id })
            }
            let map = ImportMap<Pantry, [Jar]>(by: \.id, from: { _ in 1 }) {
                Import(\.jars, from: { $0 }, using: jars, .add)
                Import(\.racks, by: \.id, from: { _ in [2] }, .replaceDeleting)
            }

            // A new jar, and a stored one of the rack that is left over.
            for stored in [[], [Jar(9, label: 9, on: 1)]] {
                try store.writeSync { accessor in
                    try deleteAll(accessor)
                    try accessor.insert(contentsOf: [Rack(1, code: 1), Rack(2, code: 2)])
                    try accessor.insert(contentsOf: [Jar(5, label: 5, on: 1)] + stored)
                    try accessor.insert(Pantry(1, racks: [1, 2]))
                    // Jar 9 waits for the label of jar 5, which goes with rack 1.
                    try accessor.importItems(from: [[Jar(9, label: 5, on: 2, next: 5)]], using: map)
                }
                try expect(try state(of: store), equals: ["rack 2 code 2", "jar 9 label 5 on 2"])
            }

            // A hook deletes rack 1 while jar 9 waits: after it has moved to rack 2, and while it stays.
            let hooked = ImportMap<Jar, Jar>(by: \.id, from: \.id) {
                Import(\.label, from: \.label)
                Import(\.rack, by: \.id, from: { $0.rack.id })
            }.didImport { _, source, accessor in
                if source.id == 7 { try accessor.delete(id: 1, of: Rack.self) }
            }
            for (rack, waiting) in [(2, ["jar 9 label 5 on 2"]), (1, [])] as [(Int64, [String])] {
                var sources = (1000..<1300).map { Jar($0, label: $0, on: 2) }
                sources.insert(contentsOf: [Jar(9, label: 5, on: rack), Jar(7, label: 7, on: 2)], at: 0)
                sources.append(Jar(5, label: 6, on: 2))
                try store.writeSync { accessor in
                    try deleteAll(accessor)
                    try accessor.insert(contentsOf: [Rack(1, code: 1), Rack(2, code: 2)])
                    try accessor.insert(contentsOf: [Jar(5, label: 5, on: 2), Jar(9, label: 9, on: 1)])
                    try accessor.importItems(from: sources, using: hooked)
                }
                try expect(
                    try state(of: store).filter { !$0.hasPrefix("jar 1") },
                    equals: ["rack 2 code 2", "jar 5 label 6 on 2", "jar 7 label 7 on 2"] + waiting)
            }
        },
        ConformanceCase(
            "A value of an item that waits and is left over is free for another", proves: 11, 15, 16
        ) { world in
            let store = try world.open(Pantry.self, Rack.self, Jar.self)
            let jars = ImportMap<Jar, Jar>(by: \.id, from: \.id) { Import(\.label, from: \.label) }
            let racks = ImportMap<Rack, RackSource>(by: \.id, from: \.id) {
                Import(\.code, from: \.code)
                Import(\.jars, from: \.jars, using: jars, .replaceDeleting)
            }

            for distance in [1, 300] {
                var sources = (1000..<1400).map { RackSource($0, code: $0) }
                // Jar 9 waits for the label of jar 5, and jar 8 too, which rack 1 has in place of both.
                sources[0] = RackSource(1, code: 1, jars: [Jar(9, label: 5, on: 1)])
                sources[distance] = RackSource(1, code: 1, jars: [Jar(8, label: 5, on: 1)])
                try store.writeSync { accessor in
                    try deleteAll(accessor)
                    try accessor.insert(Rack(1, code: 1))
                    try accessor.insert(Jar(5, label: 5, on: 1))
                    try accessor.importItems(from: sources, using: racks)
                }
                try expect(
                    try state(of: store).filter { $0.hasPrefix("jar") }, equals: ["jar 8 label 5 on 1"])
            }
        },
        ConformanceCase(
            "An item refers no more to one that waits and is left over", proves: 11, 15, 16
        ) { world in
            let store = try world.open(Pantry.self, Rack.self, Jar.self)
            let jars = ImportMap<Jar, Jar>(by: \.id, from: \.id) {
                Import(\.label, from: \.label)
                Import(\.next, from: \.next)
            }
            let racks = ImportMap<Rack, RackSource>(by: \.id, from: \.id) {
                Import(\.code, from: \.code)
                Import(\.jars, from: \.jars, using: jars, .replaceDeleting)
            }
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Rack(1, code: 1), Rack(2, code: 2)])
                try accessor.insert(Jar(5, label: 5, on: 1))
                // Jar 9 waits for the label of jar 5, which jar 8 has at the end.
                try accessor.importItems(
                    from: [
                        RackSource(1, code: 1, jars: [Jar(9, label: 5, on: 1)]),
                        RackSource(2, code: 2, jars: [Jar(10, label: 10, on: 2, next: 9)]),
                        RackSource(1, code: 1, jars: [Jar(8, label: 5, on: 1)]),
                    ], using: racks)
            }
            try expect(
                try state(of: store),
                equals: ["rack 1 code 1", "rack 2 code 2", "jar 8 label 5 on 1", "jar 10 label 10 on 2"])
        },
        ConformanceCase(
            "An owner of a single item has the last one, even if an earlier one waits", proves: 11, 15
        ) { world in
            let store = try world.open(Wagon.self)
            func run(
                _ stored: [Wagon], _ sources: [WagonSource], _ items: ImportedItems
            ) throws -> [String] {
                let map = ImportMap<Wagon, WagonSource>(by: \.id, from: \.id) {
                    Import(\.number, ifPresent: \.number)
                    Import(\.next) { source in source.next.map { ToOne(id: $0) } }
                    Import(\.previous, by: \.id, from: \.previous, items)
                }
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Wagon.self)
                    try accessor.insert(contentsOf: stored)
                    // Wagon 5 waits for the number of wagon 2.
                    try accessor.importItems(from: sources + [WagonSource(2, number: 77)], using: map)
                }
                return try store.items(Wagon.all).map { wagon in
                    "\(wagon.id) \(wagon.number) \(wagon.next.map { "\($0.id)" } ?? "-")"
                }
            }
            let (first, second, sixth) = (Wagon(1, 1), Wagon(2, 2), Wagon(6, 6))
            let waiting = WagonSource(5, number: 2, next: 1)

            for items in [ImportedItems.add, .replace] {
                // Given to the one that waits, and then named by another.
                let given = [
                    WagonSource(5, number: 2), WagonSource(1, previous: [5]),
                    WagonSource(6, number: 6, next: 1),
                ]
                try expect(
                    try run([first, second], given, items), equals: ["1 1 -", "2 77 -", "5 2 -", "6 6 1"])
                // Named by the one that waits, and then given to another, as a new item and a stored one.
                for stored in [[second, sixth], [first, second, sixth]] {
                    let taken = [waiting, WagonSource(1, number: 1, previous: [6])]
                    try expect(
                        try run(stored, taken, items), equals: ["1 1 -", "2 77 -", "5 2 -", "6 6 1"])
                    try expect(
                        try run(stored, taken + [WagonSource(1, previous: [5])], items),
                        equals: ["1 1 -", "2 77 -", "5 2 1", "6 6 -"])
                }
            }
            // The one that waits is left over.
            let left = [waiting, WagonSource(1, previous: [6])]
            try expect(
                try run([first, second, sixth], left, .replaceDeleting),
                equals: ["1 1 -", "2 77 -", "6 6 1"])
        },
    ]

    // MARK: Sources

    /// A source of a rack; without jars, those stay that are there.
    private struct RackSource: Sendable {
        let id: Int64
        let code: Int64
        let jars: [Jar]?

        init(_ id: Int64, code: Int64, jars: [Jar]? = nil) {
            (self.id, self.code, self.jars) = (id, code, jars)
        }
    }

    /// A source of a wagon; without a number and a previous one, it leaves them unchanged.
    private struct WagonSource: Sendable {
        let id: Int64
        let number: Int64?
        let next: Int64?
        let previous: [Int64]?

        init(_ id: Int64, number: Int64? = nil, next: Int64? = nil, previous: [Int64]? = nil) {
            (self.id, self.number, self.next, self.previous) = (id, number, next, previous)
        }
    }

    /// Each source is a list of all racks of pantry 1; those that it leaves out are deleted.
    private static func pantries(
        _ racks: ImportMap<Rack, RackSource>
    ) -> ImportMap<Pantry, [RackSource]> {
        ImportMap(by: \.id, from: { _ in 1 }) {
            Import(\.racks, from: { $0 }, using: racks, .replaceDeleting)
        }
    }

    private static func deleteAll(_ accessor: DataStoreReadWriteAccessor) throws {
        try accessor.deleteAllItems(of: Pantry.self)
        try accessor.deleteAllItems(of: Jar.self)
        try accessor.deleteAllItems(of: Rack.self)
    }

    /// The racks and the jars.
    private static func state(of store: any DataStore) throws -> [String] {
        let racks = try store.items(Rack.all).map { "rack \($0.id) code \($0.code)" }
        let jars = try store.items(Jar.all).map { jar in
            "jar \(jar.id) label \(jar.label) on \(jar.rack.id)\(jar.next.map { " next \($0.id)" } ?? "")"
        }
        return racks + jars
    }
}

// MARK: Items

/// A pantry with links to racks and jars, which do not show it.
private struct Pantry: DataStoreItem {
    let id: Int64
    var racks: ToMany<Rack>
    var jars: ToMany<Jar>

    init(_ id: Int64, racks: [Int64]) {
        self.id = id
        self.racks = ToMany(ids: racks)
        jars = .notGiven
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Pantry, Int64>(column: 0)
        let racks = RelationshipAttribute<Pantry, ToMany<Rack>>(number: 0)
        let jars = RelationshipAttribute<Pantry, ToMany<Jar>>(number: 1)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Pantry", attributes: [.attribute("id", Int64.self)],
        relationships: [
            .relationship("racks", ToMany<Rack>.self, inverse: nil),
            .relationship("jars", ToMany<Jar>.self, inverse: nil),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        racks = try row.value(atRelationship: 0, of: Pantry.self)
        jars = try row.value(atRelationship: 1, of: Pantry.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(racks, atRelationship: 0)
        try row.set(jars, atRelationship: 1)
    }
}

/// A rack, whose code no other one has, and which takes its jars with it.
private struct Rack: DataStoreItem {
    let id: Int64
    var code: Int64
    var jars: ToMany<Jar> = .notGiven

    init(_ id: Int64, code: Int64) {
        (self.id, self.code) = (id, code)
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Rack, Int64>(column: 0)
        let code = Attribute<Rack, Int64>(column: 1)
        let jars = RelationshipAttribute<Rack, ToMany<Jar>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Rack", attributes: [.attribute("id", Int64.self), .attribute("code", Int64.self)],
        indexes: [.unique("code")],
        relationships: [
            .relationship(
                "jars", ToMany<Jar>.self, of: Rack.self, inverse: Jar.attributes.rack, deleteRule: .cascade)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        code = try row.value(at: 1)
        jars = try row.value(atRelationship: 0, of: Rack.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(code, at: 1)
        try row.set(jars, atRelationship: 0)
    }
}

/// A jar, which is always on a rack, and whose label no other one has.
private struct Jar: DataStoreItem {
    let id: Int64
    var label: Int64
    var rack: ToOne<Rack>
    var next: ToOne<Jar>?

    init(_ id: Int64, label: Int64, on rack: Int64, next: Int64? = nil) {
        self.id = id
        self.label = label
        self.rack = ToOne(id: rack)
        self.next = next.map { ToOne(id: $0) }
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Jar, Int64>(column: 0)
        let label = Attribute<Jar, Int64>(column: 1)
        let rack = Attribute<Jar, ToOne<Rack>>(indexedColumn: 2)
        let next = Attribute<Jar, ToOne<Jar>?>(indexedColumn: 3)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Jar",
        attributes: [
            .attribute("id", Int64.self), .attribute("label", Int64.self),
            .attribute("rack", ToOne<Rack>.self), .attribute("next", ToOne<Jar>?.self),
        ], indexes: [.unique("label")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        label = try row.value(at: 1)
        rack = try row.value(at: 2)
        next = try row.value(at: 3)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(label, at: 1)
        try row.set(rack, at: 2)
        try row.set(next, at: 3)
    }
}

/// A wagon, whose number no other one has, and which alone is the previous one of the next.
private struct Wagon: DataStoreItem {
    let id: Int64
    var number: Int64
    var next: ToOne<Wagon>?
    var previous: ToOneInverse<Wagon> = .notGiven

    init(_ id: Int64, _ number: Int64) {
        (self.id, self.number) = (id, number)
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Wagon, Int64>(column: 0)
        let number = Attribute<Wagon, Int64>(column: 1)
        let next = Attribute<Wagon, ToOne<Wagon>?>(indexedColumn: 2)
        let previous = RelationshipAttribute<Wagon, ToOneInverse<Wagon>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Wagon",
        attributes: [
            .attribute("id", Int64.self), .attribute("number", Int64.self),
            .attribute("next", ToOne<Wagon>?.self),
        ], indexes: [.unique("number")],
        relationships: [
            .relationship(
                "previous", ToOneInverse<Wagon>.self, of: Wagon.self, inverse: Wagon.attributes.next)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        number = try row.value(at: 1)
        next = try row.value(at: 2)
        previous = try row.value(atRelationship: 0, of: Wagon.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(number, at: 1)
        try row.set(next, at: 2)
        try row.set(previous, atRelationship: 0)
    }
}
