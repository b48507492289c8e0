import Larder
import LarderSQL
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
        #expect(
            try texts.rows(Book.all) == [
                #"SELECT "id" FROM "Book" ORDER BY "id""#,
                #"SELECT "id" FROM "Book" ORDER BY "id""#,
            ])
        #expect(
            try texts.count(Book.all) == [
                #"SELECT count(*) FROM "Book""#,
                #"SELECT count(*) FROM "Book""#,
            ])
        #expect(
            try texts.rows(Book.all.sorted(by: \.editor, .descending).offset(20).limit(10)) == [
                #"SELECT "id" FROM "Book" ORDER BY "editor" DESC, "id" DESC LIMIT ?1 OFFSET ?2"#,
                """
                SELECT "id" FROM "Book" ORDER BY "editor" DESC NULLS LAST, "id" DESC LIMIT $1 OFFSET $2
                """,
            ])
        #expect(
            try texts.count(Book.all.sorted(by: \.editor, .descending).offset(20).limit(10)) == [
                #"SELECT count(*) FROM (SELECT 1 FROM "Book" LIMIT ?1 OFFSET ?2)"#,
                #"SELECT count(*) FROM (SELECT 1 FROM "Book" LIMIT $1 OFFSET $2) AS larder_rows"#,
            ])
        #expect(
            try texts.rows(Book.all.offset(20)) == [
                #"SELECT "id" FROM "Book" ORDER BY "id" LIMIT -1 OFFSET ?1"#,
                #"SELECT "id" FROM "Book" ORDER BY "id" OFFSET $1"#,
            ])
        #expect(
            try texts.count(Book.all.offset(20)) == [
                #"SELECT count(*) FROM (SELECT 1 FROM "Book" LIMIT -1 OFFSET ?1)"#,
                #"SELECT count(*) FROM (SELECT 1 FROM "Book" OFFSET $1) AS larder_rows"#,
            ])
    }

    @Test func `all comparisons are of the operand that the dialect makes of a column`() throws {
        func condition(_ predicate: RowPredicate) throws -> String {
            try texts.condition(predicate, of: Person.self, collation: " COLLATE C")
        }
        func text(_ kind: TextTest.Kind) -> RowPredicate {
            .text(column: 1, TextTest(kind, "a", ignoresCase: false), negated: false)
        }
        #expect(try condition(.compare(column: 1, .equal, .text("a"))) == #""name" COLLATE C = $1"#)
        #expect(try condition(text(.equals)) == #""name" COLLATE C = $1"#)
        #expect(
            try condition(text(.hasPrefix)) == #"("name" COLLATE C >= $1 AND "name" COLLATE C < $2)"#)
        let names = try texts.plan(Person.where(\.name == \.name)).predicate
        #expect(try condition(names) == #""name" COLLATE C IS NOT DISTINCT FROM "name" COLLATE C"#)
        let unequal = try texts.plan(Person.where(!(\.name < \.name))).predicate
        #expect(
            try condition(unequal) == """
                ("name" COLLATE C >= "name" COLLATE C OR "name" IS NULL OR "name" IS NULL)
                """)
    }

    @Test func `comparisons, and what nil is in them`() throws {
        #expect(
            try texts.rows(Book.where(\.year > 1990 && (\.title != "a" || \.editor == nil))) == [
                """
                SELECT "id" FROM "Book" WHERE ("year" > ?1 AND ("title" <> ?2 OR "editor" IS NULL)) ORDER BY \
                "id"
                """,
                """
                SELECT "id" FROM "Book" WHERE ("year" > $1 AND ("title" <> $2 OR "editor" IS NULL)) ORDER \
                BY "id"
                """,
            ])
        #expect(
            try texts.rows(Book.where(\.shelf != ToOne(id: 3))) == [
                #"SELECT "id" FROM "Book" WHERE "shelf" IS NOT ?1 ORDER BY "id""#,
                #"SELECT "id" FROM "Book" WHERE "shelf" IS DISTINCT FROM $1 ORDER BY "id""#,
            ])
        #expect(
            try texts.rows(Person.where(\.name == \.name)) == [
                #"SELECT "id" FROM "Person" WHERE "name" IS "name" ORDER BY "id""#,
                #"SELECT "id" FROM "Person" WHERE "name" IS NOT DISTINCT FROM "name" ORDER BY "id""#,
            ])
        #expect(
            try texts.rows(Person.where(!(\.name < \.name))) == [
                """
                SELECT "id" FROM "Person" WHERE ("name" >= "name" OR "name" IS NULL OR "name" IS NULL) \
                ORDER BY "id"
                """,
                """
                SELECT "id" FROM "Person" WHERE ("name" >= "name" OR "name" IS NULL OR "name" IS NULL) \
                ORDER BY "id"
                """,
            ])
    }

    @Test func `columns of which an index has the beginning are tested and sorted twice`() throws {
        let start = #"SELECT "id" FROM "Book" WHERE "#
        let byID = #" ORDER BY "id""#
        let and = #" AND CASE WHEN "title" IS NOT NULL THEN "#
        for (comparison, beginning) in [("=", "="), ("<", "<="), ("<=", "<="), (">", ">="), (">=", ">=")] {
            let filter: Filter<Book> =
                switch comparison {
                case "=": \Book.Attributes.title == "a"
                case "<": \Book.Attributes.title < "a"
                case "<=": \Book.Attributes.title <= "a"
                case ">": \Book.Attributes.title > "a"
                default: \Book.Attributes.title >= "a"
                }
            #expect(
                try texts.shortened(Book.where(filter)) == start
                    + #"(LEFT("title", 7) \#(beginning) LEFT($1, 7)\#(and)"title" \#(comparison) $1 END)"#
                    + byID)
        }
        #expect(try texts.shortened(Book.where(\.title != "a")) == start + #""title" <> $1"# + byID)
        #expect(
            try texts.shortened(Book.where(.isIn(\.title, ["a", "b"]))) == start
                + #"(LEFT("title", 7) = ANY(BEGINNINGS(7, $1))\#(and)("title" = ANY($1)) END)"# + byID)
        #expect(
            try texts.shortened(Book.where(.hasPrefix(\.title, "a"))) == start
                + #"(LEFT("title", 7) >= LEFT($1, 7) AND LEFT("title", 7) <= LEFT($2, 7)\#(and)"#
                + #"("title" >= $1 AND "title" < $2) END)"# + byID)
        #expect(
            try texts.shortened(Book.all.sorted(by: \.title, .descending)) == #"SELECT "id" FROM "Book""#
                + #" ORDER BY LEFT("title", 7) DESC, "title" DESC, "id" DESC"#)
    }

    @Test func `lists`() throws {
        #expect(
            try texts.rows(Book.where(.isIn(\.year, [1990, 1991]))) == [
                #"SELECT "id" FROM "Book" WHERE ("year" IN (?1, ?2)) ORDER BY "id""#,
                #"SELECT "id" FROM "Book" WHERE ("year" = ANY($1)) ORDER BY "id""#,
            ])
        #expect(
            try texts.rows(Book.where(!.isIn(\.shelf, [ToOne(id: 1), ToOne(id: 2)]))) == [
                """
                SELECT "id" FROM "Book" WHERE ("shelf" NOT IN (?1, ?2) OR "shelf" IS NULL) ORDER BY "id"
                """,
                #"SELECT "id" FROM "Book" WHERE ("shelf" <> ALL($1) OR "shelf" IS NULL) ORDER BY "id""#,
            ])
        #expect(
            try texts.rows(Book.where(.isIn(\.year, 0..<501))) == [
                """
                SELECT "id" FROM "Book" WHERE ("year" IN (WITH RECURSIVE larder_number(n) AS (SELECT 0 \
                UNION ALL SELECT n + 1 FROM larder_number LIMIT ?1) SELECT larder_constant(?2, n) FROM \
                larder_number)) ORDER BY "id"
                """,
                #"SELECT "id" FROM "Book" WHERE ("year" = ANY($1)) ORDER BY "id""#,
            ])
    }

    @Test func `long lists of any length have one statement`() throws {
        func rows(_ length: Int) throws -> [String?] {
            try texts.rows(Book.where(!.isIn(\.year, 0..<length)))
                + texts.rows(Person.where(.any(\.books, .isIn(\.year, 0..<length))))
        }

        #expect(try rows(501) == rows(700))
        let (short, other) = (try rows(2), try rows(3))
        #expect(zip(short, other).map { $0 == $1 } == [false, true, false, true])
    }

    @Test func `tests of text`() throws {
        #expect(
            try texts.rows(Book.where(.hasPrefix(\.title, "a"))) == [
                #"SELECT "id" FROM "Book" WHERE ("title" >= ?1 AND "title" < ?2) ORDER BY "id""#,
                #"SELECT "id" FROM "Book" WHERE ("title" >= $1 AND "title" < $2) ORDER BY "id""#,
            ])
        #expect(
            try texts.rows(Book.where(!.hasPrefix(\.title, "a"))) == [
                #"SELECT "id" FROM "Book" WHERE ("title" < ?1 OR "title" >= ?2) ORDER BY "id""#,
                #"SELECT "id" FROM "Book" WHERE ("title" < $1 OR "title" >= $2) ORDER BY "id""#,
            ])
        #expect(
            try texts.rows(Book.where(!.contains(\.title, "a"))) == [
                #"SELECT "id" FROM "Book" WHERE NOT larder_contains("title", ?1) ORDER BY "id""#,
                """
                SELECT "id" FROM "Book" WHERE NOT coalesce(position($1 IN "title") > 0, FALSE) ORDER BY \
                "id"
                """,
            ])
        #expect(
            try texts.rows(Book.where(.contains(\.title, "a", .caseInsensitive))) == [
                #"SELECT "id" FROM "Book" WHERE larder_contains_folded("title", ?1) ORDER BY "id""#,
                nil,
            ])
        #expect(
            try texts.rows(Book.where(.like(\.title, "a*b*c"))) == [
                """
                SELECT "id" FROM "Book" WHERE (("title" >= ?1 AND "title" < ?2) AND larder_pattern("title", \
                ?3)) ORDER BY "id"
                """,
                nil,
            ])
    }

    @Test func `a calculation calls the core, where it can be called`() throws {
        var deep = try texts.plan(Book.all)
        for level in 0..<101 {
            deep.predicate =
                level.isMultiple(of: 2)
                ? .any([deep.predicate, .isNull(column: 4)]) : .all([deep.predicate, .isNull(column: 5)])
        }

        #expect(
            try texts.rows(Book.where(\.year * 2 > \.year)) == [
                #"SELECT "id" FROM "Book" WHERE larder_matches(?1, 0, "year") ORDER BY "id""#,
                nil,
            ])
        #expect(
            texts.rows(deep) == [
                #"SELECT "id" FROM "Book" WHERE larder_matches(?1, 0, "editor", "shelf") ORDER BY "id""#,
                nil,
            ])
    }

    @Test func `rows that an index finds are put in the order of their identifiers`() throws {
        #expect(
            try texts.rows(Book.where(\.shelf > ToOne(id: 3)).offset(1).limit(3)) == [
                """
                SELECT "id" FROM "Book" WHERE "id" IN (SELECT "id" FROM "Book" WHERE "shelf" > ?1 ORDER BY \
                +"id" LIMIT ?2 OFFSET ?3) ORDER BY "id"
                """,
                #"SELECT "id" FROM "Book" WHERE "shelf" > $1 ORDER BY "id" LIMIT $2 OFFSET $3"#,
            ])
        #expect(
            try texts.rows(Book.where(\.shelf > ToOne(id: 3) && \.year == 3).offset(3)) == [
                """
                SELECT "id" FROM "Book" WHERE "id" IN (SELECT "id" FROM "Book" WHERE "shelf" > ?1) AND \
                "year" = ?2 ORDER BY "id" LIMIT -1 OFFSET ?3
                """,
                #"SELECT "id" FROM "Book" WHERE ("shelf" > $1 AND "year" = $2) ORDER BY "id" OFFSET $3"#,
            ])
        let three = Book.where(
            (\.title == "a" || \.editor == nil) && \.shelf > ToOne(id: 3) && \.year == 3)
        #expect(
            texts.parameters(try texts.plan(three)) == [
                .test(2, .constant), .test(0, .constant), .test(3, .constant),
            ])
    }

    @Test func `a limit on rows that are tested further does not find all identifiers first`() throws {
        #expect(
            try texts.rows(Book.where(\.shelf > ToOne(id: 3) && \.year == 3).limit(3)) == [
                #"SELECT "id" FROM "Book" WHERE ("shelf" > ?1 AND "year" = ?2) ORDER BY "id" LIMIT ?3"#,
                #"SELECT "id" FROM "Book" WHERE ("shelf" > $1 AND "year" = $2) ORDER BY "id" LIMIT $3"#,
            ])
    }

    @Test func `a part of the table in the order of its identifiers is read without an index`() throws {
        func rows(_ kind: TextTest.Kind) throws -> [String?] {
            var plan = try texts.plan(Passport.all)
            plan.predicate = .all([
                .text(column: 0, TextTest(kind, "p", ignoresCase: false), negated: false),
                .compare(column: 2, .greater, .integer(3)),
            ])
            return texts.rows(plan)
        }
        #expect(
            try rows(.hasPrefix) == [
                """
                SELECT "id" FROM "Passport" WHERE (("id" >= ?1 AND "id" < ?2) AND "holder" > ?3) ORDER BY \
                "id"
                """,
                """
                SELECT "id" FROM "Passport" WHERE (("id" >= $1 AND "id" < $2) AND "holder" > $3) ORDER BY \
                "id"
                """,
            ])
        #expect(
            try rows(.equals) == [
                #"SELECT "id" FROM "Passport" WHERE ("id" = ?1 AND "holder" > ?2) ORDER BY "id""#,
                #"SELECT "id" FROM "Passport" WHERE ("id" = $1 AND "holder" > $2) ORDER BY "id""#,
            ])
    }

    @Test func `values that are compared in a way of their own, and none`() throws {
        let decimal = RequestPlan(
            entity: try #require(texts.schema.number(of: Sample.self)), schema: Sample.schema,
            columns: .some([0]), predicate: .compare(column: 12, .notEqual, .decimal("1")),
            order: [RequestPlan.SortTerm(column: 12, isAscending: false)])
        let nothing = RequestPlan(
            entity: try #require(texts.schema.number(of: Sample.self)), schema: Sample.schema,
            columns: .some([]), predicate: .any([.always(false), .isNull(column: 3)]))

        #expect(
            texts.rows(decimal) == [
                """
                SELECT "id" FROM "Sample" WHERE "decimal" COLLATE larder_decimal IS NOT ?1 ORDER BY \
                "decimal" COLLATE larder_decimal DESC, "id" DESC
                """,
                """
                SELECT "id" FROM "Sample" WHERE "decimal" IS DISTINCT FROM $1 ORDER BY "decimal" DESC NULLS \
                LAST, "id" DESC
                """,
            ])
        #expect(
            texts.rows(nothing) == [
                #"SELECT NULL FROM "Sample" WHERE (0 OR "large" IS NULL) ORDER BY "id""#,
                #"SELECT NULL FROM "Sample" WHERE (FALSE OR "large" IS NULL) ORDER BY "id""#,
            ])
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

        #expect(
            try texts.rows(Book.where(\.author.name == "Ada")) == [
                """
                SELECT "id" FROM "Book" WHERE "id" IN (SELECT "id" FROM "Book" WHERE ("author" IN (SELECT \
                "id" FROM "Person" WHERE "name" = ?1))) ORDER BY "id"
                """,
                """
                SELECT "id" FROM "Book" WHERE ("author" IN (SELECT "id" FROM "Person" WHERE "name" = $1)) \
                ORDER BY "id"
                """,
            ])
        #expect(
            try texts.rows(Person.where(\.passport.number == 1)) == [
                """
                SELECT "id" FROM "Person" WHERE ("id" IN (SELECT "holder" FROM "Passport" WHERE "holder" IS \
                NOT NULL AND "number" = ?1)) ORDER BY "id"
                """,
                """
                SELECT "id" FROM "Person" WHERE ("id" IN (SELECT "holder" FROM "Passport" WHERE "holder" IS \
                NOT NULL AND "number" = $1)) ORDER BY "id"
                """,
            ])
        #expect(
            texts.rows(unique) == [
                """
                SELECT "id" FROM "Piece" WHERE "kind" = (SELECT "id" FROM "Kind" WHERE "name" = ?1 ORDER BY \
                "id" LIMIT 1) ORDER BY "id"
                """,
                """
                SELECT "id" FROM "Piece" WHERE "kind" = (SELECT "id" FROM "Kind" WHERE "name" = $1 ORDER BY \
                "id" LIMIT 1) ORDER BY "id"
                """,
            ])
    }

    @Test func `items that refer to the owner`() throws {
        #expect(
            try texts.rows(Person.where(.any(\.books, \.title == "a"))) == [
                """
                SELECT "id" FROM "Person" WHERE ("id" IN (SELECT "author" FROM "Book" WHERE "title" = ?1)) \
                ORDER BY "id"
                """,
                """
                SELECT "id" FROM "Person" WHERE ("id" IN (SELECT "author" FROM "Book" WHERE "title" = $1)) \
                ORDER BY "id"
                """,
            ])
        #expect(
            try texts.rows(Person.where(.none(\.books, \.title == "a"))) == [
                """
                SELECT "id" FROM "Person" WHERE ("id" NOT IN (SELECT "author" FROM "Book" WHERE "title" = \
                ?1)) ORDER BY "id"
                """,
                """
                SELECT "id" FROM "Person" WHERE ("id" NOT IN (SELECT "author" FROM "Book" WHERE "title" = \
                $1)) ORDER BY "id"
                """,
            ])
        #expect(
            try texts.rows(Person.where(\.books.count > 2)) == [
                """
                SELECT "id" FROM "Person" WHERE ("id" IN (SELECT "author" FROM "Book" WHERE 1 GROUP BY \
                "author" HAVING count(*) > ?1)) ORDER BY "id"
                """,
                """
                SELECT "id" FROM "Person" WHERE ("id" IN (SELECT "author" FROM "Book" WHERE TRUE GROUP BY \
                "author" HAVING count(*) > $1)) ORDER BY "id"
                """,
            ])
        #expect(
            try texts.rows(Person.where(\.books.count < 2)) == [
                """
                SELECT "id" FROM "Person" WHERE ("id" NOT IN (SELECT "author" FROM "Book" WHERE 1 GROUP BY \
                "author" HAVING count(*) >= ?1)) ORDER BY "id"
                """,
                """
                SELECT "id" FROM "Person" WHERE ("id" NOT IN (SELECT "author" FROM "Book" WHERE TRUE GROUP \
                BY "author" HAVING count(*) >= $1)) ORDER BY "id"
                """,
            ])
    }

    @Test func `links`() throws {
        #expect(
            try texts.rows(Book.where(.any(\.labels, \.rank > 1))) == [
                """
                SELECT "id" FROM "Book" WHERE ("id" IN (SELECT "source" FROM "Book.labels" WHERE ("target" \
                IN (SELECT "id" FROM "Label" WHERE "rank" > ?1)))) ORDER BY "id"
                """,
                """
                SELECT "id" FROM "Book" WHERE ("id" IN (SELECT "source" FROM "Book.labels" WHERE ("target" \
                IN (SELECT "id" FROM "Label" WHERE "rank" > $1)))) ORDER BY "id"
                """,
            ])
        #expect(
            try texts.rows(Book.where(.any(\.labels, \.id == "x"))) == [
                """
                SELECT "id" FROM "Book" WHERE ("id" IN (SELECT "source" FROM "Book.labels" WHERE "target" = \
                ?1)) ORDER BY "id"
                """,
                """
                SELECT "id" FROM "Book" WHERE ("id" IN (SELECT "source" FROM "Book.labels" WHERE "target" = \
                $1)) ORDER BY "id"
                """,
            ])
    }

    @Test func `orders`() throws {
        let led = Book.all.sorted(by: \.author.mentor).limit(2)

        #expect(
            try texts.rows(Book.all.sorted(by: \.editor.mentor.name, .descending).limit(2)) == [
                """
                SELECT "id" FROM "Book" LEFT JOIN (SELECT "id" AS larder_0_key, "mentor" AS larder_0_value \
                FROM "Person") ON larder_0_key = "editor" LEFT JOIN (SELECT "id" AS larder_1_key, "name" AS \
                larder_1_value FROM "Person") ON larder_1_key = larder_0_value ORDER BY larder_1_value \
                DESC, "id" DESC LIMIT ?1
                """,
                """
                SELECT "id" FROM "Book" LEFT JOIN (SELECT "id" AS larder_0_key, "mentor" AS larder_0_value \
                FROM "Person") AS larder_0 ON larder_0_key = "editor" LEFT JOIN (SELECT "id" AS \
                larder_1_key, "name" AS larder_1_value FROM "Person") AS larder_1 ON larder_1_key = \
                larder_0_value ORDER BY larder_1_value DESC NULLS LAST, "id" DESC LIMIT $1
                """,
            ])
        #expect(
            try texts.rows(Person.all.sorted(by: \.passport.number)) == [
                """
                SELECT "id" FROM "Person" LEFT JOIN (SELECT "holder" AS larder_0_key, "id" AS \
                larder_0_value FROM "Passport") ON larder_0_key = "id" LEFT JOIN (SELECT "id" AS \
                larder_1_key, "number" AS larder_1_value FROM "Passport") ON larder_1_key = larder_0_value \
                ORDER BY larder_1_value, "id"
                """,
                """
                SELECT "id" FROM "Person" LEFT JOIN (SELECT "holder" AS larder_0_key, "id" AS \
                larder_0_value FROM "Passport") AS larder_0 ON larder_0_key = "id" LEFT JOIN (SELECT "id" \
                AS larder_1_key, "number" AS larder_1_value FROM "Passport") AS larder_1 ON larder_1_key = \
                larder_0_value ORDER BY larder_1_value NULLS FIRST, "id"
                """,
            ])
        #expect(
            try texts.rows(led) == [
                """
                SELECT "id" FROM (SELECT "id" AS larder_0_key, "mentor" AS larder_0_value FROM "Person") \
                CROSS JOIN "Book" ON larder_0_key = "author" ORDER BY larder_0_value, "id" LIMIT ?1
                """,
                """
                SELECT "id" FROM (SELECT "id" AS larder_0_key, "mentor" AS larder_0_value FROM "Person") AS \
                larder_0 JOIN "Book" ON larder_0_key = "author" ORDER BY larder_0_value NULLS FIRST, "id" \
                LIMIT $1
                """,
            ])
    }

    @Test func `groups`() throws {
        #expect(
            try texts.groups(texts.plan(Book.all), by: [5, 4]) == [
                """
                SELECT count(*) FROM "Book" GROUP BY "shelf", "editor" ORDER BY "Book"."shelf", \
                "Book"."editor"
                """,
                """
                SELECT count(*) FROM "Book" GROUP BY "shelf", "editor" ORDER BY "Book"."shelf" NULLS FIRST, \
                "Book"."editor" NULLS FIRST
                """,
            ])
    }

}
