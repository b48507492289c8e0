import Testing

@testable import LarderCommandLine

struct FigureTextTests {
    @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567")])
    func `thousands are apart`(_ number: Int, _ text: String) {
        #expect(FigureText.count(number) == text)
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (1949, "1.9 kB"),
        (1950, "2.0 kB"),
        (999_949, "999.9 kB"), (999_950, "1.0 MB"), (12_345_678, "12.3 MB"), (5_000_000_000, "5.0 GB"),
        (2_000_000_000_000_000, "2000.0 TB"),
    ])
    func `sizes have one digit after the point`(_ bytes: Int, _ text: String) {
        #expect(FigureText.bytes(bytes) == text)
    }

    @Test(arguments: [
        (Duration.milliseconds(900), "0 s"), (.seconds(59), "59 s"), (.seconds(125), "2 min 5 s"),
        (.seconds(12_000), "3 h 20 min"),
    ])
    func `durations have two units at most`(_ duration: Duration, _ text: String) {
        #expect(FigureText.duration(duration) == text)
    }
}
