import Foundation
import Testing

@testable import AdapterTestSupport
@testable import LarderText

/// Dates as text: exact both ways, for every finite `Double`.
struct DateTextTests {
    @Test(
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"),
            (0.1 + 0.2, "2001-01-01T00:00:00.30000000000000004Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
            (752_000_000.123456, "2024-10-30T16:53:20.123456Z"),
            (-63_145_526_400, "0000-01-01T00:00:00Z"), (-63_145_526_401, "-000001-12-31T23:59:59Z"),
            (252_423_993_600, "+010000-01-01T00:00:00Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
            (1e-7, "2001-01-01T00:00:00.0000001Z"),
        ] as [(Double, String)])
    func `a date is written with the digits it needs`(_ seconds: Double, _ text: String) {
        #expect(DateText.text(seconds) == text)
        #expect(DateText.seconds(text)?.bitPattern == seconds.bitPattern)
    }

    @Test(arguments: [
        ("-000001-12-31", "-000001-12-31T00:00:00Z"), ("+2024-05-01", "2024-05-01T00:00:00Z"),
        ("0000-02-29", "0000-02-29T00:00:00Z"), ("+012345-01-01T00:00+01:00", "+012344-12-31T23:00:00Z"),
        ("2024-05-01T00:00:00.2500-00:30", "2024-05-01T00:30:00.25Z"),
    ])
    func `other texts for a date are read`(_ text: String, _ canonical: String) throws {
        #expect(DateText.text(try #require(DateText.seconds(text))) == canonical)
    }

    @Test(arguments: [
        "12345-01-01", "+123-01-01", "-000001-02-29", "+1\(String(repeating: "0", count: 400))-01-01", "inf",
        "2024-05-01T00:00:00.Z", "2024-05-01T10:00.5Z",
    ])
    func `what is no date, or beyond the range of Double, is refused`(_ text: String) {
        #expect(DateText.seconds(text) == nil)
    }

    @Test func `a moment that is rounded to zero from below is zero without a sign`() {
        let nines = String(repeating: "9", count: 400)
        #expect(DateText.seconds("2000-12-31T23:59:59.\(nines)Z")?.bitPattern == 0)
    }

    @Test func `infinities and NaN have no text`() {
        #expect(DateText.text(.infinity) == nil && DateText.text(-.infinity) == nil)
        #expect(DateText.text(.nan) == nil)
    }

    @Test(arguments: [
        Double.leastNonzeroMagnitude, .leastNormalMagnitude, .ulpOfOne, .greatestFiniteMagnitude, 1e300, 1e22,
        0x1p53, 0x1p62, 0x1p63, 0x1p64, 12_622_780_800,
    ])
    func `extremes and their neighbours come back exactly`(_ seconds: Double) throws {
        for value in [seconds, seconds.nextUp, seconds.nextDown] where value.isFinite {
            try expectExact(value)
            try expectExact(-value)
        }
    }

    @Test func `dates of all magnitudes come back exactly`() throws {
        var numbers = Seed.ofProcess()
        for _ in 0..<3_000 {
            let value = Double(bitPattern: numbers.next())
            if value.isFinite { try expectExact(value) }
            try expectExact(Double.random(in: -1e11...1e11, using: &numbers))
        }
    }

    @Test func `dates around whole seconds come back exactly`() throws {
        var numbers = Seed.ofProcess()
        for _ in 0..<1_000 {
            let second = Double(Int.random(in: -300_000_000_000...300_000_000_000, using: &numbers))
            for value in [second, second.nextUp, second.nextDown, second + 0.001, second - 0.001] {
                try expectExact(value)
            }
        }
    }

    @Test func `the calendar is Foundation's`() {
        var numbers = Seed.ofProcess()
        for _ in 0..<1_000 {
            let seconds = Int.random(in: -10_000_000_000...200_000_000_000, using: &numbers)
            let date = Date(timeIntervalSinceReferenceDate: Double(seconds))

            #expect(DateText.text(date.timeIntervalSinceReferenceDate) == date.ISO8601Format())
        }
    }

    private func expectExact(_ seconds: Double) throws {
        let text = try #require(DateText.text(seconds))
        #expect(DateText.seconds(text)?.bitPattern == (seconds == 0 ? 0 : seconds).bitPattern, "\(text)")
    }
}
