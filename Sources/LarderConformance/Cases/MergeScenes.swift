import Larder

/// Deletions in a child that a merge must not make again in the parent as they were asked for: the child has changed
/// before what they take along, or has inserted it again since.
enum MergeScenes {
    typealias Act = @Sendable (DataStoreReadWriteAccessor) throws -> Void

    static func set(
        _ id: Int64, _ path: WritableKeyPath<Node, ToOne<Node>?>, _ target: Int64?,
        _ accessor: DataStoreReadWriteAccessor
    ) throws {
        var node = try require(try accessor.item(id: id, of: Node.self))
        node[keyPath: path] = target.map { ToOne(id: $0) }
        try accessor.update(node)
    }

    static func delete(_ id: Int64, _ accessor: DataStoreReadWriteAccessor) throws {
        try accessor.delete(id: id, of: Node.self)
    }

    static func links(_ name: String) throws -> LinkRows {
        try LinkRows(name, of: Node.self, in: [Node.self, Leaf.self])
    }

    /// The rows of the store, and the calls of a child of it.
    static let all: [(String, Act, Act)] = [
        (
            "own cascade, freed before",
            {
                try $0.insert(contentsOf: [Node(3), Node(2, \.tail, 3), Node(1, \.tail, 2)])
            },
            {
                try set(1, \.tail, nil, $0)
                try delete(1, $0)
            }
        ),
        (
            "moved away before",
            {
                var member = Node(5)
                (member.parent, member.tail) = (ToOne(id: 1), ToOne(id: 1))
                try $0.insert(contentsOf: [Node(1), Node(2), member])
            },
            {
                try set(5, \.parent, 2, $0)
                try set(5, \.tail, 2, $0)
                try delete(2, $0)
            }
        ),
        (
            "own denial, freed before",
            { try $0.insert(contentsOf: [Node(2), Node(1, \.anchor, 2)]) },
            {
                try set(1, \.anchor, nil, $0)
                try delete(1, $0)
            }
        ),
        (
            "denial, freed before",
            { try $0.insert(contentsOf: [Node(1), Node(2, \.guardian, 1)]) },
            {
                try set(2, \.guardian, nil, $0)
                try delete(1, $0)
            }
        ),
        (
            "denial, deleted and inserted again",
            { try $0.insert(contentsOf: [Node(1), Node(2, \.guardian, 1)]) },
            {
                try delete(2, $0)
                try delete(1, $0)
                try $0.insert(Node(2))
            }
        ),
        (
            "cascade, inserted again",
            { try $0.insert(contentsOf: [Node(1), Node(2, \.parent, 1), Node(3, \.parent, 2)]) },
            {
                try delete(1, $0)
                try $0.insert(Node(2))
            }
        ),
        (
            "own cascade, inserted again",
            { try $0.insert(contentsOf: [Node(2), Node(1, \.tail, 2)]) },
            {
                try delete(1, $0)
                try $0.insert(Node(2))
            }
        ),
        (
            "link removed and added again",
            {
                try $0.insert(contentsOf: [Node(1), Node(2)])
                try links("bundle").insert([(1, .integer(1), .integer(2))], $0)
            },
            {
                try links("bundle").delete(1, $0)
                try links("bundle").insert([(2, .integer(1), .integer(2))], $0)
                try delete(1, $0)
            }
        ),
        (
            "links removed before",
            {
                try $0.insert(contentsOf: [Node(1), Node(2), Node(3)])
                try links("bundle").insert([(1, .integer(1), .integer(2))], $0)
                try links("ties").insert([(1, .integer(1), .integer(3))], $0)
            },
            {
                try links("bundle").delete(1, $0)
                try links("ties").delete(1, $0)
                try delete(1, $0)
            }
        ),
        (
            "required reference moved before",
            {
                try $0.insert(contentsOf: [Node(1), Node(2), Node(3)])
                try $0.insert(Leaf("leaf", of: 1, on: 2))
            },
            {
                try $0.update(Leaf("leaf", of: 3, on: 3))
                try delete(1, $0)
                try delete(2, $0)
            }
        ),
    ]
}
