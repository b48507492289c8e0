import Larder

/// Items of owners whose rows wait for a unique value until the end of their call.
enum WaitingOwnerCases {
    static let all: [ConformanceCase] = [
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
        },
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
        },
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
        },
    ]

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

/// A ticket, whose number no other one has, for a seat of its own.
private struct Ticket: DataStoreItem {
    let id: Int64
    var number: Int64
    var seat: ToOne<Seat>?

    init(_ id: Int64, _ number: Int64, seat: Int64? = nil) {
        self.id = id
        self.number = number
        self.seat = seat.map { ToOne(id: $0) }
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Ticket, Int64>(column: 0)
        let number = Attribute<Ticket, Int64>(column: 1)
        let seat = Attribute<Ticket, ToOne<Seat>?>(indexedColumn: 2)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Ticket",
        attributes: [
            .attribute("id", Int64.self), .attribute("number", Int64.self),
            .attribute("seat", ToOne<Seat>?.self),
        ], indexes: [.unique("number")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        number = try row.value(at: 1)
        seat = try row.value(at: 2)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(number, at: 1)
        try row.set(seat, at: 2)
    }
}

private struct Seat: DataStoreItem {
    let id: Int64
    var ticket: ToOneInverse<Ticket> = .notGiven

    init(_ id: Int64) {
        self.id = id
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Seat, Int64>(column: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Seat", attributes: [.attribute("id", Int64.self)],
        relationships: [
            .relationship("ticket", ToOneInverse<Ticket>.self, of: Seat.self, inverse: Ticket.attributes.seat)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        ticket = try row.value(atRelationship: 0, of: Seat.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(ticket, atRelationship: 0)
    }
}
