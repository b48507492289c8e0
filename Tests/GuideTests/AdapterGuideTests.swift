import Foundation
import Larder
import LarderConformance
import Testing

struct ShelfFolder: ConformanceMedium {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func makeStore(
        storing types: [any DataStoreItem.Type], options: DataStoreOptions
    ) throws -> any DataStore {
        ShelfDataStore(at: folder.appendingPathComponent("shelf").path, storing: types, options: options)
    }

    func cleanUp() throws {
        try FileManager.default.removeItem(at: folder)
    }
}

/// The code of `Documentation/WritingAnAdapter.md`, with the engine of ``ShelfDataStore``.
struct AdapterGuideTests {
    @Test func `the store makes children`() throws {
        let store = ShelfDataStore(at: "draft", storing: Pantry.types)
        try store.setup()
        let draft = try store.makeChildDataStore()
        try draft.writeSync { try $0.insert(contentsOf: Pantry.recipes) }
        try store.merge(draft)

        #expect(try Pantry.recipes(in: store).map(\.name) == ["Cake", "Stew", "Toast"])
    }

    @Test func `the store keeps a case that asks in children too`() async throws {
        let cases = ConformanceSuite.allCases.filter { $0.title == "An enum is ordered by its raw value" }
        #expect(cases.count == 1)
        for testCase in cases {
            try await ConformanceSuite.run(testCase, on: Compiled.ShelfConformanceTests.subject)
        }
    }
}

@Suite(.disabled("ConformanceTests runs all cases on the engine in memory."))
struct Compiled {
    @Suite(.serialized)
    struct ShelfConformanceTests {
        static let subject = ConformanceSubject("Shelf") { try ShelfFolder() }

        @Test(arguments: ConformanceSuite.allCases)
        func `keeps the contract`(_ testCase: ConformanceCase) async throws {
            try await ConformanceSuite.run(testCase, on: Self.subject)
        }
    }
}
