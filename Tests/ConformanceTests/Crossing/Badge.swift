import Larder

/// A badge, which one member may hold.
///
/// A club is the patron of one badge.
struct Badge: DataStoreItem, Equatable {
    let id: Int64
    var color: Int64
    var number: Int64?
    var holder: ToOne<Member>?
    var patron: ToOne<Club>?
    var wishers: ToMany<Member> = .notGiven

    init(id: Int64, color: Int64, number: Int64?, holder: ToOne<Member>?, patron: ToOne<Club>?) {
        self.id = id
        self.color = color
        self.number = number
        self.holder = holder
        self.patron = patron
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Badge, Int64>(column: 0)
        let color = Attribute<Badge, Int64>(column: 1)
        let number = Attribute<Badge, Int64?>(column: 2)
        let holder = Attribute<Badge, ToOne<Member>?>(indexedColumn: 3)
        let patron = Attribute<Badge, ToOne<Club>?>(indexedColumn: 4)
        let wishers = RelationshipAttribute<Badge, ToMany<Member>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Badge",
        attributes: [
            .attribute("id", Int64.self),
            .attribute("color", Int64.self),
            .attribute("number", Int64?.self),
            .attribute("holder", ToOne<Member>?.self),
            .attribute("patron", ToOne<Club>?.self),
        ],
        indexes: [.unique("patron"), .unique("color", "number")],
        relationships: [
            .relationship("wishers", ToMany<Member>.self, of: Badge.self, inverse: Member.attributes.wishes)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        color = try row.value(at: 1)
        number = try row.value(at: 2)
        holder = try row.value(at: 3)
        patron = try row.value(at: 4)
        wishers = try row.value(atRelationship: 0, of: Badge.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(color, at: 1)
        try row.set(number, at: 2)
        try row.set(holder, at: 3)
        try row.set(patron, at: 4)
        try row.set(wishers, atRelationship: 0)
    }
}

/// A locker, which always belongs to one member.
///
/// It is kept by its key and its tools, and its home may be gone.
struct Locker: DataStoreItem, Equatable {
    let id: Int64
    var code: Int64
    var member: ToOne<Member>
    var home: ToOne<Club>?
    var key: ToOne<Badge>?
    var tools: ToMany<Badge> = .notGiven

    init(id: Int64, code: Int64, member: ToOne<Member>, home: ToOne<Club>?, key: ToOne<Badge>?) {
        self.id = id
        self.code = code
        self.member = member
        self.home = home
        self.key = key
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Locker, Int64>(column: 0)
        let code = Attribute<Locker, Int64>(indexedColumn: 1)
        let member = Attribute<Locker, ToOne<Member>>(indexedColumn: 2)
        let home = Attribute<Locker, ToOne<Club>?>(indexedColumn: 3)
        let key = Attribute<Locker, ToOne<Badge>?>(indexedColumn: 4)
        let tools = RelationshipAttribute<Locker, ToMany<Badge>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Locker",
        attributes: [
            .attribute("id", Int64.self),
            .attribute("code", Int64.self),
            .attribute("member", ToOne<Member>.self),
            .attribute("home", ToOne<Club>?.self),
            .attribute("key", ToOne<Badge>?.self),
        ],
        indexes: [.index("code")],
        relationships: [
            .relationship("tools", ToMany<Badge>.self, inverse: nil, deleteRule: .deny),
            .reference("key", deleteRule: .deny),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        code = try row.value(at: 1)
        member = try row.value(at: 2)
        home = try row.value(at: 3)
        key = try row.value(at: 4)
        tools = try row.value(atRelationship: 0, of: Locker.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(code, at: 1)
        try row.set(member, at: 2)
        try row.set(home, at: 3)
        try row.set(key, at: 4)
        try row.set(tools, atRelationship: 0)
    }
}
