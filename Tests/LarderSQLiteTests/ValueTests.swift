import Foundation
import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

@Suite struct `Values in a store` {
    let store: TestStore
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        store = try TestStore(at: folder.file("store.db"), storing: [Sample.self, Tag.self, Recipe.self])
    }

    /// Stores a sample, and reads it back by its identifier and in a scan.
    private func requireSame(_ change: (inout Sample) -> Void) throws {
        var sample = Sample()
        change(&sample)
        try store.insert([sample])

        #expect(try store.read { try $0.item(Sample.self, sample.id) } == sample)
        #expect(try store.all(Sample.self).contains(sample))
    }

    @Test func `nil of each type comes back as nil`() throws {
        try requireSame { _ in }
    }

    @Test(arguments: [Int64.min, -1, 0, 1, 127, Int64.max])
    func `integers come back`(_ number: Int64) throws {
        try requireSame {
            $0.large = number
            $0.tiny = Int8(clamping: number)
        }
    }

    @Test(arguments: [0, 1, UInt64(Int64.max), UInt64(Int64.max) + 1, UInt64.max])
    func `unsigned integers come back beyond the signed ones`(_ number: UInt64) throws {
        try requireSame { $0.unsigned = number }
    }

    @Test(arguments: [
        0, 1.5, -1.5, Double.infinity, -Double.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
        0.1,
        3,
    ])
    func `real numbers come back bit for bit`(_ number: Double) throws {
        try requireSame {
            $0.real = number
            $0.date = Date(timeIntervalSinceReferenceDate: number)
        }
    }

    @Test(arguments: [
        "", "a", "a\0b", "\0", "é", "e\u{301}", "🍰", "\u{FEFF}x", String(repeating: "ü", count: 5000),
    ])
    func `text comes back byte for byte`(_ text: String) throws {
        var sample = Sample()
        sample.text = text
        try store.insert([sample])

        let stored = try store.read { try $0.item(Sample.self, sample.id) }
        #expect(stored?.text.map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test(arguments: [Data(), Data([0]), Data([0, 1, 255]), Data(repeating: 7, count: 100_000)])
    func `data comes back`(_ data: Data) throws {
        try requireSame { $0.data = data }
    }

    @Test func `everything else comes back`() throws {
        try requireSame {
            $0.flag = true
            $0.single = 0.1
            $0.uuid = UUID()
            $0.url = URL(string: "https://example.org/a?b#c")
            $0.decimal = Decimal(string: "-123456789.000000001")
            $0.json = Sample.Nutrition(energy: 3)
        }
    }

    @Test func `identifiers are found by their bytes`() throws {
        let tags = ["é", "e\u{301}", "a", "a\0", "A", String(repeating: "x", count: 200)].map { Tag($0) }
        try store.insert(tags)

        for tag in tags {
            let found = try store.read { try $0.item(Tag.self, tag.id) }
            #expect(found.map { Array($0.id.utf8) } == Array(tag.id.utf8))
        }
        #expect(try store.read { try $0.item(Tag.self, "b") } == nil)
    }

    @Test func `identifiers may be the smallest and largest integers`() throws {
        try store.insert([Recipe(.min), Recipe(.max), Recipe(0)])

        #expect(try store.all(Recipe.self).map(\.id) == [.min, 0, .max])
        #expect(try store.read { try $0.item(Recipe.self, .min) }?.slug == "recipe-\(Int64.min)")
    }

    @Test func `columns can be asked for one by one and in any order`() throws {
        try store.insert([Recipe(1, name: "Soup", rating: 2)])

        try store.read { scope throws in
            var plan = try scope.plan(Recipe.self)
            plan.columns = .some([2, 1, 2])
            let cells = UnsafeMutablePointer<Cell>.allocate(capacity: 3)
            defer { cells.deallocate() }
            let cursor = try scope.transaction.rows(for: plan)
            #expect(try cursor.next(into: cells))
            #expect(cells[0].real == 2)
            #expect(cells[1].string == "Soup")
            #expect(cells[2].real == 2)
            #expect(try !cursor.next(into: cells))
            cursor.close()

            plan.columns = .some([])
            let empty = try scope.transaction.rows(for: plan)
            #expect(try empty.next(into: cells))
            #expect(try !empty.next(into: cells))
        }
    }
}
