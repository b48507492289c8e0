import Larder
import LarderConformance

@testable import AdapterTestSupport

/// Random changes over a schema with every kind of relationship and rule, for two stores that must stay equal.
final class MergeTwin {
    let journal: Journal
    var generator: Seed
    private var nextLink: Int64 = 0
    private static let types: [any DataStoreItem.Type] = [Node.self, Leaf.self, Plot.self]
    private static let linkNames = ["links", "bundle", "ties"]
    private let links: [LinkRows]
    private let pool: Int

    typealias Call = (DataStoreReadWriteAccessor) throws -> Void

    init(_ title: String, seed: UInt64) throws {
        journal = Journal(title)
        generator = Seed(seed)
        pool = 4 + generator.number(below: 8)
        links = try Self.linkNames.map { try LinkRows($0, of: Node.self, in: Self.types) }
    }

    private func id() -> Int64 { Int64(generator.number(below: pool)) }

    private func target() -> Int64? { generator.oneIn(3) ? nil : id() }

    private static var references: [(String, WritableKeyPath<Node, ToOne<Node>?>)] {
        [
            ("parent", \.parent), ("friend", \.friend), ("guardian", \.guardian), ("partner", \.partner),
            ("tail", \.tail), ("anchor", \.anchor),
        ]
    }

    /// A change, which does the same wherever it is called.
    func nextCall() -> (String, Call) {
        switch generator.number(below: 28) {
        case 0, 1, 2, 3:
            let node = node(id())
            return ("insert \(node.id)", { _ = try $0.insert(node) })
        case 4, 5, 6, 7, 8, 9:
            let (name, path) = generator.pick(Self.references)
            let (id, target) = (id(), target())
            return (
                "\(id).\(name) = \(target.map(String.init) ?? "nil")",
                { accessor in
                    guard var node = try accessor.item(id: id, of: Node.self) else { return }
                    node[keyPath: path] = target.map { ToOne(id: $0) }
                    try accessor.update(node)
                }
            )
        case 10:
            let (id, weight) = (id(), generator.number(below: 5))
            return (
                "\(id).weight = \(weight)",
                { try $0.update(Node.where(\.id == id), .set(\.weight, to: weight)) }
            )
        case 11, 12, 13:
            let id = id()
            return ("delete \(id)", { try $0.delete(id: id, of: Node.self) })
        case 14:
            let weight = generator.number(below: 5)
            return ("delete weight \(weight)", { try $0.deleteItems(for: Node.where(\.weight == weight)) })
        case 15, 16: return leafCall()
        case 17, 18, 19: return plotCall()
        case 20, 21, 22, 23: return changeAndDeletion()
        default: return linkCall()
        }
    }

    /// Changes a reference of a node and deletes it, or deletes it and inserts another one in its place.
    private func changeAndDeletion() -> (String, Call) {
        let (name, path) = generator.pick(Self.references)
        let (node, target) = (node(id()), target())
        if generator.oneIn(3) {
            return (
                "delete and insert \(node.id)",
                { accessor in
                    try accessor.delete(id: node.id, of: Node.self)
                    try accessor.insert(node)
                }
            )
        }
        return (
            "\(node.id).\(name) = \(target.map(String.init) ?? "nil"), and delete it",
            { accessor in
                guard var stored = try accessor.item(id: node.id, of: Node.self) else { return }
                stored[keyPath: path] = target.map { ToOne(id: $0) }
                try accessor.update(stored)
                try accessor.delete(id: node.id, of: Node.self)
            }
        )
    }

    private func node(_ id: Int64) -> Node {
        var node = Node(id, weight: generator.number(below: 5))
        for (_, path) in Self.references where generator.oneIn(5) {
            node[keyPath: path] = target().map { ToOne(id: $0) }
        }
        return node
    }

    private func leafCall() -> (String, Call) {
        let leaf = Leaf("\(id())", of: id(), on: id())
        switch generator.number(below: 3) {
        case 0: return ("delete leaf \(leaf.id)", { try $0.delete(id: leaf.id, of: Leaf.self) })
        case 1: return ("update leaf \(leaf.id) \(leaf.node.id) \(leaf.seat.id)", { try $0.update(leaf) })
        default:
            return ("insert leaf \(leaf.id) \(leaf.node.id) \(leaf.seat.id)", { _ = try $0.insert(leaf) })
        }
    }

    private func plotCall() -> (String, Call) {
        let plot = Plot(
            id(), at: target(), number: Int64(generator.number(below: 3)),
            code: generator.oneIn(2) ? nil : id())
        let (node, place) = (id(), generator.number(below: 3))
        switch generator.number(below: 6) {
        case 0: return ("delete plot \(plot.id)", { try $0.delete(id: plot.id, of: Plot.self) })
        case 1:
            return (
                "update plot \(plot)",
                { accessor in
                    guard let old = try accessor.item(id: plot.id, of: Plot.self) else { return }
                    let code = old.code
                    try accessor.update(
                        Plot(plot.id, at: plot.node?.id, number: old.number, code: plot.code ?? code))
                }
            )
        case 2, 3: return ("insert plot \(plot)", { _ = try $0.insert(plot) })
        case 4:
            return (
                "path of \(plot.id) + \(node)",
                { _ = try $0.mutableItem(id: plot.id, of: Plot.self)?.path.add(id: node) }
            )
        default:
            let isRemoval = generator.oneIn(2)
            return (
                "path of \(plot.id) \(isRemoval ? "-" : "moved") \(node), \(place)",
                { accessor in
                    guard let plot = try accessor.mutableItem(id: plot.id, of: Plot.self) else { return }
                    if isRemoval {
                        _ = try plot.path.remove(id: node)
                        return
                    }
                    let count = try accessor.countItems(plot.path)
                    if count > 1 { try plot.path.move(from: count - 1, to: min(place, count - 1)) }
                }
            )
        }
    }

    private func linkCall() -> (String, Call) {
        let (name, source, target) = (generator.number(below: 3), id(), id())
        let rows = links[name]
        nextLink += 1
        let link = nextLink
        let isRemoval = generator.oneIn(3)
        return (
            "\(Self.linkNames[name]) \(source)-\(target) \(isRemoval ? "removed" : "added")",
            { accessor in
                var known: [Int64] = []
                try rows.forEach(accessor) { if $1 == source && $2 == target { known.append($0) } }
                if isRemoval {
                    for id in known { try rows.delete(id, accessor) }
                } else if known.isEmpty {
                    try rows.insert([(link, .integer(source), .integer(target))], accessor)
                }
            }
        )
    }

    /// Makes the same changes in each of some stores, in one block.
    func change(_ stores: [any DataStore], calls count: Int) throws {
        let calls = (0..<count).map { _ in nextCall() }
        for (name, _) in calls { journal.note(name) }
        var codes: [[String]] = []
        for store in stores {
            var found: [String] = []
            try store.writeSync { accessor in
                for (_, call) in calls {
                    do {
                        try accessor.savepoint { try call(accessor) }
                        found.append("-")
                    } catch let error as DataStoreError {
                        found.append(error.code.rawValue)
                    }
                }
            }
            codes.append(found)
        }
        for other in codes where other != codes[0] {
            throw journal.mismatch(expected: "\(codes[0])", actual: "\(other)")
        }
    }

    // MARK: Comparing

    /// Everything in a store, a line for each row and link.
    func state(_ store: any DataStore) throws -> [String] {
        try store.read { accessor in
            var lines = try accessor.items(for: Node.all).map { node in
                let references = Self.references.map { name, path in
                    node[keyPath: path].map { " \(name) \($0.id)" } ?? ""
                }
                return "node \(node.id): \(node.weight)\(references.joined())"
            }
            lines += try accessor.items(for: Leaf.all).map { "leaf \($0.id): \($0.node.id) \($0.seat.id)" }
            lines += try accessor.items(for: Plot.all).map { plot in
                let path = try accessor.items(plot.path).map(\.id)
                let node = plot.node.map { "\($0.id)" } ?? "-"
                return "plot \(plot.id): \(node) \(plot.number) \(plot.code ?? -1) \(path)"
            }
            for (name, rows) in zip(Self.linkNames, links) {
                lines += try rows.all(accessor).sorted().map { "\(name) \($0)" }
            }
            return lines
        }
    }

    func requireEqual(_ store: any DataStore, _ twin: any DataStore, _ what: String) throws {
        let (actual, expected) = (try state(store), try state(twin))
        if actual == expected { return }
        let missing = expected.filter { !actual.contains($0) }
        let added = actual.filter { !expected.contains($0) }
        throw journal.mismatch(expected: "\(what): \(missing)", actual: "\(added)")
    }

    /// Holds a store to the rules of its schema, whatever was done to it.
    func requireSound(_ store: any DataStore) throws {
        try store.read { accessor in
            let nodes = try accessor.items(for: Node.all)
            let (leaves, plots) = (try accessor.items(for: Leaf.all), try accessor.items(for: Plot.all))
            let known = Set(nodes.map(\.id))
            func require(_ isSound: Bool, _ what: String) throws {
                if !isSound { throw journal.mismatch(expected: "a sound store", actual: what) }
            }
            for node in nodes {
                for (name, path) in Self.references {
                    let target = node[keyPath: path]?.id
                    try require(target.map(known.contains) ?? true, "\(node.id).\(name) \(target ?? -1)")
                }
            }
            let partners = nodes.compactMap(\.partner?.id)
            try require(Set(partners).count == partners.count, "partners \(partners)")
            try require(Set(leaves.map(\.seat.id)).count == leaves.count, "seats")
            for leaf in leaves {
                try require(known.contains(leaf.node.id) && known.contains(leaf.seat.id), "leaf \(leaf.id)")
            }
            let codes = plots.compactMap(\.code)
            try require(Set(codes).count == codes.count, "codes \(codes)")
            let places = plots.compactMap { plot in plot.node.map { "\($0.id) \(plot.number)" } }
            try require(Set(places).count == places.count, "places \(places)")
            for plot in plots {
                try require(plot.node.map { known.contains($0.id) } ?? true, "plot \(plot.id)")
            }
            for (name, rows) in zip(Self.linkNames, links) {
                var ends: [[Int64]] = []
                try rows.forEach(accessor) { ends.append([$1, $2]) }
                try require(ends.joined().allSatisfy(known.contains), "\(name) \(ends)")
                try require(Set(ends).count == ends.count, "\(name) \(ends)")
            }
        }
    }
}
