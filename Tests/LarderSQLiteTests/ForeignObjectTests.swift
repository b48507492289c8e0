import Foundation
import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

/// What other tools have added to a store's file, and the store's upgrades.
@Suite struct `Views, triggers and indexes of other tools` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
    }

    /// The ways to bring a store to its next version.
    enum Way: CaseIterable {
        case change, changeInCopy, step, stepInCopy

        var isInCopy: Bool { self == .changeInCopy || self == .stepInCopy }
    }

    private static let dishes = [Dish.First(1, "Soup", 5), .init(2, "Cake", 7)]

    /// Makes a store of the first version, and runs SQL of another tool in it.
    private func makeFirst(
        storing types: [any DataStoreItem.Type] = [Dish.First.self], adding sql: String...
    ) throws {
        let version = SchemaVersion("1", storing: types)
        let store = SQLiteDataStore(at: url, storing: SchemaHistory([version]))
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: Self.dishes) }
        try store.tearDown()
        for statement in sql { try RawDatabase(url).execute(statement) }
    }

    private func second(_ way: Way, storing types: [any DataStoreItem.Type] = [Dish.First.self])
        -> SQLiteDataStore
    {
        var options = DataStoreOptions()
        options.schemaUpgrade = way.isInCopy ? .copying() : .inPlace
        let later = types.map { $0 == Dish.First.self ? Dish.Second.self : $0 }
        var steps: [SchemaStep] = []
        if way == .step || way == .stepInCopy {
            let step = SchemaStep(from: "1", to: "2") {
                Transform("Dish") { old, new in
                    let dish = try new.make()
                    try dish.set("title", to: try old["name", as: String.self])
                    try dish.set("price", to: Int64(try old["price", as: Int32.self]))
                }
            }
            steps.append(step)
        }
        let history = SchemaHistory(
            [SchemaVersion("1", storing: types), SchemaVersion("2", storing: later)], steps: steps)
        return SQLiteDataStore(at: url, storing: history, storeOptions: options)
    }

    private func rows(_ sql: String) throws -> [[String]] { try RawDatabase(url).rows(sql) }

    @Test(arguments: Way.allCases)
    func `outlive an upgrade that writes their table anew`(_ way: Way) throws {
        try makeFirst(
            adding: "CREATE VIEW cheap AS SELECT id FROM Dish WHERE price < 6",
            "CREATE TABLE log (price)", "CREATE INDEX \"by price\" ON Dish (price)",
            "CREATE TABLE orders (dish REFERENCES Dish (id))",
            "CREATE TRIGGER noted AFTER INSERT ON dish BEGIN INSERT INTO log VALUES (NEW.price); END")
        let query = """
            SELECT name, tbl_name, sql FROM sqlite_schema \
            WHERE name IN ('cheap', 'log', 'by price', 'noted', 'orders') ORDER BY name
            """
        let before = try rows(query)
        #expect(before.count == 5)

        let store = second(way)
        try store.setup()

        #expect(try store.checkIntegrity() == [])
        try store.tearDown()
        #expect(try rows(query) == before)
        #expect(try rows("SELECT title, price FROM Dish ORDER BY id") == [["Soup", "5"], ["Cake", "7"]])
        #expect(try rows("SELECT id FROM cheap") == [["1"]])
        let plan = try rows("EXPLAIN QUERY PLAN SELECT id FROM Dish WHERE price = 5")
        #expect(plan.first?.last?.contains("by price") == true)
        try RawDatabase(url).execute(
            "INSERT INTO Dish (id, price, course, size) VALUES (3, 9, 'main', x'00')")
        #expect(try rows("SELECT price FROM log") == [["9"]])
        #expect(try rows("PRAGMA integrity_check") == [["ok"]])
    }

    #if os(Linux)
        @Test func `keep their rows where SQLite enforces foreign keys by itself`() async {
            await #expect(processExitsWith: .success) {
                RawDatabase.enforceForeignKeys()
                for way in Way.allCases { try Self().expectKeptRows(way) }
            }
        }

        private func expectKeptRows(_ way: Way) throws {
            try makeFirst(
                adding: "CREATE TABLE orders (dish REFERENCES Dish (id) ON DELETE CASCADE)",
                "INSERT INTO orders VALUES (1)")
            guard try rows("PRAGMA foreign_keys") == [["1"]] else { exit(2) }

            let store = second(way)
            try store.setup()
            _ = try store.writeSync { try $0.deleteItems(for: Dish.Second.all) }
            try store.tearDown()

            guard try rows("SELECT count(*) FROM Dish") == [["0"]] else { exit(3) }
            guard try rows("SELECT dish FROM orders") == [["1"]] else { exit(4) }
        }
    #endif

    @Test(
        arguments: Way.allCases,
        [
            "CREATE INDEX \"by name\" ON Dish (name)",
            "CREATE TRIGGER \"by name\" AFTER UPDATE ON Dish BEGIN INSERT INTO log VALUES (NEW.name); END",
            "CREATE TRIGGER \"by name\" AFTER INSERT ON Tag BEGIN UPDATE Dish SET name = ''; END",
        ])
    func `that no longer fit are named, and nothing is changed`(_ way: Way, _ sql: String) throws {
        let types: [any DataStoreItem.Type] = [Dish.First.self, Tag.self]
        try makeFirst(
            storing: types, adding: "CREATE TABLE log (name)", sql,
            "CREATE TRIGGER fits AFTER UPDATE ON Dish BEGIN INSERT INTO log VALUES (NEW.id); END")
        let before = try Data(contentsOf: url)
        let kind = sql.contains("INDEX") ? "index" : "trigger"

        let store = second(way, storing: types)
        let refused = thrown { try store.setup() }

        #expect(refused?.code == .schemaMismatch)
        #expect(refused?.message.contains("The \(kind) \"by name\"") == true, "\(refused as Any)")
        #expect(refused?.message.contains("name") == true)
        #expect(refused?.path == url.path)
        #expect(refused?.leavesNoWay == false)
        #expect(try Data(contentsOf: url) == before)
        #expect(try folder.names.allSatisfy { !$0.hasPrefix(".") })

        try RawDatabase(url).execute("DROP \(kind) \"by name\"")
        try store.setup()
        try store.tearDown()
        #expect(try rows("SELECT title FROM Dish ORDER BY id") == [["Soup"], ["Cake"]])
        #expect(try rows("SELECT name FROM sqlite_schema WHERE name = 'fits'") == [["fits"]])
    }

    @Test(arguments: Way.allCases)
    func `that did not work before do not hinder an upgrade`(_ way: Way) throws {
        try makeFirst(
            adding: "CREATE VIEW broken AS SELECT gone FROM nowhere",
            "CREATE TRIGGER foreign_function AFTER UPDATE ON Dish BEGIN SELECT only_in_tool(NEW.id); END")

        let store = second(way)
        try store.setup()
        try store.tearDown()

        #expect(
            try rows("SELECT name FROM sqlite_schema WHERE type IN ('view', 'trigger') ORDER BY name")
                == [["broken"], ["foreign_function"]])
        #expect(try rows("SELECT title FROM Dish ORDER BY id") == [["Soup"], ["Cake"]])
    }

    private struct Meal: VersionedItem {
        static let schema = EntitySchema(
            "Meal", originalName: "Dish",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("price", Int32.self),
            ],
            indexes: [.index("name")])
        var values: [Cell]
    }

    private struct LargeMeal: VersionedItem {
        static let schema = EntitySchema(
            "Meal", originalName: "Dish",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("price", Int32.self), .attribute("note", String?.self),
            ],
            indexes: [.index("name")])
        var values: [Cell]
    }

    /// Opens the store with the next version of its type.
    private func open(storing type: any DataStoreItem.Type) throws {
        let versions = [SchemaVersion("1", storing: [Dish.First.self]), SchemaVersion("2", storing: [type])]
        let store = SQLiteDataStore(at: url, storing: SchemaHistory(versions))
        try store.setup()
        try store.tearDown()
    }

    @Test(arguments: [Meal.self, LargeMeal.self] as [any DataStoreItem.Type])
    func `follow a type that is renamed`(_ type: any DataStoreItem.Type) throws {
        try makeFirst(
            adding: "CREATE VIEW cheap AS SELECT name FROM Dish WHERE price < 6",
            "CREATE TABLE log (price)", "CREATE INDEX prices ON Dish (price)",
            "CREATE TRIGGER noted AFTER UPDATE ON Dish BEGIN INSERT INTO log SELECT price FROM Dish; END")

        try open(storing: type)

        #expect(try rows("SELECT name FROM cheap") == [["Soup"]])
        try RawDatabase(url).execute("UPDATE Meal SET price = 1 WHERE id = 2")
        #expect(try rows("SELECT price FROM log ORDER BY price") == [["1"], ["5"]])
        #expect(
            try rows("SELECT name FROM sqlite_schema WHERE tbl_name = 'Meal' AND name = 'prices'")
                == [["prices"]])
    }

    @Test func `do not hinder a type that is renamed where a view is broken`() throws {
        try makeFirst(adding: "CREATE VIEW broken AS SELECT gone FROM nowhere")

        try open(storing: Meal.self)

        #expect(try rows("SELECT name FROM Meal ORDER BY id") == [["Soup"], ["Cake"]])
        #expect(try rows("SELECT name FROM sqlite_schema WHERE type = 'view'") == [["broken"]])
    }

    // MARK: Triggers and insertions

    private func openFirst() throws -> SQLiteDataStore {
        let store = SQLiteDataStore(
            at: url, storing: SchemaHistory([SchemaVersion("1", storing: [Dish.First.self])]))
        try store.setup()
        return store
    }

    /// Dishes of one price.
    private static func teas(_ ids: Range<Int64>) -> [Dish.First] { ids.map { Dish.First($0, "Tea", 9) } }

    private static let ignoring =
        "CREATE TRIGGER t AFTER INSERT ON dish BEGIN INSERT OR IGNORE INTO seen VALUES (NEW.price); END"

    @Test(arguments: [1, 2, 40] as [Int64])
    func `ignore a conflict of their own when items are inserted`(_ count: Int64) throws {
        try makeFirst(adding: "CREATE TABLE seen (price PRIMARY KEY)", Self.ignoring)
        let store = try openFirst()

        try store.writeSync { accessor in
            try accessor.insert(Dish.First(3, "Pie", 9))
            try accessor.insert(contentsOf: Self.teas(10..<(10 + count)))
        }
        let taken = thrown {
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: Self.teas(50..<90) + [Dish.First(2, "Cake", 1)])
            }
        }

        #expect(taken?.code == .duplicateIdentifier)
        #expect(taken?.identifier == .integer(2))
        try store.tearDown()
        #expect(try rows("SELECT count(*) FROM Dish") == [["\(count + 3)"]])
        #expect(try rows("SELECT price FROM seen") == [["9"]])
    }

    @Test(arguments: ["BEFORE", "AFTER"], [1, 40] as [Int64])
    func `that meet a conflict fail the block`(_ time: String, _ count: Int64) throws {
        try makeFirst(
            adding: "CREATE TABLE seen (price PRIMARY KEY)", "INSERT INTO seen VALUES (9)",
            "CREATE TRIGGER t \(time) INSERT ON Dish BEGIN INSERT INTO seen VALUES (NEW.price); END")
        let store = try openFirst()

        let refused = thrown {
            try store.writeSync { accessor in
                try accessor.insert(Dish.First(3, "Pie", 1))
                try? accessor.insert(contentsOf: Self.teas(10..<(10 + count)))
            }
        }

        #expect(refused?.code == .engine)
        try store.tearDown()
        #expect(try rows("SELECT id FROM Dish ORDER BY id") == [["1"], ["2"]])
        #expect(try rows("SELECT price FROM seen") == [["9"]])
    }

    @Test(arguments: [1, 40] as [Int64], ["PRIMARY KEY", "UNIQUE", "CHECK (price < 9)"])
    func `that are made after an insertion fail one block at most`(_ count: Int64, rule: String) throws {
        try makeFirst(adding: "CREATE TABLE seen (price \(rule))", "INSERT OR IGNORE INTO seen VALUES (9)")
        let store = try openFirst()
        try store.writeSync { try $0.insert(contentsOf: Self.teas(100..<(100 + count))) }
        try RawDatabase(url).execute(Self.ignoring)

        func insert() throws {
            try store.writeSync { try $0.insert(contentsOf: Self.teas(200..<(200 + count))) }
        }
        #expect(code { try insert() } == .engine)
        #expect(code { try insert() } == nil)

        try store.tearDown()
        #expect(try rows("SELECT count(*) FROM Dish") == [["\(2 + 2 * count)"]])
    }

    private static let leftOut = "A trigger of another tool has left out a change of a row, by RAISE(IGNORE)."

    @Test(arguments: [1, 40] as [Int64], [true, false])
    func `that leave out an item fail the block`(_ count: Int64, isYounger: Bool) throws {
        let trigger = """
            CREATE TRIGGER t BEFORE INSERT ON Dish WHEN NEW.price = 9 BEGIN SELECT RAISE(IGNORE); END
            """
        try makeFirst(adding: isYounger ? "SELECT 1" : trigger)
        let store = try openFirst()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: (Int64(100)..<140).map { Dish.First($0, "Pie", 1) })
        }
        if isYounger { try RawDatabase(url).execute(trigger) }

        let refused = thrown {
            try store.writeSync { accessor in
                try accessor.insert(Dish.First(3, "Pie", 1))
                try accessor.insert(contentsOf: Self.teas(10..<(10 + count)))
            }
        }

        #expect(refused?.code == .engine)
        #expect(refused?.message == Self.leftOut)
        #expect(refused?.itemType == "Dish")
        try store.tearDown()
        #expect(try rows("SELECT count(*) FROM Dish") == [["42"]])
    }

    /// An item that was left out does not count, so that another one seemed to be refused.
    @Test(arguments: [
        (12, teas(10..<20) + teas(115..<116) + teas(200..<230)),
        // It is in the store already, and would be the one that was refused by what is there.
        (
            115,
            teas(115..<116) + teas(200..<205) + teas(116..<117) + teas(206..<215)
        ),
    ])
    func `that leave out an item let no other item be a duplicate`(id: Int, teas: [Dish.First]) throws {
        try makeFirst(adding: "SELECT 1")
        let store = try openFirst()
        try store.writeSync { try $0.insert(contentsOf: Self.teas(100..<140)) }
        try RawDatabase(url).execute(
            "CREATE TRIGGER t BEFORE INSERT ON Dish WHEN NEW.id = \(id) BEGIN SELECT RAISE(IGNORE); END")
        func refused() -> DataStoreError? {
            thrown { try store.writeSync { try $0.insert(contentsOf: teas) } }
        }

        let (first, second) = (refused(), refused())

        #expect(first?.code == .engine)
        #expect(first?.identifier == nil)
        #expect(first?.underlying?.source == "SQLite")
        #expect(second?.code == .engine)
        #expect(second?.message == Self.leftOut)
        try store.tearDown()
        #expect(try rows("SELECT count(*) FROM Dish") == [["42"]])
    }

    @Test func `that are made after an insertion, and leave out nothing, let a duplicate be named`() throws {
        try makeFirst(adding: "CREATE TABLE seen (price)")
        let store = try openFirst()
        try store.writeSync { try $0.insert(contentsOf: Self.teas(100..<140)) }
        try RawDatabase(url).execute(
            "CREATE TRIGGER t AFTER INSERT ON Dish BEGIN INSERT INTO seen VALUES (NEW.price); END")
        let teas = Self.teas(10..<20) + Self.teas(115..<116) + Self.teas(200..<230)

        for _ in 0..<2 {
            let refused = thrown { try store.writeSync { try $0.insert(contentsOf: teas) } }

            #expect(refused?.code == .duplicateIdentifier)
            #expect(refused?.identifier == .integer(115))
        }

        try store.tearDown()
        #expect(try rows("SELECT count(*) FROM Dish") == [["42"]])
        #expect(try rows("SELECT count(*) FROM seen") == [["0"]])
    }

    @Test(arguments: ["UPDATE", "DELETE"])
    func `that leave out a change fail the block`(_ event: String) throws {
        let store = SQLiteDataStore(at: url, storing: [Recipe.self], options: .forTests)
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: [Recipe(1), Recipe(2)]) }
        try RawDatabase(url).execute(
            "CREATE TRIGGER t BEFORE \(event) ON Recipe WHEN OLD.id = 1 BEGIN SELECT RAISE(IGNORE); END")
        func change(_ id: Int64) throws {
            try store.writeSync { accessor in
                if event == "DELETE" {
                    _ = try accessor.delete(id: id, of: Recipe.self)
                } else {
                    _ = try accessor.update(Recipe(id, name: "Stew"))
                }
            }
        }

        let refused = thrown { try change(1) }
        try change(2)
        let isDeleted = try store.writeSync { try $0.delete(id: 3, of: Recipe.self) }

        #expect(refused?.code == .engine)
        #expect(refused?.message == Self.leftOut)
        #expect(refused?.itemType == "Recipe")
        #expect(isDeleted == false)
        let left = event == "DELETE" ? [Recipe(1)] : [Recipe(1), Recipe(2, name: "Stew")]
        #expect(try store.read { try $0.items(for: Recipe.all) } == left)
        try store.tearDown()
    }
}
