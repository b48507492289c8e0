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
        #expect(code.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 48)
    }

    @Test func `the package line in the README names what there is`() throws {
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let manifest = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let changes = try String(contentsOf: root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)

        let version = try #require(changes.firstMatch(of: /\n## ([\d.]+)\s/)?.1)
        // A version is a tag, which there is from the release on.
        let isReleased = !changes.contains("\n## \(version) (unreleased)\n")
        let requirement = isReleased ? "from: \"\(version)\"" : "branch: \"main\""
        let products = readme.matches(of: /\.product\(name: "(\w+)", package: "larder"\)/).map(\.1)

        #expect(readme.contains("/larder\", \(requirement))"))
        #expect(readme.contains("    platforms: [.macOS(.v13), .iOS(.v16)],\n"))
        #expect(manifest.contains("platforms: [.macOS(.v13), .iOS(.v16),"))
        #expect(products == ["Larder", "LarderSQLite"])
        for product in products { #expect(manifest.contains(".library(name: \"\(product)\"")) }
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
