package import Larder

/// A cellar, whose name is unique without regard to case.
package struct Cellar: DataStoreItem, Equatable {
    package let id: Int64
    package var name: String
    package var bottles: ToMany<Bottle>

    package init(_ id: Int64, _ name: String, bottles: ToMany<Bottle> = .notGiven) {
        self.id = id
        self.name = name
        self.bottles = bottles
    }

    package struct Attributes: StoredAttributes {
        package let id = Attribute<Cellar, Int64>(column: 0)
        package let name = Attribute<Cellar, String>(column: 1)
        package let bottles = RelationshipAttribute<Cellar, ToMany<Bottle>>(number: 0)
    }

    package static let attributes = Attributes()

    package static let schema = EntitySchema(
        "Cellar", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
        indexes: [.unique("name", .caseInsensitive)],
        relationships: [
            .relationship("bottles", ToMany<Bottle>.self, of: Cellar.self, inverse: Bottle.attributes.cellar)
        ])

    package init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        bottles = try row.value(atRelationship: 0, of: Cellar.self)
    }

    package func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(bottles, atRelationship: 0)
    }
}

/// A bottle, whose label no other one in its cellar has, whatever its case.
package struct Bottle: DataStoreItem, Equatable {
    package let id: Int64
    package var label: String
    package var cellar: ToOne<Cellar>?
    package var count: Int

    package init(_ id: Int64, _ label: String, in cellar: Int64? = nil, count: Int = 0) {
        self.id = id
        self.label = label
        self.cellar = cellar.map { ToOne(id: $0) }
        self.count = count
    }

    package struct Attributes: StoredAttributes {
        package let id = Attribute<Bottle, Int64>(column: 0)
        package let label = Attribute<Bottle, String>(column: 1)
        package let cellar = Attribute<Bottle, ToOne<Cellar>?>(indexedColumn: 2)
        package let count = Attribute<Bottle, Int>(column: 3)
    }

    package static let attributes = Attributes()

    package static let schema = EntitySchema(
        "Bottle",
        attributes: [
            .attribute("id", Int64.self), .attribute("label", String.self),
            .attribute("cellar", ToOne<Cellar>?.self), .attribute("count", Int.self),
        ],
        indexes: [.unique("cellar", "label[c]"), .index("count", "label[cd]")])

    package init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        label = try row.value(at: 1)
        cellar = try row.value(at: 2)
        count = try row.value(at: 3)
    }

    package func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(label, at: 1)
        try row.set(cellar, at: 2)
        try row.set(count, at: 3)
    }
}
