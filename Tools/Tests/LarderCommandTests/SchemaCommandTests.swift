import Foundation
import Testing

/// The shape of a store, and the comparison of two.
struct SchemaCommandTests {
    private let folder: TemporaryFolder

    private static let recipe = """
        Recipe
          id: itemID
          cookedAt: date?
          isVegan: bool
          name: string
          photo: data
          price: decimal
          rating: double?
          views: int64

        """

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
        return folder.path(name)
    }

    private func store(_ engine: Engine) throws -> String {
        try engine.makeStore(at: folder.url.appendingPathComponent("store"))
        return folder.path("store")
    }

    @Test(arguments: Engine.allCases)
    func `the shape of a store is printed and read again, and the store stays as it was`(
        _ engine: Engine
    ) throws {
        let store = try store(engine)
        let before = try folder.contents()

        let run = try CommandRun(["schema", store])

        #expect(run.status == 0)
        #expect(run.output.hasPrefix(Self.recipe.dropLast()))
        #expect(try folder.contents() == before)
        let shape = try file("1.shape", run.output)
        #expect(try CommandRun(["schema", shape]).output == run.output)
        let hash = try CommandRun(["schema", store, "--hash"])
        #expect(hash.lines.first?.utf8.count == 32 && hash.lines.count == 1)
        #expect(try CommandRun(["schema", shape, "--hash"]).output == hash.output)
        let equal = try CommandRun(["schema", store, "--compare", shape])
        #expect(equal.status == 0 && equal.output == "")
    }

    @Test(arguments: Engine.allCases)
    func `a comparison prints the changes and exits with 1`(_ engine: Engine) throws {
        let store = try store(engine)
        let text = try CommandRun(["schema", store]).output
        let later = try file(
            "2.shape",
            text.replacing("views: int64", with: "views: double").replacing("  photo: data\n", with: "")
                + "Tag\n  id: string\n")

        let run = try CommandRun(["schema", store, "--compare", later])

        #expect(run.status == 1)
        #expect(
            run.lines == [
                "Tag is new", "Recipe.photo is gone", "Recipe.views is double, and was int64",
            ])
        #expect(try CommandRun(["schema", later, "--compare", store]).lines.first == "Tag is gone")
    }

    @Test func `a file that is neither is refused, and a wrong line is shown`() throws {
        let wrong = try file("wrong.shape", "Recipe\n  id: number\n")
        let binary = folder.path("binary")
        try Data([0xFF, 0, 1]).write(to: URL(fileURLWithPath: binary))

        let run = try CommandRun(["schema", wrong])

        #expect(run.status == 65)
        #expect(run.messages.contains("\"number\" is not a type of attributes in line 2"))
        #expect(run.messages.contains("\n    id: number\n"))
        #expect(try CommandRun(["schema", binary]).status == 65)
        #expect(try CommandRun(["schema", folder.path("missing")]).status == 66)
        #expect(try CommandRun(["schema", folder.url.path]).status == 66)
        #expect(try CommandRun(["schema", wrong, "--hash", "--compare", wrong]).status == 64)
    }
}
