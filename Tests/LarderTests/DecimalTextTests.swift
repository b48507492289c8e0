import Foundation
import Larder
import Testing
@testable import LarderValues

/// What is read as a decimal number: whole texts of the form that is stored, and nothing else.
struct DecimalTextTests {
    @Test(arguments: [
        "9876x4321", "9876 ", " 9876", "1e3", "+1", "1.", ".5", "1.2.3", "1,5", "-", "--1", "", ".",
        "NaN",
        "٣", "1\u{301}",
    ])
    func `a text that is no whole number is refused`(_ text: String) {
        #expect(DecimalText.decimal(text) == nil)
    }

    @Test func `a NUL behind the digits is refused too`() {
        #expect(DecimalText.decimal("9876\0") == nil)
    }

    @Test(arguments: [
        "0", "7", "-7", "0.5", "-0.0015", "9876.54321", "340282366920938463463374607431768211455",
    ])
    func `a number comes back from its stored text and gives the same text again`(_ text: String) throws {
        let value = try #require(DecimalText.decimal(text))

        #expect(DecimalText.canonical(value) == text)
        #expect(value == Decimal(string: text, locale: nil))
    }

    @Test(arguments: [127, -128])
    func `the largest and smallest powers of ten come back`(_ exponent: Int) {
        let value = Decimal(sign: .plus, exponent: exponent, significand: 1)

        #expect(DecimalText.decimal(DecimalText.canonical(value)) == value)
    }

    @Test func `texts that are no numbers come before all numbers, by their bytes`() {
        #expect(DecimalText.compare("9876x4321", "-9999") == -1)
        #expect(DecimalText.compare("-9999", "9876x4321") == 1)
        #expect(DecimalText.compare("9876x4321", "9876x4322") == -1)
        #expect(DecimalText.compare("10", "9") == 1)
        #expect(DecimalText.compare("1.5", "1.50") == 0)
    }
}
