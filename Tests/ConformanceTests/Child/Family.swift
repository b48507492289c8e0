import Larder
import LarderConformance

@testable import AdapterTestSupport

/// What a model knows of a store or a child.
protocol FamilyLevel {
    var parent: Int? { get }
    /// The number of its changes so far.
    var changes: Int { get }
    /// The numbers of changes of all stores above it when nothing was staged.
    var start: [Int] { get }

    /// One without content.
    init(parent: Int?, changes: Int, start: [Int])
}

/// A model of a store, number 0, and its children and their children.
protocol FamilyModel {
    associatedtype Level: FamilyLevel

    var levels: [Int: Level] { get set }

    mutating func refresh(_ number: Int)
}

extension FamilyModel {
    /// The numbers of changes of the stores above a child.
    func changes(above number: Int) -> [Int] {
        guard let parent = levels[number]?.parent, let level = levels[parent] else { return [] }
        return [level.changes] + changes(above: parent)
    }

    /// True if nothing above a child has changed since it had nothing staged.
    func isCurrent(_ number: Int) -> Bool { levels[number]?.start == changes(above: number) }

    func children(of number: Int) -> [Int] { levels.filter { $0.value.parent == number }.keys.sorted() }

    func depth(of number: Int) -> Int { levels[number]?.parent.map { depth(of: $0) + 1 } ?? 0 }

    mutating func addChild(_ number: Int, of parent: Int) {
        levels[number] = Level(parent: parent, changes: 0, start: [])
        removeStaged(number)
    }

    mutating func removeStaged(_ number: Int) {
        guard let level = levels[number] else { return }
        levels[number] = Level(
            parent: level.parent, changes: level.changes + 1, start: changes(above: number))
    }
}

/// The stores of a run: number 0 and its children.
struct FamilyStores {
    var root: (any DataStore)?
    var children: [Int: ChildDataStore] = [:]
    var next = 1
}

/// Random changes of a store and its children, each compared with a model.
protocol FamilyRun: AnyObject {
    associatedtype Model: FamilyModel

    var journal: Journal { get }
    var generator: Seed { get set }
    var model: Model { get set }
    var stores: FamilyStores { get set }

    /// Compares what a store shows and has staged.
    func compare(_ number: Int) throws
}

extension FamilyRun {
    func compare<Value: Equatable>(_ actual: Value, _ expected: Value, _ what: String) throws {
        if actual != expected {
            throw journal.mismatch(expected: "\(what): \(expected)", actual: "\(actual)")
        }
    }

    func compareAll() throws {
        for level in model.levels.keys.sorted() { try compare(level) }
    }

    func store(_ number: Int) throws -> any DataStore {
        guard let store = number == 0 ? stores.root : stores.children[number] else {
            throw journal.mismatch(expected: "store \(number)", actual: "none")
        }
        return store
    }

    /// Makes a child, unless there are so many or it would be so far from the root.
    func makeChild(of number: Int, within depth: Int, atMost count: Int) throws {
        guard model.depth(of: number) < depth, stores.children.count < count else { return }
        journal.note("\(stores.next) is a child of \(number)")
        stores.children[stores.next] = try store(number).makeChildDataStore()
        model.addChild(stores.next, of: number)
        stores.next += 1
    }

    func refresh(_ number: Int) throws {
        guard let child = stores.children[number] else { return }
        journal.note("refresh \(number)")
        try child.refresh()
        model.refresh(number)
        try compareAll()
    }

    /// Discards a child, rolls it back or lets go of it.
    func end(_ number: Int) throws {
        guard let child = stores.children[number] else { return }
        switch generator.number(below: 3) {
        case 0:
            journal.note("roll back \(number)")
            try child.rollBack()
            model.removeStaged(number)
        case 1:
            guard model.children(of: number).isEmpty else { return }
            journal.note("let go of \(number)")
            stores.children[number] = nil
            model.levels[number] = nil
        default:
            journal.note("discard \(number)")
            try child.discard()
            try remove(number)
        }
        try compareAll()
    }

    private func remove(_ number: Int) throws {
        for child in model.children(of: number) { try remove(child) }
        do {
            try compare(number)
            throw journal.mismatch(expected: "discarded", actual: "a block that runs")
        } catch let error as DataStoreError where error.code == .discarded {}
        stores.children[number] = nil
        model.levels[number] = nil
    }
}
