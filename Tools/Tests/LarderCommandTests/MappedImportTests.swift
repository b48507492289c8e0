import Foundation
import Larder
import Testing

/// Import of records into a store that exists, as a mapping says.
struct MappedImportTests {
    private let folder: TemporaryFolder

    private static let mapping = """
        {"entity": "Recipe", "key": {"name": "title"}, "values": {
            "rating": ["stars", "rating"],
            "cookedAt": {"from": "cooked", "format": "epochSeconds"},
            "views": {"from": "stats.views", "default": 0},
            "price": {"from": "price", "format": {"decimal": ",", "grouping": "."}, "default": "0"},
            "photo": {"default": ""},
            "isVegan": {"from": "vegan", "default": false}
        }}
        """

    init() throws {
        folder = try TemporaryFolder()
        try Data(Self.mapping.utf8).write(to: folder.url.appendingPathComponent("map.json"))
    }

    private func recipes(_ engine: Engine) throws -> [Recipe] {
        try engine.withStore(at: folder.url.appendingPathComponent("store")) { store in
            try store.read { try $0.items(for: Recipe.all) }
        }
    }

    @Test(arguments: Engine.allCases)
    func `records of JSON are found by their key, or inserted`(_ engine: Engine) throws {
        try engine.makeStore(at: folder.url.appendingPathComponent("store"))
        let json = """
            [{"title": "Soup", "stars": 5, "stats": {"views": "8"}, "vegan": "yes"},
             {"title": "Pie", "rating": "2.5", "price": "1.234,50", "cooked": 978307201},
             {"title": "Soup", "stars": null}, {"stars": 1}]
            """

        let run = try CommandRun(
            ["import", "-", folder.path("store"), "--mapping", folder.path("map.json"), "--json"], input: json
        )

        #expect(run.status == 0, "\(run.messages)")
        #expect(run.output == #"{"inserted":1,"updated":2,"unchanged":0,"skipped":1}"# + "\n")
        let recipes = try recipes(engine)
        #expect(recipes.count == 4)
        #expect(recipes[2].rating == nil && recipes[2].views == 8 && recipes[2].isVegan)
        let pie = recipes[3]
        #expect(pie.name == "Pie" && pie.rating == 2.5 && pie.price == Decimal(string: "1234.5"))
        #expect(pie.cookedAt == Date(timeIntervalSinceReferenceDate: 1) && pie.photo.isEmpty && !pie.isVegan)
    }

    @Test(arguments: Engine.allCases)
    func `lines of CSV and JSON Lines are records too`(_ engine: Engine) throws {
        try engine.makeStore(at: folder.url.appendingPathComponent("store"))
        try Data("title;stars\n\"Soup\";4\nCurry;1.5\n".utf8).write(
            to: folder.url.appendingPathComponent("records.csv"))

        let csv = try CommandRun([
            "import", folder.path("records.csv"), folder.path("store"), "--mapping", folder.path("map.json"),
            "--separator", ";",
        ])
        let lines = try CommandRun(
            ["import", "-", folder.path("store"), "--mapping", folder.path("map.json"), "--batch", "1"],
            input: "{\"title\": \"Soup\", \"stars\": 4}\n{\"title\": \"Curry\", \"stars\": 2}\n")

        #expect(csv.output == "1 inserted, 1 updated, 0 unchanged, 0 skipped\n", "\(csv.messages)")
        #expect(lines.output == "0 inserted, 1 updated, 1 unchanged, 0 skipped\n", "\(lines.messages)")
        #expect(try recipes(engine).map(\.rating) == [4.5, nil, 4, 2])
    }

    @Test func `a wrong value names its record, and ends with 65`() throws {
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))

        let run = try CommandRun(
            ["import", "-", folder.path("store"), "--mapping", folder.path("map.json")],
            input: "[{\"title\": \"Soup\", \"stars\": 1}, {\"title\": \"Pie\", \"stars\": \"good\"}]")

        #expect(run.status == 65 && run.output.isEmpty)
        #expect(run.messages.contains("Record 2: The value \"good\" of \"stars\""), "\(run.messages)")
        #expect(try recipes(.sqlite).map(\.rating) == [4.5, nil, 3])
    }

    @Test(arguments: Engine.allCases)
    func `a record that leaves out an item with a required owner ends with 65`(_ engine: Engine) throws {
        let lines = """
            {"format":"larder-items","version":2,"entities":[\
            {"name":"Folder","attributes":[{"name":"id","type":"int64","isOptional":false}],"indexes":[],\
            "relationships":[{"name":"files","kind":"toMany","target":"File","inverse":"folder",\
            "deleteRule":"cascade"}]},\
            {"name":"File","attributes":[{"name":"id","type":"int64","isOptional":false},\
            {"name":"folder","type":"int64","isOptional":false}],\
            "indexes":[{"attributes":["folder"],"isUnique":false}],"relationships":[\
            {"name":"folder","kind":"toOne","target":"Folder","deleteRule":"nullify"}]}]}
            {"entity":"Folder","values":{"id":"1"}}
            {"entity":"File","values":{"id":"1","folder":"1"}}
            {"entity":"File","values":{"id":"2","folder":"1"}}
            {"end":{"items":3}}

            """
        let made = try CommandRun(
            ["import", "-", folder.path("store"), "--engine", engine.rawValue], input: lines)
        #expect(made.status == 0, "\(made.messages)")
        let mapping = """
            {"entity": "Folder", "key": {"id": "id"}, "values": {
                "files": {"from": "files", "key": {"id": "id"}}
            }}
            """
        try Data(mapping.utf8).write(to: folder.url.appendingPathComponent("map.json"))

        let run = try CommandRun(
            ["import", "-", folder.path("store"), "--mapping", folder.path("map.json")],
            input: #"[{"id": 1, "files": [2]}]"#)

        #expect(run.status == 65, "\(run.messages)")
        #expect(run.output.isEmpty)
        #expect(run.messages.contains("The item 1 cannot be removed from "), "\(run.messages)")
        #expect(run.messages.contains(", as File.folder must not be nil."), "\(run.messages)")
        #expect(try CommandRun(["count", folder.path("store"), "File", "--quiet"]).output == "2\n")
    }

    @Test(arguments: Engine.allCases)
    func `an import that is stopped keeps its commits, and says how many records they had`(_ engine: Engine)
        throws
    {
        try engine.makeStore(at: folder.url.appendingPathComponent("store"), of: [])
        let lines = (1...5000).map { "{\"title\": \"Recipe \($0)\"}\n" }.joined()
        try Data(lines.utf8).write(to: folder.url.appendingPathComponent("records.jsonl"))

        let stopped = try StoppedRun(
            [
                "import", folder.path("records.jsonl"), folder.path("store"), "--mapping",
                folder.path("map.json"), "--batch", "1",
            ], signal: SIGINT, afterLine: "importing")

        let count = try recipes(engine).count
        #expect(stopped.status == 130)
        #expect(count > 0 && count < 5000)
        let sources = count == 1 ? "source is" : "\(count) sources are"
        let advice = "The first \(sources) imported: repeat it by a key, or with the others alone."
        #expect(stopped.lastLine == "larder: The import was cancelled. \(advice)")
    }

    @Test(arguments: ["json", "csv"])
    func `records that cannot be read end with 74 and the reason`(_ form: String) throws {
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))

        // A folder can be opened, and not be read.
        let run = try CommandRun([
            "import", folder.url.path, folder.path("store"), "--mapping", folder.path("map.json"),
            "--records", form,
        ])

        #expect(run.status == 74)
        #expect(
            run.messages
                == "larder: Record 1: \(folder.url.path) cannot be read: Is a directory. "
                + "Check the disk, then run the command again.\n")
        #expect(try recipes(.sqlite).map(\.rating) == [4.5, nil, 3])
    }

    @Test(arguments: [
        (#"{"entity": "Nothing"}"#, "Nothing"), (#"{"key": {"name": "x"}}"#, "entity"),
        (#"{"entity": "Recipe", "key": {"rating": "x"}}"#, "unique"),
        (#"{"entity": "Recipe", "values": {"ratings": "x"}}"#, "ratings"),
        (#"{"entity": "Recipe", "value": {}}"#, "value"), ("[]", "not an object"), ("{", "Line 1"),
    ])
    func `a mapping that does not fit is refused, and changes nothing`(mapping: String, words: String) throws
    {
        try Engine.lmdb.makeStore(at: folder.url.appendingPathComponent("store"))
        try Data(mapping.utf8).write(to: folder.url.appendingPathComponent("map.json"))

        let run = try CommandRun(
            ["import", "-", folder.path("store"), "--mapping", folder.path("map.json")],
            input: "[{\"x\": \"Soup\"}]")

        #expect(run.status == 64, "\(run.messages)")
        #expect(run.messages.contains(words), "\(run.messages)")
        #expect(!run.messages.contains("--where"), "\(run.messages)")
        #expect(try recipes(.lmdb).count == 3)
    }

    @Test func `records and their mapping cannot both be the standard input`() throws {
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))

        let run = try CommandRun(
            ["import", "-", folder.path("store"), "--mapping", "-"], input: Self.mapping)

        #expect(run.status == 64 && run.output.isEmpty)
        #expect(
            run.messages.hasPrefix("Error: FILE and --mapping cannot both be the standard input.\n"),
            "\(run.messages)")
        #expect(try recipes(.sqlite).count == 3)
    }

    @Test func `a separator that cannot be one is refused, and the advice is about separators`() throws {
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))

        let run = try CommandRun(
            [
                "import", "-", folder.path("store"), "--mapping", folder.path("map.json"), "--records", "csv",
                "--separator", "\"",
            ], input: "title\nSoup\n")

        #expect(run.status == 65, "\(run.messages)")
        #expect(run.messages.contains("neither a quote nor a line break"), "\(run.messages)")
        #expect(!run.messages.contains("--where"), "\(run.messages)")
    }

    @Test func `a store that does not exist is not created`() throws {
        let run = try CommandRun(
            ["import", "-", folder.path("none.sqlite"), "--mapping", folder.path("map.json")], input: "[]")

        #expect(run.status == 66)
        #expect(try folder.names() == ["map.json"])
    }
}
