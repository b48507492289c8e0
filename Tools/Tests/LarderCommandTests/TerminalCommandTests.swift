#if os(Linux)
    import Foundation
    import Testing

    /// What is different where somebody looks on.
    struct TerminalCommandTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("store"))
        }

        @Test func `a table fits the terminal, has colors, and tells what it leaves out`() throws {
            let text = try PseudoTerminal(columns: 50).run(["query", folder.path("store"), "Recipe"])

            let lines = text.split(separator: "\r\n").map(String.init)
            #expect(lines[0].hasPrefix("\u{1B}[1mid      name"))
            #expect(lines.dropLast().allSatisfy { Self.plain($0).count <= 50 })
            #expect(lines.last == "2 more columns did not fit: choose columns with --columns, or use --json.")
        }

        @Test func `with NO_COLOR there are none`() throws {
            let text = try PseudoTerminal(columns: 100).run(
                ["count", folder.path("store")], environment: ["NO_COLOR": "1"])

            #expect(text == "type    items\r\n------  -----\r\nRecipe      3\r\n")
        }

        @Test func `an error has one colored word`() throws {
            let text = try PseudoTerminal(columns: 100).run(["count", folder.path("missing")])

            #expect(text.hasPrefix("\u{1B}[31mlarder:\u{1B}[0m \(folder.path("missing")): "))
        }

        @Test func `progress is a bar that is gone at the end`() throws {
            let text = try PseudoTerminal(columns: 100).run(
                ["copy", folder.path("store"), folder.path("copy.lmdb")])

            #expect(text.contains("\rcopying     [------------------------------]    0 %  0 of 3 items"))
            #expect(text.contains("\rverifying   [##############################]  100 %  3 of 3 items"))
            let last = text.components(separatedBy: "\r\u{1B}[K").last
            #expect(last?.hasPrefix("3 items copied and verified in ") == true)
        }

        @Test func `a terminal that can do nothing gets lines`() throws {
            let text = try PseudoTerminal(columns: 100).run(
                ["copy", folder.path("store"), folder.path("copy.lmdb")], environment: ["TERM": "dumb"])

            #expect(text.contains("100 % copying: 3 of 3 items"))
            #expect(text.contains("100 % verifying: 3 of 3 items"))
            #expect(!text.contains("\u{1B}"))
        }

        @Test(arguments: ["check", "verify", "diff", "backup", "compact"])
        func `quick work shows no progress`(_ command: String) throws {
            try Engine.sqlite.makeStore(at: folder.url.appendingPathComponent("other"))
            let second = ["verify": "other", "diff": "other", "backup": "copy"][command].map(folder.path)

            let text = try PseudoTerminal(columns: 100).run(
                [command, folder.path("store")] + [second].compactMap { $0 }, environment: ["NO_COLOR": "1"])

            #expect(!text.contains("\r\u{1B}[K") && !text.contains("ing  "), "\(text)")
        }

        @Test func `with --quiet there is no progress and no note`() throws {
            let copy = try PseudoTerminal(columns: 100).run(
                ["copy", folder.path("store"), folder.path("copy.lmdb"), "--quiet"])
            let query = try PseudoTerminal(columns: 50).run(
                ["query", folder.path("store"), "Recipe", "--quiet"])

            #expect(copy.hasPrefix("3 items copied and verified in "))
            #expect(!query.contains("no room here"))
        }

        /// A text without its colors.
        private static func plain(_ text: String) -> String {
            text.replacing(/\u{1B}\[\d+m/, with: "")
        }
    }
#endif
