import Larder
import LarderConformance

@testable import AdapterTestSupport

// What chance makes too rarely: changes of a child and its parent that meet in one item before a merge.

extension CrossingRun {
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
    func changeWhatGoes(_ number: Int, _ parent: Int) throws {
        let contents = model.contents(number)
        let tie = generator.pick(Tie.allCases)
        guard let source = generator.pickKnown(contents.sources(tie)),
            let target = generator.pickKnown(contents.targets(of: source, tie))
        else { return }
        let (kind, id) = generator.oneIn(2) ? (tie.source, source) : (tie.target, target)
        firstCall = { [self] before in deletion(kind.type, before, of: id) }
        try write(number)
        firstCall = { [self] before in update(kind.type, before, to: changed(kind, id, before)) }
        try write(parent)
    }

    /// Deletes an item in a child, makes one of its parent go with it, and makes the child refer to that.
    func referToWhatGoes(_ number: Int, _ parent: Int) throws {
        let cascades = Reference.all.filter { $0.rule == .cascade && $0.owner != .locker }
        let cascade = generator.pick(cascades)
        let reference = generator.pick(Reference.all.filter { $0.target == cascade.owner })
        guard let gone = generator.pickKnown(model.contents(number).ids(cascade.target)) else { return }
        firstCall = { [self] before in deletion(cascade.target.type, before, of: gone) }
        try write(number)
        let following = generator.pickKnown(model.contents(number).ids(cascade.owner))
        try refer(by: cascade, of: following, to: gone, in: parent)
        let owner = generator.pickKnown(model.contents(number).ids(reference.owner))
        try refer(by: reference, of: owner, to: following, in: number)
    }

    private func refer(by reference: Reference, of id: Int64?, to target: Int64?, in number: Int) throws {
        firstCall = { [self] before in
            guard let id, var row = before.items[reference.owner]?[id] else { return nil }
            row[reference.column] = target
            return update(reference.owner.type, before, to: row)
        }
        try write(number)
    }
}
