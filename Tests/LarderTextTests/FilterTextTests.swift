import Foundation
import Larder
import LarderText
import Testing

struct `The text of a filter` {
    /// A text and the filter it stands for.
    struct Example: Sendable, CustomTestStringConvertible {
        let text: String
        let node: FilterNode

        init(_ text: String, _ node: FilterNode) {
            self.text = text
            self.node = node
        }

        var testDescription: String { text }
    }

    private static func compare(
        _ name: String, _ comparison: Comparison, _ constant: Constant
    ) -> FilterNode {
        .compare(column: Dish.column(name), comparison, constant)
    }

    private static func test(
        _ name: String, _ kind: TextTest.Kind, _ text: String, ignoresCase: Bool = false
    ) -> FilterNode {
        .text(column: Dish.column(name), TextTest(kind, text, ignoresCase: ignoresCase))
    }

    private static let a = compare("rating", .greater, .real(4))
    private static let b = compare("name", .equal, .text("x"))
    private static let c = compare("isVegan", .equal, .integer(1))

    static let operators: [Example] = [
        Example("rating == 4", compare("rating", .equal, .real(4))),
        Example("rating = 4", compare("rating", .equal, .real(4))),
        Example("rating != 4", compare("rating", .notEqual, .real(4))),
        Example("rating <> 4", compare("rating", .notEqual, .real(4))),
        Example("rating < 4", compare("rating", .less, .real(4))),
        Example("rating <= 4", compare("rating", .lessOrEqual, .real(4))),
        Example("rating > 4", compare("rating", .greater, .real(4))),
        Example("rating>=4", compare("rating", .greaterOrEqual, .real(4))),
        Example("4 == rating", compare("rating", .equal, .real(4))),
        Example("4 != rating", compare("rating", .notEqual, .real(4))),
        Example("4 < rating", compare("rating", .greater, .real(4))),
        Example("4 <= rating", compare("rating", .greaterOrEqual, .real(4))),
        Example("4 > rating", compare("rating", .less, .real(4))),
        Example("4>=rating", compare("rating", .lessOrEqual, .real(4))),
        Example("true == isVegan", compare("isVegan", .equal, .integer(1))),
        Example("nil != note", compare("note", .notEqual, .null)),
        Example("note == nil", compare("note", .equal, .null)),
        Example("note = NULL", compare("note", .equal, .null)),
        Example("note == (nil)", compare("note", .equal, .null)),
        Example("cookedAt != (nil)", compare("cookedAt", .notEqual, .null)),
        Example("nutrition == (nil)", compare("nutrition", .equal, .null)),
        Example("`in` == (nil)", compare("in", .equal, .null)),
        Example("nutrition != nil", compare("nutrition", .notEqual, .null)),
        Example("name CONTAINS 'ake'", test("name", .contains, "ake")),
        Example("name contains[c] 'AKE'", test("name", .contains, "ake", ignoresCase: true)),
        Example("name BEGINSWITH 'C'", test("name", .hasPrefix, "C")),
        Example("name HASPREFIX [C] 'C'", test("name", .hasPrefix, "c", ignoresCase: true)),
        Example("source ENDSWITH '.org'", test("source", .hasSuffix, ".org")),
        Example("name hasSuffix 'e'", test("name", .hasSuffix, "e")),
        Example("name EQUALS 'x'", test("name", .equals, "x")),
        Example("name EQUALS[c] 'X'", test("name", .equals, "x", ignoresCase: true)),
        Example("name ==[c] 'X'", test("name", .equals, "x", ignoresCase: true)),
        Example("name <[c] 'X'", test("name", .less, "x", ignoresCase: true)),
        Example("'X' <=[c] name", test("name", .greaterOrEqual, "x", ignoresCase: true)),
        Example("'X' =[c] name", test("name", .equals, "x", ignoresCase: true)),
        Example("'X' !=[c] name", .not(test("name", .equals, "x", ignoresCase: true))),
        Example("name NOT CONTAINS 'x'", .not(test("name", .contains, "x"))),
        Example("level IN {1, 2, 2}", .isIn(column: 4, [.integer(1), .integer(2), .integer(2)])),
        Example("level NOT IN (3)", .not(.isIn(column: 4, [.integer(3)]))),
        Example("note in {}", .isIn(column: 13, [])),
        Example("note IN {'a', nil}", .isIn(column: 13, [.text("a"), .null])),
        Example("nutrition IN {nil}", .isIn(column: 14, [.null])),
        Example(
            "level BETWEEN {1, 5}",
            .all([
                compare("level", .greaterOrEqual, .integer(1)), compare("level", .lessOrEqual, .integer(5)),
            ])),
        Example(
            "level NOT BETWEEN 1 AND 5 AND TRUEPREDICATE",
            .all([
                .not(
                    .all([
                        compare("level", .greaterOrEqual, .integer(1)),
                        compare("level", .lessOrEqual, .integer(5)),
                    ])), .always(true),
            ])),
    ]

    static let logic: [Example] = [
        Example("TRUEPREDICATE", .always(true)),
        Example("falsePredicate", .always(false)),
        Example("true", .always(true)),
        Example(" FALSE\n", .always(false)),
        Example("rating > 4 AND name == 'x'", .all([a, b])),
        Example("rating > 4 && name == 'x' and isVegan == true", .all([a, b, c])),
        Example("rating > 4 OR name == 'x' || isVegan == TRUE", .any([a, b, c])),
        Example("rating > 4 OR name == 'x' AND isVegan == true", .any([a, .all([b, c])])),
        Example("rating > 4 AND name == 'x' OR isVegan == true", .any([.all([a, b]), c])),
        Example("rating > 4 AND (name == 'x' OR isVegan == true)", .all([a, .any([b, c])])),
        Example("(rating > 4 AND name == 'x') AND isVegan == true", .all([.all([a, b]), c])),
        Example("((rating > 4))", a),
        Example("NOT rating > 4 AND name == 'x'", .all([.not(a), b])),
        Example("!(rating > 4 AND name == 'x')", .not(.all([a, b]))),
        Example("not ! NOT rating>4", .not(.not(.not(a)))),
        Example("true AND NOT false", .all([.always(true), .not(.always(false))])),
        Example("rating>4&&name=='x'||isVegan=1", .any([.all([a, b]), c])),
    ]

    static let names: [Example] = [
        Example("`rating` > 4", a),
        Example("`in` == 1", compare("in", .equal, .integer(1))),
        Example("`in` IN {1}", .isIn(column: 16, [.integer(1)])),
        Example("`odd ``name``` == nil", compare("odd `name`", .equal, .null)),
        Example("größe_2 > 1", compare("größe_2", .greater, .integer(1))),
    ]

    @Test(arguments: operators + logic + names)
    func `becomes exactly this filter`(example: Example) throws {
        let node = try FilterNode(text: example.text, of: Dish.entity)

        #expect(node == example.node)
    }

    @Test(arguments: operators + logic + names)
    func `comes back from the canonical text`(example: Example) throws {
        let text = example.node.text(of: Dish.entity)

        #expect(try FilterNode(text: text, of: Dish.entity) == example.node, "\(text)")
    }

    @Test func `has one canonical form`() throws {
        let node = try FilterNode(
            text: #"((rating>4 && name=='it\'s') or !(note=NULL)) || "#
                + #"not (name contains[c] "A\u{41}" and isVegan=1) || level in (1,2)"#,
            of: Dish.entity)

        #expect(
            node.text(of: Dish.entity) == """
                ((rating > 4.0 AND name == "it's") OR NOT note == nil) OR NOT (name CONTAINS[c] "aa" AND \
                isVegan == true) OR level IN {1, 2}
                """)
    }

    @Test func `writes lists of one as what they hold and empty ones as what they mean`() {
        func text(_ node: FilterNode) -> String { node.text(of: Dish.entity) }

        #expect(text(.all([])) == "true")
        #expect(text(.any([])) == "false")
        #expect(text(.not(.all([.any([Self.a, Self.b])]))) == "NOT (rating > 4.0 OR name == \"x\")")
        #expect(text(.all([.any([Self.a]), Self.b])) == "rating > 4.0 AND name == \"x\"")
    }

    @Test func `cannot be read where the filter has no text`() throws {
        let mistake = RequestMistake("NaN cannot be stored.", column: 2)
        let text = FilterNode.mistake(mistake).text(of: Dish.entity)

        #expect(text == "rating == <NaN cannot be stored.>")
        #expect(throws: DataStoreError.self) { try FilterNode(text: text, of: Dish.entity) }
    }
}

struct `The typed doors of the text form` {
    @Test func `give the filters that operators give`() throws {
        let good: Filter<Plate> = \.rating > 4 && !(\.name == "Toast")
        let cakes: Filter<Plate> = .contains(\.name, "Cake", .caseInsensitive) || \.rating == nil
        let some: Filter<Plate> = .isIn(\.rating, [1, nil])

        #expect(try Filter<Plate>(text: "rating > 4 AND NOT name == 'Toast'") == good)
        #expect(try Filter<Plate>(text: "name CONTAINS[c] 'cake' OR rating == nil") == cakes)
        #expect(try Filter<Plate>(text: "rating IN {1, nil}") == some)
        #expect(try Filter<Plate>(text: "rating BETWEEN {1, 5}") == .between(\.rating, 1...5))
    }

    @Test func `give the requests that calls give`() throws {
        let request = DataStoreRequest<Plate>().filter(\.rating > 4).filter(\.name != "Toast")
            .sorted(by: \.rating, .descending).sorted(by: \.name)

        #expect(
            try DataStoreRequest<Plate>().filter(text: "rating > 4").filter(text: "name != 'Toast'")
                .sorted(text: "rating DESC").sorted(text: "name") == request)
        #expect(
            try DataStoreRequest<Plate>(filter: "rating > 4", sort: "name DESC", offset: 2, limit: 5)
                == DataStoreRequest().filter(\.rating > 4).sorted(by: \.name, .descending).offset(2).limit(5))
        #expect(try DataStoreRequest<Plate>(filter: nil) == DataStoreRequest())
    }

    @Test func `name the item type in errors`() {
        let error = #expect(throws: DataStoreError.self) { try Filter<Plate>(text: "ratng > 4") }

        #expect(error?.code == .unknownAttribute)
        #expect(error?.itemType == "Plate")
        #expect(error?.attribute == "ratng")
        #expect(error?.advice == "Perhaps rating is meant.")
    }
}
