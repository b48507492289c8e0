import Foundation
import Larder
import LarderLMDB
import LarderSQLite
import Testing

/// Copies between engines, and what is done with them.
struct TransferCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Engine.allCases, Engine.allCases)
    func `copy makes an equal store of any engine and leaves the source as it is`(
        _ source: Engine, _ destination: Engine
    ) throws {
        try source.makeStore(at: folder.url.appendingPathComponent("store"))
        let before = try folder.contents()

        let run = try CommandRun(copy("--engine", destination.rawValue))

        #expect(run.status == 0)
        #expect(run.output.hasPrefix("3 items copied and verified in "))
        #expect(run.messages.contains("100 % copying: 3 of 3 items"))
        #expect(try folder.contents().filter { !$0.key.hasPrefix("copy") } == before)
        #expect(try CommandRun(["verify"] + both).status == 0)
        #expect(try CommandRun(["diff"] + both).output == "")
        let info = try CommandRun(["info", folder.path("copy")]).output
        #expect(info.contains("engine             \(destination == .sqlite ? "SQLite" : "LMDB")\n"))
        #expect(info.contains("copied from        "))
    }

    @Test(arguments: [
        ("copy.sqlite", "SQLite"), ("copy.sqlite3", "SQLite"), ("copy.lmdb", "LMDB"), ("copy.MDB", "LMDB"),
    ])
    func `the name tells the engine where it can`(_ name: String, _ engine: String) throws {
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))

        let run = try CommandRun(["copy", folder.path("store"), folder.path(name), "--json"])

        #expect(run.status == 0)
        #expect(run.output.hasPrefix("{\"isResumed\":false,\"copiedItems\":3,\"skippedItems\":0,"))
        #expect(
            try CommandRun(["info", folder.path(name), "--json"]).output.contains("\"engine\":\"\(engine)\""))
    }

    @Test(arguments: ["copy", "copy.db", "copy.data"])
    func `a name that does not tell the engine ends with 64 and makes nothing`(_ name: String) throws {
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))
        let before = try folder.contents()

        let run = try CommandRun(["copy", folder.path("store"), folder.path(name)])

        #expect(run.status == 64)
        #expect(run.messages.contains("Use --engine sqlite or --engine lmdb"))
        #expect(try folder.contents() == before)
    }

    @Test(arguments: Engine.allCases)
    func `copy onto a store or a file ends with 73 and changes nothing`(_ engine: Engine) throws {
        try engine.makeStore(at: folder.url.appendingPathComponent("store"))
        try engine.other.makeStore(at: folder.url.appendingPathComponent("copy"), of: [Recipe(9, "Mine")])
        try Data("mine".utf8).write(to: folder.url.appendingPathComponent("file.lmdb"))
        let before = try folder.contents()

        let ontoStore = try CommandRun(copy("--engine", engine.other.rawValue))
        let ontoOther = try CommandRun(copy("--engine", engine.rawValue))
        let ontoFile = try CommandRun(["copy", folder.path("store"), folder.path("file.lmdb")])

        #expect([ontoStore, ontoOther, ontoFile].map(\.status) == [73, 73, 73])
        #expect(try folder.contents() == before)
    }

    @Test(arguments: Engine.allCases)
    func `copy of nothing ends with 66 and makes nothing`(_ engine: Engine) throws {
        let run = try CommandRun(copy("--engine", engine.rawValue))

        #expect(run.status == 66)
        #expect(try folder.contents().isEmpty)
    }

    @Test(arguments: Engine.allCases, [SIGINT, SIGTERM, SIGKILL])
    func `a copy that is stopped cannot be opened, and goes on when it is run again`(
        _ engine: Engine, _ signal: Int32
    ) throws {
        let recipes = (1...5000).map { Recipe($0, "Recipe \($0)") }
        try engine.makeStore(at: folder.url.appendingPathComponent("store"), of: recipes)
        let arguments = copy("--engine", engine.other.rawValue, "--batch", "1")

        let stopped = try StoppedRun(arguments, signal: signal, afterLine: "copying")

        #expect(stopped.status == (signal == SIGKILL ? -1 : 130))
        if signal != SIGKILL { #expect(stopped.lastLine.contains("continues where it stopped")) }
        #expect(try CommandRun(["count", folder.path("copy")]).status == 65)
        #expect(try CommandRun(["info", folder.path("copy")]).output.contains(", incomplete\n"))
        let resumed = try CommandRun(copy())
        #expect(resumed.status == 0)
        #expect(resumed.output.hasPrefix("5,000 items verified, "))
        #expect(try CommandRun(["diff"] + both).status == 0)
    }

    @Test(arguments: Engine.allCases)
    func `verify of an unfinished copy ends with 65 and says so, even when all items are there`(
        _ engine: Engine
    ) throws {
        let recipes = (1...5000).map { Recipe($0, "Recipe \($0)") }
        try engine.makeStore(at: folder.url.appendingPathComponent("store"), of: recipes)
        let arguments = copy("--engine", engine.other.rawValue, "--batch", "100")
        _ = try StoppedRun(arguments, signal: SIGKILL, afterLine: "verifying")

        let verification = try CommandRun(["verify"] + both)
        let difference = try CommandRun(["diff"] + both)
        let info = try CommandRun(["info", folder.path("copy")])
        let count = try CommandRun(["count", folder.path("copy")])

        #expect(verification.status == 65)
        #expect(verification.output.contains("true"))
        for run in [verification, difference, info, count] {
            #expect(run.messages.contains("The store is an unfinished copy of"), "\(run.messages)")
            #expect(run.messages.contains(folder.path("copy")))
        }
        #expect([difference, info, count].map(\.status) == [0, 0, 65])
        #expect(try CommandRun(copy()).status == 0)
        #expect(try CommandRun(["verify"] + both).messages == "")
    }

    @Test(arguments: Engine.allCases)
    func `verify and diff tell what is different, and end with 1`(_ engine: Engine) throws {
        try engine.makeStore(at: folder.url.appendingPathComponent("store"))
        try engine.other.makeStore(
            at: folder.url.appendingPathComponent("copy"),
            of: [Recipe.samples[1], Recipe(3, "Soup", rating: 3, views: 8), Recipe(4, "Tea")])

        let verification = try CommandRun(["verify"] + both + ["--csv"])
        let lines = try CommandRun(["diff"] + both)
        let rows = try CommandRun(["diff"] + both + ["--csv"])
        let first = try CommandRun(["diff"] + both + ["--limit", "1", "--json-lines"])

        #expect([verification, lines, rows, first].map(\.status) == [1, 1, 1, 1])
        #expect(
            verification.output.contains("\r\nRecipe,3,3,false,"))
        #expect(
            lines.lines == [
                "Recipe 0000000000001 is in the left store only",
                "Recipe 0000000000003 differs in views: 7 and 8",
                "Recipe 0000000000004 is in the right store only",
            ])
        #expect(
            rows.output == "difference,type,id,attribute,left,right\r\nonlyLeft,Recipe,0000000000001,,,\r\n"
                + "changed,Recipe,0000000000003,views,7,8\r\nonlyRight,Recipe,0000000000004,,,\r\n")
        #expect(first.lines.count == 1)
    }

    @Test(arguments: Engine.allCases)
    func `an item nobody can decode ends a copy, or is left out and named`(_ engine: Engine) throws {
        let store = folder.url.appendingPathComponent("store")
        try engine.makeStore(at: store, of: Recipe.samples + [Recipe(4, "Odd", price: Decimal(987_654_321))])
        var bytes = try Data(contentsOf: store)
        let place = try #require(bytes.range(of: Data("987654321".utf8)))
        bytes.replaceSubrange(place, with: Data("x87654321".utf8))
        try bytes.write(to: store)

        let stopped = try CommandRun(copy("--engine", engine.rawValue))
        let skipping = try CommandRun(copy("--skip-undecodable"))
        let export = try CommandRun(["export", store.path, folder.path("items.jsonl")])

        #expect(stopped.status == 65 && export.status == 65)
        #expect(stopped.messages.contains("Use --skip-undecodable"))
        #expect(try folder.contents()["items.jsonl"] == nil)
        #expect(skipping.status == 1)
        #expect(skipping.messages.contains("larder: left out: Recipe 0000000000004: "))
        #expect(try CommandRun(["count", folder.path("copy"), "Recipe"]).output == "3\n")
        let verification = try CommandRun(["verify"] + both + ["--csv"])
        #expect(verification.status == 1)
        #expect(verification.output.contains("\r\nRecipe,3,3,false,"), "\(verification.output)")
        #expect(verification.messages.contains("store: 1 row of Recipe cannot be decoded\n"))
    }

    @Test func `a store is not compared with itself`() throws {
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))

        let run = try CommandRun(["diff", folder.path("store"), folder.path("store")])

        #expect(run.status == 64)
        #expect(run.messages.contains("Name two different stores."))
    }

    @Test(arguments: Engine.allCases)
    func `finalize sets the store aside and rollback brings it back`(_ engine: Engine) throws {
        try engine.makeStore(at: folder.url.appendingPathComponent("store"))
        #expect(try CommandRun(copy("--engine", engine.other.rawValue)).status == 0)

        #expect(try CommandRun(["finalize"] + both).status == 0)
        #expect(try CommandRun(["finalize"] + both).status == 0)
        let moved = try CommandRun(["count", folder.path("store")])
        #expect(moved.status == 66)
        #expect(moved.messages.contains("The store was moved to "))
        #expect(moved.messages.contains(folder.path("copy")))
        #expect(moved.messages.contains("larder rollback"))
        #expect(try CommandRun(["copy", folder.path("copy"), folder.path("store")]).status == 73)
        #expect(try CommandRun(["count", folder.path("store.before-transfer"), "Recipe"]).output == "3\n")

        #expect(try CommandRun(["rollback"] + both).status == 0)
        #expect(try CommandRun(["rollback"] + both).status == 0)
        #expect(try CommandRun(["count", folder.path("store"), "Recipe"]).output == "3\n")
        #expect(try CommandRun(["count", folder.path("store.before-transfer")]).status == 66)
    }

    @Test(arguments: Engine.allCases)
    func `a move goes on under another path of the folder`(_ engine: Engine) throws {
        let before = folder.url.appendingPathComponent("before")
        try FileManager.default.createDirectory(at: before, withIntermediateDirectories: false)
        let recipes = (1...5000).map { Recipe($0, "Recipe \($0)") }
        try engine.makeStore(at: before.appendingPathComponent("store"), of: recipes)
        func pair(_ name: String) -> [String] { [folder.path(name + "/store"), folder.path(name + "/copy")] }
        func rename(_ name: String, to newName: String) throws {
            try FileManager.default.moveItem(atPath: folder.path(name), toPath: folder.path(newName))
        }
        let options = ["--engine", engine.other.rawValue, "--batch", "1"]
        _ = try StoppedRun(["copy"] + pair("before") + options, signal: SIGKILL, afterLine: "copying")

        try rename("before", to: "after")
        #expect(try CommandRun(["copy"] + pair("after")).status == 0)
        try rename("after", to: "later")
        #expect(try CommandRun(["finalize"] + pair("later")).status == 0)
        try rename("later", to: "last")
        let moved = try CommandRun(["info", pair("last")[0]])
        #expect(moved.messages.contains(pair("last")[1]))
        #expect(try CommandRun(["rollback"] + pair("last")).status == 0)
        #expect(try CommandRun(["count", pair("last")[0], "Recipe"]).output == "5000\n")
    }

    @Test(arguments: Engine.allCases)
    func `finalize refuses a store that was written to since, and one that is no copy`(_ engine: Engine)
        throws
    {
        let store = folder.url.appendingPathComponent("store")
        try engine.makeStore(at: store)
        try engine.makeStore(at: folder.url.appendingPathComponent("another"))
        #expect(try CommandRun(copy("--engine", engine.other.rawValue)).status == 0)
        try engine.withStore(at: store) { store in
            try store.writeSync { try $0.insert(contentsOf: [Recipe(9, "Late")]) }
        }

        let changed = try CommandRun(["finalize"] + both)
        let foreign = try CommandRun(["finalize", store.path, folder.path("another")])

        #expect(changed.status == 65 && foreign.status == 65)
        #expect(foreign.messages.contains("Name the copy."), "\(foreign.messages)")
        #expect(!foreign.messages.contains("delete"), "\(foreign.messages)")
        #expect(try CommandRun(["count", store.path, "Recipe"]).output == "4\n")
    }

    @Test(arguments: Engine.allCases)
    func `finalize of a store whose copy was written to as well advises to compare the two`(_ engine: Engine)
        throws
    {
        try engine.makeStore(at: folder.url.appendingPathComponent("store"))
        #expect(try CommandRun(copy("--engine", engine.other.rawValue)).status == 0)
        for (engine, name) in [(engine, "store"), (engine.other, "copy")] {
            try engine.withStore(at: folder.url.appendingPathComponent(name)) { store in
                try store.writeSync { try $0.insert(contentsOf: [Recipe(9, "Late")]) }
            }
        }

        let run = try CommandRun(["finalize"] + both)

        #expect(run.status == 65)
        #expect(run.messages.contains("larder diff"), "\(run.messages)")
        #expect(!run.messages.contains("--discard-changes"), "\(run.messages)")
        #expect(try CommandRun(["count", folder.path("store"), "Recipe"]).output == "4\n")
    }

    @Test(arguments: Engine.allCases)
    func `rollback leaves changes in the copy behind only when told to`(_ engine: Engine) throws {
        try engine.makeStore(at: folder.url.appendingPathComponent("store"))
        #expect(try CommandRun(copy("--engine", engine.other.rawValue)).status == 0)
        #expect(try CommandRun(["finalize"] + both).status == 0)
        try engine.other.withStore(at: folder.url.appendingPathComponent("copy")) { store in
            try store.writeSync { try $0.insert(contentsOf: [Recipe(9, "Late")]) }
        }

        #expect(try CommandRun(["rollback"] + both).status == 65)
        #expect(try CommandRun(["rollback"] + both + ["--discard-changes"]).status == 0)
        #expect(try CommandRun(["count", folder.path("store"), "Recipe"]).output == "3\n")
    }

    @Test(arguments: Engine.allCases)
    func `rollback restores a store whose copy is lost or damaged`(_ engine: Engine) throws {
        try engine.makeStore(at: folder.url.appendingPathComponent("store"))
        #expect(try CommandRun(copy("--engine", engine.other.rawValue)).status == 0)
        #expect(try CommandRun(["finalize"] + both).status == 0)
        let copied = folder.url.appendingPathComponent("copy")
        let bytes = try Data(contentsOf: copied)
        try FileManager.default.removeItem(at: copied)

        let lost = try CommandRun(["rollback"] + both)
        #expect(lost.status == 66)
        #expect(lost.messages.contains("The copy no longer exists"))
        // Of LMDB's file, only the pages that lead to all others.
        for damaged in [bytes.prefix(2 * Int(getpagesize())), Data("no store".utf8)] {
            try bytes.write(to: copied)
            #expect(try CommandRun(["finalize"] + both).status == 0)
            try damaged.write(to: copied)
            #expect(try CommandRun(["rollback"] + both).status == 65)
            for _ in 0..<2 {
                let restored = try CommandRun(["rollback"] + both + ["--discard-changes"])
                #expect(restored.status == 0, "\(restored.messages)")
                #expect(restored.output == "\(folder.path("store")) is in its place\n")
            }
            #expect(try CommandRun(["count", folder.path("store"), "Recipe"]).output == "3\n")
        }
        try FileManager.default.removeItem(at: copied)
        #expect(try CommandRun(["rollback"] + both + ["--discard-changes"]).status == 0)
    }

    private var both: [String] { [folder.path("store"), folder.path("copy")] }

    private func copy(_ options: String...) -> [String] { ["copy"] + both + options }
}
