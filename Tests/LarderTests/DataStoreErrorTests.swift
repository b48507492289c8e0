import Foundation
import Larder
import LarderKernel
import Testing

struct DataStoreErrorTests {
    private let clash: any Error = DataStoreError(
        .uniqueViolation, "Another item has the slug \"toast\".", itemType: "Recipe", attribute: "slug",
        identifier: .integer(7))

    private let full: any Error = DataStoreError(
        .storeFull, "The disk is full.", advice: "Free some space.", path: "/data/recipes",
        underlying: DataStoreError.Underlying(source: "errno", code: 28, message: "No space left on device"))

    @Test func `its localized description says what happened and what to do`() {
        #expect(
            clash.localizedDescription
                == "Another item has the slug \"toast\". [Recipe.slug] [id 7] Change one of the two values, or use "
                + "upsert(_:by:).")
        #expect(full.localizedDescription == "The disk is full. [/data/recipes] Free some space.")
    }

    @Test func `its parts are offered one by one`() throws {
        let error = try #require(full as? any LocalizedError)

        #expect(error.errorDescription == "The disk is full. [/data/recipes] Free some space.")
        #expect(error.recoverySuggestion == "Free some space.")
        #expect(error.failureReason == "errno 28: No space left on device")
        #expect((clash as? any LocalizedError)?.failureReason == nil)
    }

    @Test func `as an NSError it has a domain and a number of its own`() {
        let error = full as NSError

        #expect(error.domain == "Larder")
        #expect(error.code == 16)
        #expect(error.localizedDescription == "The disk is full. [/data/recipes] Free some space.")
        #expect(error.localizedRecoverySuggestion == "Free some space.")
        #expect(error.localizedFailureReason == "errno 28: No space left on device")
        #expect(error.userInfo["LarderCode"] as? String == "storeFull")
        #expect(error.userInfo[NSFilePathErrorKey] as? String == "/data/recipes")
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(underlying?.domain == NSPOSIXErrorDomain)
        #expect(underlying?.code == 28)
        #expect((clash as NSError).code == 29)
        let unknown: any Error = DataStoreError(
            DataStoreError.Code(rawValue: "ownCode"), "Own.", advice: "None.")
        #expect((unknown as NSError).code == 0)
    }

    @Test func `errors of the same parts are equal, and one that differs in any is another`() throws {
        let clash = try #require(clash as? DataStoreError)
        let same = DataStoreError(
            .uniqueViolation, "Another item has the slug \"toast\".", itemType: "Recipe", attribute: "slug",
            identifier: .integer(7))
        let others = [
            clash.advising("Wait."), clash.naming("/data/recipes"), clash.leavingNoWay(),
            clash.about(request: "all"), clash.replacing(importPlace: ImportPlace(position: 1)),
            DataStoreError(.uniqueViolation, "Another item has the slug \"toast\"."),
        ]

        #expect(clash == same)
        #expect(clash.hashValue == same.hashValue)
        #expect(Set(others + [clash, same]).count == 7)
        #expect(clash.about(itemType: "Meal", path: "/here").itemType == "Recipe")
        #expect(clash.about(itemType: "Meal", path: "/here").path == "/here")
    }

    @Test func `every code has a number of its own`() throws {
        let codes = try Self.codes()

        let numbers = codes.map(Self.number)

        #expect(codes.count >= 59)
        #expect(numbers.sorted() == Array(1...codes.count))
        let last = ["migrationRefused", "invalidItems", "partMissing", "partMismatch", "invalidLink"]
        #expect(last.map(Self.number) == [55, 56, 57, 58, 59])
    }

    @Test func `the table of the FAQ has every code once`() throws {
        let page = try String(
            contentsOf: Self.root.appendingPathComponent("Documentation/FAQ.md"), encoding: .utf8)

        let cells = page.split(separator: "\n").filter { $0.hasPrefix("| `.") }
            .compactMap { $0.split(separator: "|").first }
        let named = cells.flatMap { cell in cell.matches(of: /`\.(\w+)`/).map { String($0.1) } }

        let codes = try Self.codes()
        #expect(named.sorted() == codes.sorted())
    }

    private static let root = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    /// The codes that all sources declare.
    private static func codes() throws -> [String] {
        try ["Sources", "Adapters"].flatMap { folder in
            let files = FileManager.default.enumerator(
                at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
            return try (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
                .flatMap(codes(in:))
        }
    }

    /// The codes that a source declares.
    private static func codes(in file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8)
            .matches(of: /static let \w+ = Self\(rawValue: "(\w+)"\)/).map { String($0.1) }
    }

    private static func number(of code: String) -> Int {
        let error: any Error = DataStoreError(DataStoreError.Code(rawValue: code), "", advice: "")
        return (error as NSError).code
    }
}
