package import Larder

/// A node with a relationship to other nodes for each rule, and its leaves.
package struct Node: DataStoreItem, Equatable {
    package let id: Int64
    package var weight: Int
    /// Deleted with its parent.
    package var parent: ToOne<Node>?
    /// Nothing names it as an inverse.
    package var friend: ToOne<Node>?
    /// A guardian is not deleted without its wards.
    package var guardian: ToOne<Node>?
    /// May name a node that does not exist.
    package var shadow: ToOne<Node>?
    /// No two nodes have the same.
    package var partner: ToOne<Node>?
    /// Goes with the node.
    package var tail: ToOne<Node>?
    /// The node is not deleted without it.
    package var anchor: ToOne<Node>?
    package var children: ToMany<Node> = .notGiven
    package var wards: ToMany<Node> = .notGiven
    package var shadows: ToMany<Node> = .notGiven
    package var partnerOf: ToOneInverse<Node> = .notGiven
    package var links: ToMany<Node> = .notGiven
    package var linkedBy: ToMany<Node> = .notGiven
    /// Links whose targets go with the node.
    package var bundle: ToMany<Node> = .notGiven
    /// Links whose targets keep the node.
    package var ties: ToMany<Node> = .notGiven
    package var leaves: ToMany<Leaf> = .notGiven
    package var sitter: ToOneInverse<Leaf> = .notGiven

    package init(_ id: Int64, weight: Int = 0) {
        self.id = id
        self.weight = weight
    }

    package init(_ id: Int64, weight: Int = 0, _ path: WritableKeyPath<Node, ToOne<Node>?>, _ target: Int64?)
    {
        self.init(id, weight: weight)
        self[keyPath: path] = target.map { ToOne(id: $0) }
    }

    package struct Attributes: StoredAttributes {
        package let id = Attribute<Node, Int64>(column: 0)
        package let weight = Attribute<Node, Int>(column: 1)
        package let parent = Attribute<Node, ToOne<Node>?>(indexedColumn: 2)
        package let friend = Attribute<Node, ToOne<Node>?>(indexedColumn: 3)
        package let guardian = Attribute<Node, ToOne<Node>?>(indexedColumn: 4)
        package let shadow = Attribute<Node, ToOne<Node>?>(indexedColumn: 5)
        package let partner = Attribute<Node, ToOne<Node>?>(indexedColumn: 6)
        package let tail = Attribute<Node, ToOne<Node>?>(indexedColumn: 7)
        package let anchor = Attribute<Node, ToOne<Node>?>(indexedColumn: 8)
        package let links = RelationshipAttribute<Node, ToMany<Node>>(number: 4)
    }

    package static let attributes = Attributes()

    package static let schema = EntitySchema(
        "Node",
        attributes: [
            .attribute("id", Int64.self), .attribute("weight", Int.self),
            .attribute("parent", ToOne<Node>?.self), .attribute("friend", ToOne<Node>?.self),
            .attribute("guardian", ToOne<Node>?.self), .attribute("shadow", ToOne<Node>?.self),
            .attribute("partner", ToOne<Node>?.self), .attribute("tail", ToOne<Node>?.self),
            .attribute("anchor", ToOne<Node>?.self),
        ],
        relationships: [
            .relationship(
                "children", ToMany<Node>.self, of: Node.self, inverse: Node.attributes.parent,
                deleteRule: .cascade),
            .relationship(
                "wards", ToMany<Node>.self, of: Node.self, inverse: Node.attributes.guardian,
                deleteRule: .deny),
            .relationship(
                "shadows", ToMany<Node>.self, of: Node.self, inverse: Node.attributes.shadow,
                deleteRule: .noAction),
            .relationship(
                "partnerOf", ToOneInverse<Node>.self, of: Node.self, inverse: Node.attributes.partner),
            .relationship("links", ToMany<Node>.self),
            .relationship("linkedBy", ToMany<Node>.self, of: Node.self, inverse: Node.attributes.links),
            .relationship("bundle", ToMany<Node>.self, inverse: nil, deleteRule: .cascade),
            .relationship("ties", ToMany<Node>.self, inverse: nil, deleteRule: .deny),
            .relationship(
                "leaves", ToMany<Leaf>.self, of: Node.self, inverse: Leaf.attributes.node,
                deleteRule: .cascade),
            .relationship(
                "sitter", ToOneInverse<Leaf>.self, of: Node.self, inverse: Leaf.attributes.seat,
                deleteRule: .cascade),
            .reference("tail", deleteRule: .cascade),
            .reference("anchor", deleteRule: .deny),
        ])

    package init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        weight = try row.value(at: 1)
        parent = try row.value(at: 2)
        friend = try row.value(at: 3)
        guardian = try row.value(at: 4)
        shadow = try row.value(at: 5)
        partner = try row.value(at: 6)
        tail = try row.value(at: 7)
        anchor = try row.value(at: 8)
        leaves = try row.value(atRelationship: 8, of: Node.self)
    }

    package func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(weight, at: 1)
        try row.set(parent, at: 2)
        try row.set(friend, at: 3)
        try row.set(guardian, at: 4)
        try row.set(shadow, at: 5)
        try row.set(partner, at: 6)
        try row.set(tail, at: 7)
        try row.set(anchor, at: 8)
    }
}

/// A leaf of a node, which sits alone on another one.
package struct Leaf: DataStoreItem, Equatable {
    package let id: String
    package var node: ToOne<Node>
    package var seat: ToOne<Node>
    /// No other leaf of the node has the same.
    package var label: Int?

    package init(_ id: String, of node: Int64, on seat: Int64, label: Int? = nil) {
        self.id = id
        self.label = label
        self.node = ToOne(id: node)
        self.seat = ToOne(id: seat)
    }

    package struct Attributes: StoredAttributes {
        package let id = Attribute<Leaf, String>(column: 0)
        package let node = Attribute<Leaf, ToOne<Node>>(indexedColumn: 1)
        package let seat = Attribute<Leaf, ToOne<Node>>(indexedColumn: 2)
        package let label = Attribute<Leaf, Int?>(column: 3)
    }

    package static let attributes = Attributes()

    package static let schema = EntitySchema(
        "Leaf",
        attributes: [
            .attribute("id", String.self), .attribute("node", ToOne<Node>.self),
            .attribute("seat", ToOne<Node>.self), .attribute("label", Int?.self),
        ],
        indexes: [.unique("node", "label")])

    package init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        node = try row.value(at: 1)
        seat = try row.value(at: 2)
        label = try row.value(at: 3)
    }

    package func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(node, at: 1)
        try row.set(seat, at: 2)
        try row.set(label, at: 3)
    }
}
