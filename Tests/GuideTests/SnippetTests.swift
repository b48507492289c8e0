import Foundation
import Testing

/// The guides promise code that compiles: all of it stands in the sources of these tests, word for word.
struct SnippetTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    @Test(arguments: [
        ("MigrationGuide.md", 96), ("Documentation/Testing.md", 14), ("Documentation/Transfer.md", 2),
        ("Documentation/FAQ.md", 5), ("Documentation/Apple.md", 4), ("Documentation/Diagnostics.md", 2),
        ("Documentation/Hooks.md", 5), ("Documentation/Blocks.md", 5), ("Documentation/SeveralStores.md", 2),
        ("Documentation/WritingAnAdapter.md", 3),
    ])
    func `all code in Swift is part of what is compiled and run here`(_ document: String, _ count: Int) throws
    {
        let root = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let sources = try names.map { name in
            try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
        }

        let snippets = Snippet.all(in: text, language: "swift")

        #expect(snippets.count == count)
        for snippet in snippets {
            let isThere = sources.contains(where: snippet.isPart)
            #expect(isThere, "\(document), \(snippet)")
        }
    }

    @Test func `the code on child stores in the README is compiled and run here`() throws {
        let root = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let source = try String(
            contentsOf: Self.folder.appendingPathComponent("ChildGuideTests.swift"), encoding: .utf8)
        let section = try #require(readme.components(separatedBy: "\n## Child stores\n").last)

        let snippet = try #require(Snippet.all(in: section, language: "swift").first)

        #expect(snippet.isPart(of: source))
    }

    @Test func `a snippet is found at any indentation, and not when anything else differs`() throws {
        let document = "# A\n\n```swift\nif a {\n    b()\n\n}\n```\n\n```text\nc\n```\n"

        let snippets = Snippet.all(in: document, language: "swift")

        #expect(snippets.map(\.lineNumber) == [4])
        let snippet = try #require(snippets.first)
        #expect(snippet.isPart(of: "if a {\n    b()\n\n}"))
        #expect(snippet.isPart(of: "do {\n    if a {\n        b()\n\n    }\n}\n"))
        #expect(!snippet.isPart(of: "    if a {\n    b()\n\n    }"))
        #expect(!snippet.isPart(of: "if a {\n    b()\n}"))
        #expect(!snippet.isPart(of: "if a {\n    c()\n\n}"))
        #expect(!snippet.isPart(of: "if a {\n    b()\n"))
    }
}
