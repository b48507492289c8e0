import Foundation
import Larder
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

// For each plan the statement of SQLite, and that of a dialect with numbered parameters, truth values and arrays; nil
// where the second leaves a part to the core.

@Suite struct `Statements` {
    private let texts: SQLTexts

    init() throws {
        texts = try SQLTexts()
    }

    @Test func `windows and orders`() throws {
        print("TEXT", 0, try! String(decoding: JSONEncoder().encode(try texts.rows(Book.all)), as: UTF8.self))
        print(
            "TEXT", 1, try! String(decoding: JSONEncoder().encode(try texts.count(Book.all)), as: UTF8.self))
        print(
            "TEXT", 2,
            try! String(
                decoding: JSONEncoder().encode(
                    try texts.rows(Book.all.sorted(by: \.editor, .descending).offset(20).limit(10))),
                as: UTF8.self))
        print(
            "TEXT", 3,
            try! String(
                decoding: JSONEncoder().encode(
                    try texts.count(Book.all.sorted(by: \.editor, .descending).offset(20).limit(10))),
                as: UTF8.self))
        print(
            "TEXT", 4,
            try! String(decoding: JSONEncoder().encode(try texts.rows(Book.all.offset(20))), as: UTF8.self))
        print(
            "TEXT", 5,
            try! String(decoding: JSONEncoder().encode(try texts.count(Book.all.offset(20))), as: UTF8.self))
    }

    @Test func `comparisons, and what nil is in them`() throws {
        print(
            "TEXT", 6,
            try! String(
                decoding: JSONEncoder().encode(
                    try texts.rows(Book.where(\.year > 1990 && (\.title != "a" || \.editor == nil)))),
                as: UTF8.self))
        print(
            "TEXT", 7,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Book.where(\.shelf != ToOne(id: 3)))),
                as: UTF8.self))
        print(
            "TEXT", 8,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Person.where(\.name == \.name))), as: UTF8.self)
        )
        print(
            "TEXT", 9,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Person.where(!(\.name < \.name)))),
                as: UTF8.self))
    }

    @Test func `lists`() throws {
        print(
            "TEXT", 10,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Book.where(.isIn(\.year, [1990, 1991])))),
                as: UTF8.self))
        print(
            "TEXT", 11,
            try! String(
                decoding: JSONEncoder().encode(
                    try texts.rows(Book.where(!.isIn(\.shelf, [ToOne(id: 1), ToOne(id: 2)])))), as: UTF8.self)
        )
        print(
            "TEXT", 12,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Book.where(.isIn(\.year, 0..<501)))),
                as: UTF8.self))
    }

    @Test func `tests of text`() throws {
        print(
            "TEXT", 13,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Book.where(.hasPrefix(\.title, "a")))),
                as: UTF8.self))
        print(
            "TEXT", 14,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Book.where(!.hasPrefix(\.title, "a")))),
                as: UTF8.self))
        print(
            "TEXT", 15,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Book.where(!.contains(\.title, "a")))),
                as: UTF8.self))
        print(
            "TEXT", 16,
            try! String(
                decoding: JSONEncoder().encode(
                    try texts.rows(Book.where(.contains(\.title, "a", .caseInsensitive)))), as: UTF8.self))
        print(
            "TEXT", 17,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Book.where(.like(\.title, "a*b*c")))),
                as: UTF8.self))
    }

    @Test func `a calculation calls the core, where it can be called`() throws {
        var deep = try texts.plan(Book.all)
        for level in 0..<101 {
            deep.predicate =
                level.isMultiple(of: 2)
                ? .any([deep.predicate, .isNull(column: 4)]) : .all([deep.predicate, .isNull(column: 5)])
        }

        print(
            "TEXT", 18,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Book.where(\.year * 2 > \.year))), as: UTF8.self
            ))
        print("TEXT", 19, try! String(decoding: JSONEncoder().encode(texts.rows(deep)), as: UTF8.self))
    }

    @Test func `rows that an index finds are put in the order of their identifiers`() throws {
        print(
            "TEXT", 20,
            try! String(
                decoding: JSONEncoder().encode(
                    try texts.rows(Book.where(\.shelf > ToOne(id: 3)).offset(1).limit(3))), as: UTF8.self))
        print(
            "TEXT", 21,
            try! String(
                decoding: JSONEncoder().encode(
                    try texts.rows(Book.where(\.shelf > ToOne(id: 3) && \.year == 3).limit(3))), as: UTF8.self
            ))
    }

    @Test func `values that are compared in a way of their own, and none`() throws {
        let decimal = RequestPlan(
            entity: try #require(texts.schema.number(of: Sample.self)), schema: Sample.schema,
            columns: .some([0]), predicate: .compare(column: 12, .notEqual, .decimal("1")),
            order: [RequestPlan.SortTerm(column: 12, isAscending: false)])
        let nothing = RequestPlan(
            entity: try #require(texts.schema.number(of: Sample.self)), schema: Sample.schema,
            columns: .some([]), predicate: .any([.always(false), .isNull(column: 3)]))

        print("TEXT", 22, try! String(decoding: JSONEncoder().encode(texts.rows(decimal)), as: UTF8.self))
        print("TEXT", 23, try! String(decoding: JSONEncoder().encode(texts.rows(nothing)), as: UTF8.self))
    }

}

@Suite struct `Statements about related items` {
    private let texts: SQLTexts

    init() throws {
        texts = try SQLTexts()
    }

    @Test func `references`() throws {
        var unique = try texts.plan(Versioned<SQLTexts.Piece>.all)
        let kind = try texts.schema.relationship(.column(1), of: unique.entity)
        unique.predicate = .related(RelatedTest(kind, .any(.compare(column: 1, .equal, .text("a")))))

        print(
            "TEXT", 24,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Book.where(\.author.name == "Ada"))),
                as: UTF8.self))
        print(
            "TEXT", 25,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Person.where(\.passport.number == 1))),
                as: UTF8.self))
        print("TEXT", 26, try! String(decoding: JSONEncoder().encode(texts.rows(unique)), as: UTF8.self))
    }

    @Test func `items that refer to the owner`() throws {
        print(
            "TEXT", 27,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Person.where(.any(\.books, \.title == "a")))),
                as: UTF8.self))
        print(
            "TEXT", 28,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Person.where(.none(\.books, \.title == "a")))),
                as: UTF8.self))
        print(
            "TEXT", 29,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Person.where(\.books.count > 2))), as: UTF8.self
            ))
        print(
            "TEXT", 30,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Person.where(\.books.count < 2))), as: UTF8.self
            ))
    }

    @Test func `links`() throws {
        print(
            "TEXT", 31,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Book.where(.any(\.labels, \.rank > 1)))),
                as: UTF8.self))
        print(
            "TEXT", 32,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Book.where(.any(\.labels, \.id == "x")))),
                as: UTF8.self))
    }

    @Test func `orders`() throws {
        let led = Book.all.sorted(by: \.author.mentor).limit(2)

        print(
            "TEXT", 33,
            try! String(
                decoding: JSONEncoder().encode(
                    try texts.rows(Book.all.sorted(by: \.editor.mentor.name, .descending).limit(2))),
                as: UTF8.self))
        print(
            "TEXT", 34,
            try! String(
                decoding: JSONEncoder().encode(try texts.rows(Person.all.sorted(by: \.passport.number))),
                as: UTF8.self))
        print("TEXT", 35, try! String(decoding: JSONEncoder().encode(try texts.rows(led)), as: UTF8.self))
    }

    @Test func `groups`() throws {
        print(
            "TEXT", 36,
            try! String(
                decoding: JSONEncoder().encode(try texts.groups(texts.plan(Book.all), by: [5, 4])),
                as: UTF8.self))
    }

}
