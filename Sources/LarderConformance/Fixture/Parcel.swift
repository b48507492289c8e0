package import Larder

/// A depot with links to parcels, which do not show it.
package struct Depot: DataStoreItem {
    package let id: Int64
    package var parcels: ToMany<Parcel>

    package init(_ id: Int64, parcels: [Int64]) {
        self.id = id
        self.parcels = ToMany(ids: parcels)
    }

    package struct Attributes: StoredAttributes {
        package let id = Attribute<Depot, Int64>(column: 0)
        package let parcels = RelationshipAttribute<Depot, ToMany<Parcel>>(number: 0)
    }

    package static let attributes = Attributes()

    package static let schema = EntitySchema(
        "Depot", attributes: [.attribute("id", Int64.self)],
        relationships: [.relationship("parcels", ToMany<Parcel>.self, inverse: nil)])

    package init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        parcels = try row.value(atRelationship: 0, of: Depot.self)
    }

    package func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(parcels, atRelationship: 0)
    }

    /// Each source is a list of all parcels of depot 1; those that it leaves out are deleted.
    package static var map: ImportMap<Depot, [Parcel]> {
        ImportMap(by: \.id, from: { _ in 1 }) {
            Import(\.parcels, from: { $0 }, using: Parcel.map, .replaceDeleting)
        }
    }
}

/// A parcel, whose label no other one has, with a reference to another one for each rule that may take it along.
package struct Parcel: DataStoreItem, Equatable {
    package let id: Int64
    package var label: Int
    /// Takes the parcel with it.
    package var parent: ToOne<Parcel>?
    /// Is not deleted without the parcel.
    package var guardian: ToOne<Parcel>?
    /// Goes with the parcel.
    package var lid: ToOne<Parcel>?
    /// The parcel is not deleted without it.
    package var anchor: ToOne<Parcel>?
    package var children: ToMany<Parcel> = .notGiven
    package var wards: ToMany<Parcel> = .notGiven

    package init(_ id: Int64, label: Int) {
        self.id = id
        self.label = label
    }

    package init(
        _ id: Int64, label: Int, _ path: WritableKeyPath<Parcel, ToOne<Parcel>?>, _ target: Int64?
    ) {
        self.init(id, label: label)
        self[keyPath: path] = target.map { ToOne(id: $0) }
    }

    package struct Attributes: StoredAttributes {
        package let id = Attribute<Parcel, Int64>(column: 0)
        package let label = Attribute<Parcel, Int>(column: 1)
        package let parent = Attribute<Parcel, ToOne<Parcel>?>(indexedColumn: 2)
        package let guardian = Attribute<Parcel, ToOne<Parcel>?>(indexedColumn: 3)
        package let lid = Attribute<Parcel, ToOne<Parcel>?>(indexedColumn: 4)
        package let anchor = Attribute<Parcel, ToOne<Parcel>?>(indexedColumn: 5)
    }

    package static let attributes = Attributes()

    package static let schema = EntitySchema(
        "Parcel",
        attributes: [
            .attribute("id", Int64.self), .attribute("label", Int.self),
            .attribute("parent", ToOne<Parcel>?.self), .attribute("guardian", ToOne<Parcel>?.self),
            .attribute("lid", ToOne<Parcel>?.self), .attribute("anchor", ToOne<Parcel>?.self),
        ],
        indexes: [.unique("label")],
        relationships: [
            .relationship(
                "children", ToMany<Parcel>.self, of: Parcel.self, inverse: Parcel.attributes.parent,
                deleteRule: .cascade),
            .relationship(
                "wards", ToMany<Parcel>.self, of: Parcel.self, inverse: Parcel.attributes.guardian,
                deleteRule: .deny),
            .reference("lid", deleteRule: .cascade),
            .reference("anchor", deleteRule: .deny),
        ])

    package init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        label = try row.value(at: 1)
        parent = try row.value(at: 2)
        guardian = try row.value(at: 3)
        lid = try row.value(at: 4)
        anchor = try row.value(at: 5)
    }

    package func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(label, at: 1)
        try row.set(parent, at: 2)
        try row.set(guardian, at: 3)
        try row.set(lid, at: 4)
        try row.set(anchor, at: 5)
    }

    package static var map: ImportMap<Parcel, Parcel> {
        ImportMap(by: \.id, from: \.id) {
            Import(\.label, from: \.label)
            Import(\.parent, from: \.parent)
            Import(\.guardian, from: \.guardian)
            Import(\.lid, from: \.lid)
            Import(\.anchor, from: \.anchor)
        }
    }
}
