import Larder

@testable import AdapterTestSupport

/// Random requests in a read block, each answered by the model too.
class RandomReading<ID: SpecimenID> {
    typealias Item = Specimen<ID>

    let run: RandomRun<ID>
    /// What the block should see.
    var state: ModelState<ID>
    /// What every further call must throw.
    var doom: ModelRefusal?
    private let accessor: DataStoreReadAccessor

    init(_ run: RandomRun<ID>, _ accessor: DataStoreReadAccessor, _ state: ModelState<ID>) {
        self.run = run
        self.accessor = accessor
        self.state = state
    }

    /// Does in the model what the store does before each request.
    func settle() {}

    /// Makes a call, which must end as the model says.
    ///
    /// - Returns: Whether it has succeeded.
    @discardableResult
    func call<Value>(
        _ text: String, model: (inout ModelState<ID>) throws(ModelRefusal) -> Value,
        store: () throws -> Value, areSame: (Value, Value) -> Bool
    ) throws -> Bool {
        run.journal.note(text)
        settle()
        let expected = Result { () throws(ModelRefusal) in
            if let doom { throw doom }
            return try model(&state)
        }
        let actual = Result { try store() }
        switch (expected, actual) {
        case (.success(let expected), .success(let actual)) where areSame(expected, actual): return true
        case (.failure(let refusal), .failure(let error)) where refusal.accepts(error): return false
        case (_, .failure(let error as Mismatch)): throw error
        default: throw run.journal.mismatch(expected: "\(expected)", actual: "\(actual)")
        }
    }

    func call<Value: Equatable>(
        _ text: String, model: (inout ModelState<ID>) throws(ModelRefusal) -> Value,
        store: () throws -> Value
    ) throws {
        try call(text, model: model, store: store, areSame: ==)
    }

    func call(
        _ text: String, model: (inout ModelState<ID>) throws(ModelRefusal) -> [Item],
        store: () throws -> [Item]
    ) throws {
        try call(text, model: model, store: store) { run.vocabulary.areSame($0, $1) }
    }
}

extension RandomReading {
    /// Asks one question in one of the ways there are.
    func ask() throws {
        if run.generator.oneIn(4) { return try lookUp() }
        let question = run.vocabulary.question(&run.generator)
        let (request, text) = (question.request, question.description)
        func answer(_ state: ModelState<ID>) -> [Item] { question.answer(from: state.items.values) }
        switch run.generator.number(below: 8) {
        case 0:
            try call(
                "count " + text, model: { answer($0).count }, store: { try accessor.countItems(for: request) }
            )
        case 1:
            let keys = { try self.accessor.ids(for: request).map(\.modelKey) }
            try call("ids " + text, model: { answer($0).map(\.id.modelKey) }, store: keys)
        case 2:
            try call(
                "contains " + text, model: { !answer($0).isEmpty }, store: { try accessor.contains(request) })
        case 3:
            let first = { try self.accessor.firstItem(for: request).map { [$0] } ?? [] }
            try call("first " + text, model: { Array(answer($0).prefix(1)) }, store: first)
        case 4:
            try call("walk " + text, model: { answer($0) }, store: { try walk(request) })
        case 5:
            let sizes = { try self.accessor.values(for: request, \.size) }
            try call("sizes " + text, model: { answer($0).map(\.size) }, store: sizes)
        default:
            try call("items " + text, model: { answer($0) }, store: { try accessor.items(for: request) })
        }
    }

    private func walk(_ request: DataStoreRequest<Item>) throws -> [Item] {
        var items: [Item] = []
        try accessor.forEachItem(for: request) { items.append($0) }
        return items
    }

    private func lookUp() throws {
        let id = Vocabulary<ID>.identifier(&run.generator)
        if run.generator.oneIn(2) {
            let contains = { try self.accessor.contains(id: id, of: Item.self) }
            try call("contains id \(id)", model: { $0[id] != nil }, store: contains)
        } else {
            let item = { try self.accessor.item(id: id, of: Item.self).map { [$0] } ?? [] }
            try call("item \(id)", model: { $0[id].map { [$0] } ?? [] }, store: item)
        }
    }

    /// Compares everything there is.
    func compareAll() throws {
        try call("everything", model: { Question().answer(from: $0.items.values) }) {
            try accessor.items(for: Item.all)
        }
    }
}
