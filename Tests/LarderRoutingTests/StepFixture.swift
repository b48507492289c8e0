import Larder

/// One version of an item type whose attributes are texts.
protocol TextVersion: Sendable {
    static var schema: EntitySchema { get }
}

/// An item of a version: its identifier, and its texts in the order of the attributes.
struct Texts<Version: TextVersion>: DataStoreItem, Equatable {
    let id: Int64
    var values: [String]

    init(_ id: Int64, _ values: String...) {
        self.id = id
        self.values = values
    }

    struct Attributes: Sendable {
        let id = Attribute<Texts, Int64>(column: 0)
    }
    static var attributes: Attributes { Attributes() }
    static var schema: EntitySchema { Version.schema }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        values = []
        for column in Self.schema.attributes.indices.dropFirst() {
            values.append(try row.value(at: column))
        }
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        for (position, value) in values.enumerated() { try row.set(value, at: position + 1) }
    }
}

enum FirstKind: TextVersion {
    static let schema = EntitySchema(
        "Kind", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)])
}

enum SecondKind: TextVersion {
    static let schema = EntitySchema(
        "Kind",
        attributes: [
            .attribute("id", Int64.self), .attribute("title", String.self), .attribute("code", String.self),
        ])
}

enum FirstNote: TextVersion {
    static let schema = EntitySchema(
        "Note", attributes: [.attribute("id", Int64.self), .attribute("text", String.self)])
}

enum SecondNote: TextVersion {
    static let schema = EntitySchema(
        "Note", attributes: [.attribute("id", Int64.self), .attribute("line", String.self)])
}

/// A team of cooks, which are in another part.
typealias Team = TeamOf<Cook>

/// A team of cooks, or of other items in their place.
struct TeamOf<Target: DataStoreItem>: DataStoreItem {
    let id: Int64
    var cooks: ToMany<Target> = .notGiven

    init(_ id: Int64) { self.id = id }

    struct Attributes: Sendable {
        let id = Attribute<TeamOf, Int64>(column: 0)
        let cooks = RelationshipAttribute<TeamOf, ToMany<Target>>(number: 0)
    }
    static var attributes: Attributes { Attributes() }
    static var schema: EntitySchema {
        EntitySchema(
            "Team", attributes: [.attribute("id", Int64.self)],
            relationships: [.relationship("cooks", ToMany<Target>.self)])
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        cooks = try row.value(atRelationship: 0, of: TeamOf.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(cooks, atRelationship: 0)
    }
}
