import Foundation
import Larder

/// The random values of specimens: few, so that they meet, and full of traps.
enum Domain {
    static let longText = String(repeating: "x", count: 520)
    static let names = [
        "", "a", "A", "b", "ab", "aB", "AB", "ba", "a%", "a_b", "\u{E9}", "e\u{301}", "\u{C9}", "stra\u{DF}e",
        "STRASSE", "a\u{0}b", "\u{0}", "\u{1F363}", "\u{FFFF}", "\u{3C2}\u{3A3}", longText + "1",
        longText + "2", longText,
    ]
    static let levels = [-2, -1, 0, 0, 1, 1, 2, 3, .min, .max]
    static let scores: [Double] = [-.infinity, -1.5, 0, 0, 0.1, 1, 1, 2.5, .infinity]
    static let sizes: [UInt64] = [0, 1, 2, UInt64(Int64.max), UInt64(Int64.max) + 1, .max - 1, .max]
    static let prices = ["-1.5", "0", "0.1", "9.99", "10", "100"].compactMap { Decimal(string: $0) }
    static let bytes = [Data(), Data([0]), Data([0, 0]), Data([1]), Data([127, 255]), Data([128])]
    static let shelves = 12
    static let places = 60

    /// Different numbers give different codes; some differ only in their bytes, some at their end.
    static func code(_ number: Int) -> String {
        switch number % 8 {
        case 0: "caf\u{E9}\(number)"
        case 1: "cafe\u{301}\(number - 1)"
        case 2: longText + "\(number)"
        default: "code\(number)"
        }
    }
}
