import Larder

/// A club with branches, which go with it, partners that do, and members; its name is unique without regard to case.
struct Club: DataStoreItem, Equatable {
    let id: Int64
    var name: String
    var level: Int64
    var parent: ToOne<Club>?
    var branches: ToMany<Club> = .notGiven
    var members: ToMany<Member> = .notGiven
    var sponsored: ToMany<Member> = .notGiven
    var badges: ToMany<Badge> = .notGiven
    var lockers: ToMany<Locker> = .notGiven
    var partners: ToMany<Club> = .notGiven
    var fans: ToMany<Member> = .notGiven

    init(id: Int64, name: String, level: Int64, parent: ToOne<Club>?) {
        self.id = id
        self.name = name
        self.level = level
        self.parent = parent
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Club, Int64>(column: 0)
        let name = Attribute<Club, String>(column: 1)
        let level = Attribute<Club, Int64>(indexedColumn: 2)
        let parent = Attribute<Club, ToOne<Club>?>(indexedColumn: 3)
        let branches = RelationshipAttribute<Club, ToMany<Club>>(number: 0)
        let members = RelationshipAttribute<Club, ToMany<Member>>(number: 1)
        let sponsored = RelationshipAttribute<Club, ToMany<Member>>(number: 2)
        let badges = RelationshipAttribute<Club, ToMany<Badge>>(number: 3)
        let lockers = RelationshipAttribute<Club, ToMany<Locker>>(number: 4)
        let partners = RelationshipAttribute<Club, ToMany<Club>>(number: 5)
        let fans = RelationshipAttribute<Club, ToMany<Member>>(number: 6)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Club",
        attributes: [
            .attribute("id", Int64.self),
            .attribute("name", String.self),
            .attribute("level", Int64.self),
            .attribute("parent", ToOne<Club>?.self),
        ],
        indexes: [.unique("name", .caseInsensitive), .index("level")],
        relationships: [
            .relationship(
                "branches", ToMany<Club>.self, of: Club.self, inverse: Club.attributes.parent,
                deleteRule: .cascade),
            .relationship(
                "members", ToMany<Member>.self, of: Club.self, inverse: Member.attributes.club,
                deleteRule: .cascade),
            .relationship(
                "sponsored", ToMany<Member>.self, of: Club.self, inverse: Member.attributes.sponsor,
                deleteRule: .deny),
            .relationship("badges", ToMany<Badge>.self, of: Club.self, inverse: Badge.attributes.patron),
            .relationship(
                "lockers", ToMany<Locker>.self, of: Club.self, inverse: Locker.attributes.home,
                deleteRule: .noAction),
            .relationship("partners", ToMany<Club>.self, inverse: nil, deleteRule: .cascade),
            .relationship("fans", ToMany<Member>.self, of: Club.self, inverse: Member.attributes.admired),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        level = try row.value(at: 2)
        parent = try row.value(at: 3)
        branches = try row.value(atRelationship: 0, of: Club.self)
        members = try row.value(atRelationship: 1, of: Club.self)
        sponsored = try row.value(atRelationship: 2, of: Club.self)
        badges = try row.value(atRelationship: 3, of: Club.self)
        lockers = try row.value(atRelationship: 4, of: Club.self)
        partners = try row.value(atRelationship: 5, of: Club.self)
        fans = try row.value(atRelationship: 6, of: Club.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(level, at: 2)
        try row.set(parent, at: 3)
        try row.set(branches, atRelationship: 0)
        try row.set(members, atRelationship: 1)
        try row.set(sponsored, atRelationship: 2)
        try row.set(badges, atRelationship: 3)
        try row.set(lockers, atRelationship: 4)
        try row.set(partners, atRelationship: 5)
        try row.set(fans, atRelationship: 6)
    }
}

/// A member of a club, in which its number is unique.
///
/// The next one goes with it.
struct Member: DataStoreItem, Equatable {
    let id: Int64
    var number: Int64
    var score: Int64?
    var club: ToOne<Club>
    var sponsor: ToOne<Club>?
    var mentor: ToOne<Member>?
    var next: ToOne<Member>?
    var pupils: ToMany<Member> = .notGiven
    var badge: ToOneInverse<Badge> = .notGiven
    var locker: ToOneInverse<Locker> = .notGiven
    var admired: ToMany<Club> = .notGiven
    var wishes: OrderedToMany<Badge> = .notGiven

    init(
        id: Int64, number: Int64, score: Int64?, club: ToOne<Club>, sponsor: ToOne<Club>?,
        mentor: ToOne<Member>?, next: ToOne<Member>?
    ) {
        self.id = id
        self.number = number
        self.score = score
        self.club = club
        self.sponsor = sponsor
        self.mentor = mentor
        self.next = next
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Member, Int64>(column: 0)
        let number = Attribute<Member, Int64>(column: 1)
        let score = Attribute<Member, Int64?>(indexedColumn: 2)
        let club = Attribute<Member, ToOne<Club>>(indexedColumn: 3)
        let sponsor = Attribute<Member, ToOne<Club>?>(indexedColumn: 4)
        let mentor = Attribute<Member, ToOne<Member>?>(indexedColumn: 5)
        let next = Attribute<Member, ToOne<Member>?>(indexedColumn: 6)
        let pupils = RelationshipAttribute<Member, ToMany<Member>>(number: 0)
        let badge = RelationshipAttribute<Member, ToOneInverse<Badge>>(number: 1)
        let locker = RelationshipAttribute<Member, ToOneInverse<Locker>>(number: 2)
        let admired = RelationshipAttribute<Member, ToMany<Club>>(number: 3)
        let wishes = RelationshipAttribute<Member, OrderedToMany<Badge>>(number: 4)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Member",
        attributes: [
            .attribute("id", Int64.self),
            .attribute("number", Int64.self),
            .attribute("score", Int64?.self),
            .attribute("club", ToOne<Club>.self),
            .attribute("sponsor", ToOne<Club>?.self),
            .attribute("mentor", ToOne<Member>?.self),
            .attribute("next", ToOne<Member>?.self),
        ],
        indexes: [.index("score"), .unique("club", "number")],
        relationships: [
            .relationship("pupils", ToMany<Member>.self, of: Member.self, inverse: Member.attributes.mentor),
            .relationship(
                "badge", ToOneInverse<Badge>.self, of: Member.self, inverse: Badge.attributes.holder),
            .relationship(
                "locker", ToOneInverse<Locker>.self, of: Member.self, inverse: Locker.attributes.member,
                deleteRule: .cascade),
            .relationship("admired", ToMany<Club>.self),
            .relationship("wishes", OrderedToMany<Badge>.self),
            .reference("next", deleteRule: .cascade),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        number = try row.value(at: 1)
        score = try row.value(at: 2)
        club = try row.value(at: 3)
        sponsor = try row.value(at: 4)
        mentor = try row.value(at: 5)
        next = try row.value(at: 6)
        pupils = try row.value(atRelationship: 0, of: Member.self)
        badge = try row.value(atRelationship: 1, of: Member.self)
        locker = try row.value(atRelationship: 2, of: Member.self)
        admired = try row.value(atRelationship: 3, of: Member.self)
        wishes = try row.value(atRelationship: 4, of: Member.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(number, at: 1)
        try row.set(score, at: 2)
        try row.set(club, at: 3)
        try row.set(sponsor, at: 4)
        try row.set(mentor, at: 5)
        try row.set(next, at: 6)
        try row.set(pupils, atRelationship: 0)
        try row.set(badge, atRelationship: 1)
        try row.set(locker, atRelationship: 2)
        try row.set(admired, atRelationship: 3)
        try row.set(wishes, atRelationship: 4)
    }
}
