import Larder
import LarderConformance

/// A graph of nodes and leaves as dictionaries, with the rules written down plainly.
struct GraphModel: Equatable {
    /// The references of a node, in the order of ``references``.
    struct Vertex: Equatable {
        var weight = 0
        var targets: [Int64?] = Array(repeating: nil, count: 7)
    }

    struct Blade: Equatable {
        var node: Int64
        var seat: Int64
        var label: Int?
    }

    struct Link: Equatable {
        let source: Int64
        let target: Int64
    }

    /// The references of a node, with the names that the rules below use.
    static var references: [WritableKeyPath<Node, ToOne<Node>?>] {
        [\.parent, \.friend, \.guardian, \.shadow, \.partner, \.tail, \.anchor]
    }
    static let (parent, friend, guardian, shadow, partner, tail, anchor) = (0, 1, 2, 3, 4, 5, 6)
    static let linkNames = ["links", "bundle", "ties"]
    static let (links, bundle, ties) = (0, 1, 2)

    var nodes: [Int64: Vertex] = [:]
    var leaves: [String: Blade] = [:]
    /// By relationship and the identifier of the link.
    var links: [[Int64: Link]] = [[:], [:], [:]]

    typealias Code = DataStoreError.Code
}

// MARK: Writing

extension GraphModel {
    /// Inserts or changes nodes, all or none, as one list.
    mutating func put(_ new: [(id: Int64, vertex: Vertex)], changing columns: [Int64: Set<Int>] = [:])
        -> Code?
    {
        let known = Set(nodes.keys).union(new.map(\.id))
        for (id, vertex) in new {
            for (number, target) in vertex.targets.enumerated() {
                guard let target, columns[id].map({ $0.contains(number) }) ?? true else { continue }
                if !known.contains(target) { return .targetNotFound }
            }
        }
        for (id, vertex) in new {
            nodes[id] = vertex
        }
        // Each holder frees those before it.
        for (id, vertex) in new {
            guard let partner = vertex.targets[Self.partner],
                columns[id].map({ $0.contains(Self.partner) }) ?? true
            else { continue }
            for other in nodes.keys where other != id && nodes[other]?.targets[Self.partner] == partner {
                if let later = new.lastIndex(where: { $0.id == other }),
                    let mine = new.lastIndex(where: { $0.id == id }),
                    later > mine, columns[other].map({ $0.contains(Self.partner) }) ?? true
                {
                    continue
                }
                nodes[other]?.targets[Self.partner] = nil
            }
        }
        return nil
    }

    mutating func put(_ id: String, _ blade: Blade) -> Code? {
        if nodes[blade.node] == nil || nodes[blade.seat] == nil { return .targetNotFound }
        if leaves.contains(where: { $0.key != id && $0.value.seat == blade.seat }) { return .uniqueViolation }
        leaves[id] = blade
        return hasClash ? .uniqueViolation : nil
    }

    /// Gives leaves to a node, all or none.
    mutating func give(_ ids: [String], to node: Int64) -> Code? {
        for id in ids {
            if leaves[id] == nil { return .itemNotFound }
            leaves[id]?.node = node
        }
        return hasClash ? .uniqueViolation : nil
    }

    /// True if two leaves of a node have the same label.
    private var hasClash: Bool {
        let labeled = leaves.values.filter { $0.label != nil }
        return Set(labeled.map { [Int64($0.label ?? 0), $0.node] }).count < labeled.count
    }

    mutating func put(_ link: Link, _ id: Int64, _ relationship: Int) -> Code? {
        if nodes[link.source] == nil || nodes[link.target] == nil { return .targetNotFound }
        links[relationship][id] = link
        return nil
    }

    /// Deletes nodes and all that follows, or nothing.
    mutating func delete(_ asked: some Sequence<Int64>) -> Code? {
        var gone = Set(asked).intersection(nodes.keys)
        var front = gone
        while !front.isEmpty {
            var next: Set<Int64> = []
            for (id, vertex) in nodes {
                if let parent = vertex.targets[Self.parent], front.contains(parent) { next.insert(id) }
                if front.contains(id), let tail = vertex.targets[Self.tail] { next.insert(tail) }
            }
            for link in links[Self.bundle].values where front.contains(link.source) {
                next.insert(link.target)
            }
            front = next.subtracting(gone).intersection(nodes.keys)
            gone.formUnion(front)
        }
        for (id, vertex) in nodes {
            if !gone.contains(id), let guardian = vertex.targets[Self.guardian], gone.contains(guardian) {
                return .deletionDenied
            }
            if gone.contains(id), let anchor = vertex.targets[Self.anchor], !gone.contains(anchor) {
                return .deletionDenied
            }
        }
        for link in links[Self.ties].values where gone.contains(link.source) && !gone.contains(link.target) {
            return .deletionDenied
        }
        remove(gone)
        return nil
    }

    private mutating func remove(_ gone: Set<Int64>) {
        for id in gone { nodes[id] = nil }
        for id in nodes.keys {
            for number in Self.references.indices where number != Self.shadow {
                if let target = nodes[id]?.targets[number], gone.contains(target) {
                    nodes[id]?.targets[number] = nil
                }
            }
        }
        leaves = leaves.filter { !gone.contains($0.value.node) && !gone.contains($0.value.seat) }
        links = links.map { $0.filter { !gone.contains($0.value.source) && !gone.contains($0.value.target) } }
    }
}

// MARK: Items

extension GraphModel {
    static func node(_ id: Int64, _ vertex: Vertex) -> Node {
        var node = Node(id, weight: vertex.weight)
        for (path, target) in zip(references, vertex.targets) {
            node[keyPath: path] = target.map { ToOne(id: $0) }
        }
        return node
    }

    static func vertex(_ node: Node) -> Vertex {
        Vertex(weight: node.weight, targets: references.map { node[keyPath: $0]?.id })
    }

    /// The contents of a store.
    init(_ accessor: DataStoreReadAccessor, _ rows: [LinkRows]) throws {
        for node in try accessor.items(for: Node.all) { nodes[node.id] = Self.vertex(node) }
        for leaf in try accessor.items(for: Leaf.all) {
            leaves[leaf.id] = Blade(node: leaf.node.id, seat: leaf.seat.id, label: leaf.label)
        }
        for (number, rows) in rows.enumerated() {
            try rows.forEach(accessor) { id, source, target in
                links[number][id] = Link(source: source, target: target)
            }
        }
    }
}
