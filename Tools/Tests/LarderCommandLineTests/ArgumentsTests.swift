import Testing

@testable import LarderCommandLine

struct ArgumentsTests {
    @Test func `words of UTF-8 are as they are`() throws {
        #expect(
            try Arguments.checked([Array("info".utf8), Array("caf\u{e9}.sqlite".utf8), []]) == [
                "info", "caf\u{e9}.sqlite", "",
            ])
    }

    @Test(
        arguments: [
            (Array("caf".utf8) + [0xE9], "caf\\xe9"), ([0xFF, 0x0A, 0xC3, 0xA9], "\\xff\n\u{e9}"),
            ([0xE2, 0x82], "\\xe2\\x82"),
        ] as [([UInt8], String)])
    func `a word of other bytes is named, and is no other file`(_ word: [UInt8], _ shown: String) {
        #expect {
            _ = try Arguments.checked([Array("info".utf8), word])
        } throws: { error in
            let failure = error as? CommandFailure
            return failure?.status == .usage
                && failure?.message.hasPrefix("\"\(shown)\" is not UTF-8") == true
        }
    }
}
