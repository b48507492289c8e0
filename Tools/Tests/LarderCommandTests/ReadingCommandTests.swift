import Foundation
import Testing

/// What the commands that only look put out, in each form.
struct ReadingCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Engine.allCases)
    func `query puts out a table`(_ engine: Engine) throws {
        let run = try run("query", "Recipe", "--columns", "id,name,rating,photo,views", on: engine)

        #expect(
            run.lines == [
                "id             name              rating  photo                    views",
                "-------------  ----------------  ------  ---------  -------------------",
                "0000000000001  Cake, \"the\" one      4.5  <2 bytes>  9223372036854775807",
                "0000000000002  Toast\\nwith 蜂蜜     nil  <0 bytes>                    0",
                "0000000000003  Soup                 3.0  <0 bytes>                    7",
            ])
        #expect(run.messages == "" && run.status == 0)
    }

    @Test(arguments: Engine.allCases)
    func `query puts out JSON with exact values`(_ engine: Engine) throws {
        let run = try run("query", "Recipe", "--json-lines", "--limit", "2", on: engine)

        #expect(
            run.lines == [
                #"{"id":"0000000000001","name":"Cake, \"the\" one","rating":4.5,"#
                    + #""cookedAt":"2001-01-01T00:00:00.5Z","photo":"AP8=","views":"9223372036854775807","#
                    + #""price":"12.5","isVegan":true}"#,
                #"{"id":"0000000000002","name":"Toast\nwith 蜂蜜","rating":null,"cookedAt":null,"photo":"","#
                    + #""views":0,"price":"0","isVegan":false}"#,
            ])
    }

    @Test(arguments: Engine.allCases)
    func `query puts out one JSON array`(_ engine: Engine) throws {
        let run = try run("query", "Recipe", "--json", on: engine)
        let array = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]]

        #expect(array?.map { $0["id"] as? String } == ["0000000000001", "0000000000002", "0000000000003"])
    }

    @Test(arguments: Engine.allCases)
    func `query puts out CSV that tells nil from nothing`(_ engine: Engine) throws {
        let run = try run("query", "Recipe", "--csv", "--columns", "name,rating,photo", on: engine)

        #expect(
            run.output == "name,rating,photo\r\n\"Cake, \"\"the\"\" one\",4.5,AP8=\r\n"
                + "\"Toast\nwith 蜂蜜\",,\"\"\r\nSoup,3.0,\"\"\r\n")
    }

    @Test(arguments: Engine.allCases)
    func `lines of CSV end as asked`(_ engine: Engine) throws {
        let run = try run(
            "query", "Recipe", "--csv", "--csv-line-ending", "lf", "--columns", "name", "--limit", "1",
            on: engine)

        #expect(run.output == "name\n\"Cake, \"\"the\"\" one\"\n")
    }

    @Test(arguments: Engine.allCases)
    func `dates are one kind of text in every form, exact to the last bit, and filters take them`(
        _ engine: Engine
    ) throws {
        let seconds = [0.1 + 0.2, -0.25, 1e13, 752_000_000.123456, .infinity]
        let texts = [
            "2001-01-01T00:00:00.30000000000000004Z", "2000-12-31T23:59:59.75Z", "+318888-05-20T17:46:40Z",
            "2024-10-30T16:53:20.123456Z", "inf",
        ]
        try engine.makeStore(
            at: folder.url.appendingPathComponent("store"),
            of: seconds.enumerated().map { index, seconds in
                Recipe(Int64(index), "\(index)", cookedAt: Date(timeIntervalSinceReferenceDate: seconds))
            })
        let arguments = ["query", "Recipe", "--columns", "cookedAt"]

        #expect(try run(arguments, on: engine).lines.dropFirst(2) == texts[...])
        #expect(
            try run(arguments + ["--json-lines"], on: engine).lines
                == texts.map { "{\"cookedAt\":\"\($0)\"}" })
        #expect(
            try run(arguments + ["--csv", "--csv-line-ending", "lf"], on: engine).lines.dropFirst()
                == texts[...])
        for text in texts {
            let literal = text == "inf" ? text : "\"\(text)\""
            let filter = ["--where", "cookedAt == \(literal)", "--csv", "--csv-line-ending", "lf"]
            #expect(try run(arguments + filter, on: engine).lines == ["cookedAt", text])
        }
    }

    @Test(arguments: Engine.allCases)
    func `with --quick the answers are the same`(_ engine: Engine) throws {
        let questions = [
            ["info"], ["count"], ["query", "Recipe"], ["get", "Recipe", "1"], ["explain", "Recipe"],
            ["export"],
        ]
        for question in questions {
            let (slow, quick) = (try run(question, on: engine), try run(question + ["--quick"], on: engine))
            #expect(quick.status == 0 && quick.output == slow.output, "\(question)")
        }
    }

    @Test(arguments: Engine.allCases)
    func `query filters, sorts and windows`(_ engine: Engine) throws {
        let arguments = ["--where", "rating >= 3", "--sort", "rating", "--columns", "name", "--csv"]
        let all = try run(["query", "Recipe"] + arguments, on: engine)
        let second = try run(["query", "Recipe"] + arguments + ["--offset", "1"], on: engine)

        #expect(all.output == "name\r\nSoup\r\n\"Cake, \"\"the\"\" one\"\r\n")
        #expect(second.output == "name\r\n\"Cake, \"\"the\"\" one\"\r\n")
    }

    @Test(arguments: Engine.allCases)
    func `count counts one type or all`(_ engine: Engine) throws {
        #expect(try run("count", "Recipe", on: engine).output == "3\n")
        #expect(try run("count", "Recipe", "--where", "rating == nil", on: engine).output == "1\n")
        #expect(try run("count", on: engine).lines == ["type    items", "------  -----", "Recipe      3"])
        #expect(try run("count", "--json-lines", on: engine).output == "{\"type\":\"Recipe\",\"items\":3}\n")
    }

    @Test(arguments: Engine.allCases)
    func `get puts out an item, one attribute a line`(_ engine: Engine) throws {
        let run = try run("get", "Recipe", "0000000000002", on: engine)

        #expect(
            run.lines == [
                "id        0000000000002", "name      Toast\\nwith 蜂蜜", "rating    nil", "cookedAt  nil",
                "photo     <0 bytes>", "views     0", "price     0", "isVegan   false",
            ])
        #expect(run.status == 0)
    }

    @Test(arguments: Engine.allCases)
    func `get puts out what is there and ends with 1 for what is not`(_ engine: Engine) throws {
        let run = try run("get", "Recipe", "0000000000003", "0000000000009", "--json-lines", on: engine)

        #expect(run.lines.count == 1)
        #expect(run.status == 1)
        #expect(run.messages == "larder: No Recipe has the identifier 0000000000009.\n")
        let quiet = try self.run("get", "Recipe", "0000000000009", "--quiet", on: engine)
        #expect(quiet.status == 1 && quiet.messages == "")
    }

    @Test(arguments: Engine.allCases)
    func `explain names the index`(_ engine: Engine) throws {
        let run = try run("explain", "Recipe", "--where", "rating > 4", on: engine)

        #expect(run.output.contains("rating"))
        #expect(run.status == 0)
        let json = try self.run("explain", "Recipe", "--where", "rating > 4", "--json", on: engine)
        #expect(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String] == run.lines)
    }

    @Test(arguments: [(Engine.sqlite, "SQLite"), (.lmdb, "LMDB")])
    func `info tells the engine and the types`(_ engine: Engine, _ name: String) throws {
        let run = try run("info", on: engine)

        #expect(run.lines[1] == "engine             \(name)")
        #expect(
            run.lines.suffix(3) == [
                "type    items  attributes  indexes", "------  -----  ----------  -------",
                "Recipe      3           8        2",
            ])
        let json = try self.run("info", "--json", on: engine)
        let record = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(record?["engine"] as? String == name)
        #expect((record?["types"] as? [Any])?.count == 1)
    }

    @Test(arguments: Engine.allCases)
    func `info of a type tells its attributes and indexes`(_ engine: Engine) throws {
        let run = try run("info", "Recipe", on: engine)

        #expect(
            run.lines == [
                "attribute  type     required", "---------  -------  --------", "id         itemID   yes",
                "name       string   yes", "rating     double   no", "cookedAt   date     no",
                "photo      data     yes", "views      int64    yes", "price      decimal  yes",
                "isVegan    bool     yes", "", "index   unique", "------  ------", "name    yes",
                "rating  no",
            ])
    }

    @Test(arguments: Engine.allCases)
    func `check finds a sound store sound`(_ engine: Engine) throws {
        let plain = try run("check", on: engine)
        let json = try run("check", "--json", on: engine)

        #expect(plain.output == "sound\n" && plain.status == 0)
        #expect(json.output == "[]\n" && json.status == 0)
    }

    private func run(_ arguments: String..., on engine: Engine) throws -> CommandRun {
        try run(arguments, on: engine)
    }

    /// Runs a command on a store whose name does not tell the engine, and sees that nothing was changed.
    private func run(_ arguments: [String], on engine: Engine) throws -> CommandRun {
        let store = folder.url.appendingPathComponent("store")
        if !FileManager.default.fileExists(atPath: store.path) { try engine.makeStore(at: store) }
        let before = try folder.contents()

        let run = try CommandRun([arguments[0], store.path] + arguments.dropFirst())

        #expect(try folder.contents() == before)
        return run
    }
}
