import Larder
import LarderSQL
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// The parts of a request that an engine without the core's functions runs, and those that are left to the core.
@Suite struct `A request in two parts` {
    private let texts: SQLTexts

    init() throws {
        texts = try SQLTexts()
    }

    @Test func `the engine gets the conditions it has words for, without the window`() throws {
        let request = Book.where(
            \.year > 1990 && .contains(\.title, "a", .caseInsensitive) && .contains(\.title, "b")
        ).sorted(by: \.year).offset(5).limit(10)

        let parts = try #require(texts.parts(try texts.plan(request)))

        #expect(
            parts.sql == """
                SELECT "id", "title" FROM "Book" WHERE ("year" > $1 AND coalesce(position($2 IN "title") > 0, \
                FALSE)) ORDER BY "year", "id"
                """)
        #expect(parts.core == ["filter rows where title contains[c] ?"])
    }

    @Test func `an alternative that the core has to test is the core's as a whole`() throws {
        let request = Book.where(\.year == 1990 || \.year * 2 > \.year)

        let parts = try #require(texts.parts(try texts.plan(request)))

        #expect(parts.sql == #"SELECT "id", "year" FROM "Book" ORDER BY "id""#)
        #expect(parts.core == ["filter rows where (year == ? or (year * ?) > year)"])
    }

    @Test func `conditions beyond the number of parameters are the core's`() throws {
        let request = Book.where(\.year > 1990 && \.title != "a" && \.id < 7)

        let parts = try #require(texts.parts(try texts.plan(request), parameters: 4))

        #expect(
            parts.sql == #"SELECT "id" FROM "Book" WHERE ("year" > $1 AND "title" <> $2) ORDER BY "id""#)
        #expect(parts.core == ["filter rows where id < ?"])
        #expect(texts.parts(try texts.plan(request), parameters: 5) == nil)
    }

    @Test func `conditions nested too deeply are the core's`() throws {
        var deep = RowPredicate.isNull(column: 4)
        for level in 0..<101 {
            deep =
                level.isMultiple(of: 2)
                ? .any([deep, .isNull(column: 4)]) : .all([deep, .isNull(column: 5)])
        }
        var plan = try texts.plan(Book.all)
        plan.predicate = .all([.compare(column: 2, .equal, .integer(3)), deep])

        let parts = try #require(texts.parts(plan))

        #expect(
            parts.sql == #"SELECT "id", "editor", "shelf" FROM "Book" WHERE "year" = $1 ORDER BY "id""#)
    }

    @Test func `an order that the engine does not know is the core's, with the values it needs`() throws {
        let number = try #require(texts.schema.number(of: Sample.self))
        let json = try #require(Sample.schema.attributes.firstIndex { $0.type.storage == .json })
        let plan = RequestPlan(
            entity: number, schema: Sample.schema, columns: .some([1]), predicate: .isNotNull(column: 3),
            order: [RequestPlan.SortTerm(column: json, isAscending: false)], offset: 2, limit: 3)

        let parts = try #require(texts.parts(plan))

        #expect(
            parts.sql == """
                SELECT "flag", "id", "\(Sample.schema.attributes[json].name)" FROM "Sample" \
                WHERE "large" IS NOT NULL
                """)
        #expect(parts.core == ["sort rows, top 5"])
    }

    @Test func `conditions about related items are the engine's or need plans of their own`() throws {
        let engine = Book.where(\.author.name == "Ada" && .contains(\.title, "a", .caseInsensitive))
        let neither = Book.where(.contains(\.author.name, "a", .caseInsensitive))

        let parts = try #require(texts.parts(try texts.plan(engine)))

        #expect(
            parts.sql == """
                SELECT "id", "title" FROM "Book" \
                WHERE ("author" IN (SELECT "id" FROM "Person" WHERE "name" = $1)) ORDER BY "id"
                """)
        #expect(texts.runsWhole(try texts.plan(engine)))
        #expect(!texts.runsWhole(try texts.plan(neither)))
    }

    @Test func `an order that joins more tables than SQLite can is the core's`() throws {
        // By the names and the mentors of author and editor, and of their mentors: 1, 2, 3, 4 and 5 tables four times.
        var terms: [OrderTerm] = []
        for start in [3, 4] {
            var path = [RelationshipReference.column(start)]
            for _ in 0..<5 {
                for column in [1, 2] {
                    terms.append(OrderTerm(AttributePlace(path, column: column), isAscending: true))
                }
                path.append(.column(2))
            }
        }
        let order = ItemOrder<Book>(terms: terms) + .by(\.author.passport.number)

        let most = try texts.plan(Book.all.sorted(by: order + .by(\.shelf.room)))
        let more = try texts.plan(Book.all.sorted(by: order + .by(\.editor.passport.number)))

        let sql = try #require(texts.rows(most)[0])
        #expect(sql.split(separator: " ").filter { $0 == "JOIN" }.count == 63)
        #expect(texts.writes(most) == [true, true])
        #expect(texts.writes(more) == [false, false])
        #expect(!texts.runsWhole(more))
    }
}
