import Larder

/// An item with links to others of its type, a parent and children.
struct Linked: DataStoreItem, Equatable {
    let id: Int
    var parent: ToOne<Linked>?
    var others: ToMany<Linked>
    var children: ToMany<Linked>

    init(_ id: Int, others: [Int]? = nil, children: [Int]? = nil) {
        self.id = id
        self.others = others.map { ToMany(ids: $0) } ?? .notGiven
        self.children = children.map { ToMany(ids: $0) } ?? .notGiven
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Linked, Int>(column: 0)
        let parent = Attribute<Linked, ToOne<Linked>?>(indexedColumn: 1)
        let others = RelationshipAttribute<Linked, ToMany<Linked>>(number: 0)
        let children = RelationshipAttribute<Linked, ToMany<Linked>>(number: 1)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Linked", attributes: [.attribute("id", Int.self), .attribute("parent", ToOne<Linked>?.self)],
        relationships: [
            .relationship("others", ToMany<Linked>.self, inverse: nil),
            .relationship(
                "children", ToMany<Linked>.self, of: Linked.self, inverse: Linked.attributes.parent),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        parent = try row.value(at: 1)
        others = try row.value(atRelationship: 0, of: Linked.self)
        children = try row.value(atRelationship: 1, of: Linked.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(parent, at: 1)
        try row.set(others, atRelationship: 0)
        try row.set(children, atRelationship: 1)
    }
}

/// An item with links to those.
struct LinkOwner: DataStoreItem {
    let id: Int
    var items: ToMany<Linked>

    init(_ id: Int) {
        self.id = id
        items = .notGiven
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<LinkOwner, Int>(column: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "LinkOwner", attributes: [.attribute("id", Int.self)],
        relationships: [.relationship("items", ToMany<Linked>.self, inverse: nil)])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        items = try row.value(atRelationship: 0, of: LinkOwner.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(items, atRelationship: 0)
    }
}
