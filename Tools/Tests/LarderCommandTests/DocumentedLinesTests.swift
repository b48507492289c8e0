import Foundation
import Testing

/// What the guides give to the shell is done here.
struct DocumentedLinesTests {
    private static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    @Test(arguments: [("MigrationGuide.md", 15), ("Documentation/CommandLine.md", 13)])
    func `every line for the shell ends well, one after the other beside a store`(
        _ document: String, _ count: Int
    ) throws {
        let folder = try TemporaryFolder()
        try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("recipes.sqlite"))
        let text = try String(contentsOf: Self.root.appendingPathComponent(document), encoding: .utf8)

        let lines = Self.shellLines(in: text)

        #expect(lines.count == count)
        for line in lines {
            let script = """
                larder() { "$LARDER" "$@"; }
                cd "$1" && exec > /dev/null 2>&1
                \(line)
                """
            #expect(try Shell.run(script, folder.url.path) == 0, "\(document): \(line)")
        }
    }

    /// The lines that use the command; the others make it.
    private static func shellLines(in document: String) -> [Substring] {
        document.components(separatedBy: "\n```sh\n").dropFirst()
            .flatMap { block in (block.components(separatedBy: "```").first ?? "").split(separator: "\n") }
            .filter { $0.contains("larder ") && !$0.hasPrefix("make ") && !$0.hasPrefix("alias ") }
    }
}
