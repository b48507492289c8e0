import Foundation
import Larder

/// Values of each type in ascending order, extremes included.
enum Samples {
    static let double: [Double] = [
        -.infinity, -.greatestFiniteMagnitude, -1e100, -1.5, -1, -0.1, -.leastNormalMagnitude,
        -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, .leastNormalMagnitude, 0.1, 0.1.nextUp,
        1.0 / 3, 1, 9_007_199_254_740_991, 9_007_199_254_740_992, 1e100, .greatestFiniteMagnitude, .infinity,
    ]

    static let float: [Float] = [
        -.infinity, -.greatestFiniteMagnitude, -1.5, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 0.1,
        Float(0.1).nextUp, 1, 16_777_216, 16_777_218, .greatestFiniteMagnitude, .infinity,
    ]

    static let int64: [Int64] = [
        .min, .min + 1, -9_007_199_254_740_993, -4_294_967_297, -65_536, -256, -255, -2, -1, 0, 1, 127, 128,
        255, 256, 65_535, 4_294_967_296, 9_007_199_254_740_993, .max - 1, .max,
    ]

    static let uint64: [UInt64] = [
        0, 1, 127, 128, 255, 256, 65_536, 9_007_199_254_740_993, 9_223_372_036_854_775_806,
        9_223_372_036_854_775_807, 9_223_372_036_854_775_808, 9_223_372_036_854_775_809,
        12_000_000_000_000_000_000, .max - 1, .max,
    ]

    /// In the order of the UTF-8 bytes, which differs from the order of UTF-16.
    static let text = [
        "", "\u{0}", "\u{0}a", "10", "2", "A", "Z", "a", "a\u{0}", "a\u{0}\u{0}", "a\u{0}b", "a\u{1}", "aa",
        "e\u{301}", "z", "\u{7F}", "\u{80}", "\u{E9}", "\u{3A3}", "\u{2028}", "\u{FFFD}", "\u{FFFF}",
        "\u{10000}", "\u{1F363}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{10FFFF}",
    ]

    static let data: [Data] = [
        Data(), Data([0]), Data([0, 0]), Data([0, 1]), Data([1]), Data([127]), Data([128]), Data([128, 0]),
        Data([255]), Data([255, 0]), Data([255, 255]), Data([255, 255, 255]),
    ]

    static let date: [Date] = [
        -1e300, Date.distantPast.timeIntervalSinceReferenceDate, -1e9, -1, -0.25, 0, 0.1 + 0.2,
        (0.1 + 0.2).nextUp, 86_400.000001, 752_000_000.123456,
        Date.distantFuture.timeIntervalSinceReferenceDate,
    ].map { Date(timeIntervalSinceReferenceDate: $0) }

    static let uuid: [UUID] = [
        "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001",
        "00000000-0000-0001-0000-000000000000", "01234567-89AB-CDEF-0123-456789ABCDEF",
        "7FFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "80000000-0000-0000-0000-000000000000",
        "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
    ].compactMap { UUID(uuidString: $0) }

    static let url: [URL] = [
        "data:,", "file:///tmp/a%20b", "https://example.com", "https://example.com/",
        "https://example.com/a?b=c&d=%C3%A9#f", "https://example.com:8080/", "mailto:a@b.example",
        "menus/today", "urn:isbn:0451450523",
    ].compactMap { URL(string: $0) }

    static let decimal: [Decimal] = [
        "-12345678901234567890123456789012345678", "-1000", "-10.5", "-2", "-1.01", "-1", "-0.001", "0",
        "0.0000000000000000000001", "0.001", "0.1", "0.10001", "1", "1.5", "2", "9.99", "10", "10.000001",
        "99999999999999999999", "12345678901234567890123456789012345678",
        "100000000000000000000000000000000000000000000000000",
    ].compactMap { Decimal(string: $0) }
}
