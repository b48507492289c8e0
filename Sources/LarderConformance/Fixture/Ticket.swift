import Larder

/// A ticket, whose number no other one has, for a seat of its own, and perhaps for a table of its own.
struct Ticket: DataStoreItem {
    let id: Int64
    var number: Int64
    var seat: ToOne<Seat>?
    var table: ToOne<Seat>?

    init(_ id: Int64, _ number: Int64, seat: Int64? = nil, table: Int64? = nil) {
        self.id = id
        self.number = number
        self.seat = seat.map { ToOne(id: $0) }
        self.table = table.map { ToOne(id: $0) }
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Ticket, Int64>(column: 0)
        let number = Attribute<Ticket, Int64>(column: 1)
        let seat = Attribute<Ticket, ToOne<Seat>?>(indexedColumn: 2)
        let table = Attribute<Ticket, ToOne<Seat>?>(indexedColumn: 3)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Ticket",
        attributes: [
            .attribute("id", Int64.self), .attribute("number", Int64.self),
            .attribute("seat", ToOne<Seat>?.self), .attribute("table", ToOne<Seat>?.self),
        ], indexes: [.unique("number")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        number = try row.value(at: 1)
        seat = try row.value(at: 2)
        table = try row.value(at: 3)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(number, at: 1)
        try row.set(seat, at: 2)
        try row.set(table, at: 3)
    }
}

struct Seat: DataStoreItem {
    let id: Int64
    var ticket: ToOneInverse<Ticket> = .notGiven
    var tableTicket: ToOneInverse<Ticket> = .notGiven

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
            .relationship(
                "ticket", ToOneInverse<Ticket>.self, of: Seat.self, inverse: Ticket.attributes.seat),
            .relationship(
                "tableTicket", ToOneInverse<Ticket>.self, of: Seat.self, inverse: Ticket.attributes.table),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        ticket = try row.value(atRelationship: 0, of: Seat.self)
        tableTicket = try row.value(atRelationship: 1, of: Seat.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(ticket, atRelationship: 0)
        try row.set(tableTicket, atRelationship: 1)
    }
}
