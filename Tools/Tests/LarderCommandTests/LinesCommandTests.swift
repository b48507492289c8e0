import Foundation
import Testing

/// Export to JSON Lines and import from them.
struct LinesCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Engine.allCases, Engine.allCases)
    func `what was exported is imported into an equal store of any engine`(
        _ source: Engine, _ destination: Engine
    ) throws {
        try source.makeStore(at: folder.url.appendingPathComponent("store"))

        let export = try CommandRun(["export", folder.path("store"), folder.path("items.jsonl")])
        let piped = try CommandRun(["export", folder.path("store")])
        let imported = try CommandRun(
            ["import", folder.path("items.jsonl"), folder.path("copy"), "--engine", destination.rawValue])

        #expect(export.status == 0 && export.output == "" && imported.status == 0)
        #expect(try String(contentsOfFile: folder.path("items.jsonl"), encoding: .utf8) == piped.output)
        #expect(imported.output.hasPrefix("3 items imported and verified"))
        #expect(try CommandRun(["verify", folder.path("store"), folder.path("copy")]).status == 0)
    }

    @Test func `lines are read from the standard input`() throws {
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))
        let lines = try CommandRun(["export", folder.path("store")]).output

        let run = try CommandRun(["import", "-", folder.path("copy.lmdb"), "--json"], input: lines)

        #expect(run.status == 0)
        #expect(run.output.contains("\"copiedItems\":3"))
    }

    @Test func `lines go through a pipe`() throws {
        try Engine.lmdb.makeStore(at: folder.url.appendingPathComponent("store"))

        let status = try Shell.run(
            """
            "$LARDER" export "$1/store" 2>&- | gzip | gunzip \
                | "$LARDER" import - "$1/copy.sqlite" 2>&- > /dev/null
            """, folder.url.path)

        #expect(status == 0)
        #expect(try CommandRun(["verify", folder.path("store"), folder.path("copy.sqlite")]).status == 0)
    }

    @Test(arguments: Engine.allCases)
    func `messages to a closed standard error are not written into a file of the store`(_ engine: Engine)
        throws
    {
        try engine.makeStore(at: folder.url.appendingPathComponent("store"))

        let status = try Shell.run(
            #""$LARDER" copy "$1/store" "$1/copy.lmdb" <&- 2>&- >/dev/null"#, folder.url.path)

        #expect(status == 0)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            let bytes = try Data(contentsOf: folder.url.appendingPathComponent(name))
            #expect(bytes.range(of: Data("copying".utf8)) == nil, "\(name)")
        }
        #expect(try CommandRun(["verify", folder.path("store"), folder.path("copy.lmdb")]).status == 0)
    }

    @Test(arguments: Engine.allCases)
    func `an import that fails names the line, ends with 65 and leaves nothing`(_ engine: Engine) throws {
        try engine.makeStore(at: folder.url.appendingPathComponent("store"))
        var lines = try CommandRun(["export", folder.path("store")]).lines
        lines[2] = lines[2].replacingOccurrences(of: ":false", with: ":1")
        let before = try folder.contents()

        let broken = try CommandRun(
            ["import", "-", folder.path("copy"), "--engine", engine.rawValue],
            input: lines.map { $0 + "\n" }.joined())
        let cut = try CommandRun(
            ["import", "-", folder.path("copy"), "--engine", engine.rawValue],
            input: lines.prefix(2).map { $0 + "\n" }.joined())
        let foreign = try CommandRun(
            ["import", "-", folder.path("copy"), "--engine", engine.rawValue], input: "{}\n")

        #expect([broken, cut, foreign].map(\.status) == [65, 65, 65])
        #expect(broken.messages.contains("ine 3"))
        #expect(try folder.contents() == before)
    }

    @Test(arguments: Engine.allCases)
    func `an import that was stopped leaves nothing, and one that was killed half a store to start over with`(
        _ engine: Engine
    ) throws {
        let recipes = (1...3000).map { Recipe($0, "Recipe \($0)") }
        try engine.makeStore(at: folder.url.appendingPathComponent("store"), of: recipes)
        #expect(try CommandRun(["export", folder.path("store"), folder.path("items.jsonl")]).status == 0)
        let before = try folder.contents()
        let arguments = [
            "import", folder.path("items.jsonl"), folder.path("copy"), "--engine", engine.rawValue, "--batch",
            "1",
        ]

        let stopped = try StoppedRun(arguments, signal: SIGINT, afterLine: "importing")
        #expect(stopped.status == 130)
        #expect(stopped.lastLine.hasSuffix("Run it again; the incomplete store was removed."))
        #expect(try folder.contents() == before)

        let killed = try StoppedRun(arguments, signal: SIGKILL, afterLine: "10 % importing")
        #expect(killed.status == -1)
        #expect(try CommandRun(["count", folder.path("copy")]).status == 65)
        let again = try CommandRun(Array(arguments.dropLast(2)))
        #expect(again.status == 0)
        #expect(again.output.hasPrefix("3,000 items imported and verified"))
        #expect(try CommandRun(["verify", folder.path("store"), folder.path("copy")]).status == 0)
        #expect(try CommandRun(arguments).status == 73)
    }

    @Test(arguments: Engine.allCases)
    func `an import that fails leaves a store alone that another process has begun meanwhile`(
        _ engine: Engine
    ) throws {
        let recipes = (1...5000).map { Recipe($0, "Recipe \($0)") }
        try engine.makeStore(at: folder.url.appendingPathComponent("store"), of: recipes)
        let copy = ["copy", folder.path("store"), folder.path("copy"), "--engine", engine.rawValue]
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = CommandRun.executable
        process.arguments = ["import", "-", folder.path("copy"), "--engine", engine.rawValue]
        process.standardInput = pipe
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let input = pipe.fileHandleForWriting

        // More than a pipe holds: when it is written, the import has seen that there is no store, and reads.
        try input.write(contentsOf: Data(repeating: UInt8(ascii: " "), count: 1 << 20))
        let killed = try StoppedRun(copy + ["--batch", "1"], signal: SIGKILL, afterLine: "copying")
        try input.write(contentsOf: Data("{}\n".utf8))
        try input.close()
        process.waitUntilExit()

        #expect(killed.status == -1)
        #expect(process.terminationStatus == 65)
        #expect(try CommandRun(["info", folder.path("copy")]).output.contains(", incomplete\n"))
        #expect(try CommandRun(copy).output.hasPrefix("5,000 items verified, "))
    }

    @Test func `an import or export to a name that is taken ends with 73 and changes nothing`() throws {
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store.sqlite"))
        let before = try folder.contents()

        let imported = try CommandRun(["import", "-", folder.path("store.sqlite")], input: "{}\n")
        let exported = try CommandRun(["export", folder.path("store.sqlite"), folder.path("store.sqlite")])

        #expect(imported.status == 73 && exported.status == 73)
        #expect(try folder.contents() == before)
    }

    @Test func `an import of nothing ends with 66 and makes nothing`() throws {
        let run = try CommandRun(["import", folder.path("missing.jsonl"), folder.path("copy.sqlite")])

        #expect(run.status == 66)
        #expect(try folder.contents().isEmpty)
    }
}
