import Foundation
import Larder
import Testing

struct ItemIDTests {
    private struct Thing {}

    @Test func `identifiers grow even when the clock steps back`() {
        let times = Times([5_000, 4_000, 4_000, 6_000])
        let generator = ItemIDGenerator(process: 3) { times.next() }

        let ids = (0..<4).map { _ in ItemID<Thing>(from: generator).rawValue }

        let first: Int64 = 5_000 << 22 | 3 << 12
        let last: Int64 = 6_000 << 22 | 3 << 12
        #expect(ids == [first, first + 1, first + 2, last])
    }

    @Test func `a full millisecond borrows from the next`() {
        let generator = ItemIDGenerator(process: 0) { 7 }

        let ids = (0..<4_097).map { _ in generator.next() }

        let end: Int64 = 7 << 22 | 4_095
        let next: Int64 = 8 << 22
        #expect(ids[4_095] == end)
        #expect(ids[4_096] == next)
    }

    @Test func `a hundred thousand identifiers from several threads are all different`() async {
        let ids = await withTaskGroup(of: [Int64].self) { group in
            for _ in 0..<4 { group.addTask { (0..<25_000).map { _ in ItemID<Thing>().rawValue } } }
            return await group.reduce(into: Set<Int64>()) { $0.formUnion($1) }
        }

        #expect(ids.count == 100_000)
        #expect(ids.allSatisfy { $0 > 0 })
    }

    @Test(arguments: [
        (Int64(0), "0000000000000"), (1, "0000000000001"), (31, "000000000000Z"), (.max, "7ZZZZZZZZZZZZ"),
        (-1, "FZZZZZZZZZZZZ"), (.min, "8000000000000"),
    ])
    func `the text form is 13 characters of base 32 and comes back`(value: Int64, text: String) {
        #expect(ItemID<Thing>(rawValue: value).description == text)
        #expect(ItemID<Thing>(text)?.rawValue == value)
        #expect(ItemID<Thing>(text.lowercased())?.rawValue == value)
    }

    @Test(arguments: [
        "", "0", "00000000000000", "G000000000000", "000000000000U", "000000000000é", "0000000-00000",
    ])
    func `what is no identifier gives nil`(text: String) {
        #expect(ItemID<Thing>(text) == nil)
    }

    @Test func `JSON holds the text form`() throws {
        let id = ItemID<Thing>(rawValue: 31)

        let data = try JSONEncoder().encode([id])

        #expect(String(decoding: data, as: UTF8.self) == "[\"000000000000Z\"]")
        #expect(try JSONDecoder().decode([ItemID<Thing>].self, from: data) == [id])
    }
}

/// A clock that says what it is told.
private final class Times: @unchecked Sendable {
    // reason: used by one thread, the test's.
    private var times: [UInt64]

    init(_ times: [UInt64]) {
        self.times = times.reversed()
    }

    func next() -> UInt64 {
        times.popLast() ?? 0
    }
}
