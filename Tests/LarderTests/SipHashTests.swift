import Larder
import Testing
import LarderEngine

/// Test vectors of the authors' reference implementation: <https://github.com/veorq/SipHash>, `vectors.h`.
struct SipHashTests {
    /// The hash of the bytes 0, 1, 2 … of so many bytes, under the key of the bytes 0 to 15.
    static let vectors: [(count: Int, hash: String)] = [
        (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
        (7, "a1f1ebbed8dbc153c0b84aa61ff08239"), (8, "3b62a9ba6258f5610f83e264f31497b4"),
        (9, "264499060ad9baabc47f8b02bb6d71ed"), (15, "5493e99933b0a8117e08ec0f97cfc3d9"),
        (16, "6ee2a4ca67b054bbfd3315bf85230577"), (31, "2939b0183223fafc1723de4f52c43d35"),
        (32, "7c3956ca5eeafc3e363e9d556546eb68"), (63, "5150d1772f50834a503e069a973fbd7c"),
    ]

    @Test(arguments: vectors.indices)
    func `the hash is that of the published vectors`(_ number: Int) {
        let (count, expected) = Self.vectors[number]
        let bytes = (0..<count).map { UInt8($0) }

        let hash = bytes.withUnsafeBytes {
            SipHash.hash($0, key: (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908))
        }

        // The vectors are bytes, the lowest of the number first.
        let text = [hash.low.byteSwapped, hash.high.byteSwapped].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        #expect(text.joined() == expected)
    }

    @Test
    func `sums carry from the low half into the high one and wrap around`() throws {
        var sum = RowDigest(low: .max, high: 1)
        sum += RowDigest(low: 1, high: 0)
        #expect(sum.description == "00000000000000020000000000000000")

        sum = RowDigest(low: .max, high: .max)
        sum += RowDigest(low: 2, high: 0)
        #expect(sum.description == "00000000000000000000000000000001")
        #expect(RowDigest(sum.description) == sum)
        #expect(RowDigest("0") == nil)
    }
}
