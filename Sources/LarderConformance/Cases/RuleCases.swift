import Larder

/// Rules of the store add changes to the app's; both are stored or undone together.
enum RuleCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Changes that a rule adds are undone with their block, while others that waited stay",
            proves: 3
        ) { world in
            let store = try open(world)

            let blocks: [@Sendable (DataStoreReadWriteAccessor) throws -> Void] = [
                { accessor in
                    try accessor.insert(Keyed<Int64>(7))
                    throw Refusal()
                },
                { try $0.insert(Keyed<Int64>(1)) },
                { accessor in
                    try accessor.insert(Keyed<Int64>(2))
                    throw Refusal()
                },
                { accessor in
                    try accessor.insert(Keyed<Int64>(200))
                    try accessor.insert(Keyed<Int64>(4))
                    throw Refusal()
                },
                { try $0.insert(Keyed<Int64>(3)).label = "three" },
                { try $0.insert(Keyed<Int64>(5)) },  // its companion is there already
                { try $0.mutableItem(id: 1, of: Keyed<Int64>.self)?.rank = 9 },  // here too
                { try $0.insert(Keyed<Int64>(201)) },
            ]
            let results = try WaitingWriteCases.results(of: blocks, in: store)

            try expect(
                WaitingWriteCases.codes(results),
                equals: [
                    "Refusal()", "stored", "Refusal()", "Refusal()", "stored", "duplicateIdentifier",
                    "duplicateIdentifier", "stored",
                ])
            let items = try store.items(Keyed<Int64>.all)
            try expect(items.map(\.id), equals: [1, 3, 201, 500, 1001, 1003, 1005, 3001, 3003])
            try expect(items.map(\.rank), equals: [0, 0, 0, 4, 1, 3, 0, 0, 0])
            try expect(items[1].label, equals: "three")
        }
        ConformanceCase(
            "A call has changed nothing when a change that a rule adds is refused", proves: 3
        ) { world in
            let store = try open(world)

            try store.writeSync { accessor in
                try accessor.insert(Keyed<Int64>(200))
                try expectError(.duplicateIdentifier) { try accessor.insert(Keyed<Int64>(5)) }
                try expectError(.duplicateIdentifier) {
                    try accessor.insert(contentsOf: [Keyed<Int64>(4), Keyed<Int64>(5)])
                }
                try accessor.insert(Keyed<Int64>(6))
            }
            try store.writeSync { accessor in
                try expectError(.duplicateIdentifier) { try accessor.insert(Keyed<Int64>(5)) }
            }

            let items = try store.items(Keyed<Int64>.all)
            try expect(items.map(\.id), equals: [6, 200, 500, 1005, 1006, 2001, 3001])
            try expect(items[2].rank, equals: 6)
        }
        ConformanceCase("Handles stay valid if a rule refuses to delete a later item", proves: 3, 4) {
            world in
            let rule = CompanionRule()
            let store = try open(world, rule)
            let ids = Array(4000..<4300 as Range<Int64>)
            try store.writeSync { try $0.insert(contentsOf: ids.map { Keyed<Int64>($0) }) }

            try store.writeSync { accessor in
                let first = try require(try accessor.mutableItem(id: 4000, of: Keyed<Int64>.self))
                var asked = 0
                rule.whenAsked = { () throws(DataStoreError) in
                    asked += 1
                    if asked == 2 { throw DataStoreError(.invalidValue, "Refused.") }
                }
                // Some hundred at a time.
                try expectError(.invalidValue) { try accessor.delete(ids: ids, of: Keyed<Int64>.self) }
                rule.whenAsked = nil
                try expect(asked, equals: 2)
                first.rank = 7
            }
            try expect(try store.count(Keyed<Int64>.where(\.id >= 4000)), equals: 300)
            try expect(try store.item(4000, of: Keyed<Int64>.self)?.rank, equals: 7)
        }
        ConformanceCase(
            "A look-up while a rule is being asked sees the changes of its block", proves: 4
        ) { world in
            let rule = CompanionRule()
            let store = try open(world, rule)
            var seen: [[Int64]] = []

            try store.writeSync { accessor in
                try accessor.insert(Keyed<Int64>(10, label: "ten"))
                rule.whenAsked = { () throws(DataStoreError) in
                    seen.append(try accessor.ids(for: Keyed<Int64>.where(\.id < 2000)))
                    seen.append([Int64(try accessor.countItems(for: Keyed<Int64>.where(\.label == "ten")))])
                    seen.append([try accessor.item(id: 1010, of: Keyed<Int64>.self)?.id ?? -1])
                }
                try accessor.insert(Keyed<Int64>(11))
                rule.whenAsked = nil
            }

            try expect(seen, equals: [[10, 500, 1005, 1010], [1], [1010]])
            try expect(
                try store.items(Keyed<Int64>.all).map(\.id),
                equals: [10, 11, 500, 1005, 1010, 1011, 2001, 3001])
        }
        ConformanceCase(
            "Items cannot be changed while a rule is being asked", proves: 3
        ) { world in
            let rule = CompanionRule()
            let store = try open(world, rule)

            try expectError(.nestedTransaction) {
                try store.writeSync { accessor in
                    rule.whenAsked = { () throws(DataStoreError) in
                        rule.whenAsked = nil
                        try accessor.insert(Keyed<Int64>(300))
                    }
                    _ = try? accessor.insert(Keyed<Int64>(10))
                }
            }

            try expect(try store.items(Keyed<Int64>.all).map(\.id), equals: [500, 1005, 2001, 3001])
        }
        ConformanceCase(
            "A change set names the rows that a rule has touched, and no others", proves: 5
        ) { world in
            let store = try open(world)

            let sets = try await changeSets(
                store, [{ try $0.insert(contentsOf: [Keyed<Int64>(1), Keyed<Int64>(2)]) }])

            let name = Keyed<Int64>.schema.name
            try expect(
                sets.map { Set($0) },
                equals: [
                    [
                        "\(name) 1 inserted", "\(name) 1001 inserted", "\(name) 2 inserted",
                        "\(name) 1002 inserted", "\(name) 500 updated rank", "\(name) 2001 deleted",
                    ]
                ])
        }
        ConformanceCase(
            "Deleting counts what was asked for, not what a rule adds", proves: 3
        ) { world in
            let store = try open(world)

            let deleted = try store.writeSync { accessor in
                try accessor.insert(contentsOf: (1...3 as ClosedRange<Int64>).map { Keyed($0) })
                return (
                    try accessor.delete(id: 1, of: Keyed<Int64>.self),
                    try accessor.delete(id: 50, of: Keyed<Int64>.self),
                    try accessor.deleteItems(for: Keyed<Int64>.where(\.id < 100))
                )
            }

            try expect(deleted.0, "an item that was there")
            try expect(!deleted.1, "no item with this number")
            try expect(deleted.2, equals: 2)
            try expect(
                try store.items(Keyed<Int64>.all).map(\.id), equals: [500, 1005, 3001])
        }
    }

    private struct Refusal: Error {}

    private static func open(_ world: ConformanceWorld, _ rule: CompanionRule = CompanionRule()) throws
        -> any DataStore
    {
        let store = try world.open(Keyed<Int64>.self, rules: [rule])
        try store.writeSync { try $0.insert(contentsOf: [500, 1005, 2001, 3001].map { Keyed<Int64>($0) }) }
        return store
    }
}

/// A made-up rule.
///
/// An item that is inserted with a number below 100 brings a companion with a number higher by 1000,
/// adds its number to the rank of item 500, and deletes the item that is higher by 2000. An update of such an
/// item inserts one that is higher by 3000. Its deletion deletes the companion.
private final class CompanionRule: RowRule, @unchecked Sendable {
    // reason: used on the thread of the block that is running.
    var whenAsked: (() throws(DataStoreError) -> Void)?

    func concerns(_ entity: EntitySchema) -> Bool { entity.name == Keyed<Int64>.schema.name }

    func mutations(
        following mutations: UnsafeBufferPointer<RowMutation>, in reading: RuleReading
    ) throws(DataStoreError) -> [RowMutation] {
        try whenAsked?()
        let cause = mutations[0].entity
        var (added, sum): ([RowMutation], Int64) = ([], 0)
        for mutation in mutations where mutation.kind != .deleteAll {
            guard case .integer(let id) = Constant(mutation.cells[0], storage: .integer), id < 100 else {
                continue
            }
            switch mutation.kind {
            case .insert:
                added.append(try insertion(of: 1000 + id, rank: Int(id), cause, reading.arena))
                added.append(try deletion(of: 2000 + id, cause, reading.arena))
                sum += id
            case .update: added.append(try insertion(of: 3000 + id, rank: 0, cause, reading.arena))
            case .delete: added.append(try deletion(of: 1000 + id, cause, reading.arena))
            case .deleteAll: continue
            }
        }
        if sum > 0, let addition = try addition(of: sum, cause, reading) { added.append(addition) }
        return added
    }

    private func insertion(
        of id: Int64, rank: Int, _ entity: Int, _ arena: RowArena
    ) throws(DataStoreError) -> RowMutation {
        let cells = try arena.makeCells(3)
        (cells[0], cells[2]) = (.integer(id), .integer(Int64(rank)))
        return RowMutation(.insert, entity: entity, cells: cells)
    }

    private func deletion(of id: Int64, _ entity: Int, _ arena: RowArena) throws(DataStoreError)
        -> RowMutation
    {
        let cells = try arena.makeCells(1)
        cells[0] = .integer(id)
        return RowMutation(.delete, entity: entity, cells: cells)
    }

    private func addition(
        of sum: Int64, _ entity: Int, _ reading: RuleReading
    ) throws(DataStoreError) -> RowMutation? {
        let cells = try reading.arena.makeCells(3)
        guard try reading.snapshot.row(at: .integer(500), of: entity, into: cells),
            case .integer(let rank) = Constant(cells[2], storage: .integer)
        else { return nil }
        cells[2] = .integer(rank + sum)
        return RowMutation(.update, entity: entity, cells: cells, columns: ColumnSet([2]))
    }
}
