import Larder

/// Asynchronous writes that wait for the writer together; a store may commit them at once.
enum WaitingWriteCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Writes that waited together see each other in their order", proves: 2, 4
        ) { world in
            let store = try world.open(Keyed<Int64>.self)

            let results = try results(
                of: (0..<50 as Range<Int64>).map { id in
                    { accessor in
                        let seen = try accessor.countItems(for: Keyed<Int64>.all)
                        try accessor.insert(Keyed(id, rank: seen))
                        return seen
                    }
                }, in: store)

            try expect(try results.map { try $0.get() }, equals: Array(0..<50))
            try expect(try store.items(Keyed<Int64>.all).map(\.rank), equals: Array(0..<50))
        }
        ConformanceCase("A read in a write that waited sees commits only", proves: 1, 2) { world in
            let store = try world.open(Keyed<Int64>.self)
            let completed = Locked(0)

            let results = try results(
                of: (0..<10 as Range<Int64>).map { id in
                    { accessor in
                        try accessor.insert(Keyed(id))
                        return try store.count(Keyed<Int64>.all) <= Int(id)
                    }
                }, in: store)
            store.writeAsync({ _ in }, completion: { _ in completed.withLock { $0 += 1 } })

            try expect(
                try results.allSatisfy { try $0.get() }, equals: true, "whether no read saw its own block")
            try expect(try store.count(Keyed<Int64>.all), equals: 10)
        }
        ConformanceCase("Writes that waited together fail one by one", proves: 2, 3) { world in
            let store = try world.open(Keyed<Int64>.self)

            let results = try results(
                of: [
                    { try $0.insert(contentsOf: [Keyed<Int64>(1, label: "a"), Keyed(2, label: "b")]) },
                    { accessor in
                        try accessor.deleteAllItems(of: Keyed<Int64>.self)
                        throw OwnError(number: 1)
                    },
                    { try $0.insert(contentsOf: [Keyed<Int64>(3, label: "c"), Keyed(1, label: "d")]) },
                    { accessor in
                        try expectError(.duplicateIdentifier) { _ = try accessor.insert(Keyed<Int64>(2)) }
                        try accessor.insert(Keyed<Int64>(4, label: "e"))
                    },
                    { try $0.mutableItem(id: 4, of: Keyed<Int64>.self)?.label = "a" },
                    { try $0.mutableItem(id: 4, of: Keyed<Int64>.self)?.label = "f" },
                ] as [@Sendable (DataStoreReadWriteAccessor) throws -> Void], in: store)

            try expect(
                codes(results),
                equals: [
                    "stored", "\(OwnError(number: 1))", "duplicateIdentifier", "stored", "uniqueViolation",
                    "stored",
                ])
            try expect(
                try store.items(Keyed<Int64>.all),
                equals: [Keyed(1, label: "a"), Keyed(2, label: "b"), Keyed(4, label: "f")])
        }
        // Blocks that change one row, or several, or handles, each failing; the last shows that nothing is left.
        ConformanceCase(
            "Changes of a write that waited are undone with it alone", proves: 3, 11
        ) { world in
            let store = try world.open(Keyed<String>.self)
            let stored = [Keyed("é", label: "a"), Keyed("z", label: "b")]
            let new = Keyed("a new one with an identifier of some length", label: "c")
            let failing: [@Sendable (DataStoreReadWriteAccessor) throws -> Void] = [
                { try $0.insert(new) },
                { try $0.insert(new).rank = 5 },
                { accessor in
                    try accessor.insert(new)
                    try accessor.insert(Keyed("y", label: "d"))
                },
                { accessor in
                    try accessor.insert(new)
                    try accessor.delete(new)
                },
                { accessor in
                    try accessor.delete(stored[0])
                    try accessor.insert(Keyed("é", label: "c"))
                },
                { try $0.mutableItem(id: "z", of: Keyed<String>.self)?.label = "c" },
                { accessor in
                    try accessor.savepoint { _ = try accessor.insert(new) }
                    try accessor.update(Keyed<String>.all, .set(\.rank, to: 7))
                },
                { accessor in
                    try accessor.insert(new)
                    try? accessor.savepoint {
                        try accessor.deleteAllItems(of: Keyed<String>.self)
                        throw OwnError()
                    }
                },
                { accessor in
                    try expectError(.uniqueViolation) { _ = try accessor.insert(Keyed("y", label: "a")) }
                    try accessor.insert(new)
                },
            ]
            // Each fails once by a throw and once by what is saved after it.
            let blocks = failing.flatMap { block -> [@Sendable (DataStoreReadWriteAccessor) throws -> Void] in
                [
                    { accessor in
                        try block(accessor)
                        throw OwnError()
                    },
                    { accessor in
                        try block(accessor)
                        let handles = try accessor.mutableItems(for: Keyed<String>.all)
                        for handle in handles { handle.label = "the same" }
                    },
                ]
            }

            let results = try results(of: [{ try $0.insert(contentsOf: stored) }] + blocks, in: store)

            let expected = failing.flatMap { _ in ["\(OwnError())", "uniqueViolation"] }
            try expect(codes(results), equals: ["stored"] + expected)
            try expect(
                try store.items(Keyed<String>.all),
                equals: stored.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) })
            try store.writeSync { _ = try $0.insert(new) }
            try expect(try store.count(Keyed<String>.where(\.label == "c")), equals: 1)
        }
        ConformanceCase("A write that was cancelled among others leaves no trace", proves: 3) { world in
            let store = try world.open(Keyed<Int64>.self)

            let results = try results(
                of: (0..<9 as Range<Int64>).map { id in
                    { accessor in
                        try accessor.insert(Keyed(id))
                        if id % 3 == 0 { try? accessor.cancel() }
                    }
                } as [@Sendable (DataStoreReadWriteAccessor) throws -> Void], in: store)

            try expect(codes(results), equals: (0..<9).map { $0 % 3 == 0 ? "cancelled" : "stored" })
            try expect(try store.items(Keyed<Int64>.all).map(\.id), equals: [1, 2, 4, 5, 7, 8])
        }
        ConformanceCase("Savepoints work in writes that waited together", proves: 3, 4) { world in
            let store = try world.open(Keyed<Int64>.self)

            let results = try results(
                of: (0..<6 as Range<Int64>).map { id in
                    { accessor in
                        try accessor.insert(Keyed(id))
                        try? accessor.savepoint {
                            try accessor.insert(Keyed(id + 100))
                            throw OwnError()
                        }
                        try accessor.savepoint { _ = try accessor.insert(Keyed(id + 200)) }
                        if id == 3 { throw OwnError(number: 3) }
                    }
                } as [@Sendable (DataStoreReadWriteAccessor) throws -> Void], in: store)

            try expect(codes(results).filter { $0 == "stored" }.count, equals: 5)
            let kept: [Int64] = [0, 1, 2, 4, 5]
            try expect(try store.items(Keyed<Int64>.all).map(\.id), equals: kept + kept.map { $0 + 200 })
        }
        ConformanceCase("Items come and go in writes that waited together", proves: 4, 11) { world in
            let store = try world.open(Keyed<Int64>.self)

            let results = try results(
                of: (0..<12).map { round in
                    { accessor in
                        switch round % 3 {
                        case 0:
                            try accessor.insert(contentsOf: (1...5).map { Keyed<Int64>($0, label: "\($0)") })
                        case 1: try accessor.update(Keyed<Int64>.all, .set(\.rank, to: round))
                        default: try accessor.deleteAllItems(of: Keyed<Int64>.self)
                        }
                        if round == 11 { throw OwnError() }
                    }
                } as [@Sendable (DataStoreReadWriteAccessor) throws -> Void], in: store)

            try expect(codes(results).dropLast(), equals: Array(repeating: "stored", count: 11)[...])
            try expect(
                try store.items(Keyed<Int64>.all), equals: (1...5).map { Keyed($0, label: "\($0)", rank: 10) }
            )
        }
        ConformanceCase(
            "Hundreds of waiting writes of many rows are all stored", proves: 2, 3
        ) { world in
            let store = try world.open(Keyed<Int64>.self)
            let text = String(repeating: "long ", count: 400)

            let results = try results(
                of: (0..<200 as Range<Int64>).map { block in
                    { accessor in
                        try accessor.insert(
                            contentsOf: (0..<5).map { Keyed(block * 5 + $0, label: "\(block) \($0) \(text)") }
                        )
                    }
                } as [@Sendable (DataStoreReadWriteAccessor) throws -> Void], in: store)

            try expect(codes(results), equals: Array(repeating: "stored", count: 200))
            try expect(try store.items(Keyed<Int64>.all).map(\.id), equals: Array(0..<1000))
        }
        ConformanceCase("Each write that waited is a change set of its own", proves: 2, 5) { world in
            let store = try world.open(Keyed<Int64>.self)
            let changes = store.changes

            try giveChanges(to: store)
            try tearDown(store)

            var sets: [[String]] = []
            for await set in changes { sets.append(set.changes.map { "\($0.identifier) \($0.kind)" }) }
            let expected = (0..<8).filter { $0 != 5 }.map {
                ["\(AnyItemID.integer($0)) \(ChangeSet.Kind.inserted)"]
            }
            try expect(sets, equals: expected)
        }
        ConformanceCase("Hooks run for the writes that were stored only", proves: 3, 5) { world in
            let store = try world.open(Keyed<Int64>.self)
            let ran = Locked<[Int64]>([])

            _ = try results(
                of: (0..<8 as Range<Int64>).map { id in
                    { accessor in
                        try accessor.insert(Keyed(id))
                        try accessor.afterCommit {
                            let isStored = (try? store.count(Keyed<Int64>.where(\.id == id))) == 1
                            ran.withLock { $0.append(isStored ? id : -1) }
                        }
                        if id % 4 == 1 { throw OwnError() }
                    }
                } as [@Sendable (DataStoreReadWriteAccessor) throws -> Void], in: store)

            try expect(ran.withLock { $0 }, equals: [0, 2, 3, 4, 6, 7])
        }
    }

    /// Passes blocks to the store while the writer is held, so that they wait together; returns the outcome
    /// of each.
    static func results<Value: Sendable>(
        of blocks: [@Sendable (DataStoreReadWriteAccessor) throws -> Value], in store: any DataStore
    ) throws -> [Result<Value, any Error>] {
        let results = Locked<[Result<Value, any Error>]>([])
        let all = Signal()
        try store.writeSync { _ in
            for block in blocks {
                store.writeAsync(block) { result in
                    let count = results.withLock { results in
                        results.append(result)
                        return results.count
                    }
                    if count == blocks.count { all.fire() }
                }
            }
        }
        try all.wait()
        return results.withLock { $0 }
    }

    static func codes<Value>(_ results: [Result<Value, any Error>]) -> [String] {
        results.map { result in
            switch result {
            case .success: "stored"
            case .failure(let error as DataStoreError): error.code.rawValue
            case .failure(let error): "\(error)"
            }
        }
    }

    private static func giveChanges(to store: any DataStore) throws {
        _ = try results(
            of: (0..<8 as Range<Int64>).map { id in
                { accessor in
                    try accessor.insert(Keyed(id))
                    if id == 5 { throw OwnError() }
                }
            } as [@Sendable (DataStoreReadWriteAccessor) throws -> Void], in: store)
    }

    private static func tearDown(_ store: any DataStore) throws { try store.tearDown() }
}
