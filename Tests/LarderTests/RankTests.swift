@testable import AdapterTestSupport
@testable import LarderKernel
import Larder
import Testing
@testable import LarderValues

/// The order of ordered relationships: ranks between ranks, and their texts.
struct RankTests {
    @Test
    func `a rank lies between its neighbors, whatever they are`() throws {
        #expect(Rank.between(nil, nil)?.text == "a0")
        #expect(try between(nil, "a0") == "Zk")
        #expect(try between("a0", nil) == "aG")
        #expect(try between("a0", "aG") == "a8")
        #expect(try between("a0", "a1") == "a0a0")
        #expect(try between("a0", "a0a0") == "a0Zk")
        #expect(try between("a0a0", "a1") == "a0aG")
        #expect(try between("Zz", "a0") == "Zza0")
        #expect(try between("Zy", "a0") == "Zz")
        #expect(try between("a0a5", "a0a5a0") == "a0a5Zk")
    }

    @Test
    func `no rank lies between two that are equal or in the wrong order`() throws {
        #expect(try between("a0", "a0") == nil)
        #expect(try between("aG", "a0") == nil)
        #expect(try between("a0a0", "a0") == nil)
    }

    @Test(arguments: [
        ("a0", "az"), ("az", "b00"), ("b00", "b01"), ("bzz", "c000"), ("Zz", "a0"), ("Z0", "Zz"),
        ("Yzz", "Z0"),
        ("Y00", "Yzz"), ("Xzzz", "Y00"), ("a0", "a0Zz"), ("a0a0", "a1"), ("a0zz", "a1"),
    ])
    func `the texts are in order at each change of the number of digits`(_ pair: (String, String)) {
        #expect(UTF8Text.precedes(pair.0, pair.1))
    }

    @Test
    func `a text is read as the rank it was written for`() throws {
        for position in [0, 1, 3, 4, 242, 243, 15_137, 1_000_000, 500_000_000_000] {
            let rank = Rank.initial(position)
            #expect(Rank(rank.text) == rank)
        }
        for text in ["a0", "Zz", "b00", "Yzz", "a0Zza5c123", "jzzzzzzzzzz", "k9yK7lzX47l7", "Pq1fsE0SvsEs"] {
            #expect(Rank(text)?.text == text)
        }
    }

    @Test(arguments: ["", "0", "a", "b0", "a-", "z0", "[0", "A", "a0b", "aé", "k9yK7lzX47l8"])
    func `a text that is no rank is refused`(_ text: String) {
        #expect(Rank(text) == nil)
    }

    @Test
    func `ranks at an end of the numbers give nil`() throws {
        #expect(try between("k9yK7lzX47kr", nil) == "k9yK7lzX47l7")
        #expect(try between("k9yK7lzX47ks", nil) == nil)
        #expect(try between(nil, "Pq1fsE0SvsEs") == nil)
        #expect(try between("Pq1fsE0SvsEs", "k9yK7lzX47l7") == "Zz")
    }

    @Test
    func `random insertions and moves keep the order of an array`() throws {
        var random = Seed.ofProcess()
        var ranks: [Rank] = []
        for step in 0..<5000 {
            if step % 3 == 2, ranks.count > 1 {
                ranks.remove(at: .random(in: 0..<ranks.count, using: &random))
            }
            let position = Int.random(in: 0...ranks.count, using: &random)
            let low = position == 0 ? nil : ranks[position - 1]
            let high = position == ranks.count ? nil : ranks[position]
            ranks.insert(try #require(Rank.between(low, high)), at: position)
        }
        let texts = ranks.map(\.text)
        for (left, right) in zip(texts, texts.dropFirst()) { #expect(UTF8Text.precedes(left, right)) }
        #expect(try #require(texts.map(\.utf8.count).max()) <= 24)
    }

    /// The four ways in which apps insert again and again: each rank's neighbors by those before it.
    enum Place: CaseIterable {
        case end, beginning, afterTheFirst, beforeTheLast
    }

    @Test(arguments: Place.allCases)
    func `insertions at one place, however many, keep ranks short`(_ place: Place) throws {
        var (low, high) = (Rank.initial(0), Rank.initial(1))
        var longest = 0
        for _ in Repetitions.rounds(20_000, long: 1_000_000) {
            let rank: Rank?
            switch place {
            case .end: rank = Rank.between(low, nil)
            case .beginning: rank = Rank.between(nil, high)
            case .afterTheFirst, .beforeTheLast: rank = Rank.between(low, high)
            }
            let made = try #require(rank)
            longest = max(longest, made.text.utf8.count)
            if place == .end || place == .beforeTheLast { low = made } else { high = made }
        }
        #expect(longest <= (place == .end || place == .beginning ? 6 : 8))
    }

    @Test
    func `there is room for 190 insertions that are each between the last two`() throws {
        var (low, high) = (Rank.initial(0), Rank.initial(1))
        var count = 0
        while let rank = Rank.between(low, high) {
            if count.isMultiple(of: 2) { low = rank } else { high = rank }
            count += 1
        }
        #expect(count == 190)
    }

    private func between(_ low: String?, _ high: String?) throws -> String? {
        Rank.between(
            try low.map { try #require(Rank($0)) }, try high.map { try #require(Rank($0)) })?.text
    }
}
