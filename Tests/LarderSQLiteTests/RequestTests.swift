import Larder
import LarderSQLite
import Testing

import struct Foundation.Data
import struct Foundation.Decimal
@testable import AdapterTestSupport

@Suite struct `Requests` {
    let store: TestStore
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        store = try TestStore(at: folder.file("store.db"), storing: [Recipe.self, Sample.self, Tag.self])
    }

    @Test func `more shapes of requests are asked than statements are kept`() throws {
        try store.insert((1...400).map { Recipe($0) })

        try store.read { scope throws in
            for round in 0..<2 {
                for length in 2...300 {
                    let list = (1...length).map { Constant.integer(Int64($0)) }
                    let isIn = RowPredicate.isIn(column: 0, list, negated: round == 1)
                    #expect(try scope.count(Recipe.self, where: isIn) == (round == 0 ? length : 400 - length))
                }
            }
        }
    }

    @Test func `rows come in the order of their identifiers unless another is asked for`() throws {
        try store.insert([Recipe(3, rating: 1), Recipe(1, rating: 3), Recipe(2, rating: 3)])

        try store.read { scope throws in
            #expect(try scope.items(Recipe.self).map(\.id) == [1, 2, 3])
            let descending = [RequestPlan.SortTerm.descending(Recipe.Column.rating)]
            #expect(try scope.items(Recipe.self, order: descending).map(\.id) == [2, 1, 3])
            let ascending = [RequestPlan.SortTerm.ascending(Recipe.Column.rating)]
            #expect(try scope.items(Recipe.self, order: ascending).map(\.id) == [3, 1, 2])
        }
    }

    @Test func `a window is cut from the order and counted`() throws {
        try store.insert((1...10).map { Recipe(Int64($0)) })

        try store.read { scope throws in
            #expect(try scope.items(Recipe.self, offset: 2, limit: 3).map(\.id) == [3, 4, 5])
            #expect(try scope.items(Recipe.self, offset: 8).map(\.id) == [9, 10])
            #expect(try scope.items(Recipe.self, limit: 0).isEmpty)
            #expect(try scope.count(Recipe.self) == 10)
            #expect(try scope.count(Recipe.self, offset: 2, limit: 3) == 3)
            #expect(try scope.count(Recipe.self, offset: 8) == 2)
            #expect(try scope.count(Recipe.self, offset: 20) == 0)
        }
    }

    @Test func `nil comes first ascending and last descending`() throws {
        try store.insert([Recipe(1, note: "b"), Recipe(2), Recipe(3, note: "")])

        try store.read { scope throws in
            let note = Recipe.Column.note
            #expect(try scope.items(Recipe.self, order: [.ascending(note)]).map(\.id) == [2, 3, 1])
            #expect(try scope.items(Recipe.self, order: [.descending(note)]).map(\.id) == [1, 3, 2])
        }
    }

    @Test func `decimals are compared and sorted by their value`() throws {
        let numbers = ["10", "9", "-3", "-20", "9.5", "100.25", "0"]
        try store.insert(
            numbers.map { text in
                var sample = Sample()
                sample.decimal = Decimal(string: text)
                return sample
            })

        try store.read { scope throws in
            let column = 12
            let sorted = try scope.items(Sample.self, order: [.ascending(column)]).map {
                "\($0.decimal ?? 1)"
            }
            #expect(sorted == ["-20", "-3", "0", "9", "9.5", "10", "100.25"])
            let large = RowPredicate.compare(column: column, .greater, .decimal("9"))
            #expect(try scope.count(Sample.self, where: large) == 3)
            let listed = RowPredicate.isIn(column: column, [.decimal("9"), .decimal("10")], negated: false)
            #expect(try scope.count(Sample.self, where: listed) == 2)
        }
    }

    @Test func `unsigned integers are compared and sorted beyond the signed ones`() throws {
        let numbers: [UInt64] = [UInt64.max, 0, UInt64(Int64.max), UInt64(Int64.max) + 1, 7]
        try store.insert(
            numbers.map { number in
                var sample = Sample()
                sample.unsigned = number
                return sample
            })

        try store.read { scope throws in
            #expect(
                try scope.items(Sample.self, order: [.ascending(4)]).map(\.unsigned) == numbers.sorted())
            let large = RowPredicate.compare(column: 4, .greaterOrEqual, .unsigned(UInt64(Int64.max)))
            #expect(try scope.count(Sample.self, where: large) == 3)
        }
    }

    @Test func `text is compared by its bytes and folded only where asked`() throws {
        try store.insert([
            Recipe(1, name: "Éclair"), Recipe(2, name: "E\u{301}clair"), Recipe(3, name: "STRASSE"),
            Recipe(4, name: "Straße"), Recipe(5, name: "Zimt"), Recipe(6, name: "apple"),
        ])

        try store.read { scope throws in
            func found(_ test: TextTest) throws -> [Int64] {
                try scope.items(
                    Recipe.self, where: .text(column: Recipe.Column.name, test, negated: false)
                ).map(\.id)
            }
            #expect(try found(TextTest(.equals, "Éclair", ignoresCase: false)) == [1])
            #expect(try found(TextTest(.equals, "éCLAIR", ignoresCase: true)) == [1])
            #expect(try found(TextTest(.equals, "strasse", ignoresCase: true)) == [3, 4])
            #expect(try found(TextTest(.contains, "RASS", ignoresCase: true)) == [3, 4])
            #expect(try found(TextTest(.hasPrefix, "Str", ignoresCase: false)) == [4])
            #expect(try found(TextTest(.hasPrefix, "str", ignoresCase: true)) == [3, 4])
            #expect(try found(TextTest(.hasSuffix, "clair", ignoresCase: false)) == [1, 2])
            #expect(try found(TextTest(.hasPrefix, "", ignoresCase: false)) == [1, 2, 3, 4, 5, 6])
            let byName = [RequestPlan.SortTerm.ascending(Recipe.Column.name)]
            #expect(try scope.items(Recipe.self, order: byName).map(\.id) == [2, 3, 4, 5, 6, 1])
        }
    }

    @Test func `a prefix ends with the last text that has it`() throws {
        let texts = ["é", "éa", "ê", "\u{10FFFF}", "\u{10FFFF}z", "a", "a\u{10FFFF}", "b", ""]
        try store.insert(texts.enumerated().map { Tag($1.isEmpty ? "empty" : $1, weight: $0) })

        try store.read { scope throws in
            for prefix in texts {
                let test = TextTest(.hasPrefix, prefix, ignoresCase: false)
                let found = try scope.items(Tag.self, where: .text(column: 0, test, negated: false))
                let expected = try scope.items(Tag.self).filter { $0.id.utf8.starts(with: prefix.utf8) }
                #expect(found == expected)
            }
        }
    }
}

@Suite struct `Large filters` {
    let store: TestStore
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        store = try TestStore(at: folder.file("store.db"), storing: [Recipe.self, Sample.self])
        try store.insert((1...2000).map { Recipe(Int64($0), rating: Double($0 % 10)) })
    }

    private func constants(_ numbers: some Sequence<Int>) -> [Constant] {
        numbers.map { .integer(Int64($0)) }
    }

    @Test(arguments: [1, 2, 499, 500, 501, 5000, 100_000])
    func `a list of constants may have any length`(_ count: Int) throws {
        let odd = stride(from: 1, to: 2 * count, by: 2)

        try store.read { scope throws in
            let isIn = RowPredicate.isIn(column: 0, constants(odd), negated: false)
            let isNotIn = RowPredicate.isIn(column: 0, constants(odd), negated: true)
            let expected = min(count, 1000)
            #expect(try scope.count(Recipe.self, where: isIn) == expected)
            #expect(try scope.count(Recipe.self, where: isNotIn) == 2000 - expected)
            #expect(try scope.items(Recipe.self, where: isIn).last?.id == Int64(2 * expected - 1))
        }
    }

    @Test func `a long list may hold text, numbers, bytes and large integers`() throws {
        var samples: [Sample] = []
        for number in 0..<1000 {
            var sample = Sample()
            sample.text = "a\0\(number)"
            sample.real = Double(number) / 3
            sample.data = number == 0 ? Data() : Data("\(number)".utf8)
            sample.unsigned = UInt64.max - UInt64(number)
            sample.decimal = Decimal(string: "\(number).25")
            samples.append(sample)
        }
        try store.insert(samples)

        try store.read { scope throws in
            func count(_ column: Int, _ constants: [Constant]) throws -> Int {
                try scope.count(Sample.self, where: .isIn(column: column, constants, negated: false))
            }
            let range = 0..<600
            #expect(try count(7, range.map { .text("a\0\($0)") }) == 600)
            #expect(try count(6, range.map { .real(Double($0) / 3) }) == 600)
            #expect(try count(8, range.map { .blob($0 == 0 ? [] : Array("\($0)".utf8)) }) == 600)
            #expect(try count(4, range.map { .unsigned(UInt64.max - UInt64($0)) }) == 600)
            #expect(try count(12, range.map { .decimal("\($0).25") }) == 600)
        }
    }

    @Test func `five thousand terms are joined by or and by and`() throws {
        let ids = (1...5000).map { RowPredicate.compare(column: 0, .equal, .integer($0)) }
        let others = (1...5000).map { RowPredicate.compare(column: 0, .notEqual, .integer($0 + 1000)) }

        try store.read { scope throws in
            #expect(try scope.count(Recipe.self, where: .any(ids)) == 2000)
            #expect(try scope.count(Recipe.self, where: .all(others)) == 1000)
            #expect(try scope.items(Recipe.self, where: .any(ids), limit: 3).map(\.id) == [1, 2, 3])
        }
    }

    @Test func `more constants than SQLite has parameters are tested by the reference`() throws {
        let lists = (0..<600).map { list in
            RowPredicate.isIn(column: 0, constants((0..<500).map { list * 500 + $0 }), negated: false)
        }

        let predicate = RowPredicate.all([.compare(column: 0, .less, .integer(20)), .any(lists)])
        try store.read { scope throws in
            #expect(try scope.count(Recipe.self, where: predicate) == 19)
            #expect(try scope.items(Recipe.self, where: predicate, offset: 18).map(\.id) == [19])
        }
    }

    @Test func `lists nested deeper than SQL can be are tested by the reference`() throws {
        var predicate = RowPredicate.compare(column: 0, .less, .integer(5))
        for depth in 0..<200 {
            let other = RowPredicate.compare(column: Recipe.Column.rating, .equal, .real(100))
            predicate =
                depth.isMultiple(of: 2)
                ? .any([other, predicate]) : .all([.isNotNull(column: 1), predicate])
        }

        try store.read { scope throws in
            #expect(try scope.items(Recipe.self, where: predicate).map(\.id) == [1, 2, 3, 4])
        }
    }
}
