import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

import struct Foundation.Decimal

/// Requests on a SQLite that cannot call the core: what it has no words for is tested, sorted and cut by the core.
@Suite struct `Requests without functions inside the engine` {
    let store: TestStore
    private let folder: TemporaryFolder
    private static let name = Recipe.Column.name
    private static let isCake = RowPredicate.text(
        column: name, TextTest(.contains, "CAKE", ignoresCase: true), negated: false)
    private static let isGood = RowPredicate.compare(column: Recipe.Column.rating, .greaterOrEqual, .real(3))

    init() throws {
        folder = try TemporaryFolder()
        var options = SQLiteOptions.forTests
        options.callsFunctions = false
        store = try TestStore(
            at: folder.file("store.db"), storing: [Recipe.self, Sample.self], options: options)
        let names = ["Cheesecake", "Soup", "cake", "Stew", "CAKE", "Pie", "Cupcake", "Tart"]
        try store.insert(
            names.enumerated().map { Recipe(Int64($0 + 1), name: $1, rating: Double($0 % 6)) })
    }

    @Test func `the engine tests its part and the core the rest`() throws {
        try store.read { scope throws in
            let both = RowPredicate.all([Self.isCake, Self.isGood])

            #expect(try scope.items(Recipe.self, where: Self.isCake).map(\.id) == [1, 3, 5, 7])
            #expect(try scope.items(Recipe.self, where: both).map(\.id) == [5])
            #expect(try scope.count(Recipe.self, where: Self.isCake) == 4)
            #expect(try scope.count(Recipe.self, where: Self.isCake, offset: 1, limit: 2) == 2)
            #expect(try scope.count(Recipe.self, where: both, offset: 1) == 0)
        }
    }

    @Test func `the window is cut from the rows that pass, in the engine's order`() throws {
        let byName = [RequestPlan.SortTerm.descending(Self.name)]

        try store.read { scope throws in
            func found(_ offset: Int, _ limit: Int?) throws -> [Int64] {
                try scope.items(
                    Recipe.self, where: Self.isCake, order: byName, offset: offset, limit: limit
                ).map(\.id)
            }
            #expect(try found(0, nil) == [3, 7, 1, 5])
            #expect(try found(1, 2) == [7, 1])
            #expect(try found(3, 9) == [5])
            #expect(try found(0, 0) == [])
        }
    }

    @Test func `an order that the engine does not know is sorted by the core`() throws {
        let numbers = ["10", "9", "-3", "-20", "9.5", "100.25", "0"]
        try store.insert(
            (0..<700).map { number in
                var sample = Sample()
                sample.decimal = number < 7 ? Decimal(string: numbers[number]) : Decimal(1000 + number)
                return sample
            })
        let plain = RequestPlan.SortTerm.ascending(12)

        try store.read { scope throws in
            func found(_ order: RequestPlan.SortTerm, _ offset: Int, _ limit: Int?) throws -> [String] {
                try scope.items(Sample.self, order: [order], offset: offset, limit: limit).map {
                    "\($0.decimal ?? 1)"
                }
            }
            #expect(try found(plain, 0, 7) == ["-20", "-3", "0", "9", "9.5", "10", "100.25"])
            #expect(try found(plain, 5, 3) == ["10", "100.25", "1007"])
            #expect(try found(.descending(12), 0, 2) == ["1699", "1698"])
            #expect(try found(.descending(12), 698, nil) == ["-3", "-20"])
            #expect(try found(plain, 0, nil).count == 700)
        }
    }

    @Test func `an explanation names what the core does`() throws {
        let decimal = RequestPlan.SortTerm.ascending(12)

        try store.read { scope throws in
            let filtered = try scope.plan(Recipe.self, where: .all([Self.isGood, Self.isCake]))
            let sorted = try scope.plan(Sample.self, order: [decimal], offset: 2, limit: 3)
            #expect(
                try scope.transaction.explain(filtered)
                    == ["by id", "index Recipe(rating)", "filter rows where name contains[c] ?"])
            #expect(try scope.transaction.explain(sorted) == ["scan", "sort rows, top 5"])
        }
    }
}
