import Larder

/// A relationship that a value may be given items for.
struct Window<Owner: Piece> {
    /// The place where the relationship is stored.
    enum Form {
        case links(Tie, isReversed: Bool)
        /// A column of the other items.
        case referrers(Kind, column: Int)
    }

    let name: String
    let form: Form
    /// Gives a value items, by their identifiers or as values.
    let give: (inout Owner, _ ids: [Int64], _ asValues: Bool) -> Void

    /// The kind of the items that it leads to.
    var other: Kind {
        switch form {
        case .links(let tie, let isReversed): isReversed ? tie.source : tie.target
        case .referrers(let kind, _): kind
        }
    }
}

extension Window {
    init(
        _ tie: Tie, isReversed: Bool = false, _ name: String,
        _ give: @escaping (inout Owner, _ ids: [Int64], _ asValues: Bool) -> Void
    ) {
        self.init(name: name, form: .links(tie, isReversed: isReversed), give: give)
    }

    init(
        _ kind: Kind, _ column: Int, _ name: String,
        _ give: @escaping (inout Owner, _ ids: [Int64], _ asValues: Bool) -> Void
    ) {
        self.init(name: name, form: .referrers(kind, column: column), give: give)
    }
}

private func many<Target: Piece>(_ ids: [Int64], _ asValues: Bool) -> ToMany<Target> {
    asValues ? ToMany(ids.map { Target.named($0) }) : ToMany(ids: ids)
}

private func ordered<Target: Piece>(_ ids: [Int64], _ asValues: Bool) -> OrderedToMany<Target> {
    asValues ? OrderedToMany(ids.map { Target.named($0) }) : OrderedToMany(ids: ids)
}

extension Piece {
    /// Some item with an identifier: what is given is known by its identifier alone.
    fileprivate static func named(_ id: Int64) -> Self {
        var cells = Cells(repeating: nil, count: kind.width)
        cells[0] = id
        return Self(cells)
    }
}

extension Club {
    static var windows: [Window<Club>] {
        [
            Window(.club, 3, "branches") { $0.branches = many($1, $2) },
            Window(.member, 3, "members") { $0.members = many($1, $2) },
            Window(.member, 4, "sponsored") { $0.sponsored = many($1, $2) },
            Window(.badge, 4, "badges") { $0.badges = many($1, $2) },
            Window(.locker, 3, "lockers") { $0.lockers = many($1, $2) },
            Window(.partners, "partners") { $0.partners = many($1, $2) },
            Window(.admired, isReversed: true, "fans") { $0.fans = many($1, $2) },
        ]
    }
}

extension Member {
    static var windows: [Window<Member>] {
        [
            Window(.member, 5, "pupils") { $0.pupils = many($1, $2) },
            Window(.admired, "admired") { $0.admired = many($1, $2) },
            Window(.wishes, "wishes") { $0.wishes = ordered($1, $2) },
        ]
    }
}

extension Badge {
    static var windows: [Window<Badge>] {
        [Window(.wishes, isReversed: true, "wishers") { $0.wishers = many($1, $2) }]
    }
}

extension Locker {
    static var windows: [Window<Locker>] { [Window(.tools, "tools") { $0.tools = many($1, $2) }] }
}
