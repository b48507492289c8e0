import Foundation
import Larder
import Testing

/// The commands that make or rewrite files.
struct ToolCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Engine.allCases)
    func `backup makes a store with the same items and leaves the first as it is`(_ engine: Engine) throws {
        let store = folder.url.appendingPathComponent("store")
        try engine.makeStore(at: store)
        let before = try folder.contents()

        let run = try CommandRun(["backup", store.path, folder.path("copy")])

        #expect(run.status == 0 && run.output == "" && run.messages == "")
        #expect(try folder.contents().filter { $0.key != "copy" } == before)
        let rows = try ["store", "copy"].map {
            try CommandRun(["query", folder.path($0), "Recipe", "--csv"]).output
        }
        #expect(rows[0] == rows[1])
    }

    @Test(arguments: Engine.allCases)
    func `backup to a name that is taken ends with 73 and changes nothing`(_ engine: Engine) throws {
        let store = folder.url.appendingPathComponent("store")
        try engine.makeStore(at: store)
        try Data("mine".utf8).write(to: folder.url.appendingPathComponent("copy"))
        let before = try folder.contents()

        let run = try CommandRun(["backup", store.path, folder.path("copy")])

        #expect(run.status == 73)
        #expect(try folder.contents() == before)
    }

    @Test(arguments: Engine.allCases)
    func `backup to a folder that is not there ends with 73`(_ engine: Engine) throws {
        try engine.makeStore(at: folder.url.appendingPathComponent("store"))

        let run = try CommandRun(["backup", folder.path("store"), folder.path("a/b/c/copy")])

        #expect(run.status == 73)
    }

    @Test(arguments: Engine.allCases)
    func `compact gives empty pages back and keeps the items`(_ engine: Engine) throws {
        let store = folder.url.appendingPathComponent("store")
        let photo = Data(repeating: 1, count: 100_000)
        try engine.makeStore(at: store, of: (10..<60).map { Recipe($0, "Recipe \($0)", photo: photo) })
        try engine.withStore(at: store) { store in
            try store.writeSync { accessor in
                try accessor.deleteAllItems(of: Recipe.self)
                try accessor.insert(contentsOf: Recipe.samples)
            }
        }

        let run = try CommandRun(["compact", store.path])

        #expect(run.status == 0)
        #expect(run.output.hasSuffix(" kB now\n") && run.output.contains("MB before, "))
        #expect(try CommandRun(["count", store.path, "Recipe"]).output == "3\n")
        #expect(try CommandRun(["check", store.path]).output == "sound\n")
    }

    @Test(arguments: Engine.allCases)
    func `what is damaged is not compacted`(_ engine: Engine) throws {
        let store = folder.url.appendingPathComponent("store")
        try engine.makeStore(at: store)
        var bytes = try Data(contentsOf: store)
        bytes.removeLast(bytes.count / 2)
        try bytes.write(to: store)
        let before = try folder.contents()

        #expect(try CommandRun(["compact", store.path]).status == 65)
        #expect(try folder.contents() == before)
    }
}
