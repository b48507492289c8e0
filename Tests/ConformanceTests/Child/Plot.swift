import Larder
import LarderConformance

/// A place at a node: no two plots at a node have the same number; and a path of nodes in an order.
struct Plot: DataStoreItem, Equatable {
    let id: Int64
    var node: ToOne<Node>?
    var number: Int64
    var code: Int64?
    let path: OrderedToMany<Node>

    init(_ id: Int64, at node: Int64?, number: Int64, code: Int64?) {
        self.id = id
        self.node = node.map { ToOne(id: $0) }
        (self.number, self.code) = (number, code)
        path = []
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Plot, Int64>(column: 0)
        let node = Attribute<Plot, ToOne<Node>?>(indexedColumn: 1)
        let number = Attribute<Plot, Int64>(column: 2)
        let code = Attribute<Plot, Int64?>(indexedColumn: 3)
        let path = RelationshipAttribute<Plot, OrderedToMany<Node>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Plot",
        attributes: [
            .attribute("id", Int64.self), .attribute("node", ToOne<Node>?.self),
            .attribute("number", Int64.self), .attribute("code", Int64?.self),
        ],
        indexes: [.unique("node", "number"), .unique("code")],
        relationships: [.relationship("path", OrderedToMany<Node>.self, deleteRule: .cascade)])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        node = try row.value(at: 1)
        number = try row.value(at: 2)
        code = try row.value(at: 3)
        path = try row.value(atRelationship: 0, of: Plot.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(node, at: 1)
        try row.set(number, at: 2)
        try row.set(code, at: 3)
        try row.set(path, atRelationship: 0)
    }
}
