import Larder
import LarderConformance

@testable import AdapterTestSupport

/// Random changes of a store and its children, each compared with the model.
final class ChildRun: FamilyRun {
    let journal: Journal
    var generator: Seed
    var model = ChildModel()
    let links: LinkRows
    var stores = FamilyStores()
    private var nextLink: Int64 = 0
    /// The numbers of identifiers and names that there may be.
    private let pool: Int

    init(_ title: String, seed: UInt64) throws {
        journal = Journal(title)
        generator = Seed(seed)
        pool = 3 + generator.number(below: 12)
        links = try LinkRows("fans", of: Plant.self, in: [Grower.self, Plant.self])
    }

    /// Runs about so many operations.
    func run(_ operations: Int, in world: ConformanceWorld) throws {
        stores.root = try world.open(Grower.self, Plant.self)
        while journal.count < operations {
            let number = generator.pick(model.levels.keys.sorted())
            switch generator.number(below: 16) {
            case 0, 1: try makeChild(of: number, within: 3, atMost: 6)
            case 2, 3, 4: try merge(number)
            case 5: if generator.oneIn(3) { try end(number) } else { try refresh(number) }
            default: try write(number)
            }
        }
        // The children end with it; the check after the case is about the store alone.
        try store(0).writeSync { accessor in
            try accessor.deleteAllItems(of: Plant.self)
            try accessor.deleteAllItems(of: Grower.self)
        }
    }

    // MARK: Children

    private func merge(_ number: Int) throws {
        guard let child = stores.children[number], let parent = model.levels[number]?.parent else { return }
        let policy = generator.pick(ChildModel.Policy.allCases)
        journal.note("merge \(number) into \(parent), \(policy)")
        var changed = model
        let expected = changed.merge(number, policy)
        try requireWhole(number, parent, after: changed)
        if generator.oneIn(3) {
            let preview = try store(parent).mergePreview(child, policy: policy.policy)
            try compare(ChildModel.Outcome(preview), expected, "preview", changed, parent)
            try compare(number)
            try compare(parent)
        }
        do {
            let result = try store(parent).merge(child, policy: policy.policy)
            try compare(ChildModel.Outcome(result), expected, "merge", changed, parent)
            model = changed
        } catch let error as DataStoreError where error.code == .mergeConflict {
            let found = ChildModel.Outcome(conflicts: error.conflicts.map(ChildModel.Conflict.init))
            try compare(found.sorted.conflicts, expected.conflicts, "conflicts")
            if expected.conflicts.isEmpty { throw journal.mismatch(expected: "a merge", actual: "\(error)") }
        }
        try compareAll()
    }

    /// Holds the model itself to what a merge is about: where the parent has not changed, it holds after the
    /// merge what the child shows.
    private func requireWhole(_ number: Int, _ parent: Int, after changed: ChildModel) throws {
        guard model.isCurrent(number) else { return }
        func contents(_ rows: [ChildModel.Rows]) -> [Set<ChildModel.Row>] {
            [Set(rows[0].values), Set(rows[1].values), Set(rows[2].values.map { Array($0[1...]) })]
        }
        try compare(
            contents(changed.view(parent)), contents(model.view(number)), "the model's parent after the merge"
        )
    }

    // MARK: Blocks

    private func write(_ number: Int) throws {
        let before = model
        let fails = generator.oneIn(6)
        journal.note("block in \(number)\(fails ? ", which fails" : "")")
        do {
            try store(number).writeSync { accessor in
                for _ in 0...generator.number(below: 6) {
                    if generator.oneIn(10) {
                        try savepoint(accessor, number)
                    } else {
                        try step(accessor, number)
                    }
                }
                try compareContents(number, accessor)
                if fails { throw OwnFailure() }
            }
        } catch is OwnFailure {
            model = before
        }
        try compare(number)
        try compare(generator.pick(model.levels.keys.sorted()))
    }

    private func savepoint(_ accessor: DataStoreReadWriteAccessor, _ number: Int) throws {
        let before = model
        journal.note("savepoint")
        do {
            try accessor.savepoint {
                for _ in 0...generator.number(below: 3) { try step(accessor, number) }
                throw OwnFailure()
            }
        } catch is OwnFailure {
            model = before
        }
        journal.note("end of savepoint")
    }

    /// Makes a call, and compares its error with the model.
    private func step(_ accessor: DataStoreReadWriteAccessor, _ number: Int) throws {
        guard let (mutations, call) = nextCall(number) else { return }
        let expected = model.refusals(mutations, at: number)
        do {
            try call(accessor)
        } catch let error as DataStoreError {
            if expected.contains(error.code) { return }
            throw journal.mismatch(expected: "\(expected)", actual: "\(error)")
        }
        if !expected.isEmpty { throw journal.mismatch(expected: "\(expected)", actual: "success") }
        model.apply(mutations, at: number)
    }
}

// MARK: Calls

extension ChildRun {
    private typealias Call = ([ChildModel.Mutation], (DataStoreReadWriteAccessor) throws -> Void)
    typealias Model = ChildModel

    private func id() -> Int64 { Int64(generator.number(below: pool)) }

    /// Most often an item that exists.
    private func known(_ rows: ChildModel.Rows) -> Int64 {
        rows.isEmpty || generator.oneIn(12) ? id() : generator.pick(rows.keys.sorted())
    }

    private func nextCall(_ number: Int) -> Call? {
        let view = model.view(number)
        switch generator.number(below: 20) {
        case 0, 1, 2: return insertion(ofGrowers: view)
        case 3, 4, 5, 6: return insertion(ofPlants: view)
        case 7, 8: return update(ofGrower: known(view[Model.grower]), view)
        case 9, 10, 11: return update(ofPlant: known(view[Model.plant]), view)
        case 12: return growth(view)
        case 13, 14, 15: return linking(view)
        case 16: return unlinking(view)
        default: return deletion(view)
        }
    }

    private func grower() -> ChildModel.Row {
        [.number(id()), .text("name \(generator.number(below: pool * 2))"), .number(id())]
    }

    private func plant(_ view: [ChildModel.Rows]) -> ChildModel.Row {
        [
            .number(id()), .number(Int64(generator.number(below: 5))),
            .number(Int64(generator.number(below: 3))),
            .number(known(view[Model.grower])),
            Model.Value(generator.oneIn(2) ? nil : known(view[Model.grower])),
        ]
    }

    private func insertion(ofGrowers view: [ChildModel.Rows]) -> Call? {
        let rows = (0...generator.number(below: 2)).map { _ in grower() }
        journal.note("insert growers \(rows)")
        let growers = rows.map(Grower.init)
        let mutations = zip(rows, growers).map { Model.Mutation(Model.grower, $1.id, .insert($0)) }
        // The same identifier twice in a list is a matter of other tests.
        guard Set(growers.map(\.id)).count == growers.count else { return nil }
        return (mutations, { try $0.insert(contentsOf: growers) })
    }

    private func insertion(ofPlants view: [ChildModel.Rows]) -> Call? {
        let row = plant(view)
        journal.note("insert plant \(row)")
        let plant = Plant(row)
        return ([Model.Mutation(Model.plant, plant.id, .insert(row))], { _ = try $0.insert(plant) })
    }

    private func update(ofGrower id: Int64, _ view: [ChildModel.Rows]) -> Call? {
        guard let old = view[Model.grower][id] else { return nil }
        let new = mixed(old, grower())
        journal.note("update grower \(new)")
        let grower = Grower(new)
        return ([changes(Model.grower, id, old, new)], { try $0.update(grower) })
    }

    private func update(ofPlant id: Int64, _ view: [ChildModel.Rows]) -> Call? {
        guard let old = view[Model.plant][id] else { return nil }
        let new = mixed(old, plant(view))
        journal.note("update plant \(new)")
        let plant = Plant(new)
        return ([changes(Model.plant, id, old, new)], { try $0.update(plant) })
    }

    /// Some columns of one row, the others of another.
    private func mixed(_ old: ChildModel.Row, _ new: ChildModel.Row) -> ChildModel.Row {
        var row = old
        for column in 1..<old.count where generator.oneIn(2) { row[column] = new[column] }
        return row
    }

    /// Only what differs is judged and stored.
    private func changes(
        _ entity: Int, _ id: Int64, _ old: ChildModel.Row, _ new: ChildModel.Row
    ) -> ChildModel.Mutation {
        let values = old.indices.filter { old[$0] != new[$0] }.map { ($0, new[$0]) }
        return Model.Mutation(entity, id, .update(Dictionary(uniqueKeysWithValues: values)))
    }

    private func growth(_ view: [ChildModel.Rows]) -> Call? {
        let size = Int64(generator.number(below: 5))
        journal.note("plants of size \(size) grow")
        let mutations = view[Model.plant].filter { $0.value[1] == .number(size) }.keys.sorted().map {
            Model.Mutation(Model.plant, $0, .update([1: .number(size + 1)]))
        }
        return (mutations, { try $0.update(Plant.where(\.size == size), .set(\.size, to: size + 1)) })
    }

    private func linking(_ view: [ChildModel.Rows]) -> Call? {
        let (source, target) = (known(view[Model.plant]), known(view[Model.grower]))
        let row: ChildModel.Row = [.number(nextLink + 1), .number(source), .number(target)]
        // What writes links looks first whether there is one.
        if view[Model.link].values.contains(where: { $0[1...] == row[1...] }) { return nil }
        nextLink += 1
        journal.note("link \(row)")
        let (links, id) = (links, nextLink)
        return (
            [Model.Mutation(Model.link, id, .insert(row))],
            { try links.insert([(id, .integer(source), .integer(target))], $0) }
        )
    }

    /// Removes all links between two items, as what removes links does.
    private func unlinking(_ view: [ChildModel.Rows]) -> Call? {
        guard !view[Model.link].isEmpty, let row = view[Model.link][known(view[Model.link])] else {
            return nil
        }
        let ids = view[Model.link].filter { $0.value[1...] == row[1...] }.keys.sorted()
        journal.note("unlink \(ids)")
        let links = links
        return (
            ids.map { Model.Mutation(Model.link, $0, .delete) },
            { accessor in for id in ids { try links.delete(id, accessor) } }
        )
    }

    private func deletion(_ view: [ChildModel.Rows]) -> Call? {
        switch generator.number(below: 8) {
        case 0:
            let size = Int64(generator.number(below: 5))
            journal.note("delete plants of size \(size)")
            let ids = view[Model.plant].filter { $0.value[1] == .number(size) }.keys.sorted()
            return (
                ids.map { Model.Mutation(Model.plant, $0, .delete) },
                { try $0.deleteItems(for: Plant.where(\.size == size)) }
            )
        case 1 where generator.oneIn(3):
            let entity = generator.pick([Model.grower, Model.plant])
            // Links to items that the parent has deleted may go with the others or stay, as is faster.
            let column = entity == Model.plant ? 1 : 2
            let dangles = view[Model.link].values.contains { row in
                row[column].number.map { view[entity][$0] == nil } ?? false
            }
            if dangles { return nil }
            journal.note("delete all \(Model.names[entity])s")
            return (
                view[entity].keys.sorted().map { Model.Mutation(entity, $0, .delete) },
                { accessor in
                    if entity == Model.grower {
                        try accessor.deleteAllItems(of: Grower.self)
                    } else {
                        try accessor.deleteAllItems(of: Plant.self)
                    }
                }
            )
        case 2, 3, 4:
            let id = known(view[Model.grower])
            journal.note("delete grower \(id)")
            return ([Model.Mutation(Model.grower, id, .delete)], { try $0.delete(id: id, of: Grower.self) })
        default:
            let id = known(view[Model.plant])
            journal.note("delete plant \(id)")
            return ([Model.Mutation(Model.plant, id, .delete)], { try $0.delete(id: id, of: Plant.self) })
        }
    }
}
