import Larder

/// The values of an item by column, its identifier first; a reference is the identifier of its target.
typealias Cells = [Int64?]

func text(_ cells: Cells) -> String {
    "(" + cells.map { $0.map(String.init) ?? "nil" }.joined(separator: " ") + ")"
}

func text(_ rows: [Cells]) -> String { rows.map { text($0) }.joined(separator: " ") }

/// An item type of the model, made of cells and back.
protocol Piece: DataStoreItem, Equatable where ID == Int64 {
    static var kind: Kind { get }

    init(_ cells: Cells)

    var cells: Cells { get }

    /// Gives a column of a handle's item a value.
    static func set(_ column: Int, to value: Int64?, in handle: Mutable<Self>)

    static func assignment(_ column: Int, to value: Int64?) -> Assignment<Self>

    /// The items with a value in the second column.
    static func request(_ value: Int64) -> DataStoreRequest<Self>

    /// The relationships without a column that lead to any number of items.
    static var windows: [Window<Self>] { get }
}

enum Kind: Int, CaseIterable {
    case club, member, badge, locker

    var type: any Piece.Type {
        switch self {
        case .club: Club.self
        case .member: Member.self
        case .badge: Badge.self
        case .locker: Locker.self
        }
    }

    /// In the order in which all items of one type after the other can be deleted.
    static var types: [any DataStoreItem.Type] { [Badge.self, Locker.self, Member.self, Club.self] }

    /// The number of columns.
    var width: Int {
        switch self {
        case .club: 4
        case .member: 7
        case .badge: 5
        case .locker: 5
        }
    }

    /// The columns that may be nil.
    var optionals: Set<Int> {
        switch self {
        case .club: [3]
        case .member: [2, 4, 5, 6]
        case .badge: [2, 3, 4]
        case .locker: [3, 4]
        }
    }

    /// The columns of unique values, alone or together.
    var uniques: [[Int]] {
        switch self {
        case .club: [[1]]
        case .member: [[3, 1]]
        case .badge: [[1, 2], [4]]
        case .locker: []
        }
    }
}

extension Kind {
    /// True for a column of letters, whose unique value ignores case.
    func hasLetters(_ column: Int) -> Bool { self == .club && column == 1 }

    /// The values of a row as a unique value of these columns compares them.
    func compared(_ row: Cells, _ columns: [Int]) -> [Int64?] {
        columns.map { column in hasLetters(column) ? row[column].map { $0 / 2 } : row[column] }
    }
}

/// The text of a cell that stands for a letter: 0 is "a", 1 "A", 2 "b".
enum Letter {
    /// In the order of the texts without case, in which "ß" is "ss".
    private static let texts = "abcdefghßtuvwxyzàéîü".flatMap { ["\($0)", $0.uppercased()] }

    static func text(_ cell: Int64) -> String { texts[Int(cell)] }
    static func cell(_ text: String) -> Int64 { Int64(texts.firstIndex(of: text) ?? -1) }
}

extension ToOne {
    fileprivate static func some(_ id: Target.ID?) -> ToOne? { id.map { ToOne(id: $0) } }
}

extension Club: Piece {
    static var kind: Kind { .club }

    init(_ cells: Cells) {
        self.init(
            id: cells[0] ?? 0, name: Letter.text(cells[1] ?? 0), level: cells[2] ?? 0, parent: .some(cells[3])
        )
    }

    var cells: Cells { [id, Letter.cell(name), level, parent?.id] }

    static func set(_ column: Int, to value: Int64?, in handle: Mutable<Club>) {
        switch column {
        case 1: handle.name = Letter.text(value ?? 0)
        case 2: handle.level = value ?? 0
        default: handle.parent = .some(value)
        }
    }

    static func assignment(_ column: Int, to value: Int64?) -> Assignment<Club> {
        switch column {
        case 1: .set(\.name, to: Letter.text(value ?? 0))
        case 2: .set(\.level, to: value ?? 0)
        default: .set(\.parent, to: .some(value))
        }
    }

    static func request(_ value: Int64) -> DataStoreRequest<Club> { Club.where(\.level == value) }
}

extension Member: Piece {
    static var kind: Kind { .member }

    init(_ cells: Cells) {
        self.init(
            id: cells[0] ?? 0, number: cells[1] ?? 0, score: cells[2], club: ToOne(id: cells[3] ?? 0),
            sponsor: .some(cells[4]), mentor: .some(cells[5]), next: .some(cells[6]))
    }

    var cells: Cells { [id, number, score, club.id, sponsor?.id, mentor?.id, next?.id] }

    static func set(_ column: Int, to value: Int64?, in handle: Mutable<Member>) {
        switch column {
        case 1: handle.number = value ?? 0
        case 2: handle.score = value
        case 3: handle.club = ToOne(id: value ?? 0)
        case 4: handle.sponsor = .some(value)
        case 5: handle.mentor = .some(value)
        default: handle.next = .some(value)
        }
    }

    static func assignment(_ column: Int, to value: Int64?) -> Assignment<Member> {
        switch column {
        case 1: .set(\.number, to: value ?? 0)
        case 2: .set(\.score, to: value)
        case 3: .set(\.club, to: ToOne(id: value ?? 0))
        case 4: .set(\.sponsor, to: .some(value))
        case 5: .set(\.mentor, to: .some(value))
        default: .set(\.next, to: .some(value))
        }
    }

    static func request(_ value: Int64) -> DataStoreRequest<Member> { Member.where(\.score == value) }
}

extension Badge: Piece {
    static var kind: Kind { .badge }

    init(_ cells: Cells) {
        self.init(
            id: cells[0] ?? 0, color: cells[1] ?? 0, number: cells[2], holder: .some(cells[3]),
            patron: .some(cells[4]))
    }

    var cells: Cells { [id, color, number, holder?.id, patron?.id] }

    static func set(_ column: Int, to value: Int64?, in handle: Mutable<Badge>) {
        switch column {
        case 1: handle.color = value ?? 0
        case 2: handle.number = value
        case 3: handle.holder = .some(value)
        default: handle.patron = .some(value)
        }
    }

    static func assignment(_ column: Int, to value: Int64?) -> Assignment<Badge> {
        switch column {
        case 1: .set(\.color, to: value ?? 0)
        case 2: .set(\.number, to: value)
        case 3: .set(\.holder, to: .some(value))
        default: .set(\.patron, to: .some(value))
        }
    }

    static func request(_ value: Int64) -> DataStoreRequest<Badge> { Badge.where(\.number == value) }
}

extension Locker: Piece {
    static var kind: Kind { .locker }

    init(_ cells: Cells) {
        self.init(
            id: cells[0] ?? 0, code: cells[1] ?? 0, member: ToOne(id: cells[2] ?? 0), home: .some(cells[3]),
            key: .some(cells[4]))
    }

    var cells: Cells { [id, code, member.id, home?.id, key?.id] }

    static func set(_ column: Int, to value: Int64?, in handle: Mutable<Locker>) {
        switch column {
        case 1: handle.code = value ?? 0
        case 2: handle.member = ToOne(id: value ?? 0)
        case 3: handle.home = .some(value)
        default: handle.key = .some(value)
        }
    }

    static func assignment(_ column: Int, to value: Int64?) -> Assignment<Locker> {
        switch column {
        case 1: .set(\.code, to: value ?? 0)
        case 2: .set(\.member, to: ToOne(id: value ?? 0))
        case 3: .set(\.home, to: .some(value))
        default: .set(\.key, to: .some(value))
        }
    }

    static func request(_ value: Int64) -> DataStoreRequest<Locker> { Locker.where(\.code == value) }
}
