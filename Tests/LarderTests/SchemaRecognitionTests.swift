import Larder
import Testing

@testable import AdapterTestSupport

/// The version that a store is recognized as.
struct SchemaRecognitionTests {
    private static let first = "A\n  id: uuid\n  name: string"
    private static let second = "A\n  id: uuid\n  name: string\n  note: string?"
    private static let third = "A\n  id: uuid\n  note: string?\nB\n  id: int64"

    private static func history(unnamed: String? = nil, _ more: SchemaVersion...) -> SchemaHistory {
        SchemaHistory(
            [
                SchemaVersion("1", describedBy: first), SchemaVersion("2", describedBy: second),
                SchemaVersion("3", describedBy: third),
            ] + more, unnamed: unnamed)
    }

    private static func stored(_ text: String, version: String? = nil) throws -> StoredSchema {
        var stored = StoredSchema(
            describing: try SchemaShape(text: text).schema())
        stored.version = version
        return stored
    }

    private static func found(
        _ text: String, version: String? = nil, in history: SchemaHistory = history()
    ) throws -> String? {
        try history.version(of: try stored(text, version: version)).map {
            $0.version.name + ($0.hasShape ? "" : ", of another shape")
        }
    }

    @Test func `a store without a name is recognized by its shape`() throws {
        #expect(try Self.found(Self.first) == "1")
        #expect(try Self.found(Self.second) == "2")
        #expect(try Self.found(Self.third) == "3")
    }

    @Test func `a store that holds nothing is of no version`() throws {
        #expect(try Self.history().version(of: .empty)?.version.name == nil)
    }

    @Test func `the name that a store keeps decides, whatever its shape`() throws {
        #expect(try Self.found(Self.first, version: "1") == "1")
        #expect(try Self.found(Self.first, version: "2") == "2, of another shape")
        #expect(try Self.found(Self.third + "\nOld\n  id: uuid", version: "3") == "3")
    }

    @Test func `types that were given up may be left in the store`() throws {
        #expect(try Self.found(Self.second + "\nOld\n  id: uuid") == "2")
        // Both 3 and a version of B alone fit; the larger one is meant.
        let history = Self.history(SchemaVersion("4", describedBy: "B\n  id: int64"))
        #expect(try Self.found(Self.third + "\nOld\n  id: uuid", in: history) == "3")
        #expect(try Self.found("B\n  id: int64\nOld\n  id: uuid", in: history) == "4")
    }

    @Test func `a version without types is not that of a store with other types`() throws {
        let history = SchemaHistory([
            SchemaVersion("0", storing: []), SchemaVersion("1", describedBy: Self.first),
        ])

        #expect(thrown { try Self.found("Other\n  id: uuid", in: history) }?.code == .schemaMismatch)
        #expect(try Self.found(Self.first, in: history) == "1")
        #expect(try Self.found("Other\n  id: uuid", version: "0", in: history) == "0")
    }

    @Test func `a name that the history does not know is refused`() throws {
        let error = thrown { try Self.found(Self.first, version: "9") }

        #expect(error?.code == .schemaMismatch)
        #expect(
            error?.message == "The store has version 9 of the schema, and the app knows only 1, 2, 3.")
    }

    @Test func `a shape of no version is refused with the nearest one, or taken for the unnamed one`() throws
    {
        let text = Self.second + "\n  extra: data?"
        let error = thrown { try Self.found(text) }

        #expect(error?.code == .schemaMismatch)
        #expect(
            error?.message == """
                The store keeps no name of a version, and no version has its shape. Compared with version 2: A.extra: \
                data? is new.
                """)
        #expect(try Self.found(text, in: Self.history(unnamed: "1")) == "1, of another shape")
    }

    @Test func `versions of one shape need the unnamed one`() throws {
        let twin = SchemaVersion("1b", describedBy: Self.first)
        let error = thrown { try Self.found(Self.first, in: Self.history(twin)) }

        #expect(error?.code == .schemaMismatch)
        #expect(
            error?.message
                == "The store keeps no name of a version, and several versions have its shape: 1, 1b.")
        #expect(try Self.found(Self.first, in: Self.history(unnamed: "1b", twin)) == "1b")
        #expect(try Self.found(Self.first, version: "1", in: Self.history(twin)) == "1")
        #expect(
            thrown { try Self.history(unnamed: "7").validate() }?.message == """
                The history of the schema is wrong: it takes stores without a name for version 7, which is not one of \
                its versions.
                """)
    }

    @Test func `the stages lead to the current version, by the shape of the version first`() throws {
        func stages(_ text: String, _ version: String?) throws -> [String] {
            try Self.history().stages(from: try Self.stored(text, version: version)).map(\.step.description)
        }

        #expect(try stages(Self.first, nil) == ["1 → 2", "2 → 3"])
        #expect(try stages(Self.first, "2") == ["2 → 2", "2 → 3"])
        #expect(try stages(Self.second, "2") == ["2 → 3"])
        #expect(try stages(Self.third, "3") == [])
        #expect(try stages(Self.first, "3") == [])
        #expect(try Self.history().stages(from: .empty).isEmpty)
    }
}
