import Larder
import LarderConformance

@testable import AdapterTestSupport

/// A club of another program.
private struct ClubSource: Sendable, CustomStringConvertible {
    let id: Int64
    let number: Int64
    let level: Int64
    let parent: [ClubSource]
    let partners: [Int64]?

    var description: String {
        let partners = partners.map { ", partners \($0)" } ?? ""
        return "club \(id) number \(number) level \(level) parent \(parent)\(partners)"
    }
}

private let plainClubs = ImportMap<Club, ClubSource>(by: \.number, from: \.number) {
    Import(\.level, from: \.level)
}.inserting { Club([$0.id, $0.number, $0.level, nil]) }

private let clubs = ImportMap<Club, ClubSource>(by: \.number, from: \.number) {
    Import(\.level, from: \.level)
    Import(\.parent, ifPresent: { $0.parent.first }, using: plainClubs)
    Import(\.partners, by: \.number, from: \.partners)
}.inserting { Club([$0.id, $0.number, $0.level, nil]) }

extension Contents {
    /// False where a child and its parent have given one number to two clubs, so that it names either of them.
    var hasUniqueNumbers: Bool {
        let numbers = rows(.club).values.map { $0[1] }
        return Set(numbers).count == numbers.count
    }
}

extension CrossingRun {
    /// Imports up to two clubs, each with a parent, and partners by their numbers.
    func importing(_ before: Contents) -> Call? {
        guard before.hasUniqueNumbers else { return nil }
        var used: Set<Int64> = []
        func source(_ hasParent: Bool) -> ClubSource? {
            let number = Int64(generator.number(below: pool * 2))
            guard used.insert(number).inserted else { return nil }
            let parent = hasParent && generator.oneIn(2) ? source(false).map { [$0] } : nil
            let numbers = before.rows(.club).values.compactMap { $0[1] }.sorted()
            let partners = (0..<generator.number(below: 3)).compactMap { _ in generator.pickKnown(numbers) }
            return ClubSource(
                id: id(), number: number, level: Int64(generator.number(below: 4)),
                parent: parent ?? [],
                partners: hasParent && generator.oneIn(2) ? partners : nil)
        }
        let sources = (0...generator.number(below: 2)).compactMap { _ in source(true) }
        if sources.isEmpty { return nil }
        var after = before
        var codes: Set<DataStoreError.Code> = []
        // Nested objects are stored first.
        for parent in sources.flatMap(\.parent) { codes.formUnion(store(parent, nil, &after)) }
        for source in sources {
            let parent = source.parent.first.flatMap { parent in
                after.rows(.club).first { $0.value[1] == parent.number }?.key
            }
            codes.formUnion(store(source, parent, &after))
        }
        for source in sources {
            guard let partners = source.partners,
                let id = after.rows(.club).first(where: { $0.value[1] == source.number })?.key
            else { continue }
            let targets = partners.compactMap { number in
                after.rows(.club).first { $0.value[1] == number }?.key
            }
            for old in after.targets(of: id, .partners) { after.unlink(id, old, .partners) }
            for target in targets { _ = after.link(id, target, .partners) }
        }
        return Call(title: "import \(sources)", after: after, refusals: codes) {
            try $0.importItems(from: sources, using: clubs)
        }
    }

    private func store(
        _ source: ClubSource, _ parent: Int64?, _ after: inout Contents
    ) -> Set<DataStoreError.Code> {
        let stored = after.rows(.club).first { $0.value[1] == source.number }?.value
        if let stored {
            return after.put([(.club, [stored[0], source.number, source.level, parent ?? stored[3]])])
        }
        return after.insert(.club, [[source.id, source.number, source.level, parent]])
    }
}
