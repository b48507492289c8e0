import Foundation
import Testing

/// Ctrl-C while a command works: nothing is left behind, and the stores are as they were.
struct StoppedToolTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Engine.allCases, ["check", "backup", "compact"])
    func `a tool that is stopped ends with 130 and leaves nothing behind`(
        _ engine: Engine, _ command: String
    ) throws {
        try makeLargeStore(engine)
        try removeLockFiles()
        let before = try folder.contents()
        let arguments = [command, folder.path("store")] + (command == "backup" ? [folder.path("copy")] : [])

        let stopped = try StoppedRun(arguments, signal: SIGINT, onceWorkingIn: folder)

        #expect(stopped.status == 130)
        #expect(stopped.lastLine.hasSuffix("was cancelled. Repeat it; nothing was changed."))
        #expect(try folder.contents() == before)
        let again = try CommandRun(arguments)
        #expect(again.status == 0, "\(again.messages)")
    }

    @Test(arguments: Engine.allCases)
    func `verify, finalize and rollback that are stopped end with 130 and move nothing`(_ engine: Engine)
        throws
    {
        try makeLargeStore(engine, count: 8_000)
        let both = [folder.path("store"), folder.path("copy")]
        #expect(try CommandRun(["copy"] + both + ["--engine", engine.other.rawValue]).status == 0)
        for command in ["verify", "finalize", "rollback"] {
            try removeLockFiles()
            let before = try folder.contents()

            let stopped = try StoppedRun([command] + both, signal: SIGINT, onceWorkingIn: folder)

            #expect(stopped.status == 130, "\(command)")
            #expect(try folder.contents() == before, "\(command)")
            #expect(try CommandRun([command] + both).status == 0, "\(command)")
        }
    }

    @Test(arguments: Engine.allCases, ["query", "count"])
    func `a walk that finds nothing stops at the next row and ends with 130`(
        _ engine: Engine, _ command: String
    ) throws {
        try makeLargeStore(engine, photo: Data())
        try removeLockFiles()
        // So much to do for each row that the signal comes in the midst of it, on any machine.
        let filter = (0..<300).map { "name CONTAINS[c] \"none \($0)\"" }.joined(separator: " OR ")

        let stopped = try StoppedRun(
            [command, folder.path("store"), "Recipe", "--where", filter, "--quick"], signal: SIGINT,
            onceWorkingIn: folder)

        #expect(stopped.status == 130)
        #expect(stopped.lastLine == "larder: The reading was cancelled. Repeat it; nothing was changed.")
    }

    @Test(arguments: Engine.allCases, ["query", "diff", "export"])
    func `a walk whose answer is being written stops at the next row and ends with 130`(
        _ engine: Engine, _ command: String
    ) throws {
        try makeLargeStore(engine, photo: Data())
        try engine.other.makeStore(at: folder.url.appendingPathComponent("other"), of: [])
        let arguments = [
            "query": ["query", folder.path("store"), "Recipe"],
            "diff": ["diff", folder.path("store"), folder.path("other")],
            "export": ["export", folder.path("store")],
        ]

        let stopped = try StoppedRun(arguments[command] ?? [], signal: SIGINT, afterOutputOf: 1)

        #expect(stopped.status == 130)
        #expect(stopped.lastLine.hasPrefix("larder: The "))
    }

    private func makeLargeStore(
        _ engine: Engine, count: Int64 = 20_000, photo: Data = Data(repeating: 1, count: 2_000)
    ) throws {
        let recipes = (1...count).map { Recipe($0, "Recipe \($0)", photo: photo) }
        try engine.makeStore(at: folder.url.appendingPathComponent("store"), of: recipes)
    }

    /// So that the first thing a command does can be seen: LMDB makes a lock file where there is none.
    private func removeLockFiles() throws {
        for name in try folder.names() where name.hasSuffix("-lock") || name.hasSuffix("-writer") {
            try FileManager.default.removeItem(atPath: folder.path(name))
        }
    }
}
