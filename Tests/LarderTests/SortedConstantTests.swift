import LarderKernel
import Testing

@testable import AdapterTestSupport

struct SortedConstantTests {
    /// Short and long, empty, with a zero, equal to others as Swift compares texts but not byte by byte, and not ASCII.
    private static let texts = [
        "b", "", "ab", "a", "a\0", "a\0b", "\u{e9}", "e\u{301}", "é", "z", "\u{10FFFF}", "\u{FFFD}", "b",
        String(repeating: "a", count: 300), String(repeating: "a", count: 300) + "b", "", "Ab",
    ]

    @Test func `texts are in the order of their bytes, each once`() {
        var random = Seed.ofProcess()
        for _ in 0..<20 {
            let texts = Self.texts.shuffled(using: &random)
            var expected: [[UInt8]] = []
            for bytes in texts.map({ Array($0.utf8) }).sorted(by: { $0.lexicographicallyPrecedes($1) })
            where bytes != expected.last {
                expected.append(bytes)
            }

            let sorted = texts.map(Constant.text).sortedAndDistinct(.text)

            let found = sorted.map { constant -> [UInt8] in
                if case .text(let text) = constant { Array(text.utf8) } else { [] }
            }
            #expect(found == expected, "\(texts), \(random)")
        }
    }

    @Test func `nil among texts comes first`() {
        let sorted = [.text("b"), .null, .text("a"), .null].sortedAndDistinct(.text)

        #expect(sorted == [.null, .text("a"), .text("b")])
    }
}
