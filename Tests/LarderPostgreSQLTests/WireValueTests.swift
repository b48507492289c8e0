#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import Testing

    @testable import LarderPostgreSQL

    /// Values in the form in which they go to the server.
    struct WireValueTests {
        @Test(arguments: [
            "0", "1", "-1", "10", "9999", "10000", "10001", "123456789", "0.1", "0.0001", "0.00001", "-0.5",
            "1.5",
            "100000000.00000001", "99999999999999999999999999999999999999",
            "-0.00000000000000000000000000000000001234",
            "340282366920938463463374607431768211455",
        ])
        func `a decimal comes back as its text`(_ text: String) throws {
            #expect(try roundTrip(.decimal(text), .decimal) == .decimal(text))
        }

        @Test func `integers, numbers and bytes come back`() throws {
            for value in [0, 1, -1, Int64.min, Int64.max] {
                #expect(try roundTrip(.integer(value), .integer) == .integer(value))
            }
            for value: UInt64 in [0, 1, .max, 1 << 63, (1 << 63) - 1] {
                #expect(try roundTrip(.unsigned(value), .unsigned) == .unsigned(value))
            }
            for value in [0.0, 1.5, -.infinity, .infinity, .leastNonzeroMagnitude] {
                #expect(try roundTrip(.real(value), .real) == .real(value))
            }
            #expect(try roundTrip(.blob([0, 1, 255]), .blob) == .blob([0, 1, 255]))
        }

        /// All texts of up to three of these come back, and their written forms have their order and their prefixes.
        @Test func `written texts have the order and the prefixes of the texts`() throws {
            let scalars: [Unicode.Scalar] = [
                "\0", "\u{1}", "\u{2}", "a", "\u{FFFF}", "\u{10FFFD}", "\u{10FFFE}", "\u{10FFFF}",
            ]
            var texts = [""]
            for _ in 0..<3 {
                texts += texts.flatMap { text in scalars.map { text + String(Character($0)) } }
            }
            let distinct = Set(texts.map { UTF8Key($0) }).map(\.text)
            let written = distinct.map { text -> [UInt8] in
                var bytes: [UInt8] = []
                text.withBytes { ServerText.append($0, to: &bytes) }
                return bytes
            }
            for (text, bytes) in zip(distinct, written) {
                #expect(!bytes.contains(0))
                #expect(text.withBytes { ServerText.count(of: $0) } == bytes.count)
                #expect(String(validating: bytes, as: UTF8.self) != nil)
                #expect(try roundTrip(.text(text), .text) == .text(text))
            }
            var failures = 0
            for first in distinct.indices {
                for second in distinct.indices {
                    let isLess = Array(distinct[first].utf8).lexicographicallyPrecedes(
                        Array(distinct[second].utf8))
                    if written[first].lexicographicallyPrecedes(written[second]) != isLess { failures += 1 }
                    let hasPrefix = Array(distinct[second].utf8).starts(with: Array(distinct[first].utf8))
                    let end = written[first] + ServerText.highest
                    let isInRange =
                        !written[second].lexicographicallyPrecedes(written[first])
                        && written[second].lexicographicallyPrecedes(end)
                    if hasPrefix != isInRange { failures += 1 }
                }
            }
            #expect(failures == 0)
        }

        private func roundTrip(_ value: Constant, _ storage: AttributeType.Storage) throws -> Constant? {
            var bytes: [UInt8] = []
            value.withCell { WireValue.append($0, as: storage, to: &bytes) }
            let arena = RowArena()
            return try bytes.withUnsafeBufferPointer { bytes throws(DataStoreError) in
                try WireValue.cell(UnsafeRawBufferPointer(bytes), as: storage, in: arena).map {
                    Constant($0, storage: storage)
                }
            }
        }
    }
#endif
