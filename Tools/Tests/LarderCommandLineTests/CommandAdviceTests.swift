import Foundation
import Larder
import Testing

@testable import LarderCommandLine

/// Advice names what can be done from a command line.
struct CommandAdviceTests {
    @Test func `there is advice for every code`() {
        #expect(Set(CommandAdvice.all.keys) == Set(ExitStatus.statuses.keys))
    }

    @Test func `whatever the library advises, nothing of Swift is put out`() throws {
        let advices = try Self.advicesInSources(of: ["Sources", "Adapters"])
        #expect(advices.count > 60)

        for (code, advice) in CommandAdvice.all where advice != .library {
            for text in advices + [DataStoreError(code, "x").advice] {
                let shown = CommandFailure(DataStoreError(code, "x", advice: text)).advice
                #expect(!CommandAdvice.namesSwift(shown), "\(code.rawValue): \(shown)")
            }
        }
    }

    @Test(
        arguments: [
            (nil, "Try again when the other process has closed the store."),
            ("Call tearDown(), then setup().", "Try again when the other process has closed the store."),
            ("Give the containers one PID namespace.", "Give the containers one PID namespace."),
            ("Repeat the call later. Else move the log.", "Run the command again later. Else move the log."),
        ] as [(String?, String)])
    func `advice of the library for one error takes the place of the command's`(
        _ advice: String?, _ shown: String
    ) {
        #expect(CommandFailure(DataStoreError(.busy, "x", advice: advice)).advice == shown)
    }

    @Test func `an export that cannot have links leads to a backup`() {
        let error = DataStoreError(.unsupported, "x", itemType: "Team.cooks")

        #expect(ExportCommand.advice(for: error) == "Use larder backup, which keeps the links.")
        #expect(ExportCommand.advice(for: DataStoreError(.unsupported, "x")) == nil)
    }

    @Test func `advice about texts that users write is free of Swift in the library already`() throws {
        let advices = try Self.advicesInSources(of: ["Sources/LarderText"])
        #expect(advices.count > 15)

        for advice in advices {
            // The language of filters has one word with this sign.
            let words = advice.replacing("@count", with: "")
            #expect(!words.contains(/\w\(\w*:?\)|@\w/), "\(advice)")
        }
    }

    @Test(
        arguments: [
            CopyCommand.advice, ExportCommand.advice, FinalizeCommand.advice, ImportCommand.advice,
            RollbackCommand.advice,
        ] as [@Sendable (DataStoreError) -> String?])
    func `the advice of commands is free of Swift`(_ advice: @Sendable (DataStoreError) -> String?) {
        for code in ExitStatus.statuses.keys {
            let text = advice(DataStoreError(code, "x")) ?? ""
            #expect(!CommandAdvice.namesSwift(text), "\(text)")
        }
    }

    @Test(arguments: [
        ("Turn checksFreeSpace off.", true), ("Call setup() again.", true), ("Use upsert(_:by:).", true),
        ("Give @Attribute(fallback:).", true), ("Open with verification: .structure.", true),
        ("Give --ignore-free-space (it is safe).", false), ("Open it with SQLite, LMDB or iOS.", false),
        ("Check the path; nothing was changed.", false),
    ])
    func `what is of Swift is told from what is not`(_ text: String, _ isSwift: Bool) {
        #expect(CommandAdvice.namesSwift(text.replacing("iOS", with: "another")) == isSwift)
    }

    @Test func `a full disk is told from one that only may be too small`() {
        let estimate = DataStoreError(.storeFull, "There may be too little room.")
        let full = DataStoreError(
            .storeFull, "There is no room.", underlying: .init(source: "errno", code: 28, message: "full"))

        #expect(CopyCommand.advice(for: estimate)?.contains("--ignore-free-space") == true)
        #expect(CopyCommand.advice(for: full)?.contains("--ignore-free-space") == false)
    }

    /// The texts that stand after `advice:` in the library.
    private static func advicesInSources(of folders: [String]) throws -> [String] {
        let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent()
        }
        return try folders.flatMap { folder in
            let url = root.appendingPathComponent(folder)
            let files = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
            let sources = (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
            return try sources.flatMap { source in
                let text = try String(contentsOf: source, encoding: .utf8)
                return text.matches(of: /(?:advice:\s*|advising\()"((?:[^"\\]|\\.)+)"/).map {
                    String($0.output.1).replacing("\\\"", with: "\"")
                }
            }
        }
    }
}
