import Foundation
import Larder
import LarderSQL

/// SQL of the app's own, in the blocks of a store whose engine runs it; others refuse it.
enum SQLCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Rows of SQL have the values of the attributes", proves: 9) { world in
            guard let store = try openedForSQL(world, Everything.self) else { return }
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Everything.smallest(1), Everything.greatest(2)])
            }

            let (plain, rich) = try store.read { accessor in
                let plain = try accessor.rows(
                    sql: """
                        SELECT \(\.bool, of: Everything.self), \(\.int64, of: Everything.self), \
                        \(\.uint64, of: Everything.self), \(\.double, of: Everything.self), \
                        \(\.text, of: Everything.self), \(\.data, of: Everything.self) \
                        FROM \(Everything.self) ORDER BY id
                        """, as: Bool.self, Int64.self, UInt64.self, Double.self, String.self, Data.self)
                let rich = try accessor.rows(
                    sql: """
                        SELECT \(\.date, of: Everything.self), \(\.uuid, of: Everything.self), \
                        \(\.url, of: Everything.self), \(\.decimal, of: Everything.self), \
                        \(\.course, of: Everything.self), \(\.maybeInt, of: Everything.self) \
                        FROM \(Everything.self) ORDER BY id
                        """, as: Date.self, UUID.self, URL.self, Decimal.self, Course.self, Int?.self)
                return (plain, rich)
            }

            for (position, item) in [Everything.smallest(1), .greatest(2)].enumerated() {
                let values = (item.bool, item.int64, item.uint64, item.double, item.text, item.data)
                try expect(plain[position] == values, "the plain values of item \(position + 1)")
                let others = (item.date, item.uuid, item.url, item.decimal, item.course, item.maybeInt)
                try expect(rich[position] == others, "the other values of item \(position + 1)")
            }
        }
        ConformanceCase("A row of SQL is read by position and by name", proves: 9) { world in
            guard let store = try filledForSQL(world) else { return }
            var lines: [String] = []

            try store.read { accessor in
                try accessor.forEachRow(
                    sql: """
                        SELECT name AS dish, count(*) AS total, sum(cents) AS price, avg(cents) AS mean \
                        FROM \(Dish.self) GROUP BY name HAVING count(*) > 1 ORDER BY name
                        """
                ) { row in
                    try expect(row.columnNames, equals: ["dish", "total", "price", "mean"])
                    let (name, count): (String, Int) = (try row.value(at: 0), try row.value("total"))
                    let price = try row.value("price", as: Int.self)
                    lines.append("\(name) \(count) \(price) \(try row.value("mean", as: Double.self))")
                    try expectError(.undecodable) { _ = try row.value(at: 0, as: Int.self) }
                    try expectError(.invalidRequest) { _ = try row.value("other", as: Int.self) }
                    try expectError(.invalidRequest) { _ = try row.value(at: 4, as: Int.self) }
                }
                try expectError(.undecodable) {
                    _ = try accessor.rows(
                        sql: "SELECT \(\.slug, of: Restaurant.self) FROM \(Restaurant.self)", as: String.self)
                }
                try expectOwnError {
                    try accessor.forEachRow(sql: "SELECT 1") { _ in throw OwnError() }
                }
            }

            try expect(lines, equals: ["Bread 2 0 0.0", "Pizza 2 1850 925.0"])
        }
        ConformanceCase("A number of SQL is read as an unsigned one unless it is negative", proves: 9) {
            world in
            guard let store = try filledForSQL(world) else { return }
            let negative: SQLText = "SELECT -count(*) FROM \(Dish.self)"

            let numbers = try store.read { accessor in
                try expectError(.undecodable) { _ = try accessor.rows(sql: negative, as: UInt.self) }
                return try accessor.rows(
                    sql: """
                        SELECT count(*), sum(cents), 7, \(\.cents, of: Dish.self) FROM \(Dish.self) \
                        GROUP BY id HAVING id = \(1)
                        """, as: UInt.self, UInt64.self, UInt.self, UInt64.self)
            }

            try expect(numbers.map { "\($0)" }, equals: ["(1, 900, 7, 900)"])
        }
        ConformanceCase("A value in SQL is never part of the statement", proves: 7) { world in
            guard let store = try filledForSQL(world) else { return }
            let names = ["Pizza", "'; DELETE FROM \"Dish\"; --", "?", "$1"]

            let found = try store.read { accessor in
                try accessor.rows(
                    sql:
                        "SELECT id, \(names[1]) FROM \(Dish.self) WHERE name IN (\(list: names)) ORDER BY id",
                    as: Int64.self, String.self)
            }
            let none = try store.read { accessor in
                try accessor.rows(
                    sql: "SELECT id FROM \(Dish.self) WHERE name IN (\(list: [String]()))", as: Int64.self)
            }

            try expect(found.map(\.0), equals: [1, 3])
            try expect(found.map(\.1), equals: [names[1], names[1]])
            try expect(none, equals: [])
        }
        ConformanceCase("Items are found by SQL, in its order", proves: 1) { world in
            guard let store = try filledForSQL(world) else { return }

            let (items, count) = try store.read { accessor in
                let items = try accessor.items(
                    sql: "SELECT id FROM \(Dish.self) WHERE cents > \(800) ORDER BY cents DESC, id",
                    of: Dish.self)
                let others = try accessor.items(sql: "SELECT 4 UNION ALL SELECT 4000", of: Dish.self)
                try expect(others.map(\.id.rawValue), equals: [4])
                // Another block commits meanwhile.
                try Background {
                    try store.writeSync { _ = try $0.deleteAllItems(of: Dish.self) }
                }.value()
                return (
                    items, try accessor.rows(sql: "SELECT count(*) FROM \(Dish.self)", as: Int.self)
                )
            }

            try expect(items.map(\.id.rawValue), equals: [4, 3, 1, 6, 7])
            try expect(items[0], equals: Fixture.dishes[3])
            try expect(count, equals: [10])
        }
        ConformanceCase("SQL in a write block sees and changes what the block does", proves: 4) { world in
            guard let store = try filledForSQL(world) else { return }

            let count = try store.writeSync { accessor in
                let (roma, other) = (try accessor.mutableRestaurant(1), try accessor.mutableRestaurant(3))
                roma.seats = 77
                let seats: SQLText = """
                    SELECT \(\.seats, of: Restaurant.self) FROM \(Restaurant.self) WHERE id = \(roma.id)
                    """
                try expect(try accessor.rows(sql: seats, as: Int.self), equals: [77])
                other.note = "kept"
                let count = try accessor.execute(
                    sql: """
                        UPDATE \(Restaurant.self) SET \(\.seats, of: Restaurant.self) = \
                        \(\.seats, of: Restaurant.self) + 1 WHERE city IN (\(list: ["Rome", "Basel"]))
                        """)
                try expect(roma.seats, equals: 78)
                try expect(other.seats, equals: 81)
                try expect(other.note, equals: "kept")
                let deleted = try accessor.mutableDish(9)
                try expect(
                    try accessor.execute(sql: "DELETE FROM \(Dish.self) WHERE id = \(deleted.id)"), equals: 1)
                try expect(try accessor.countItems(for: Dish.all), equals: 9)
                return count
            }

            try expect(count, equals: 4)
            try expect(try store.restaurant(1)?.seats, equals: 78)
            try expect(try store.restaurant(3)?.note, equals: "kept")
        }
        ConformanceCase("Changes by SQL are undone with their block", proves: 3) { world in
            guard let store = try filledForSQL(world) else { return }
            let emptying: SQLText = "DELETE FROM \(Dish.self)"

            try expectOwnError {
                try store.writeSync { accessor in
                    try expect(try accessor.execute(sql: emptying), equals: 10)
                    throw OwnError()
                }
            }
            try store.writeSync { accessor in
                try accessor.mutableDish(1).cents = 1
                try expectOwnError {
                    try accessor.savepoint {
                        try accessor.execute(sql: emptying)
                        throw OwnError()
                    }
                }
                try expect(try accessor.countItems(for: Dish.all), equals: 10)
                try accessor.mutableDish(1).cents = 900
            }

            try expectFixture(store)
        }
        ConformanceCase("A block continues after a statement of SQL that throws", proves: 3) { world in
            guard let store = try filledForSQL(world) else { return }
            let mistake: SQLText = "SELECT nothing_of_this_name FROM \(Dish.self)"
            let change: SQLText = "UPDATE \(Dish.self) SET nothing_of_this_name = 1"

            try store.writeSync { accessor in
                try expectError(.engine) { try accessor.execute(sql: change) }
                try accessor.insert(Dish(20, name: "First"))
                try expectError(.engine) { try accessor.execute(sql: change) }
                try expectError(.engine) { _ = try accessor.rows(sql: mistake, as: Int.self) }
                try accessor.insert(Dish(21, name: "Second"))
            }
            let names = try store.read { accessor in
                try expectError(.engine) { _ = try accessor.rows(sql: mistake, as: Int.self) }
                let dishes = Dish.where(\.id > .init(rawValue: 10)).sorted(by: \.id)
                let names = try accessor.items(for: dishes).map(\.name)
                let error = try expectError(.engine) { _ = try accessor.rows(sql: mistake, as: Int.self) }
                try expect(error.request, equals: "SELECT nothing_of_this_name FROM Dish")
                return names + (try accessor.items(for: dishes).map(\.name))
            }

            try expect(names, equals: ["First", "Second", "First", "Second"])
        }
        ConformanceCase("Blocks that share a commit continue after SQL that throws", proves: 3) { world in
            guard let store = try filledForSQL(world) else { return }
            let mistake: SQLText = "SELECT nothing_of_this_name FROM \(Dish.self)"
            let change: SQLText = "UPDATE \(Dish.self) SET nothing_of_this_name = 1"

            try awaitingBatch(in: store) {
                store.writeAsync { accessor in
                    try expectError(.engine) { try accessor.execute(sql: change) }
                    try accessor.insert(Dish(20, name: "One block"))
                    try expectError(.engine) { _ = try accessor.rows(sql: mistake, as: Int.self) }
                }
            }
            try awaitingBatch(in: store) {
                store.writeAsync { accessor in
                    _ = try expectError(.engine) { try accessor.execute(sql: change) }
                }
                store.writeAsync { accessor in _ = try accessor.insert(Dish(21, name: "Three blocks")) }
                store.writeAsync { accessor in
                    _ = try expectError(.engine) { _ = try accessor.rows(sql: mistake, as: Int.self) }
                }
            }
            try awaitingBatch(in: store) {
                store.writeAsync { accessor in
                    try accessor.savepoint {
                        try expectError(.engine) { _ = try accessor.rows(sql: mistake, as: Int.self) }
                        try accessor.insert(Dish(22, name: "A savepoint"))
                    }
                }
                store.writeAsync { accessor in _ = try accessor.insert(Dish(23, name: "The block after it")) }
            }

            let dishes = Dish.where(\.id > .init(rawValue: 10)).sorted(by: \.id)
            let names = try store.read { accessor in try accessor.items(for: dishes).map(\.name) }
            try expect(names, equals: ["One block", "Three blocks", "A savepoint", "The block after it"])
        }
        ConformanceCase("SQL leaves transactions, tables and settings to the store", proves: 3) { world in
            guard let store = try filledForSQL(world) else { return }
            let refused: [SQLText] = [
                "COMMIT", " rollback", "BEGIN", "END", "SAVEPOINT a", "RELEASE larder", "ATTACH 'a' AS b",
                "PRAGMA user_version = 3", "SET synchronous_commit = off", "CREATE TABLE a (b INTEGER)",
                "DROP TABLE \(Dish.self)", "ALTER TABLE \(Dish.self) RENAME TO a", "VACUUM", "", ";",
                "-- a comment\nCOMMIT", "COPY a TO STDOUT", "PREPARE a AS SELECT 1",
            ]

            try expectOwnError {
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Dish.self)
                    for statement in refused {
                        try expectError(.invalidRequest) { try accessor.execute(sql: statement) }
                        try expectError(.invalidRequest) {
                            _ = try accessor.rows(sql: statement, as: Int.self)
                        }
                    }
                    try expectError(.invalidRequest) { try accessor.execute(sql: "SELECT 1") }
                    // Which of its two words an engine has for it.
                    let two: SQLText = "SELECT 1; COMMIT"
                    try expectThrown(oneOf: [.invalidRequest, .engine]) {
                        _ = try accessor.rows(sql: two, as: Int.self)
                    }
                    throw OwnError()
                }
            }

            try expectFixture(store)
        }
        ConformanceCase("A statement of SQL is not cut at U+0000", proves: 7) { world in
            guard let store = try filledForSQL(world) else { return }
            let (reading, writing): (SQLText, SQLText) = (
                "SELECT 1\0 x", "DELETE FROM \(Dish.self) \0WHERE id = \(1)"
            )

            try store.writeSync { accessor in
                try expectError(.invalidRequest) { _ = try accessor.rows(sql: reading, as: Int.self) }
                try expectError(.invalidRequest) { try accessor.execute(sql: writing) }
                try expect(
                    try accessor.rows(sql: "SELECT \("a\0b")", as: String.self), equals: ["a\0b"])
            }

            try expectFixture(store)
        }
        ConformanceCase("SQL may end with comments, not with another statement", proves: 3) { world in
            guard let store = try filledForSQL(world) else { return }
            let alone: [SQLText] = [
                "SELECT 1; -- one", "SELECT 1 /* one */; /* two; */ ; -- three\n",
                "SELECT 1; /* -- */\n-- */",
            ]
            let two: [SQLText] = [
                "SELECT 1; -- one\nSELECT 2", "SELECT 1; -- one\r\nSELECT 2",
                "SELECT 1; /* one */ SELECT 2", "SELECT 1; /*/ */ SELECT 2",
            ]

            try store.writeSync { accessor in
                for sql in alone { try expect(try accessor.rows(sql: sql, as: Int.self), equals: [1]) }
                let deletion: SQLText = "DELETE FROM \(Dish.self) WHERE id = \(0); -- no dish"
                try expect(try accessor.execute(sql: deletion), equals: 0)
                for sql in two {
                    try expectThrown(oneOf: [.invalidRequest, .engine]) {
                        _ = try accessor.rows(sql: sql, as: Int.self)
                    }
                }
            }

            try expectFixture(store)
        }
        ConformanceCase("A call that reads by SQL changes nothing", proves: 2) { world in
            guard let store = try filledForSQL(world) else { return }
            let hidden: SQLText = "WITH a AS (SELECT 1) DELETE FROM \(Dish.self)"

            try store.read { accessor in
                try expectError(.invalidRequest) {
                    _ = try accessor.rows(sql: "DELETE FROM \(Dish.self)", as: Int.self)
                }
                try expectError(.readOnly) { _ = try accessor.rows(sql: hidden, as: Int.self) }
            }
            try store.writeSync { accessor in
                try expectError(.readOnly) { _ = try accessor.rows(sql: hidden, as: Int.self) }
                try expect(try accessor.countItems(for: Dish.all), equals: 10)
                // The next change is not refused.
                try accessor.mutableDish(1).cents = 901
                try expect(try accessor.rows(sql: "SELECT 1", as: Int.self), equals: [1])
                try accessor.mutableDish(1).cents = 900
            }

            try expectFixture(store)
        }
        ConformanceCase("Nothing is changed while items or rows of SQL are read", proves: 4) { world in
            guard let store = try filledForSQL(world) else { return }
            let change: SQLText = "UPDATE \(Dish.self) SET cents = 1"

            try store.writeSync { accessor in
                try accessor.forEachItem(for: Dish.all) { _ in
                    try expectError(.changedDuringIteration) { try accessor.execute(sql: change) }
                }
                try accessor.forEachRow(sql: "SELECT id FROM \(Dish.self)") { row in
                    let id = try row.value(at: 0, as: ItemID<Dish>.self)
                    try expectError(.changedDuringIteration) { try accessor.execute(sql: change) }
                    try expectError(.changedDuringIteration) { try accessor.delete(id: id, of: Dish.self) }
                    try expect(try accessor.item(id: id)?.id, equals: id)
                }
                try accessor.execute(sql: "UPDATE \(Dish.self) SET cents = cents")
            }

            try expectFixture(store)
        }
        ConformanceCase("Observations follow what SQL changes, and what it reads", proves: 21) { world in
            guard let store = try filledForSQL(world) else { return }
            let dear = Dish.where(\.cents > 1000)
            var counts = store.values(ofCount: dear).makeAsyncIterator()
            let sums = store.values { accessor in
                try accessor.rows(sql: "SELECT sum(cents) FROM \(Dish.self)", as: Int.self)
            }
            var totals = sums.makeAsyncIterator()
            let (count, total) = (try await counts.next(), try await totals.next())
            try expect(count, equals: 1)
            try expect(total, equals: [7150])

            let result = try await store.writeAsyncReportingChanges { accessor in
                try accessor.execute(
                    sql: "UPDATE \(Dish.self) SET cents = cents + \(100) WHERE cents = \(950) OR cents = 0")
            }

            let (newTotal, newCount) = (try await totals.next(), try await counts.next())
            try expect(newTotal, equals: [7450])
            try expect(newCount, equals: 2)
            try expect(result.value, equals: 3)
            // The store does not know which rows they were.
            try expect(result.hasChanges, equals: false)
        }
    }

    /// Keeps the writer busy while blocks are given to it, so that they share a commit, and waits for them.
    private static func awaitingBatch(in store: any DataStore, _ giveBlocks: () -> Void) throws {
        try store.writeSync { _ in giveBlocks() }
        try store.flush()
    }

    /// A store with the fixed data; nil if its engine does not run SQL, which is then checked.
    private static func filledForSQL(_ world: ConformanceWorld) throws -> (any DataStore)? {
        let store = try openedForSQL(world, Restaurant.self, Dish.self)
        try store?.writeSync(Fixture.fill)
        return store
    }

    /// An empty store; nil if its engine does not run SQL, which is then checked.
    static func openedForSQL(
        _ world: ConformanceWorld, _ types: any DataStoreItem.Type...
    ) throws -> (any DataStore)? {
        let store = try world.open(storing: types)
        if try store.read({ try $0.runsSQL() }) { return store }
        try expectError(.unsupported) { _ = try store.read { try $0.rows(sql: "SELECT 1", as: Int.self) } }
        try expectError(.unsupported, writingTo: store) { try $0.execute(sql: "DELETE FROM a") }
        return nil
    }

    /// Fails unless the store holds the fixed data.
    private static func expectFixture(_ store: any DataStore) throws {
        try store.read { accessor in
            try expect(try accessor.items(for: Restaurant.all), equals: Fixture.restaurants)
            try expect(try accessor.items(for: Dish.all), equals: Fixture.dishes)
        }
    }

    private static func expectThrown(oneOf codes: [DataStoreError.Code], _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as DataStoreError where codes.contains(error.code) {
            return
        }
        throw ConformanceFailure(
            expected: "one of \(codes.map(\.rawValue))", actual: "no error",
            at: SourcePlace(file: #fileID, line: #line))
    }
}
