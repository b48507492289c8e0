import Larder

/// A club with branches, which go with it, partners that do, and members.
@StoredItem
struct Club: Equatable {
    let id: Int64
    @Unique var number: Int64
    @Indexed var level: Int64
    var parent: ToOne<Club>?
    @Relationship(deleteRule: .cascade, inverse: \Club.parent) var branches: ToMany<Club>
    @Relationship(deleteRule: .cascade, inverse: \Member.club) var members: ToMany<Member>
    @Relationship(deleteRule: .deny, inverse: \Member.sponsor) var sponsored: ToMany<Member>
    @Relationship(inverse: \Badge.patron) var badges: ToMany<Badge>
    @Relationship(deleteRule: .noAction, inverse: \Locker.home) var lockers: ToMany<Locker>
    @Relationship(deleteRule: .cascade, inverse: nil) var partners: ToMany<Club>
    @Relationship(inverse: \Member.admired) var fans: ToMany<Member>
}

/// A member of a club, in which its number is unique.
///
/// The next one goes with it.
@StoredItem(uniques: [["club", "number"]])
struct Member: Equatable {
    let id: Int64
    var number: Int64
    @Indexed var score: Int64?
    var club: ToOne<Club>
    var sponsor: ToOne<Club>?
    var mentor: ToOne<Member>?
    @Relationship(deleteRule: .cascade) var next: ToOne<Member>?
    @Relationship(inverse: \Member.mentor) var pupils: ToMany<Member>
    @Relationship(inverse: \Badge.holder) var badge: ToOneInverse<Badge>
    @Relationship(deleteRule: .cascade, inverse: \Locker.member) var locker: ToOneInverse<Locker>
    var admired: ToMany<Club>
    var wishes: OrderedToMany<Badge>
}

/// A badge, which one member may hold.
///
/// A club is the patron of one badge.
@StoredItem(uniques: [["color", "number"]])
struct Badge: Equatable {
    let id: Int64
    var color: Int64
    var number: Int64?
    var holder: ToOne<Member>?
    @Unique var patron: ToOne<Club>?
    @Relationship(inverse: \Member.wishes) var wishers: ToMany<Member>
}

/// A locker, which always belongs to one member.
///
/// It is kept by its key and its tools, and its home may be gone.
@StoredItem
struct Locker: Equatable {
    let id: Int64
    @Indexed var code: Int64
    var member: ToOne<Member>
    var home: ToOne<Club>?
    @Relationship(deleteRule: .deny) var key: ToOne<Badge>?
    @Relationship(deleteRule: .deny, inverse: nil) var tools: ToMany<Badge>
}
