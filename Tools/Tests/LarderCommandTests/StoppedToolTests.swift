import Foundation
import Testing

/// Ctrl-C while a tool works: nothing is left behind, and the store is as it was.
struct StoppedToolTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Engine.allCases, ["check", "backup", "compact"])
    func `a tool that is stopped ends with 130 and leaves nothing behind`(
        _ engine: Engine, _ command: String
    ) throws {
        let store = folder.url.appendingPathComponent("store")
        let photo = Data(repeating: 1, count: 2_000)
        try engine.makeStore(at: store, of: (1...20_000).map { Recipe($0, "Recipe \($0)", photo: photo) })
        // So that the first thing that it does can be seen: LMDB makes a lock file where there is none.
        for suffix in ["-lock", "-writer"] {
            try? FileManager.default.removeItem(atPath: store.path + suffix)
        }
        let before = try folder.contents()
        let arguments = [command, store.path] + (command == "backup" ? [folder.path("copy")] : [])

        let stopped = try StoppedRun(arguments, signal: SIGINT, onceWorkingIn: folder)

        #expect(stopped.status == 130)
        #expect(stopped.lastLine.hasSuffix("was cancelled. Repeat it; nothing was changed."))
        #expect(try folder.contents() == before)
        #expect(try CommandRun(arguments).status == 0)
    }
}
