import Larder
import LarderConformance

@testable import AdapterTestSupport
@testable import LarderConformance

extension CrossingRun {
    /// Names what differs.
    func compare(_ actual: Contents, _ expected: Contents, _ hasOrder: Bool, _ what: String) throws {
        for kind in Kind.allCases {
            for id in Set(actual.ids(kind) + expected.ids(kind)).sorted() {
                let (left, right) = (actual.items[kind]?[id], expected.items[kind]?[id])
                try compare(left.map(text), right.map(text), "\(what): \(kind) \(id)")
            }
        }
        for tie in Tie.allCases {
            for source in Set(actual.sources(tie) + expected.sources(tie)).sorted() {
                let (left, right) = (actual.targets(of: source, tie), expected.targets(of: source, tie))
                try compare(
                    hasOrder ? left : left.sorted(), hasOrder ? right : right.sorted(),
                    "\(what): \(tie) of \(source)")
            }
        }
    }

    /// Compares what a store shows and has staged.
    func compare(_ number: Int) throws {
        try compareInBlock(number)
        guard let child = try store(number) as? ChildDataStore else { return }
        let staged = try child.stagedChanges.changes.map { change in
            let item = "\(change.itemType.lowercased()) \(change.identifier)"
            return switch change.kind {
            case .inserted: "inserted \(item)"
            case .updated(let attributes):
                "updated \(item): \(attributes.map(\.attribute).joined(separator: " "))"
            case .deleted: "deleted \(item)"
            }
        }
        try compare(staged.sorted(), model.staged(number).sorted(), "items staged in \(number)")
    }

    /// Compares what a store shows in a block of its own, which is sometimes inside one of its parent.
    private func compareInBlock(_ number: Int) throws {
        guard let parent = model.levels[number]?.parent, generator.oneIn(4) else {
            return try store(number).read { try compareContents(number, $0) }
        }
        try store(parent).read { accessor in
            // The first request of the two blocks begins the snapshot that they share.
            if generator.oneIn(2) { try compareContents(parent, accessor) }
            try store(number).read { try compareContents(number, $0) }
        }
    }

    func compareContents(
        _ number: Int, _ accessor: DataStoreReadAccessor, asOf earlier: Contents? = nil
    ) throws {
        let expected = earlier ?? model.contents(number)
        var stored = try contents(accessor)
        let links = CrossingModel.contents([:], try ties.all(accessor))
        (stored.pairs, stored.lists) = (links.pairs, links.lists)
        try compare(stored.whole, expected.whole, true, "store \(number)")
        for _ in 0..<3 { try compareRequest(accessor, expected.whole) }
    }

    /// The items of a store.
    func contents(_ accessor: DataStoreReadAccessor) throws -> Contents {
        var contents = Contents()
        for kind in Kind.allCases { contents.items[kind] = try rows(of: kind.type, accessor) }
        return contents
    }

    private func rows<Item: Piece>(
        of type: Item.Type, _ accessor: DataStoreReadAccessor
    ) throws -> [Int64: Cells] {
        var rows: [Int64: Cells] = [:]
        for item in try accessor.items(for: Item.all) { rows[item.id] = item.cells }
        return rows
    }

    /// The number of items of a request is the number of its items, and they are those of the model.
    private func compareRequest(_ accessor: DataStoreReadAccessor, _ contents: Contents) throws {
        let value = Int64(generator.number(below: 4))
        switch generator.number(below: 11) {
        case 0:
            guard let id = generator.pickKnown(contents.ids(.member)),
                let member = try accessor.item(id: id, of: Member.self)
            else { return }
            try compare(
                member.admired.request, contents.targets(of: id, .admired).sorted(), accessor,
                "clubs that \(id) admires")
            try compare(member.wishes.request, contents.targets(of: id, .wishes), accessor, "wishes of \(id)")
        case 1:
            guard let id = generator.pickKnown(contents.ids(.club)),
                let club = try accessor.item(id: id, of: Club.self)
            else { return }
            try compare(club.fans.request, contents.sources(of: id, .admired), accessor, "fans of \(id)")
            try compare(
                club.partners.request, contents.targets(of: id, .partners), accessor, "partners of \(id)")
            try compare(
                club.members.request,
                contents.rows(.member).filter { $0.value[3] == id }.keys.sorted(), accessor,
                "members of \(id)")
        case 2:
            try compare(
                Member.where(\.admired.count == Int(value)),
                contents.ids(.member).filter { contents.targets(of: $0, .admired).count == Int(value) },
                accessor, "members who admire \(value) clubs")
        case 3:
            try compare(
                Member.where(.any(\.wishes, \.number == value)),
                contents.ids(.member).filter {
                    contents.targets(of: $0, .wishes).contains { contents.items[.badge]?[$0]?[2] == value }
                }, accessor, "members who wish for a badge of number \(value)")
        case 4:
            try compare(
                Member.where(\.club.level == value),
                contents.rows(.member).filter { row in
                    row.value[3].flatMap { contents.items[.club]?[$0]?[2] } == value
                }.keys.sorted(), accessor, "members of a club of level \(value)")
        case 5: try compare(Club.request(value), at: 2, value, contents, accessor)
        case 6: try compare(Member.request(value), at: 2, value, contents, accessor)
        case 7: try compare(Badge.request(value), at: 2, value, contents, accessor)
        case 8: try compare(Locker.request(value), at: 1, value, contents, accessor)
        case 9:
            let name = letter()
            try compare(
                Club.where(.equals(\.name, Letter.text(name), .caseInsensitive)),
                contents.rows(.club).filter { $0.value[1].map { $0 / 2 } == name / 2 }.keys.sorted(),
                accessor,
                "clubs with the name \(name)")
        default:
            let byName = contents.rows(.club).values.sorted { left, right in
                let names = [left, right].map { ($0[1] ?? 0) / 2 }
                return names[0] == names[1] ? left[0] ?? 0 < right[0] ?? 0 : names[0] < names[1]
            }
            try compare(
                Club.all.sorted(by: \.name, .caseInsensitive), byName.compactMap { $0[0] }, accessor,
                "clubs by their names")
        }
    }

    private func compare<Item: Piece>(
        _ request: DataStoreRequest<Item>, at column: Int, _ value: Int64, _ contents: Contents,
        _ accessor: DataStoreReadAccessor
    ) throws {
        let expected = contents.rows(Item.kind).filter { $0.value[column] == value }.keys.sorted()
        try compare(request, expected, accessor, "\(Item.kind)s with \(value)")
    }

    private func compare<Item: Piece>(
        _ request: DataStoreRequest<Item>, _ expected: [Int64], _ accessor: DataStoreReadAccessor,
        _ what: String
    ) throws {
        try compare(try accessor.items(for: request).map(\.id), expected, what)
        try compare(try accessor.countItems(for: request), expected.count, "number of \(what)")
        let (offset, limit) = (generator.number(below: 3), generator.number(below: 4))
        let window = request.offset(offset).limit(limit)
        let part = Array(expected.dropFirst(offset).prefix(limit))
        try compare(try accessor.items(for: window).map(\.id), part, "\(what), \(offset) on, \(limit)")
        try compare(
            try accessor.countItems(for: window), part.count, "number of \(what), \(offset) on, \(limit)")
    }

    /// Runs the kit's check of a whole store after a commit, in `make test` now and then as it takes long.
    ///
    /// Of a child only while what it shows breaks no rule, as a later commit of its parent may make it do.
    func checkCommit(_ number: Int) throws {
        // Also in a long run, so that its seed chooses the same in a short one.
        let isDue = generator.oneIn(number == 0 ? 10 : 20)
        guard isDue || Repetitions.isLong, number == 0 || model.contents(number).isSound else { return }
        try checkWhole(number)
    }

    /// Runs the kit's check of a whole store.
    func checkWhole(_ number: Int) throws {
        do {
            _ = try InvariantCheck(OpenedStore(store: try store(number), types: Kind.types)).run()
        } catch let error as ConformanceFailure {
            throw journal.mismatch(expected: "that store \(number) is sound", actual: "\(error)")
        }
    }
}

extension Seed {
    /// One of the values; nil where there are none.
    mutating func pickKnown<Value>(_ values: [Value]) -> Value? { values.isEmpty ? nil : pick(values) }
}
