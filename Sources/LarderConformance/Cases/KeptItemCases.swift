import Larder

/// Merges whose policy keeps an item that the child has deleted, with what is related to it.
enum KeptItemCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "An item that the policy keeps denies each deletion that takes it along or needs it", proves: 16,
            19
        ) { world in
            let store = try world.open(Node.self, Leaf.self)
            let scenes: [(nodes: [Node], act: MergeScenes.Act, kept: Int64, denied: Int64)] = [
                ([Node(2), Node(1, \.tail, 2)], { try MergeScenes.delete(1, $0) }, 2, 1),
                (
                    [Node(2), Node(1, \.anchor, 2)],
                    { try $0.deleteItems(for: Node.where(\.id < 3)) }, 2, 1
                ),
                (
                    [Node(3), Node(5)],
                    {
                        try MergeScenes.set(5, \.parent, 3, $0)
                        try MergeScenes.delete(3, $0)
                    }, 5, 3
                ),
            ]
            for scene in scenes {
                let child = try makeChild(of: store, with: scene.nodes)
                try child.writeSync(scene.act)
                try store.writeSync { try $0.update(Node(scene.kept, weight: 7)) }
                let before = try state(store)

                let result = try store.merge(child, policy: .parentWins)

                try expect(
                    result.settled.map(\.identifier), equals: [.integer(scene.kept), .integer(scene.denied)])
                guard case .deletionDenied = result.settled[1].kind else {
                    return try expect("\(result.settled[1].kind)", equals: "a denied deletion")
                }
                try expect([result.inserted, result.updated, result.deleted], equals: [0, 0, 0])
                try expect(try state(store), equals: before)
                try expect(before.count, equals: 2)
            }
        }
        ConformanceCase(
            "A reference that no rule makes nil stays nil though the policy keeps its target", proves: 16, 19
        ) { world in
            let store = try world.open(Node.self, Leaf.self)
            for path in [\.parent, \.guardian, \.shadow] as [WritableKeyPath<Node, ToOne<Node>?>] {
                let child = try makeChild(of: store, with: [Node(1), Node(2, path, 1)])
                try child.writeSync { accessor in
                    try MergeScenes.set(2, path, nil, accessor)
                    try MergeScenes.delete(1, accessor)
                }
                try store.writeSync { try $0.update(Node(1, weight: 7)) }

                let result = try store.merge(child, policy: .parentWins)

                try expect([result.inserted, result.updated, result.deleted], equals: [0, 1, 0])
                try expect(try state(store), equals: ["1: 7 - - - - - - -", "2: 0 - - - - - - -"])
            }
        }
        ConformanceCase(
            "A target keeps its holder if the policy keeps the item that had taken it", proves: 15, 19
        ) { world in
            let store = try world.open(Node.self, Leaf.self)
            let child = try makeChild(of: store, with: [Node(5), Node(6), Node(1, \.partner, 5)])
            try child.writeSync { accessor in
                try MergeScenes.set(6, \.partner, 5, accessor)
                try MergeScenes.delete(6, accessor)
            }
            try store.writeSync { try $0.update(Node(6, weight: 7)) }

            let result = try store.merge(child, policy: .parentWins)

            try expect([result.inserted, result.updated, result.deleted], equals: [0, 0, 0])
            try expect(
                try state(store),
                equals: ["1: 0 - - - - 5 - -", "5: 0 - - - - - - -", "6: 7 - - - - - - -"])
        }
        ConformanceCase(
            "A reference stays nil if a deleted item that the policy keeps had its target all along",
            proves: 19
        ) { world in
            let store = try world.open(Node.self, Leaf.self)
            let nodes = [Node(5), Node(9), Node(6, \.partner, 5), Node(1, \.partner, 9)]
            let child = try makeChild(of: store, with: nodes)
            try child.writeSync { accessor in
                try accessor.update(Node(6, weight: 1, \.partner, 5))
                try MergeScenes.delete(6, accessor)
                try MergeScenes.set(1, \.partner, 5, accessor)
                try MergeScenes.set(1, \.partner, nil, accessor)
            }
            try store.writeSync { try $0.update(Node(6, weight: 7, \.partner, 5)) }

            _ = try store.merge(child, policy: .parentWins)

            try expect(
                try state(store),
                equals: [
                    "1: 0 - - - - - - -", "5: 0 - - - - - - -", "6: 7 - - - - 5 - -", "9: 0 - - - - - - -",
                ])
        }
        ConformanceCase("A deletion that is denied in the end is not among what is settled", proves: 19) {
            world in
            let store = try world.open(Node.self, Leaf.self)
            let child = try makeChild(of: store, with: [Node(1), Node(2, \.parent, 1)])
            try child.writeSync { try MergeScenes.delete(1, $0) }
            try store.writeSync { accessor in
                try accessor.update(Node(1, weight: 7))
                try accessor.update(Node(2, weight: 7, \.parent, 1))
            }

            let result = try store.merge(
                child,
                policy: .resolve { conflict in
                    conflict.kind == .deletedInChild && conflict.identifier == .integer(1) ? .child : .parent
                })

            let deletions = result.settled.filter { $0.kind == .deletedInChild }
            try expect(deletions.map(\.identifier), equals: [.integer(2)])
            try expect(Set(result.settled.map(\.identifier)), equals: [.integer(1), .integer(2)])
            try expect(try state(store), equals: ["1: 7 - - - - - - -", "2: 7 1 - - - - - -"])
        }
        ConformanceCase(
            "A deletion that is left out with another one is not among what is settled", proves: 19
        ) { world in
            let store = try world.open(Node.self, Leaf.self)
            let child = try makeChild(of: store, with: [Node(1), Node(2, \.parent, 1)])
            try child.writeSync { try MergeScenes.delete(1, $0) }
            try store.writeSync { accessor in
                try accessor.update(Node(1, weight: 7))
                try accessor.update(Node(2, weight: 7, \.parent, 1))
            }

            let result = try store.merge(
                child, policy: .resolve { $0.identifier == .integer(1) ? .parent : .child })

            try expect(result.settled.map(\.identifier), equals: [.integer(1)])
            try expect([result.inserted, result.updated, result.deleted], equals: [0, 0, 0])
            try expect(try state(store), equals: ["1: 7 - - - - - - -", "2: 7 1 - - - - - -"])

            // Nor one that is left out with the parent's item of an identifier that both sides have inserted.
            for side in [child, store] as [any DataStore] { try side.writeSync { try $0.insert(Node(9)) } }
            try store.writeSync { try $0.insert(Node(30, \.parent, 9)) }
            try child.writeSync { try MergeScenes.delete(9, $0) }
            try store.writeSync { try $0.update(Node(30, weight: 7, \.parent, 9)) }
            let other = try store.merge(child, policy: .childWins)
            try expect(other.settled, equals: [])
            try expect([other.inserted, other.updated, other.deleted], equals: [0, 0, 0])
            try expect(try state(store).suffix(2), equals: ["9: 0 - - - - - - -", "30: 7 9 - - - - - -"])
        }
        ConformanceCase(
            "A reference that the child has set to an item which the policy keeps is not nil", proves: 15, 16,
            19
        ) { world in
            let store = try world.open(Node.self, Leaf.self)
            let child = try makeChild(
                of: store,
                with: [
                    Node(1), Node(4), Node(5), Node(6), Node(2, \.partner, 4), Node(3, \.friend, 4),
                    Node(7, \.partner, 6),
                ])
            try child.writeSync { accessor in
                try MergeScenes.set(3, \.friend, 1, accessor)
                try MergeScenes.set(2, \.partner, 1, accessor)
                // The kept one has taken a target of the child from another, whose target in the parent is free.
                try MergeScenes.set(7, \.partner, 5, accessor)
                try MergeScenes.set(1, \.partner, 5, accessor)
                try MergeScenes.delete(1, accessor)
            }
            try expect(
                try state(child),
                equals: [
                    "2: 0 - - - - - - -", "3: 0 - - - - - - -", "4: 0 - - - - - - -", "5: 0 - - - - - - -",
                    "6: 0 - - - - - - -", "7: 0 - - - - - - -",
                ])
            try store.writeSync { try $0.update(Node(1, weight: 7)) }
            let before = try state(store)

            let result = try store.merge(child, policy: .parentWins)

            try expect([result.inserted, result.updated, result.deleted], equals: [0, 0, 0])
            try expect(try state(store), equals: before)
            try expect(before[1...2], equals: ["2: 0 - - - - 4 - -", "3: 0 - 4 - - - - -"])
        }
        ConformanceCase("A block of a child that throws changes nothing in a later merge", proves: 3, 19) {
            world in
            let store = try world.open(Node.self, Leaf.self)
            let child = try makeChild(of: store, with: [Node(1), Node(3, \.parent, 1)])
            try child.writeSync { try MergeScenes.delete(1, $0) }
            let blocks: [@Sendable (DataStoreReadWriteAccessor) throws -> Void] = [
                { try $0.insert(Node(8)) },
                { accessor in
                    try accessor.insert(Node(3))
                    throw OwnError()
                },
            ]
            let results = try WaitingWriteCases.results(of: blocks, in: child)
            try expect(WaitingWriteCases.codes(results), equals: ["stored", "\(OwnError())"])
            try store.writeSync { try $0.update(Node(1, weight: 7)) }

            let result = try store.merge(child, policy: .parentWins)

            try expect([result.inserted, result.updated, result.deleted], equals: [1, 0, 0])
            try expect(
                try state(store),
                equals: ["1: 7 - - - - - - -", "3: 0 1 - - - - - -", "8: 0 - - - - - - -"])
        }
    }

    /// A child of a store that has only these nodes.
    private static func makeChild(of store: any DataStore, with nodes: [Node]) throws -> ChildDataStore {
        try store.writeSync { accessor in
            try accessor.deleteAllItems(of: Node.self)
            try accessor.insert(contentsOf: nodes)
        }
        return try store.makeChildDataStore()
    }

    /// A line for each node: its weight, parent, friend, guardian, shadow, partner, tail and anchor.
    private static func state(_ store: any DataStore) throws -> [String] {
        try store.items(Node.all).map { node in
            let references = [
                node.parent, node.friend, node.guardian, node.shadow, node.partner, node.tail, node.anchor,
            ].map { $0.map { "\($0.id)" } ?? "-" }
            return "\(node.id): \(node.weight) \(references.joined(separator: " "))"
        }
    }
}
