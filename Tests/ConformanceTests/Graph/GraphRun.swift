import Larder
import LarderConformance

@testable import AdapterTestSupport

/// Random changes of a graph, each compared with the model.
final class GraphRun {
    private var generator: Seed
    private let rows: [LinkRows]
    private var model = GraphModel()
    private var done: [String] = []
    private var nextLink: Int64 = 0
    /// The number of nodes that there may be.
    private let pool: Int

    init(seed: UInt64) throws {
        generator = Seed(seed)
        pool = 4 + generator.number(below: 30)
        let types: [any DataStoreItem.Type] = [Node.self, Leaf.self]
        rows = try GraphModel.linkNames.map { try LinkRows($0, of: Node.self, in: types) }
    }

    struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    private func mismatch(_ expected: some Any, _ actual: some Any) -> Mismatch {
        Mismatch(
            description: "expected \(expected), got \(actual), after\n"
                + done.suffix(12).joined(separator: "\n"))
    }

    /// Runs about so many operations.
    func run(_ operations: Int, in world: ConformanceWorld) throws {
        let store = try world.open(Node.self, Leaf.self)
        var count = 0
        while count < operations {
            let before = model
            let fails = generator.oneIn(6)
            let steps = 1 + generator.number(below: 10)
            count += steps
            do {
                try store.writeSync { accessor in
                    for _ in 0..<steps {
                        if generator.oneIn(10) { try savepoint(accessor) } else { try step(accessor) }
                    }
                    try compare(accessor)
                    if fails { throw Undone() }
                }
            } catch is Undone {
                done.append("undone")
                model = before
            }
            try store.read { try compare($0) }
        }
        // Otherwise the check after the case would meet references to items that are gone.
        try store.writeSync { try $0.update(Node.all, .set(\.shadow, to: nil)) }
    }

    private struct Undone: Error {}

    private func compare(_ accessor: DataStoreReadAccessor) throws {
        let stored = try GraphModel(accessor, rows)
        if stored != model { throw mismatch(model, stored) }
    }

    private func savepoint(_ accessor: DataStoreReadWriteAccessor) throws {
        let before = model
        done.append("savepoint")
        do {
            try accessor.savepoint {
                for _ in 0...generator.number(below: 3) { try step(accessor) }
                throw Undone()
            }
        } catch is Undone {
            model = before
        }
        done.append("end of savepoint")
    }

    /// Makes a call, and compares its error and the handles with the model.
    private func step(_ accessor: DataStoreReadWriteAccessor) throws {
        var handles: [Mutable<Node>] = []
        for _ in 0..<2 {
            if let handle = try accessor.mutableItem(id: id(), of: Node.self) { handles.append(handle) }
        }
        var changed = model
        var expected: DataStoreError.Code?
        var actual: DataStoreError.Code?
        let call = try call(&changed, &expected)
        do {
            try call(accessor)
        } catch let error as DataStoreError {
            actual = error.code
        }
        if actual != expected {
            throw mismatch(expected?.rawValue ?? "success", actual?.rawValue ?? "success")
        }
        if expected == nil { model = changed }
        for handle in handles {
            guard let vertex = model.nodes[handle.id] else { continue }
            if GraphModel.vertex(handle.item) != vertex { throw mismatch(vertex, handle.item) }
        }
    }

    private func id() -> Int64 { Int64(generator.number(below: pool)) }

    /// Most often a node that exists.
    private func target() -> Int64 {
        let known = model.nodes.keys.sorted()
        return known.isEmpty || generator.oneIn(12) ? id() : generator.pick(known)
    }

    private func vertex() -> GraphModel.Vertex {
        var vertex = GraphModel.Vertex(weight: generator.number(below: 4))
        for number in vertex.targets.indices where generator.oneIn(4) { vertex.targets[number] = target() }
        return vertex
    }
}

// MARK: Calls

extension GraphRun {
    private typealias Call = (DataStoreReadWriteAccessor) throws -> Void

    private func call(
        _ changed: inout GraphModel, _ expected: inout DataStoreError.Code?
    ) throws -> Call {
        switch generator.number(below: 18) {
        case 0, 1, 2: return insertion(&changed, &expected)
        case 3: return bulkInsertion(&changed, &expected)
        case 4, 5, 6: return replacement(&changed, &expected)
        case 7, 8: return assignment(&changed, &expected)
        case 9, 10: return leaf(&changed, &expected)
        case 11, 12: return link(&changed, &expected)
        case 13, 14: return adoption(&changed, &expected)
        default: return deletion(&changed, &expected)
        }
    }

    private func insertion(_ changed: inout GraphModel, _ expected: inout DataStoreError.Code?) -> Call {
        let (id, vertex) = (id(), vertex())
        done.append("insert \(id) \(vertex)")
        if changed.nodes[id] != nil {
            // References are judged first, identifiers by the engine.
            var other = changed
            expected = other.put([(id, vertex)]) ?? .duplicateIdentifier
        } else {
            expected = changed.put([(id, vertex)])
        }
        return { try $0.insert(GraphModel.node(id, vertex)) }
    }

    private func bulkInsertion(
        _ changed: inout GraphModel, _ expected: inout DataStoreError.Code?
    ) -> Call {
        var new: [(id: Int64, vertex: GraphModel.Vertex)] = []
        for candidate in 0..<Int64(pool) where changed.nodes[candidate] == nil && generator.oneIn(2) {
            new.append((candidate, GraphModel.Vertex()))
        }
        // They may refer to each other in both directions.
        for position in new.indices {
            new[position].vertex = vertex()
            if generator.oneIn(2) {
                new[position].vertex.targets[generator.number(below: 7)] = generator.pick(new).id
            }
        }
        done.append("insert all \(new)")
        expected = changed.put(new)
        let nodes = new.map { GraphModel.node($0.id, $0.vertex) }
        return { try $0.insert(contentsOf: nodes) }
    }

    /// The columns that differ are the ones that are judged.
    private func replacement(_ changed: inout GraphModel, _ expected: inout DataStoreError.Code?) -> Call {
        let id = target()
        guard var vertex = changed.nodes[id] else { return insertion(&changed, &expected) }
        let old = vertex
        for number in vertex.targets.indices where generator.oneIn(4) {
            vertex.targets[number] = generator.oneIn(3) ? nil : target()
        }
        vertex.weight = generator.number(below: 4)
        done.append("replace \(id) \(vertex)")
        let columns = Set(vertex.targets.indices.filter { vertex.targets[$0] != old.targets[$0] })
        expected = changed.put([(id, vertex)], changing: [id: columns])
        let node = GraphModel.node(id, vertex)
        return generator.oneIn(2) ? { try $0.upsert(node) } : { try $0.update(node) }
    }

    private func assignment(_ changed: inout GraphModel, _ expected: inout DataStoreError.Code?) -> Call {
        let (weight, number) = (generator.number(below: 4), generator.number(below: 7))
        let value: Int64? = generator.oneIn(3) ? nil : target()
        done.append("set \(number) to \(value.map(String.init) ?? "nil") where weight is \(weight)")
        var new: [(id: Int64, vertex: GraphModel.Vertex)] = []
        for (id, vertex) in changed.nodes.sorted(by: { $0.key < $1.key }) {
            guard vertex.weight == weight, vertex.targets[number] != value else { continue }
            var vertex = vertex
            vertex.targets[number] = value
            new.append((id, vertex))
        }
        expected = changed.put(
            new, changing: Dictionary(uniqueKeysWithValues: new.map { ($0.id, [number]) }))
        let reference = value.map { ToOne<Node>(id: $0) }
        let request = Node.where(\.weight == weight)
        return { accessor in
            switch number {
            case 0: try accessor.update(request, .set(\.parent, to: reference))
            case 1: try accessor.update(request, .set(\.friend, to: reference))
            case 2: try accessor.update(request, .set(\.guardian, to: reference))
            case 3: try accessor.update(request, .set(\.shadow, to: reference))
            case 4: try accessor.update(request, .set(\.partner, to: reference))
            case 5: try accessor.update(request, .set(\.tail, to: reference))
            default: try accessor.update(request, .set(\.anchor, to: reference))
            }
        }
    }

    private func leaf(_ changed: inout GraphModel, _ expected: inout DataStoreError.Code?) -> Call {
        let id = "leaf \(generator.number(below: 6))"
        if generator.oneIn(5) {
            done.append("delete \(id)")
            changed.leaves[id] = nil
            return { try $0.delete(id: id, of: Leaf.self) }
        }
        let label = generator.oneIn(3) ? nil : generator.number(below: 3)
        let blade = GraphModel.Blade(node: target(), seat: target(), label: label)
        done.append("upsert \(id) \(blade)")
        // Only what differs is judged; what is stored leads to nodes that exist.
        let isSame = changed.leaves[id] == blade
        expected = changed.put(id, blade)
        if isSame { expected = nil }
        return { try $0.upsert(Leaf(id, of: blade.node, on: blade.seat, label: label)) }
    }

    /// Gives leaves to a node from its side, which changes one column of each.
    private func adoption(_ changed: inout GraphModel, _ expected: inout DataStoreError.Code?) -> Call {
        let owner = target()
        guard changed.nodes[owner] != nil else { return insertion(&changed, &expected) }
        let ids = (0...generator.number(below: 3)).map { _ in "leaf \(generator.number(below: 6))" }
        done.append("give \(ids) to \(owner)")
        expected = changed.give(ids, to: owner)
        return { accessor in
            guard let node = try accessor.mutableItem(id: owner, of: Node.self) else { return }
            if ids.count == 1 { _ = try node.leaves.add(id: ids[0]) } else { try node.leaves.add(ids: ids) }
        }
    }

    private func link(_ changed: inout GraphModel, _ expected: inout DataStoreError.Code?) -> Call {
        let number = generator.number(below: 3)
        let rows = rows[number]
        if generator.oneIn(4), !changed.links[number].isEmpty {
            let id = generator.pick(changed.links[number].keys.sorted())
            done.append("unlink \(number) \(id)")
            changed.links[number][id] = nil
            return { try rows.delete(id, $0) }
        }
        nextLink += 1
        let (id, link) = (nextLink, GraphModel.Link(source: target(), target: target()))
        // What writes links looks first whether there is one.
        if changed.links[number].values.contains(link) { return { _ in } }
        done.append("link \(number) \(id) \(link)")
        expected = changed.put(link, id, number)
        return { try rows.insert([(id, .integer(link.source), .integer(link.target))], $0) }
    }

    private func deletion(_ changed: inout GraphModel, _ expected: inout DataStoreError.Code?) -> Call {
        switch generator.number(below: 12) {
        case 0:
            done.append("delete all")
            let count = changed.nodes.count
            expected = changed.delete(Array(changed.nodes.keys))
            return { [self] accessor in
                let deleted = try accessor.deleteAllItems(of: Node.self)
                if deleted != count { throw mismatch(count, deleted) }
            }
        case 1, 2, 3:
            let weight = generator.number(below: 4)
            done.append("delete where weight is \(weight)")
            let asked = changed.nodes.filter { $0.value.weight == weight }.keys
            expected = changed.delete(Array(asked))
            return { [self] accessor in
                let deleted = try accessor.deleteItems(for: Node.where(\.weight == weight))
                if deleted != asked.count { throw mismatch(asked.count, deleted) }
            }
        default:
            let id = target()
            done.append("delete \(id)")
            let isThere = changed.nodes[id] != nil
            expected = changed.delete([id])
            return { [self] accessor in
                let deleted = try accessor.delete(id: id, of: Node.self)
                if deleted != isThere { throw mismatch(isThere, deleted) }
            }
        }
    }
}
