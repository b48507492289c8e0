import Larder

/// An item with the names that an engine may give to tables and columns when it joins them.
struct NamedLikeJoin: DataStoreItem {
    let id: Int64
    var key: Int64
    var value: Int64
    var table: ToOne<NamedLikeTable>

    init(_ id: Int64, of table: Int64) {
        self.id = id
        key = id
        value = -id
        self.table = ToOne(id: table)
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<NamedLikeJoin, Int64>(column: 0)
        let key = Attribute<NamedLikeJoin, Int64>(column: 1)
        let value = Attribute<NamedLikeJoin, Int64>(column: 2)
        let table = Attribute<NamedLikeJoin, ToOne<NamedLikeTable>>(indexedColumn: 3)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "larder_0",
        attributes: [
            .attribute("id", Int64.self), .attribute("larder_0_key", Int64.self),
            .attribute("Larder__0_Value", Int64.self), .attribute("table", ToOne<NamedLikeTable>.self),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        key = try row.value(at: 1)
        value = try row.value(at: 2)
        table = try row.value(at: 3)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(key, at: 1)
        try row.set(value, at: 2)
        try row.set(table, at: 3)
    }
}

/// An item by whose attribute others are ordered; it has such names too.
struct NamedLikeTable: DataStoreItem {
    let id: Int64
    var name: String
    var joins: ToMany<NamedLikeJoin>

    init(_ id: Int64, _ name: String) {
        self.id = id
        self.name = name
        joins = .notGiven
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<NamedLikeTable, Int64>(column: 0)
        let name = Attribute<NamedLikeTable, String>(column: 1)
        let joins = RelationshipAttribute<NamedLikeTable, ToMany<NamedLikeJoin>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "larder__0", attributes: [.attribute("id", Int64.self), .attribute("larder___0_value", String.self)],
        indexes: [.index("larder___0_value")],
        relationships: [
            .relationship(
                "joins", ToMany<NamedLikeJoin>.self, of: NamedLikeTable.self,
                inverse: NamedLikeJoin.attributes.table, deleteRule: .cascade)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        joins = try row.value(atRelationship: 0, of: NamedLikeTable.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(joins, atRelationship: 0)
    }
}
