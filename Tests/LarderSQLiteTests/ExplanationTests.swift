import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

@Suite struct `Explaining a request` {
    let store: TestStore
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        store = try TestStore(at: folder.file("store.db"), storing: [Recipe.self, Sample.self, Tag.self])
    }

    private func lines<Item: DataStoreItem>(
        _ type: Item.Type, where predicate: RowPredicate = .always(true), order: [RequestPlan.SortTerm] = [],
        limit: Int? = nil
    ) throws -> [String] {
        try store.read { scope throws in
            try scope.transaction.explain(scope.plan(type, where: predicate, order: order, limit: limit))
        }
    }

    @Test func `all rows in the order of their identifiers are one scan`() throws {
        #expect(try lines(Recipe.self) == ["scan"])
        #expect(try lines(Recipe.self, order: [.descending(0)]) == ["scan"])
        #expect(try lines(Tag.self) == ["scan"])
    }

    @Test func `an identifier is looked up`() throws {
        #expect(try lines(Recipe.self, where: .compare(column: 0, .equal, .integer(1))) == ["by id"])
        #expect(try lines(Tag.self, where: .compare(column: 0, .equal, .text("a"))) == ["by id"])
        let list = RowPredicate.isIn(column: 0, (0..<1000).map { .integer($0) }, negated: false)
        #expect(try lines(Recipe.self, where: list) == ["by id"])
    }

    @Test func `an order by an index needs no sort in either direction`() throws {
        let rating = Recipe.Column.rating
        #expect(try lines(Recipe.self, order: [.ascending(rating)]) == ["index Recipe(rating)"])
        #expect(try lines(Recipe.self, order: [.descending(rating)]) == ["index Recipe(rating)"])
        #expect(try lines(Tag.self, order: [.descending(1)], limit: 5) == ["index Tag(weight)"])
    }

    @Test func `an order without an index is sorted`() throws {
        #expect(try lines(Recipe.self, order: [.ascending(Recipe.Column.name)]) == ["scan", "sort"])
        let mixed = [RequestPlan.SortTerm.ascending(Recipe.Column.rating), .descending(0)]
        #expect(try lines(Recipe.self, order: mixed) == ["index Recipe(rating)", "sort"])
    }

    @Test func `equality on an index needs no sort by identifier`() throws {
        let equal = RowPredicate.compare(column: Recipe.Column.slug, .equal, .text("a"))
        #expect(try lines(Recipe.self, where: equal) == ["index Recipe(slug)"])
        #expect(try lines(Tag.self, where: .compare(column: 1, .equal, .integer(3))) == ["index Tag(weight)"])
    }

    @Test func `a range on an index finds the identifiers first`() throws {
        let range = RowPredicate.compare(column: Recipe.Column.rating, .greater, .real(4))
        #expect(try lines(Recipe.self, where: range) == ["by id", "index Recipe(rating)"])
        let byRating = [RequestPlan.SortTerm.ascending(Recipe.Column.rating)]
        #expect(try lines(Recipe.self, where: range, order: byRating) == ["index Recipe(rating)"])
        #expect(
            try lines(Tag.self, where: .compare(column: 1, .less, .integer(3))) == [
                "by id", "index Tag(weight)",
            ])
    }

    @Test func `the window of a range on an index is cut among the identifiers`() throws {
        let range = RowPredicate.compare(column: Recipe.Column.rating, .greater, .real(4))
        #expect(try lines(Recipe.self, where: range, limit: 5) == ["by id", "index Recipe(rating)", "sort"])
    }

    @Test func `a prefix uses the index and a part of the text does not`() throws {
        func slug(_ kind: TextTest.Kind, ignoresCase: Bool = false) -> RowPredicate {
            .text(column: Recipe.Column.slug, TextTest(kind, "a", ignoresCase: ignoresCase), negated: false)
        }
        #expect(try lines(Recipe.self, where: slug(.hasPrefix)) == ["by id", "index Recipe(slug)"])
        #expect(try lines(Recipe.self, where: slug(.contains)) == ["scan"])
        #expect(try lines(Recipe.self, where: slug(.hasPrefix, ignoresCase: true)) == ["scan"])
    }

    @Test func `a prefix of the identifiers is a part of the table, whatever else is tested`() throws {
        let prefix = RowPredicate.text(
            column: 0, TextTest(.hasPrefix, "a", ignoresCase: false), negated: false)
        let range = RowPredicate.compare(column: 1, .greater, .integer(3))
        #expect(try lines(Tag.self, where: .all([prefix, range])) == ["by id"])
    }

    @Test func `the rest of a filter is tested on the rows an index has found`() throws {
        let range = RowPredicate.compare(column: Recipe.Column.rating, .greater, .real(4))
        let rest = RowPredicate.isNotNull(column: Recipe.Column.note)
        #expect(try lines(Recipe.self, where: .all([rest, range])) == ["by id", "index Recipe(rating)"])
        #expect(try lines(Recipe.self, where: .all([rest, range]), limit: 5) == ["scan"])
    }

    @Test func `either of two indexes is used for either of two terms`() throws {
        let range = RowPredicate.compare(column: Recipe.Column.rating, .greater, .real(4))
        let slug = RowPredicate.compare(column: Recipe.Column.slug, .equal, .text("a"))
        #expect(
            try lines(Recipe.self, where: .any([range, slug])) == [
                "by id", "index Recipe(rating)", "index Recipe(slug)",
            ])
    }
}
