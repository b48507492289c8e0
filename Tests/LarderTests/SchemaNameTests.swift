import Larder
import Testing

@testable import LarderKernel

/// Names are equal by their bytes.
struct SchemaNameTests {
    @Test func `an index names an attribute by its bytes`() {
        let schema = EntitySchema(
            "Names",
            attributes: [
                .attribute("id", Int64.self), .attribute("\u{E9}", Int.self),
                .attribute("e\u{301}", Int.self),
            ],
            indexes: [.index("e\u{301}"), .unique("\u{E9}")])

        #expect(schema.problems == [])
        #expect(schema.indexes.map(\.columns) == [[2], [1]])
        #expect(schema.column(named: "e\u{301}") == 2)
    }
}
