import Larder
import LarderConformance

@testable import AdapterTestSupport

// What chance makes too rarely: changes of a child and its parent that meet in one item before a merge.

extension CrossingRun {
    /// Changes of a child and its parent that meet in one item, and the merge.
    func playScene(_ number: Int) throws {
        guard let parent = model.levels[number]?.parent else { return try makeChild(of: number) }
        // What else is staged may conflict too, and hide what comes of the scene.
        try merge(number, by: .parentWins)
        if generator.oneIn(2) {
            try changeWhatGoes(number, parent)
            try merge(number, by: generator.pick([.parentWins, .resolve]))
        } else {
            try referToWhatGoes(number, parent)
            try merge(number, by: .fail)
        }
    }

    /// Gives a member wishes in a child, deletes one of their badges in its parent, and arranges the others.
    func wishForWhatGoes(_ number: Int, _ parent: Int) throws {
        let member = known(.member, model.contents(number))
        firstCall = { [self] before in
            last[.member] = member
            return wishing(before)
        }
        try write(number)
        let wished = model.contents(number).targets(of: member, .wishes)
        guard let badge = generator.pickKnown(wished) else { return }
        firstCall = { [self] before in deletion(Badge.self, before, of: badge) }
        try write(parent)
        firstCall = { [self] before in
            last[.member] = member
            return arranging(before)
        }
        try write(number)
    }

    /// Deletes an item with links in a child, and changes it in its parent, which may keep both.
    private func changeWhatGoes(_ number: Int, _ parent: Int) throws {
        let contents = model.contents(number)
        let tie = generator.pick(Tie.allCases)
        guard let source = generator.pickKnown(contents.sources(tie)),
            let target = generator.pickKnown(contents.targets(of: source, tie))
        else { return }
        let (kind, id) = generator.oneIn(2) ? (tie.source, source) : (tie.target, target)
        firstCall = { [self] before in deletion(kind.type, before, of: id) }
        try write(number)
        firstCall = { [self] before in
            let rows = (0..<4).compactMap { _ in changed(kind, id, before) }
            return update(kind.type, before, to: rows.first { $0 != before.items[kind]?[id] } ?? rows.first)
        }
        try write(parent)
    }

    /// Deletes an item in a child, makes one of its parent go with it or deny that, and makes the child refer to
    /// this one.
    private func referToWhatGoes(_ number: Int, _ parent: Int) throws {
        let ties = Reference.all.filter { [.cascade, .deny].contains($0.rule) && $0.owner != .locker }
        let chains = ties.flatMap { tie in
            Reference.all.filter { $0.target == tie.owner }.map { (tie: tie, reference: $0) }
        }
        // The rule of the child's own reference does not deny that its target goes.
        let denying = chains.filter { $0.reference.rule == .deny }
        let (tie, reference) = generator.pick(generator.oneIn(3) ? denying : chains)
        let contents = model.contents(number)
        let goers = contents.ids(tie.target).filter { id in
            var after = contents
            let isRefused = !after.delete(tie.target, [id]).isEmpty
            return !isRefused && ![tie, reference].contains { after.ids($0.owner).isEmpty }
        }
        guard let gone = generator.pickKnown(goers) else { return }
        firstCall = { [self] before in deletion(tie.target.type, before, of: gone) }
        try write(number)
        let following = generator.pickKnown(model.contents(number).ids(tie.owner))
        try refer(by: tie, of: following, to: gone, in: parent)
        let owner = generator.pickKnown(model.contents(number).ids(reference.owner))
        try refer(by: reference, of: owner, to: following, in: number)
    }

    private func refer(by reference: Reference, of id: Int64?, to target: Int64?, in number: Int) throws {
        firstCall = { [self] before in
            guard let id, var row = before.items[reference.owner]?[id], target != nil || !reference.isRequired
            else { return nil }
            row[reference.column] = target
            return update(reference.owner.type, before, to: row)
        }
        try write(number)
    }
}
