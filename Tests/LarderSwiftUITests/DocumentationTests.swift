import Foundation
import Testing

/// The Swift code in `Documentation/SwiftUI.md` is the sample app's, so that it is compiled.
struct DocumentationTests {
    private let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `all code in the documentation is code of the sample app`() throws {
        let page = try String(
            contentsOf: root.appendingPathComponent("Documentation/SwiftUI.md"), encoding: .utf8)
        let folder = root.appendingPathComponent("Examples/RecipeApp")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
        let sources = try files.map {
            withoutIndentation(try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
        }

        let snippets = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }

        #expect(snippets.count == 4)
        for snippet in snippets {
            #expect(sources.contains { $0.contains(withoutIndentation(snippet)) }, "\(snippet)")
        }
    }

    private func withoutIndentation(_ text: String) -> String {
        text.components(separatedBy: "\n").map { $0.trimmingPrefix { $0 == " " } }.joined(separator: "\n")
    }
}
