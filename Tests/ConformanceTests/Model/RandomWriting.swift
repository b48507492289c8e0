import Larder

@testable import AdapterTestSupport

/// Random operations in a write block, each done in the model too.
final class RandomWriting<ID: SpecimenID>: RandomReading<ID> {
    let accessor: DataStoreReadWriteAccessor
    /// What is stored for good, whatever becomes of the rest of the block.
    private(set) var committed: ModelState<ID>
    /// The items set on handles since the last request.
    private var pending: [ModelKey: Item] = [:]
    private var handles: [ModelKey: Mutable<Item>] = [:]
    private var savepoints = 0

    init(_ run: RandomRun<ID>, writing accessor: DataStoreReadWriteAccessor, _ state: ModelState<ID>) {
        self.accessor = accessor
        committed = state
        super.init(run, accessor, state)
    }

    override func settle() {
        if doom == nil, !pending.isEmpty {
            do { try state.replace(byAll: Array(pending.values)) } catch { doom = error }
        }
        pending = [:]
    }

    /// Does one thing, then looks whether the handles show what they should.
    func step() throws {
        switch run.generator.number(below: 100) {
        case ..<30: try ask()
        case ..<42: try insert()
        case ..<50: try insertMany()
        case ..<56: try upsert()
        case ..<60: try upsertByCode()
        case ..<72: try setOnHandle()
        case ..<80: try setOnHandles()
        case ..<85: try update()
        case ..<90: try delete()
        case ..<92: try deleteByRequest()
        case ..<97: try savepoint()
        case ..<99: try commit()
        default: if run.generator.oneIn(6) { try deleteAll() }
        }
        try checkHandles()
    }

    private func checkHandles() throws {
        guard doom == nil else { return handles = [:] }
        handles = handles.filter { state.items[$0.key] != nil }
        for (key, handle) in handles {
            guard let expected = pending[key] ?? state.items[key] else { continue }
            if !run.vocabulary.areSame(handle.item, expected) {
                throw run.journal.mismatch(
                    expected: "a handle that shows \(expected)", actual: "\(handle.item)")
            }
        }
    }

    /// Keeps a handle to look at later; an item has only one.
    private func keep(_ handle: Mutable<Item>) throws {
        let key = handle.id.modelKey
        if let known = handles[key], known !== handle {
            throw run.journal.mismatch(expected: "the handle there was", actual: "another one")
        }
        handles[key] = handle
    }
}

// MARK: Inserting

extension RandomWriting {
    private func insert() throws {
        let item = run.vocabulary.specimen(&run.generator)
        try call("insert \(item)") { state throws(ModelRefusal) in
            try state.insert(item)
            return [item]
        } store: {
            [try accessor.insert(item).item]
        }
    }

    private func insertMany() throws {
        let count = run.generator.oneIn(40) ? 260 : run.generator.number(below: 6)
        var items: [Item] = []
        for _ in 0..<count { items.append(run.vocabulary.specimen(&run.generator)) }
        if run.generator.oneIn(2) { items = withoutClashes(items) }
        try call("insert contents of \(items.map(\.id))") { state throws(ModelRefusal) in
            try state.insert(contentsOf: items)
            return true
        } store: {
            try accessor.insert(contentsOf: items)
            return true
        }
    }

    /// Those that can be inserted one after the other.
    private func withoutClashes(_ items: [Item]) -> [Item] {
        settle()
        var copy = state
        return items.filter { (try? copy.insert($0)) != nil }
    }

    private func upsert() throws {
        let item = run.vocabulary.specimen(&run.generator)
        try call("upsert \(item)") { state throws(ModelRefusal) in
            try state.replace(by: item)
            return [item]
        } store: {
            [try accessor.upsert(item).item]
        }
    }

    private func upsertByCode() throws {
        let item = run.vocabulary.specimen(&run.generator)
        try call("upsert by code \(item)") { state throws(ModelRefusal) in
            let stored = state.items.values.first { stored in
                stored.code != nil && String?.order(stored.code, item.code) == 0
            }
            guard let stored else {
                try state.insert(item)
                return [item]
            }
            let changed = item.kept(under: stored.id)
            try state.replace(by: changed)
            return [changed]
        } store: {
            [try accessor.upsert(item, by: \.code).item]
        }
    }
}

// MARK: Changing

extension RandomWriting {
    private func setOnHandle() throws {
        let id = Vocabulary<ID>.identifier(&run.generator)
        var handle: Mutable<Item>?
        try call("handle \(id)") {
            $0[id].map { [$0] } ?? []
        } store: {
            handle = try accessor.mutableItem(id: id, of: Item.self)
            return handle.map { [$0.item] } ?? []
        }
        if let handle { try set(run.vocabulary.changes(&run.generator), on: handle) }
    }

    private func setOnHandles() throws {
        var question = run.vocabulary.question(&run.generator)
        question.limit = run.generator.number(below: 5)
        var found: [Mutable<Item>] = []
        try call("handles \(question)") {
            question.answer(from: $0.items.values)
        } store: {
            found = try accessor.mutableItems(for: question.request)
            return found.map(\.item)
        }
        if found.count > 1, run.generator.oneIn(2) {
            let codes = [found[1].code, found[0].code]
            for (handle, code) in zip(found, codes) {
                try set([Change("code", \.code, \.code, to: code)], on: handle)
            }
        } else {
            for handle in found { try set(run.vocabulary.changes(&run.generator), on: handle) }
        }
    }

    private func set(_ changes: [Change<ID>], on handle: Mutable<Item>) throws {
        run.journal.note("set \(changes) on \(handle.id)")
        let key = handle.id.modelKey
        guard doom == nil, var item = pending[key] ?? state.items[key] else { return }
        for change in changes {
            change.set(handle)
            change.apply(&item)
        }
        pending[key] = item
        try keep(handle)
    }

    private func update() throws {
        let question = run.vocabulary.question(&run.generator)
        let changes = run.vocabulary.changes(&run.generator)
        try call("update \(question) \(changes)") { state throws(ModelRefusal) in
            var changed: [Item] = []
            for item in question.answer(from: state.items.values) {
                var copy = item
                for change in changes { change.apply(&copy) }
                if !run.vocabulary.areSame(copy, item) { changed.append(copy) }
            }
            try state.replace(byAll: changed)
            return changed.count
        } store: {
            switch changes.count {
            case 1: try accessor.update(question.request, changes[0].assignment)
            case 2: try accessor.update(question.request, changes[0].assignment, changes[1].assignment)
            default:
                try accessor.update(
                    question.request, changes[0].assignment, changes[1].assignment, changes[2].assignment)
            }
        }
    }
}

// MARK: Deleting

extension RandomWriting {
    private func delete() throws {
        let id = Vocabulary<ID>.identifier(&run.generator)
        try call("delete \(id)") { state in
            defer { state[id] = nil }
            return state[id] != nil
        } store: {
            try accessor.delete(id: id, of: Item.self)
        }
    }

    private func deleteByRequest() throws {
        var question = run.vocabulary.question(&run.generator)
        if run.generator.oneIn(2) { question.limit = run.generator.number(below: 8) }
        try call("delete \(question)") { state in
            let items = question.answer(from: state.items.values)
            state.delete(items)
            return items.count
        } store: {
            try accessor.deleteItems(for: question.request)
        }
    }

    private func deleteAll() throws {
        try call("delete all") { state in
            defer { state.deleteAll() }
            return state.items.count
        } store: {
            try accessor.deleteAllItems(of: Item.self)
        }
    }
}

// MARK: Savepoints and commits

extension RandomWriting {
    private func savepoint() throws {
        guard savepoints < 3 else { return }
        let fails = run.generator.oneIn(2)
        run.journal.note(fails ? "savepoint that will fail" : "savepoint")
        settle()
        let (before, doomBefore) = (state, doom)
        savepoints += 1
        defer { savepoints -= 1 }
        do {
            try accessor.savepoint {
                for _ in 0..<run.generator.number(below: 5) { try step() }
                if fails { throw OwnFailure() }
            }
            settle()
            run.journal.note("end of savepoint")
            if let doom { throw run.journal.mismatch(expected: "an error \(doom.codes)", actual: "success") }
        } catch let error as Mismatch {
            throw error
        } catch {
            let isOwn = fails && error is OwnFailure
            if !isOwn {
                settle()
                guard let doom, doom.accepts(error) else {
                    throw run.journal.mismatch(expected: "a savepoint", actual: "\(error)")
                }
            }
            // What could not be stored is undone with the rest.
            (state, pending, doom) = (before, [:], doomBefore)
            run.journal.note(isOwn ? "savepoint has failed" : "savepoint was refused")
        }
    }

    private func commit() throws {
        if savepoints > 0 { return try commitInsideSavepoint() }
        try call("commit", model: { $0.items.count }, store: commitAndCount)
        if doom == nil { committed = state }
    }

    private func commitAndCount() throws -> Int {
        try accessor.commit()
        return try accessor.countItems(for: Item.all)
    }

    private func commitInsideSavepoint() throws {
        run.journal.note("commit inside a savepoint")
        do {
            try accessor.commit()
        } catch  where error.code == .unsupported {
            return
        }
        throw run.journal.mismatch(expected: "unsupported", actual: "success")
    }
}
