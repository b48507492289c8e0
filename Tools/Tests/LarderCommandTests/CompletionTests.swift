import Foundation
import Testing

/// What shells offer.
struct CompletionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `there is a completion script for each shell`(_ shell: String) throws {
        let run = try CommandRun(["--generate-completion-script", shell])

        #expect(run.status == 0)
        #expect(run.output.contains("explain"))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/bin/bash")), arguments: Engine.allCases)
    func `item types are offered after a store`(_ engine: Engine) throws {
        try engine.makeStore(at: folder.url.appendingPathComponent("store"))
        let before = try folder.contents()

        #expect(try offered(after: ["query", folder.path("store"), "Rec"]) == "Recipe\n")
        #expect(try offered(after: ["query", folder.path("missing"), "Rec"]) == "\n")
        #expect(try folder.contents() == before)
    }

    /// What bash offers for the last of some words.
    private func offered(after words: [String]) throws -> String {
        let line = """
            cd "$1"; PATH="${LARDER%/*}:$PATH"; eval "$(larder --generate-completion-script bash)"
            COMP_WORDS=(larder \(words.joined(separator: " "))); COMP_CWORD=\(words.count)
            COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
            _larder; echo "${COMPREPLY[*]}" > offered
            """
        defer { try? FileManager.default.removeItem(atPath: folder.path("offered")) }
        #expect(try Shell.run(line, folder.url.path, shell: "/bin/bash") == 0)
        return try String(contentsOfFile: folder.path("offered"), encoding: .utf8)
    }
}
