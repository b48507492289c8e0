import Foundation
import Larder
import LarderLMDB
import LarderSQLite
import Testing

/// The steps that would bring a store to another version, foreseen from shapes and locks.
struct ForecastCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
        return folder.path(name)
    }

    /// A store with three recipes; with a version, if it is given one.
    private func store(_ engine: Engine, version: String? = nil) throws -> String {
        let url = folder.url.appendingPathComponent("store")
        try engine.makeStore(at: url)
        if let version {
            let history = SchemaHistory([SchemaVersion(version, storing: [Recipe.self])])
            let store: any DataStore =
                switch engine {
                case .sqlite: SQLiteDataStore(at: url, storing: history)
                case .lmdb: LMDBDataStore(at: url, storing: history)
                }
            try store.setup()
            try store.tearDown()
        }
        return folder.path("store")
    }

    private static func shape() throws -> String {
        SchemaShape(try SchemaVersion("1", storing: [Recipe.self]).schema()).description
    }

    /// The shape with another name for an attribute and its index.
    private static func shape(renaming name: String, to new: String) throws -> String {
        try (shape() + "\n").replacing("  \(name): ", with: "  \(new): ").replacing(
            " \(name)\n", with: " \(new)\n")
    }

    /// The lock of three versions: the second adds an optional attribute, the third counts in another type.
    private static func lock(withShapes: Bool = true) throws -> String {
        let first = try shape()
        let second = first.replacing("  name: string\n", with: "  name: string\n  note: string?\n")
        let third = second.replacing("views: int64", with: "views: double") + "\nTag\n  id: string\n"
        let history = SchemaHistory([
            SchemaVersion("1", describedBy: first), SchemaVersion("2", describedBy: second),
            SchemaVersion("3", describedBy: third),
        ])
        return try history.lock(withShapes: withShapes)
    }

    private static func json(_ run: CommandRun) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

    @Test(arguments: Engine.allCases)
    func `a store of the shape needs nothing`(_ engine: Engine) throws {
        let store = try store(engine)
        let shape = try file("today.shape", Self.shape())
        let before = try folder.contents()

        let run = try CommandRun(["forecast", store, "--to", shape])

        #expect(run.status == 0)
        #expect(
            run.lines == [
                "version  today", "to       today", "steps    none: there is nothing to do",
            ])
        #expect(try CommandRun(["forecast", store, "--to", store]).status == 0)
        #expect(try folder.contents() == before)
    }

    @Test(arguments: Engine.allCases)
    func `a single shape is reached directly, by small changes`(_ engine: Engine) throws {
        let store = try store(engine)
        let shape = try file(
            "2.shape", Self.shape().replacing("  name: string\n", with: "  name: string\n  note: string?\n"))
        let before = try folder.contents()

        let run = try CommandRun(["forecast", store, "--to", shape])

        #expect(run.status == 0)
        #expect(run.lines.prefix(3) == ["version  unnamed", "to       2", "rows     3"])
        #expect(run.lines.contains("step         kind      place     rows"))
        #expect(run.lines.last == "unnamed → 2  inferred  in place     3")
        #expect(try folder.contents() == before)
    }

    @Test(arguments: Engine.allCases)
    func `a lock is a chain, and a step that needs the app says for what`(_ engine: Engine) throws {
        let store = try store(engine, version: "1")
        let lock = try file("versions.lock", Self.lock())
        let before = try folder.contents()

        let run = try CommandRun(["forecast", store, "--to", lock])

        #expect(run.status == 1)
        #expect(run.lines.prefix(3) == ["version  1", "to       3", "rows     6"])
        #expect(
            run.lines.suffix(7) == [
                "step   kind      place     rows",
                "-----  --------  --------  ----",
                "1 → 2  inferred  in place     3",
                "2 → 3  mapped    in place     3",
                "",
                "2 → 3 needs the app:",
                "  Recipe.views is stored as int64, not double.",
            ])
        let json = try Self.json(try CommandRun(["forecast", store, "--to", lock, "--json"]))
        #expect(json["from"] as? String == "1" && json["to"] as? String == "3")
        #expect(json["rows"] as? Int == 6 && json["lacksSpace"] as? Bool == false)
        let bytes = try #require(json["storeBytes"] as? Int)
        #expect(bytes > 0 && json["neededBytes"] as? Int == bytes * 4)
        let steps = try #require(json["steps"] as? [[String: Any]])
        #expect(steps.map { $0["kind"] as? String } == ["inferred", "mapped"])
        #expect(steps.map { $0["place"] as? String } == ["inPlace", "inPlace"])
        #expect(steps.map { ($0["needs"] as? [String])?.count } == [0, 1])
        #expect(try folder.contents() == before)
    }

    @Test(arguments: Engine.allCases)
    func `a store without a name is recognized by its shape among several`(_ engine: Engine) throws {
        let store = try store(engine)
        let lock = try Self.lock()
        let parts = lock.components(separatedBy: "\n3: ")
        let (first, last) = (try file("12.lock", parts[0]), try file("3.lock", "3: " + parts[1]))

        let run = try CommandRun(["forecast", store, "--to", first, last])

        #expect(run.status == 1)
        #expect(run.lines.first == "version  1" && run.lines.contains("1 → 2  inferred  in place     3"))
        #expect(try CommandRun(["forecast", store, "--to", first]).status == 0)
        let direct = try CommandRun(["forecast", store, "--to", last])
        #expect(direct.status == 1 && direct.lines.contains("unnamed → 3  mapped  in place     3"))
    }

    @Test func `what may be a rename, or needs a default, is left to the app`() throws {
        let store = try store(.sqlite)
        let renamed = try file("2.shape", Self.shape(renaming: "name", to: "title"))
        let maybe = try file("3.shape", Self.shape(renaming: "rating", to: "stars"))

        let run = try CommandRun(["forecast", store, "--to", renamed])
        let other = try CommandRun(["forecast", store, "--to", maybe])

        #expect(run.status == 1)
        #expect(run.lines.last == "  Recipe.title is new and has neither a default nor may be nil.")
        #expect(other.status == 1)
        #expect(other.lines.last?.contains("would drop Recipe.rating and add other attributes") == true)
    }

    @Test(arguments: Engine.allCases)
    func `a large store with several steps through its rows is copied`(_ engine: Engine) throws {
        let photo = Data(repeating: 7, count: 11 << 20)
        let url = folder.url.appendingPathComponent("store")
        try engine.makeStore(at: url, of: (1...6).map { Recipe($0, "Cake \($0)", photo: photo) })
        let lock = try file("versions.lock", Self.lock())

        let run = try CommandRun(["forecast", folder.path("store"), "--to", lock, "--quick"])
        let json = try Self.json(
            try CommandRun(["forecast", folder.path("store"), "--to", lock, "--quick", "--json"]))

        #expect(run.status == 1)
        #expect(run.lines.contains("1 → 2  inferred  in a copy     6"))
        #expect(run.lines.contains("2 → 3  mapped    in a copy     6"))
        let steps = try #require(json["steps"] as? [[String: Any]])
        #expect(steps.map { $0["place"] as? String } == ["inCopy", "inCopy"])
        let bytes = try #require(json["storeBytes"] as? Int)
        // The store, and twice the rows of a step.
        #expect(bytes >= 64 << 20 && json["neededBytes"] as? Int == bytes * 3)
    }

    @Test(arguments: Engine.allCases)
    func `a type that gets other identifiers is mapped with what leads to it`(_ engine: Engine) throws {
        let store = folder.path("store")
        let made = try CommandRun(
            ["import", "-", store, "--engine", engine.rawValue], input: GraphLines.text)
        #expect(made.status == 0, "\(made.messages)")
        let old = try CommandRun(["schema", store]).output
        // Tags are linked, kinds are referred to.
        for type in ["Tag", "Kind"] {
            let new = old.replacing("\(type)\n  id: string\n", with: "\(type)\n  id: int64\n")
                .replacing(
                    "  kind: string?\n", with: type == "Kind" ? "  kind: int64?\n" : "  kind: string?\n")
            #expect(new != old)
            let shape = try file("\(type).shape", new)

            let run = try CommandRun(["forecast", store, "--to", shape])

            #expect(run.status == 1, "\(run.messages)")
            #expect(run.lines.contains("unnamed → \(type) needs the app:"))
            let needs = run.lines.drop { !$0.hasSuffix("needs the app:") }.dropFirst()
            #expect(needs.contains("  \(type).id is stored as string, not int64."))
            #expect(needs.contains { $0.contains(type == "Tag" ? "Recipe.tags" : "Recipe.kind") })
        }
    }

    @Test func `files and versions that do not fit are refused`() throws {
        let store = try store(.sqlite, version: "9")
        let lock = try file("versions.lock", Self.lock())
        let hashes = try file("hashes.lock", Self.lock(withShapes: false))
        let wrong = try file("wrong.shape", "Recipe\n  id: number\n")

        let unknown = try CommandRun(["forecast", store, "--to", lock])
        let bare = try CommandRun(["forecast", store, "--to", hashes])

        #expect(unknown.status == 65)
        #expect(unknown.messages.contains("The store has version 9 of the schema"))
        #expect(bare.status == 65)
        #expect(bare.messages.contains("The lock has only the hash of version 1"))
        #expect(try CommandRun(["forecast", store, "--to", lock, lock]).status == 65)
        #expect(try CommandRun(["forecast", store, "--to", wrong]).status == 65)
        #expect(try CommandRun(["forecast", store, "--to", folder.path("missing")]).status == 66)
        #expect(try CommandRun(["forecast", folder.path("missing"), "--to", lock]).status == 66)
        #expect(try CommandRun(["forecast", store]).status == 64)
    }
}
