import Foundation
import Testing

/// What the commands put out about relationships.
struct GraphCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A store made from lines, by its path.
    private func makeStore(_ engine: Engine, _ name: String = "store", _ lines: String = GraphLines.text)
        throws
        -> String
    {
        let path = folder.path(name)
        let run = try CommandRun(["import", "-", path, "--engine", engine.rawValue], input: lines)
        #expect(run.status == 0, "\(run.messages)")
        return path
    }

    @Test(arguments: Engine.allCases)
    func `info counts relationships and links`(_ engine: Engine) throws {
        let store = try makeStore(engine)

        let run = try CommandRun(["info", store])
        let json = try CommandRun(["info", store, "--json"])

        #expect(run.lines.contains("items              7"))
        #expect(run.lines.contains("links              4"))
        #expect(
            run.lines.suffix(6) == [
                "type    items  attributes  indexes  relationships",
                "------  -----  ----------  -------  -------------",
                "Kind        1           1        0              1",
                "Recipe      2           3        1              3",
                "Tag         2           1        0              1",
                "Step        2           1        0              0",
            ])
        #expect(
            json.output.contains(
                #"{"name":"steps","kind":"orderedToMany","target":"Step","inverse":null,"#
                    + #""deleteRule":"cascade","links":2}"#))
        #expect(try CommandRun(["count", store]).lines.count == 6)
    }

    @Test(arguments: Engine.allCases)
    func `info of a type tells its relationships`(_ engine: Engine) throws {
        let run = try CommandRun(["info", try makeStore(engine), "Recipe"])

        #expect(
            run.lines.suffix(6) == [
                "",
                "relationship  kind           target  inverse  delete rule  links",
                "------------  -------------  ------  -------  -----------  -----",
                "tags          toMany         Tag     recipes  nullify          2",
                "steps         orderedToMany  Step    nil      cascade          2",
                "kind          toOne          Kind    recipes  nullify        nil",
            ])
    }

    @Test(arguments: Engine.allCases)
    func `get puts out what the relationships of an item lead to`(_ engine: Engine) throws {
        let store = try makeStore(engine)

        let run = try CommandRun(["get", store, "Recipe", "1"])
        let json = try CommandRun(["get", store, "Recipe", "1", "2", "--json-lines"])
        let kind = try CommandRun(["get", store, "Kind", "cake", "--csv", "--csv-line-ending", "lf"])
        let tag = try CommandRun(["get", store, "Tag", "sweet"])

        #expect(
            run.lines == [
                "id     1", "name   Cake", "kind   cake", "tags   quick, sweet", "steps  mix, bake",
            ])
        #expect(
            json.lines == [
                #"{"id":1,"name":"Cake","kind":"cake","tags":["quick","sweet"],"steps":["mix","bake"]}"#,
                #"{"id":2,"name":"Soup","kind":null,"tags":[],"steps":[]}"#,
            ])
        #expect(kind.output == "id,recipes\ncake,1\n")
        #expect(tag.lines == ["id       sweet", "recipes  1"])
    }

    @Test(arguments: Engine.allCases)
    func `get shows people the first of many related items, and programs all`(_ engine: Engine) throws {
        let tags = (10...40).map { "t\($0)" }
        let list = tags.map { "\"\($0)\"" }.joined(separator: ",")
        let lines = tags.map { "{\"entity\":\"Tag\",\"values\":{\"id\":\"\($0)\"}}\n" }.joined()
        let text = GraphLines.text.replacing("\"tags\":[]", with: "\"tags\":[\(list)]")
            .replacing("{\"end\":{\"items\":7}}", with: lines + "{\"end\":{\"items\":38}}")
        let store = try makeStore(engine, "store", text)

        let run = try CommandRun(["get", store, "Recipe", "2"])
        let json = try CommandRun(["get", store, "Recipe", "2", "--json-lines"])

        #expect(run.lines[3] == "tags   \(tags.prefix(20).joined(separator: ", ")), … (31 in all)")
        #expect(json.output.contains("\"tags\":[\(list)]"))
    }

    @Test(arguments: Engine.allCases)
    func `diff shows a link as a change of its item`(_ engine: Engine) throws {
        let left = try makeStore(engine, "left")
        let text = GraphLines.text.replacing("[\"quick\",\"sweet\"]", with: "[\"sweet\"]")
            .replacing("[\"mix\",\"bake\"]", with: "[\"bake\",\"mix\"]")
        let right = try makeStore(engine.other, "right", text)

        let run = try CommandRun(["diff", left, right])
        let json = try CommandRun(["diff", left, right, "--json-lines", "--limit", "1"])

        #expect(
            run.output
                == "Recipe 1 differs in tags: [quick] and [], steps: [mix, bake] and [bake, mix]\n")
        #expect(run.status == 1)
        #expect(
            json.lines.first
                == #"{"difference":"changed","type":"Recipe","id":"1","attribute":"tags","#
                + #""left":"[quick]","right":"[]"}"#)
    }

    @Test(arguments: Engine.allCases)
    func `a copy, and a store of exported lines, have the same relationships`(_ engine: Engine) throws {
        let store = try makeStore(engine)
        let (copy, lines) = (folder.path("copy"), folder.path("lines"))

        let copied = try CommandRun(["copy", store, copy, "--engine", engine.other.rawValue])
        let exported = try CommandRun(["export", store, lines])
        let imported = try makeStore(engine.other, "imported", String(contentsOfFile: lines, encoding: .utf8))

        #expect(copied.status == 0 && exported.status == 0)
        for other in [copy, imported] {
            #expect(try CommandRun(["diff", store, other]).status == 0)
            #expect(try CommandRun(["verify", store, other]).status == 0)
            #expect(try CommandRun(["check", other]).output == "sound\n")
        }
    }

    @Test(arguments: Engine.allCases)
    func `verify counts links under the type that they start from`(_ engine: Engine) throws {
        let left = try makeStore(engine, "left")
        let text = GraphLines.text.replacing("[\"quick\",\"sweet\"]", with: "[\"sweet\"]")
        let right = try makeStore(engine.other, "right", text)

        let run = try CommandRun(["verify", left, right, "--csv", "--csv-line-ending", "lf"])
        let equal = try CommandRun(["verify", left, left, "--json-lines"])

        #expect(run.status == 1)
        #expect(
            run.lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).prefix(5) } == [
                ["type", "relationship", "items", "itemsOfCopy", "isEqual"], ["Kind", "", "1", "1", "true"],
                ["Recipe", "", "2", "2", "true"], ["Recipe", "tags", "2", "1", "false"],
                ["Recipe", "steps", "2", "2", "true"], ["Tag", "", "2", "2", "true"],
                ["Step", "", "2", "2", "true"],
            ])
        #expect(equal.status == 0)
        #expect(
            equal.lines[2].hasPrefix(
                #"{"type":"Recipe","relationship":"tags","items":2,"itemsOfCopy":2,"isEqual":true,"#))
    }

    @Test(arguments: Engine.allCases)
    func `copy counts items and links apart`(_ engine: Engine) throws {
        let store = try makeStore(engine)

        let run = try CommandRun(["copy", store, folder.path("copy"), "--engine", engine.other.rawValue])
        let json = try CommandRun(["copy", store, folder.path("second"), "--engine", "sqlite", "--json"])

        #expect(run.output.hasPrefix("7 items and 4 links copied and verified in "), "\(run.output)")
        #expect(
            json.output.contains(#""links":[{"type":"Recipe","relationship":"tags","links":2,"digest":""#),
            "\(json.output)")
        #expect(!json.output.contains("Recipe.tags"))
    }

    @Test(arguments: Engine.allCases)
    func `what refers to an item nobody can decode is lost, or left out, and named`(
        _ engine: Engine
    ) throws {
        let text = GraphLines.text.replacing(
            #"{"name":"Step","attributes":[{"name":"id","type":"string","isOptional":false}],"indexes":[]}"#,
            with: #"{"name":"Step","attributes":[{"name":"id","type":"string","isOptional":false},"#
                + #"{"name":"price","type":"decimal","isOptional":false}],"indexes":[]}"#
        )
        .replacing(#""values":{"id":"bake"}"#, with: #""values":{"id":"bake","price":"987654321"}"#)
        .replacing(#""values":{"id":"mix"}"#, with: #""values":{"id":"mix","price":"1"}"#)
        let store = try makeStore(engine, "store", text)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: store))
        let place = try #require(bytes.range(of: Data("987654321".utf8)))
        bytes.replaceSubrange(place, with: Data("x87654321".utf8))
        try bytes.write(to: URL(fileURLWithPath: store))
        let copy = folder.path("copy")

        let run = try CommandRun(
            ["copy", store, copy, "--engine", engine.other.rawValue, "--skip-undecodable"])
        let json = try CommandRun(
            ["copy", store, folder.path("second"), "--engine", "sqlite", "--skip-undecodable", "--json"])
        let export = try CommandRun(["export", store, folder.path("lines"), "--skip-undecodable"])
        let lost = """
            larder: lost: Recipe 1: Recipe 1 was linked with Step bake by steps, and one of them is left out.
            """

        #expect([run, json, export].map(\.status) == [1, 1, 1])
        #expect(run.output.hasPrefix("6 items and 3 links copied and verified in "), "\(run.output)")
        #expect(run.messages.contains("larder: left out: Step bake: "), "\(run.messages)")
        #expect(run.messages.contains(lost), "\(run.messages)")
        #expect(export.messages.contains(lost), "\(export.messages)")
        #expect(json.output.contains(#""skippedItems":1,"lostReferences":1,"#), "\(json.output)")
        #expect(try CommandRun(["get", copy, "Recipe", "1"]).lines.last == "steps  mix")
        #expect(try CommandRun(["check", copy]).output == "sound\n")
        #expect(try CommandRun(["import", folder.path("lines"), folder.path("third.sqlite")]).status == 0)
    }

    @Test(arguments: Engine.allCases)
    func `lines that refer to a missing item are refused, naming line and items`(_ engine: Engine) throws {
        let text = GraphLines.text.replacing("{\"entity\":\"Tag\",\"values\":{\"id\":\"sweet\"}}\n", with: "")
            .replacing("\"items\":7", with: "\"items\":6")
        let path = folder.path("store")

        let run = try CommandRun(["import", "-", path, "--engine", engine.rawValue], input: text)

        #expect(run.status == 65)
        #expect(
            run.messages.contains("Line 3: Recipe 1 refers by tags to Tag sweet, which does not exist."),
            "\(run.messages)")
        #expect(try CommandRun(["count", path]).status != 0)
    }
}

// MARK: Drawings

extension GraphCommandTests {
    @Test(arguments: Engine.allCases)
    func `graph draws types and relationships for Mermaid`(_ engine: Engine) throws {
        let run = try CommandRun(["graph", try makeStore(engine)])

        #expect(
            run.output == """
                erDiagram
                    Kind {
                        string id PK
                    }
                    Recipe {
                        int64 id PK
                        string name
                        string kind FK "optional"
                    }
                    Tag {
                        string id PK
                    }
                    Step {
                        string id PK
                    }
                    Recipe }o--o{ Tag : "tags (nullify), recipes (nullify)"
                    Recipe }o--o{ Step : "steps (ordered, cascade)"
                    Recipe }o--o| Kind : "kind (nullify), recipes (deny)"

                """)
        #expect(run.messages == "" && run.status == 0)
    }

    @Test(arguments: Engine.allCases)
    func `graph draws types and relationships for dot`(_ engine: Engine) throws {
        let run = try CommandRun(["graph", try makeStore(engine), "--format", "dot"])

        #expect(
            run.output == #"""
                digraph {
                    rankdir=LR
                    node [shape=box]
                    "Kind" [label="Kind\n\nid: string\l"]
                    "Recipe" [label="Recipe\n\nid: int64\lname: string\lkind: string?\l"]
                    "Tag" [label="Tag\n\nid: string\l"]
                    "Step" [label="Step\n\nid: string\l"]
                    "Recipe" -> "Tag" [label="tags (nullify), recipes (nullify)", taillabel="*", headlabel="*"]
                    "Recipe" -> "Step" [label="steps (ordered, cascade)", taillabel="*", headlabel="*"]
                    "Recipe" -> "Kind" [label="kind (nullify), recipes (deny)", taillabel="*", headlabel="0..1"]
                }

                """#)
    }

    @Test func `graph draws a store without relationships, and refuses another language`() throws {
        let url = folder.url.appendingPathComponent("store")
        try Engine.sqlite.makeStore(at: url)

        let run = try CommandRun(["graph", url.path])

        #expect(run.lines.first == "erDiagram" && run.lines[1] == "    Recipe {")
        #expect(run.lines.last == "    }" && run.status == 0)
        #expect(try CommandRun(["graph", url.path, "--format", "svg"]).status == 64)
    }
}
