import Foundation
import Testing

/// The README promises code that compiles; it is the quick start, which is built with the package.
struct ReadmeTests {
    private let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `the quick start in the README is the example that is compiled`() throws {
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let example = try String(
            contentsOf: root.appendingPathComponent("Examples/QuickStart/main.swift"), encoding: .utf8)

        let block = try #require(readme.components(separatedBy: "```swift\n").dropFirst().first)
        let code = try #require(block.components(separatedBy: "```").first)

        #expect(code == example)
        #expect(code.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 32)
    }

    @Test func `every file the README points to exists`() throws {
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)

        let links = readme.matches(of: /\]\(([^)#:]+)\)/).map { String($0.1) }

        #expect(links.count >= 8)
        for link in links {
            #expect(FileManager.default.fileExists(atPath: root.appendingPathComponent(link).path), "\(link)")
        }
    }
}
