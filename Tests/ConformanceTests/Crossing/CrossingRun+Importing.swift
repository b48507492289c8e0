import Larder
import LarderConformance

@testable import AdapterTestSupport

/// A club of another program.
private struct ClubSource: Sendable, CustomStringConvertible {
    let id: Int64
    /// A letter.
    let name: Int64
    let level: Int64
    let parent: [ClubSource]
    let partners: [Int64]?

    var description: String {
        let partners = partners.map { ", partners \($0)" } ?? ""
        return "club \(id) name \(name) level \(level) parent \(parent)\(partners)"
    }
}

private let plainClubs = ImportMap<Club, ClubSource>(by: \.name, from: { Letter.text($0.name) }) {
    Import(\.level, from: \.level)
}.inserting { Club([$0.id, $0.name, $0.level, nil]) }

private let clubs = ImportMap<Club, ClubSource>(by: \.name, from: { Letter.text($0.name) }) {
    Import(\.level, from: \.level)
    Import(\.parent, ifPresent: { $0.parent.first }, using: plainClubs)
    Import(\.partners, by: \.name, from: { source in source.partners?.map(Letter.text) })
}.inserting { Club([$0.id, $0.name, $0.level, nil]) }

extension CrossingRun {
    /// Imports up to five clubs, each with a parent, and partners by their names; one name may come several times.
    func importing(_ before: Contents) -> Call? {
        guard before.hasUniqueValues(.club, [1]) else { return nil }
        var used = before.rows(.club).values.compactMap { $0[1] }.sorted()
        var free = (0..<Int64(pool)).filter { !before.has(.club, $0) }
        func source(_ hasParent: Bool) -> ClubSource {
            let name = generator.oneIn(3) ? generator.pickKnown(used).map(inAnyCase) ?? letter() : letter()
            used.append(name)
            let parent = hasParent && generator.oneIn(2) ? [source(false)] : []
            let partners = (0..<generator.number(below: 3)).map { _ in inAnyCase(generator.pick(used)) }
            return ClubSource(
                id: free.isEmpty || generator.oneIn(8) ? id() : free.removeFirst(), name: name,
                level: Int64(generator.number(below: 4)), parent: parent,
                partners: hasParent && generator.oneIn(2) ? partners : nil)
        }
        let sources = (0...generator.number(below: 5)).map { _ in source(true) }
        var after = before
        var codes: Set<DataStoreError.Code> = []
        var written: Set<CrossingModel.ItemKey> = []
        func note(_ source: ClubSource, _ parent: Int64?) {
            let earlier = after.rows(.club)
            codes.formUnion(store(source, parent, &after))
            for (id, cells) in after.rows(.club) where earlier[id] != cells {
                written.insert(CrossingModel.ItemKey(kind: .club, id: id))
            }
        }
        // As the parents are clubs too, one source is stored after the other, and its parent before it.
        for source in sources {
            for parent in source.parent { note(parent, nil) }
            note(source, source.parent.first.flatMap { after.club(named: $0.name) })
            guard let partners = source.partners, let id = after.club(named: source.name) else { continue }
            let targets = partners.compactMap { after.club(named: $0) }
            // The name of a club that comes later, or of none.
            if targets.count < partners.count { codes.insert(.targetNotFound) }
            for old in after.targets(of: id, .partners) { after.unlink(id, old, .partners) }
            for target in targets { _ = after.link(id, target, .partners) }
        }
        return Call(title: "import \(sources)", after: after, refusals: codes, written: written) {
            try $0.importItems(from: sources, using: clubs)
        }
    }

    private func store(
        _ source: ClubSource, _ parent: Int64?, _ after: inout Contents
    ) -> Set<DataStoreError.Code> {
        // The name of a club that is there stays in its own case.
        if let id = after.club(named: source.name), let stored = after.items[.club]?[id] {
            return after.put([(.club, [id, stored[1], source.level, parent ?? stored[3]])])
        }
        return after.insert(.club, [[source.id, source.name, source.level, parent]])
    }
}

// MARK: Items that are left over

/// A member of another program.
private struct MemberSource: Sendable, CustomStringConvertible {
    let id: Int64
    let number: Int64
    let score: Int64?

    var description: String { "\(id) number \(number) score \(score.map(String.init) ?? "nil")" }
}

/// A club of another program with its members.
private struct TeamSource: Sendable, CustomStringConvertible {
    let id: Int64
    /// A letter.
    let name: Int64
    let members: [MemberSource]

    var description: String { "club \(id) name \(name) with members \(members)" }
}

/// A locker of another program with its tools.
private struct LockerSource: Sendable {
    let id: Int64
    let code: Int64
    let tools: [Int64]
}

private let members = ImportMap<Member, MemberSource>(by: \.number, within: \.club, from: \.number) {
    Import(\.score, from: \.score)
}.inserting { Member([$0.id, $0.number, $0.score, nil, nil, nil, nil]) }

private let teams = ImportMap<Club, TeamSource>(by: \.name, from: { Letter.text($0.name) }) {
    Import(\.members, from: { source in source.members }, using: members, .replaceDeleting)
}.inserting { Club([$0.id, $0.name, 0, nil]) }

private let lockers = ImportMap<Locker, LockerSource>(by: \.id, from: \.id) {
    Import(\.code, from: \.code)
    Import(\.tools, by: \.id, from: { source in source.tools }, .replaceDeleting)
}

extension CrossingRun {
    /// Imports items in place of those of an owner, which are deleted.
    func replacing(_ before: Contents) -> Call? {
        generator.oneIn(2) ? replacingMembers(before) : replacingTools(before)
    }

    /// Up to four sources of one club, which keeps the members of the last.
    private func replacingMembers(_ before: Contents) -> Call? {
        guard before.hasUniqueValues(.club, [1]), before.hasUniqueValues(.member, [3, 1]) else { return nil }
        let name = before.items[.club]?[known(.club, before)]?[1] ?? letter()
        let sources = (0...generator.number(below: 4)).map { _ in teamSource(name, before) }
        let club = before.club(named: name)
        let owner = club ?? sources[0].id
        var given = Set(before.rows(.member).filter { $0.value[3] == owner }.keys)
        // In a child they may refer to a club that its parent has deleted, and stay.
        if club == nil, !given.isEmpty { return nil }
        var after = before
        var codes = club == nil ? after.insert(.club, [[owner, sources[0].name, 0, nil]]) : []
        var written: Set<CrossingModel.ItemKey> = []
        var kept: Set<Int64> = []
        for source in sources {
            kept = []
            for member in source.members {
                if let id = after.item(.member, like: [nil, member.number, nil, owner], in: [3, 1]),
                    var row = after.items[.member]?[id]
                {
                    if row[2] != member.score { written.insert(CrossingModel.ItemKey(kind: .member, id: id)) }
                    row[2] = member.score
                    codes.formUnion(after.put([(.member, row)]))
                    kept.insert(id)
                } else {
                    codes.formUnion(
                        after.insert(
                            .member, [[member.id, member.number, member.score, owner, nil, nil, nil]]))
                    kept.insert(member.id)
                }
            }
            given.formUnion(kept)
        }
        codes.formUnion(after.delete(.member, given.subtracting(kept)))
        return Call(title: "import \(sources)", after: after, refusals: codes, written: written) { accessor in
            try accessor.importItems(from: sources, using: teams)
        }
    }

    private func teamSource(_ name: Int64, _ before: Contents) -> TeamSource {
        let numbers = Set((0..<generator.number(below: 4)).map { _ in Int64(generator.number(below: 4)) })
        return TeamSource(
            id: newID(.club, before), name: inAnyCase(name),
            members: numbers.sorted().map { number in
                MemberSource(
                    id: newID(.member, before), number: number, score: value(.member, 2, before))
            })
    }

    private func replacingTools(_ before: Contents) -> Call? {
        let id = known(.locker, before)
        guard var row = before.items[.locker]?[id] else { return nil }
        let source = LockerSource(
            id: id, code: Int64(generator.number(below: 4)),
            tools: (0..<generator.number(below: 4)).map { _ in known(.badge, before) })
        row[1] = source.code
        var after = before
        var codes = after.put([(.locker, row)])
        if source.tools.contains(where: { !before.has(.badge, $0) }) { codes.insert(.targetNotFound) }
        let left = after.targets(of: id, .tools).filter { !source.tools.contains($0) }
        for badge in left { after.unlink(id, badge, .tools) }
        for badge in source.tools { _ = after.link(id, badge, .tools) }
        // A badge that is a tool of another locker too stays.
        codes.formUnion(after.delete(.badge, left.filter { after.sources(of: $0, .tools).isEmpty }))
        return Call(
            title: "import locker \(id) code \(source.code) with tools \(source.tools)", after: after,
            refusals: codes
        ) { accessor in
            try accessor.importItems(from: [source], using: lockers)
        }
    }
}
