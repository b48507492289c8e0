import Foundation
import Larder
import Testing

/// What commands say and end with when something is not as it should be; nothing is made or changed by then.
struct FailingCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: ["info", "count", "check", "compact"])
    func `a path that leads nowhere ends with 66 and makes nothing`(_ command: String) throws {
        let run = try CommandRun([command, folder.path("missing.sqlite")])

        #expect(run.status == 66)
        #expect(run.output == "")
        #expect(
            run.messages
                == "larder: \(folder.path("missing.sqlite")): No such file exists. Check the path.\n")
        #expect(try folder.contents().isEmpty)
    }

    @Test(arguments: ["info", "count", "check", "compact"])
    func `a file that is no store ends with 65 and stays as it is`(_ command: String) throws {
        let file = folder.url.appendingPathComponent("notes.txt")
        try Data("no store".utf8).write(to: file)

        let run = try CommandRun([command, file.path])

        #expect(run.status == 65)
        #expect(run.messages.hasPrefix("larder: \(file.path): The file is not a Larder store"))
        #expect(run.messages.split(separator: "\n").count == 1)
        #expect(try folder.contents() == ["notes.txt": Data("no store".utf8)])
    }

    @Test func `a folder ends with 66`() throws {
        let run = try CommandRun(["info", folder.url.path])

        #expect(run.status == 66)
        #expect(
            run.messages
                == "larder: \(folder.url.path): This is a folder; a store is a file. "
                + "Use the path of the file.\n")
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))
        let copy = try CommandRun(["copy", folder.path("store"), folder.url.path, "--engine", "lmdb"])
        #expect(copy.status == 73)
        #expect(copy.messages.contains("This is a folder; a store is a file."))
    }

    @Test func `an address in the place of a file ends with 64, and is not printed`() throws {
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))
        let before = try folder.contents()
        let address = "postgresql://app:hunter2@db.example.com/kitchen?schema=recipes"

        for arguments in [
            ["backup", folder.path("store"), address], ["export", folder.path("store"), address],
            ["import", address, folder.path("copy.sqlite")],
            ["import", address, folder.path("store"), "--mapping", address],
        ] {
            let run = try CommandRun(arguments)

            #expect(run.status == 64, "\(arguments[0])")
            #expect(run.messages.contains("Use the path of a file"), "\(run.messages)")
            #expect(!(run.output + run.messages).contains("hunter2"))
        }
        #expect(try folder.contents() == before)
    }

    @Test func `a mistake in a filter is shown on lines of its own`() throws {
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))

        let run = try CommandRun(["query", folder.path("store"), "Recipe", "--where", "rating > > 4"])

        #expect(run.status == 64)
        let lines = run.messages.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 5)
        #expect(lines[0].hasPrefix("larder: ") && lines[0].hasSuffix(" at column 10:"))
        #expect(lines[1] == "    rating > > 4")
        #expect(lines[2] == "             ^")
    }

    @Test func `control characters that the user typed do not reach the terminal`() throws {
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))

        let run = try CommandRun(["count", folder.path("store"), "Rec\u{1B}[2J\nlarder: done"])

        #expect(run.status == 64)
        #expect(run.messages.hasPrefix("larder: The store has no item type \"Rec\\u{1b}[2J\\nlarder: done\""))
        #expect(run.messages.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        ("\u{1B}[2J\nlarder: done", "\\u{1b}[2J\\nlarder: done"),
        ("postgresql://app:hunter2@db.example.com/kitchen?schema=recipes", "postgresql://…"),
        ("copy=postgres://app:hunter2@db.example.com/kitchen?schema=recipes", "copy=postgresql://…"),
    ])
    func `a word too many is repeated as it may be printed`(_ word: String, _ printed: String) throws {
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))

        let run = try CommandRun(["count", folder.path("store"), "Recipe", word])

        #expect(run.status == 64)
        #expect(run.messages.hasPrefix("Error: Unexpected argument '\(printed)'\n"), "\(run.messages)")
    }

    @Test func `a path that is not UTF-8 ends with 64, is named, and is no other file`() throws {
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("caf\u{FFFD}"))
        let before = try folder.contents()

        let status = try Shell.run(
            """
            cd "$1" && messages=$("$LARDER" count "$(printf 'caf\\351')" 2>&1); number=$?
            case $messages in
            'larder: "caf\\xe9" is not UTF-8'*) exit $number ;;
            *) echo "$messages"; exit 1 ;;
            esac
            """, folder.url.path)

        #expect(status == 64)
        #expect(try folder.contents() == before)
    }

    @Test func `damage that SQLite reports on several lines has a line for each problem`() throws {
        let store = folder.url.appendingPathComponent("store")
        try Engine.sqlite.makeStore(at: store, of: (1...400).map { Recipe($0, "Recipe \($0)") })
        var bytes = try Data(contentsOf: store)
        // The last page is one of an index, or of the table.
        bytes.replaceSubrange(bytes.count - 4096..<bytes.count, with: Data(count: 4096))
        try bytes.write(to: store)

        let slow = try CommandRun(["info", store.path, "Recipe"])
        let quick = try CommandRun(["info", store.path, "Recipe", "--quick"])

        #expect(slow.status == 65)
        #expect(!slow.messages.contains("\\n") && !slow.messages.contains("***"))
        // It reads the schema only, which is sound.
        #expect(quick.status == 0)
    }

    @Test(arguments: [
        ["query", "Recipes"], ["query", "Recipe", "--where", "rating >"],
        ["query", "Recipe", "--where", "stars > 1"],
        ["query", "Recipe", "--sort", "stars"], ["query", "Recipe", "--columns", "name,stars"],
        ["query", "Recipe", "--limit", "-1"], ["get", "Recipe", "no identifier!"], ["query"],
        ["count", "--where", "x == 1"], ["query", "Recipe", "--json", "--csv"], ["nonsense"],
    ])
    func `a command line that cannot be understood ends with 64`(_ arguments: [String]) throws {
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))

        let run = try CommandRun([arguments[0], folder.path("store")] + arguments.dropFirst())

        #expect(run.status == 64)
        #expect(run.output == "")
    }

    @Test(arguments: [[], ["--json"], ["--json-lines"], ["--csv"]] as [[String]])
    func `an identifier that cannot be one ends with 64 before any item is printed`(_ form: [String]) throws {
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))

        let run = try CommandRun(["get", folder.path("store"), "Recipe", "1", "no identifier!"] + form)

        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(
            run.messages.contains("\"no identifier!\" is not an identifier of Recipe."), "\(run.messages)")
    }

    @Test func `an unknown type is answered with the one that was meant`() throws {
        try Engine.lmdb.makeStore(at: folder.url.appendingPathComponent("store"))

        let run = try CommandRun(["count", folder.path("store"), "Recipes"])

        #expect(run.messages.contains("Did you mean \"Recipe\"?"))
    }

    @Test(arguments: Engine.allCases)
    func `a damaged store ends with 65 and stays as it is`(_ engine: Engine) throws {
        let store = folder.url.appendingPathComponent("store")
        try engine.makeStore(at: store)
        var bytes = try Data(contentsOf: store)
        bytes.removeLast(bytes.count / 2)
        try bytes.write(to: store)
        let before = try folder.contents()

        let plain = try CommandRun(["count", store.path])
        let verbose = try CommandRun(["count", store.path, "--verbose"])

        #expect(plain.status == 65 && verbose.status == 65)
        #expect(plain.messages.split(separator: "\n").count == 1)
        #expect(verbose.messages.hasPrefix(plain.messages + "  code: damaged\n"))
        #expect(try folder.contents() == before)
    }

    @Test func `a store whose log another process has taken ends with 77, and the log stays`() throws {
        let store = folder.url.appendingPathComponent("store")
        try Engine.sqlite.makeStore(at: store)
        let log = folder.url.appendingPathComponent("store-wal")
        let (file, commit) = try Engine.sqlite.withStore(at: store) { opened in
            try opened.writeSync { try $0.insert(contentsOf: [Recipe(4, "Tea")]) }
            return (try Data(contentsOf: store), try Data(contentsOf: log))
        }
        try file.write(to: store)
        let aside = folder.url.appendingPathComponent("store.set-aside-1")
        try FileManager.default.createDirectory(at: aside, withIntermediateDirectories: false)
        #expect(link(store.path, aside.appendingPathComponent("store").path) == 0)
        try commit.write(to: aside.appendingPathComponent("store-wal"))

        let run = try CommandRun(["count", store.path])

        #expect(run.status == 77)
        #expect(
            run.messages.hasSuffix(
                "/store.set-aside-1: a process has not ended setting the store aside. "
                    + "Open the store once for writing, so that it gets the log back.\n"))
        #expect(try folder.names() == ["store", "store.set-aside-1"])
        #expect(try Data(contentsOf: aside.appendingPathComponent("store-wal")) == commit)
    }

    @Test func `an output that cannot be written ends with 74`() throws {
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))

        let status = try Shell.run(
            "\"$LARDER\" query \"$1\" Recipe > /dev/full 2> /dev/null", folder.path("store"))

        #expect(status == 74)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/bin/bash")), arguments: Engine.allCases)
    func `a reader that goes ends with 141, without a word and without a trace`(_ engine: Engine) throws {
        let recipes = (1...5000).map { Recipe($0, "A recipe with a long enough name and the number \($0)") }
        try engine.makeStore(at: folder.url.appendingPathComponent("store"), of: recipes)
        let before = try folder.contents()

        let status = try Shell.run(
            """
            messages=$("$LARDER" query "$1/store" Recipe --csv 2>&1 > >(head -n 1 > /dev/null)); number=$?
            [ -z "$messages" ] && exit $number
            """, folder.url.path, shell: "/bin/bash")

        #expect(status == 141)
        #expect(try folder.contents() == before)
    }

    @Test func `the version is that of the newest heading in the changelog`() throws {
        let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent()
        }
        let changes = try String(contentsOf: root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
        let heading = changes.split(separator: "\n").first { $0.hasPrefix("## ") }

        let run = try CommandRun(["--version"])

        #expect(run.status == 0)
        #expect("## " + run.output == (heading ?? "") + "\n")
    }

    @Test func `help and errors of usage name the commands`() throws {
        let help = try CommandRun(["--help"])

        #expect(help.status == 0)
        #expect(help.output.contains("EXIT STATUS") && help.output.contains("query"))
        #expect(try CommandRun(["query", "--help"]).output.contains("--where"))
    }
}
