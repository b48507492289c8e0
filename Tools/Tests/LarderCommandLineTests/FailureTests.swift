import Foundation
import Larder
import Testing

@testable import LarderCommandLine

struct FailureTests {
    @Test func `every code of the library has a number of its own choosing`() throws {
        let codes = try Set(Self.codesOfTheLibrary())

        #expect(codes.isSuperset(of: ["invalidItems", "partMissing", "partMismatch", "invalidLink"]))
        #expect(Set(ExitStatus.statuses.keys.map(\.rawValue)) == codes)
    }

    @Test func `a code that is not known yet is a mistake of ours`() {
        #expect(ExitStatus(DataStoreError.Code(rawValue: "new")) == .software)
    }

    @Test(arguments: [
        (DataStoreError.Code.itemNotFound, Int32(1)), (.invalidText, 64), (.damaged, 65), (.cannotOpen, 66),
        (.engine, 70), (.storeFull, 74), (.busy, 75), (.permissionDenied, 77), (.cancelled, 130),
    ])
    func `the numbers are those that scripts know`(_ code: DataStoreError.Code, _ number: Int32) {
        #expect(ExitStatus(code).rawValue == number)
    }

    @Test func `an error is one line, and the engine speaks when asked`() {
        let failure = CommandFailure(
            DataStoreError(
                .damaged, "The file is\ndamaged.", advice: "Restore a backup.", itemType: "Recipe",
                path: "/a/b",
                underlying: .init(source: "SQLite", code: 11, message: "malformed")))
        let plain = Paint(isEnabled: false)

        #expect(
            failure.text(isVerbose: false, paint: plain)
                == "larder: /a/b: The file is\\ndamaged. Restore a backup.\n")
        #expect(
            failure.text(isVerbose: true, paint: plain)
                == """
                larder: /a/b: The file is\\ndamaged. Restore a backup.
                  code: damaged
                  about: Recipe
                  SQLite 11: malformed

                """)
    }

    @Test func `a message with an excerpt has real lines, and data in it does not`() {
        let failure = CommandFailure(
            DataStoreError(
                .invalidText, "\"a\nb\" has no meaning at column 3:", excerpt: ["    x\ty", "      ^"],
                advice: "Correct it."))

        #expect(
            failure.text(isVerbose: true, paint: Paint(isEnabled: false))
                == """
                larder: "a\\nb" has no meaning at column 3:
                    x\\ty
                      ^
                Correct it.
                  code: invalidText

                """)
    }

    @Test func `only the name of the program is colored`() {
        let failure = CommandFailure(.usage, "No.", advice: "Yes.")

        #expect(
            failure.text(isVerbose: false, paint: Paint(isEnabled: true))
                == "\u{1B}[31mlarder:\u{1B}[0m No. Yes.\n")
    }

    /// The codes as the library's sources declare them, so that a new one is noticed.
    private static func codesOfTheLibrary() throws -> [String] {
        let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent()
        }
        return try ["Sources", "Adapters"].flatMap { folder in
            let files = FileManager.default.enumerator(
                at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
            return try (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
                .flatMap { file in
                    try String(contentsOf: file, encoding: .utf8)
                        .matches(of: /static let \w+ = Self\(rawValue: "(\w+)"\)/).map { String($0.output.1) }
                }
        }
    }
}
