import Larder
import LarderText
import Testing

struct `The text of an order` {
    private typealias Terms = [OrderTerm]

    private func term(
        _ name: String, _ isAscending: Bool = true, _ matching: TextMatching = .exact
    ) -> OrderTerm {
        OrderTerm(AttributePlace(column: Dish.column(name)), isAscending: isAscending, matching)
    }

    @Test func `becomes exactly these terms`() throws {
        func terms(_ text: String) throws -> Terms { try Terms(text: text, of: Dish.entity) }

        #expect(try terms("name") == [term("name")])
        #expect(try terms("name, rating DESC,id ASC") == [term("name"), term("rating", false), term("id")])
        #expect(try terms(" `in` descending , größe_2 Ascending ") == [term("in", false), term("größe_2")])
        #expect(
            try terms("`odd ``name``` desc, name, name") == [
                term("odd `name`", false), term("name"), term("name"),
            ])
    }

    @Test func `comes back from the canonical text`() throws {
        let terms = [
            term("rating", false), term("in"), term("odd `name`", false),
            term("name", false, .caseInsensitive),
            term("note", true, [.caseInsensitive, .diacriticInsensitive]),
            term("source", true, .diacriticInsensitive), term("id"),
        ]

        let text = terms.text(of: Dish.entity)

        #expect(text == "rating DESC, `in`, `odd ``name``` DESC, name[c] DESC, note[cd], source[d], id")
        #expect(try Terms(text: text, of: Dish.entity) == terms)
    }

    @Test(arguments: [
        ("", DataStoreError.Code.invalidText, 1), ("name,", .invalidText, 6), (",name", .invalidText, 1),
        ("name rating", .invalidText, 6), ("name DESC ASC", .invalidText, 11), ("name > 4", .invalidText, 6),
        ("in", .invalidText, 1), ("4", .invalidText, 1), ("name; rating", .invalidText, 5),
        ("DESC", .unknownAttribute, 1), ("name, ratng DESC", .unknownAttribute, 7),
        ("name, nutrition", .wrongType, 7), ("rating[c]", .wrongType, 7), ("name[x]", .invalidText, 5),
    ])
    func `is refused with a code and its place`(text: String, code: DataStoreError.Code, column: Int) {
        let error = #expect(throws: DataStoreError.self) { try Terms(text: text, of: Dish.entity) }

        #expect(error.flatMap(TextFailure.init) == TextFailure(code, column: column))
    }

    @Test func `names the nearest attribute`() {
        let error = #expect(throws: DataStoreError.self) {
            try DataStoreRequest<Plate>().sorted(text: "name, ratng DESC")
        }

        #expect(
            error?.message == """
                Plate has no attribute "ratng", which stands at column 7:
                    name, ratng DESC
                          ^
                """)
        #expect(error?.advice == "Perhaps rating is meant.")
    }
}
