import Larder

/// One request for several item types.
enum UnionCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A request for several types has one order across them", proves: 8, 13) { world in
            try asking(in: world) { accessor in
                for (request, expected) in answers {
                    try expectAll(request, give: expected, in: accessor)
                }
            }
        }
        ConformanceCase("Windows of several types put together are the whole", proves: 8, 13) { world in
            try asking(in: world) { accessor in
                for order in orders {
                    let whole = try names(order, in: accessor)
                    try expect(whole.count, equals: 9, "\(order)")
                    for size in [1, 2, 4, 20] {
                        var joined: [String] = []
                        for start in stride(from: 0, to: 9, by: size) {
                            let window = order.offset(start).limit(size)
                            joined += try names(window, in: accessor)
                            try expect(
                                try accessor.countItems(for: window), equals: min(size, 9 - start))
                        }
                        try expect(joined, equals: whole, "windows of \(size) of \(order)")
                    }
                }
            }
        }
        ConformanceCase("Filters of several types and of one go together", proves: 6, 7) { world in
            try asking(in: world) { accessor in
                for (filter, expected) in filters {
                    try expectAll(Thing.where(filter), give: expected, in: accessor)
                }
            }
        }
        ConformanceCase("A request for several types is refused by every call if it is wrong", proves: 13) {
            world in
            let store = try open(world)
            let rank = Thing.attributes.rank
            let requests = [
                Thing.all.limit(-1), Thing.all.offset(-1), Thing.all.sorted(by: \.incomplete),
                Thing.where { $0.incomplete == 1 }, Thing.where(.only(Restaurant.self) || rank == 1),
            ]

            for request in requests {
                let calls: [(DataStoreReadWriteAccessor) throws -> Void] = [
                    { _ in try request.validate() }, { _ = try $0.items(for: request) },
                    { _ = try $0.firstItem(for: request) }, { _ = try $0.ids(for: request) },
                    { _ = try $0.countItems(for: request) }, { _ = try $0.contains(request) },
                    { try $0.forEachItem(for: request) { _ in } }, { _ = try $0.explain(request) },
                    { try $0.deleteItems(for: request) },
                ]
                for call in calls { try expectError(.invalidRequest, writingTo: store) { try call($0) } }
            }
            let deep = (0..<300).reduce(rank == 1) { filter, _ in !(filter && rank != 2) }
            try expectError(.invalidRequest) { try Thing.where(deep).validate() }
            try expect(try store.read { try $0.countItems(for: Thing.all) }, equals: 9)
        }
        ConformanceCase("A store needs all members of a union", proves: 13) { world in
            let store = try world.open(Keyed<Int64>.self, Memo.self)

            try expectError(.unknownItemType) { _ = try store.read { try $0.items(for: Thing.all) } }
            try expectError(.unknownItemType) { _ = try store.read { try $0.countItems(for: Thing.all) } }
        }
        ConformanceCase(
            "Several types see the changes of their block, and keep still in a walk", proves: 3, 4
        ) { world in
            let store = try open(world)

            try store.writeSync { accessor in
                try require(try accessor.mutableItem(id: "b", of: Keyed<String>.self)).rank = 0
                try accessor.insert(Memo(3, stars: -1))
                try accessor.delete(id: 30, of: Keyed<Int64>.self)
                let request = Thing.all.sorted(by: \.rank).limit(3)
                try expect(try names(request, in: accessor), equals: ["memo 3", "word b", "number 10"])
                var seen: [String] = []
                try accessor.forEachItem(for: request) { thing in
                    seen.append(name(thing))
                    for change in changes {
                        try expectError(.changedDuringIteration) { try change(accessor) }
                    }
                }
                try expect(seen, equals: ["memo 3", "word b", "number 10"])
                try accessor.insert(Memo(4))
            }

            try expect(try store.read { try $0.countItems(for: Thing.all) }, equals: 10)
        }
        ConformanceCase("Items of several types are deleted by one request, or none is", proves: 3, 16) {
            world in
            let store = try open(world)

            try store.writeSync { accessor in
                let first = Thing.where { $0.rank > 1 }.sorted(by: \.rank).offset(1).limit(3)
                try expect(try accessor.deleteItems(for: first), equals: 3)
                try expect(try accessor.deleteItems(for: first.limit(0)), equals: 0)
                let whole = Thing.all.sorted(by: \.rank)
                try expect(
                    try names(whole, in: accessor),
                    equals: ["number 10", "word a", "memo 1", "number 20", "number 40", "word C"])
                try expectOwnError {
                    try accessor.savepoint {
                        try expect(try accessor.deleteItems(for: Thing.all), equals: 6)
                        throw OwnError()
                    }
                }
                try expect(try accessor.delete(ToAny<Thing>(id: 40, of: Keyed<Int64>.self)), equals: true)
                try expect(try accessor.delete(ToAny<Thing>(id: 40, of: Keyed<Int64>.self)), equals: false)
            }

            let left = try store.read { try names(Thing.all, in: $0) }
            try expect(left, equals: ["number 10", "number 20", "word C", "word a", "memo 1"])
        }
        ConformanceCase("A value of several types follows each of them", proves: 21) { world in
            let store = try open(world)
            let request = Thing.all.sorted(by: \.rank).limit(2)
            var values = store.values { try $0.items(for: request).map { name($0) } }.makeAsyncIterator()

            var value = try await values.next()
            try expect(value, equals: ["number 10", "word a"])
            try write(to: store) { try $0.insert(Memo(3, stars: -1)) }
            value = try await values.next()
            try expect(value, equals: ["memo 3", "number 10"])
            try write(to: store) { try $0.insert(Keyed("z", rank: -2)) }
            value = try await values.next()
            try expect(value, equals: ["word z", "memo 3"])
            try write(to: store) { try $0.delete(id: 3, of: Memo.self) }
            value = try await values.next()
            try expect(value, equals: ["word z", "number 10"])
        }
    }

    /// One change of each member.
    private static let changes: [@Sendable (DataStoreReadWriteAccessor) throws -> Void] = [
        { try $0.insert(Keyed<Int64>(99)) }, { try $0.insert(Keyed("new")) }, { try $0.insert(Memo(99)) },
    ]

    // Ranks: number 10: 1, 20: 2, 30: 4, 40: 4; word a: 1, b: 2, C: 4; memo 1: 1, 2: 2.
    // Labels: number 10: "B", 20: nil, 30: "d", 40: "a"; word a: "b", b: "A", C: nil; memo 1: "c", 2: nil.
    private static let answers: [(UnionRequest<Thing>, [String])] = [
        (Thing.all, byType),
        (
            Thing.all.sorted(by: \.rank),
            [
                "number 10", "word a", "memo 1", "number 20", "word b", "memo 2", "number 30", "number 40",
                "word C",
            ]
        ),
        (
            Thing.all.sorted(by: \.rank, .descending),
            [
                "word C", "number 40", "number 30", "memo 2", "word b", "number 20", "memo 1", "word a",
                "number 10",
            ]
        ),
        (
            Thing.all.sorted(by: \.label),
            [
                "number 20", "word C", "memo 2", "word b", "number 10", "number 40", "word a", "memo 1",
                "number 30",
            ]
        ),
        (
            Thing.all.sorted(by: \.label, .caseInsensitive, .descending),
            [
                "number 30", "memo 1", "word a", "number 10", "word b", "number 40", "memo 2", "word C",
                "number 20",
            ]
        ),
        (
            Thing.all.sorted(by: \.rank, .descending).sorted(by: \.label),
            [
                "word C", "number 40", "number 30", "number 20", "memo 2", "word b", "number 10", "word a",
                "memo 1",
            ]
        ),
        (Thing.all.limit(0), []),
        (Thing.all.offset(8), ["memo 2"]),
        (Thing.all.offset(9).limit(.max), []),
        (Thing.all.offset(.max).limit(.max), []),
        (Thing.all.offset(3).limit(2), ["number 40", "word C"]),
    ]

    private static let byType = [
        "number 10", "number 20", "number 30", "number 40", "word C", "word a", "word b", "memo 1", "memo 2",
    ]

    static let orders: [UnionRequest<Thing>] = [
        Thing.all, Thing.all.sorted(by: \.rank), Thing.all.sorted(by: \.rank, .descending),
        Thing.all.sorted(by: \.label), Thing.all.sorted(by: \.label, .caseInsensitive),
        Thing.all.sorted(by: \.rank).sorted(by: \.label, .descending),
    ]

    private static let filters: [(UnionFilter<Thing>, [String])] = {
        let (rank, label) = (Thing.attributes.rank, Thing.attributes.label)
        return [
            (rank == 1, ["number 10", "word a", "memo 1"]),
            (rank != 2 && rank < 4, ["number 10", "word a", "memo 1"]),
            (rank <= 1 || rank >= 4 && label == nil, ["number 10", "word C", "word a", "memo 1"]),
            (!(rank > 1), ["number 10", "word a", "memo 1"]),
            (rank.isIn([4, 9]), ["number 30", "number 40", "word C"]),
            (label.contains("b", .caseInsensitive), ["number 10", "word a"]),
            (label.hasPrefix("A") || label.hasSuffix("d"), ["number 30", "word b"]),
            (label.equals("B", .caseInsensitive), ["number 10", "word a"]),
            (.only(Memo.self), ["memo 1", "memo 2"]),
            (.only(Memo.self, \.text == "two") || rank == 4, ["number 30", "number 40", "word C", "memo 2"]),
            (!.only(Memo.self) && rank == 1, ["number 10", "word a"]),
            (.only(Keyed<String>.self, \.id > "B") && rank < 3, ["word a", "word b"]),
        ]
    }()

    /// A store with nine things.
    static func open(_ world: ConformanceWorld) throws -> any DataStore {
        let store = try world.open(Keyed<Int64>.self, Keyed<String>.self, Memo.self, Pin.self)
        try store.writeSync(fill)
        return store
    }

    private static func fill(_ accessor: DataStoreReadWriteAccessor) throws {
        try accessor.insert(contentsOf: [
            Keyed<Int64>(10, label: "B", rank: 1), Keyed<Int64>(20, rank: 2),
            Keyed<Int64>(30, label: "d", rank: 4), Keyed<Int64>(40, label: "a", rank: 4),
        ])
        try accessor.insert(contentsOf: [
            Keyed("a", label: "b", rank: 1), Keyed("b", label: "A", rank: 2), Keyed("C", rank: 4),
        ])
        try accessor.insert(contentsOf: [Memo(1, "one", slug: "c", stars: 1), Memo(2, "two", stars: 2)])
    }

    /// Asks for the nine things in a store, in a write block, in a child that has some of them, and in a grandchild.
    static func asking(
        in world: ConformanceWorld, _ questions: (DataStoreReadAccessor) throws -> Void
    ) throws {
        let store = try world.open(Keyed<Int64>.self, Keyed<String>.self, Memo.self, Pin.self)
        try store.writeSync { accessor in
            try fill(accessor)
            try questions(accessor)
        }
        try store.read(questions)
        try store.writeSync { accessor in
            try accessor.delete(ids: [10, 40], of: Keyed<Int64>.self)
            try accessor.delete(id: "a", of: Keyed<String>.self)
            try require(try accessor.mutableItem(id: 1, of: Memo.self)).stars = 7
            try accessor.insert(Memo(0, stars: 2))
        }
        let child = try store.makeChildDataStore()
        try child.writeSync { accessor in
            try accessor.insert(Keyed<Int64>(40, label: "a", rank: 4))
            try accessor.insert(Keyed("a", label: "b", rank: 1))
            try accessor.delete(id: 0, of: Memo.self)
        }
        let grandchild = try child.makeChildDataStore()
        try grandchild.writeSync { accessor in
            try accessor.insert(Keyed<Int64>(10, label: "B", rank: 1))
            try require(try accessor.mutableItem(id: 1, of: Memo.self)).stars = 1
        }
        try grandchild.read(questions)
        try child.merge(grandchild)
        try child.read(questions)
        try store.merge(child)
        try store.read(questions)
    }

    /// Fails unless every call that asks for the request gives exactly these things, in this order.
    private static func expectAll(
        _ request: UnionRequest<Thing>, give expected: [String], in accessor: DataStoreReadAccessor,
        file: StaticString = #fileID, line: Int = #line
    ) throws {
        let what = "\(request)"
        let items = try accessor.items(for: request)
        try expect(items.map { name($0) }, equals: expected, what, file: file, line: line)
        var walked: [String] = []
        try accessor.forEachItem(for: request) { walked.append(name($0)) }
        try expect(walked, equals: expected, what, file: file, line: line)
        let ids = try accessor.ids(for: request)
        try expect(ids, equals: items.map(\.id), what, file: file, line: line)
        try expect(try accessor.items(ids: ids), equals: items, what, file: file, line: line)
        let first = try accessor.firstItem(for: request)
        try expect(first, equals: items.first, what, file: file, line: line)
        let count = try accessor.countItems(for: request)
        try expect(count, equals: expected.count, what, file: file, line: line)
        try expect(try accessor.contains(request), equals: !expected.isEmpty, what, file: file, line: line)
    }

    static func names(
        _ request: UnionRequest<Thing>, in accessor: DataStoreReadAccessor
    ) throws -> [String] {
        try accessor.items(for: request).map { name($0) }
    }

    static func name(_ thing: Thing) -> String {
        switch thing {
        case .number(let item): "number \(item.id)"
        case .word(let item): "word \(item.id)"
        case .memo(let item): "memo \(item.id)"
        }
    }
}
