import Foundation
import Larder
import Testing

@testable import AdapterTestSupport
@testable import LarderKernel
@testable import LarderValues

/// Sums are exact until they are rounded, once.
struct ExactSumTests {
    @Test func `random numbers of all sizes have the same sum in every order`() {
        var random = Seed.ofProcess()
        for _ in Repetitions.rounds(300, long: 5000) {
            let exponents =
                [1...2046, 900...1100, 0...60, 1000...1030].randomElement(using: &random) ?? 0...1
            let numbers = (0..<Int.random(in: 1...200, using: &random)).map { _ in
                Self.number(exponents, using: &random)
            }
            let sum = Self.sum(numbers)
            #expect(Self.sum(numbers.shuffled(using: &random)) == sum)
            #expect(Self.sum(numbers.sorted()) == sum)
            #expect(Self.sum(numbers.map(-)) == -sum)
            // With all of them taken away again, what was added besides is left.
            let rest = Self.number(exponents, using: &random)
            #expect(Self.sum(numbers + [rest] + numbers.reversed().map(-)) == rest)
        }
    }

    @Test func `random sums are those of the algorithm of Shewchuk`() {
        var random = Seed.ofProcess()
        for _ in Repetitions.rounds(300, long: 5000) {
            let exponents = [600...1400, 1000...1040, 1020...1024].randomElement(using: &random) ?? 0...1
            let numbers = (0..<Int.random(in: 1...100, using: &random)).map { _ in
                Self.number(exponents, using: &random)
            }
            #expect(Self.sum(numbers) == Self.shewchuk(numbers))
        }
    }

    @Test func `averages are the nearest numbers to the exact ones`() {
        var random = Seed.ofProcess()
        for _ in Repetitions.rounds(1000, long: 20_000) {
            // Where the sum is exact, one division rounds once.
            let sum = Double(Int.random(in: -(1 << 53)...(1 << 53), using: &random))
            let count = UInt64.random(in: 1...(1 << 53), using: &random)
            var exact = ExactSum()
            exact.add(sum)
            #expect(exact.quotient(by: count) == sum / Double(count))
            var integers = IntegerSum()
            integers.add(Int64(sum))
            #expect(integers.quotient(by: count) == sum / Double(count))
        }
        var tiny = ExactSum()
        tiny.add(.leastNonzeroMagnitude)
        #expect(tiny.quotient(by: 2) == 0)
        tiny.add(.leastNonzeroMagnitude * 2)
        #expect(tiny.quotient(by: 2) == .leastNonzeroMagnitude * 2)
        #expect(tiny.quotient(by: 4) == .leastNonzeroMagnitude)
    }

    @Test func `large and small numbers that are added in turns stay exact`() {
        var sum = ExactSum()
        for _ in 0..<1_000 { sum.add(0x1.fffffffffffffp60) }
        for _ in 0..<1_000 { sum.add(1) }
        for _ in 0..<1_000 { sum.add(-0x1.fffffffffffffp60) }

        #expect(sum.rounded == 1_000)
    }

    @Test func `a sum with NaN is NaN, whatever else is added`() {
        let lists: [[Double]] = [[], [1, 2], [.infinity], [.infinity, -.infinity]]
        for others in lists {
            var sum = ExactSum()
            for number in others + [.nan] + others { sum.add(number) }
            #expect(sum.hasNaN)
            #expect(sum.rounded.isNaN)
        }
        #expect(Self.sum([.infinity, -.infinity]).isNaN)
        #expect(Self.sum([-.infinity, 1]) == -.infinity)
    }

    @Test func `a sum of integers knows whether it fits`() {
        var sum = IntegerSum()
        for _ in 0..<3 { sum.add(.max) }
        #expect(Self.text(sum) == "none")
        for _ in 0..<3 { sum.add(.min) }
        #expect(Self.text(sum) == "-3")
        #expect(sum.quotient(by: 2) == -1.5)
        #expect(Self.text(IntegerSum(high: -1, low: 5)) == "\(5 - 1 << 32)")
        #expect(Self.text(IntegerSum(high: 1 << 31, low: 0)) == "none")
        #expect(Self.text(IntegerSum(high: -1 << 31, low: 0)) == "\(Int64.min)")
        var unsigned = IntegerSum()
        unsigned.add(unsigned: .max)
        unsigned.add(unsigned: .max)
        #expect(Self.text(unsigned) == "none")
        #expect(unsigned.quotient(by: 2) == 0x1p64)
    }

    @Test func `random decimal sums are those of integers`() throws {
        var random = Seed.ofProcess()
        for _ in Repetitions.rounds(200, long: 2000) {
            let places = Int.random(in: 0...20, using: &random)
            let numbers = (0..<Int.random(in: 1...50, using: &random)).map { _ in
                Int.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random)
            }
            let scale = Decimal(sign: .plus, exponent: -places, significand: 1)
            var total = DecimalTotal()
            for number in numbers {
                let isAdded = total.add(Decimal(number) * scale)
                #expect(isAdded)
            }
            let sum = try #require(total.sum.flatMap { Decimal(string: $0) })
            #expect(sum == Decimal(numbers.reduce(0, +)) * scale)
            let average = try #require(total.quotient(by: UInt64(numbers.count), places: 127))
            let back = try #require(Decimal(string: average)) * Decimal(numbers.count)
            #expect(abs(back - sum) <= abs(sum) * Decimal(sign: .plus, exponent: -36, significand: 1))
        }
    }

    @Test(arguments: ["", "-", ".", "1.", ".5", "1.2.3", "1e5", " 1", "abc", "--1"])
    func `text that is not a decimal number is refused`(text: String) {
        var total = DecimalTotal()

        let isAdded = Array(text.utf8).withUnsafeBytes { total.add($0) }

        #expect(!isAdded)
    }

    @Test func `the extremes of Decimal are added and come back`() {
        for number in [
            Decimal.greatestFiniteMagnitude, -Decimal.greatestFiniteMagnitude, Decimal.leastNonzeroMagnitude,
            Decimal(string: "340282366920938463463374607431768211455") ?? 0,
        ] {
            var total = DecimalTotal()
            let isAdded = total.add(number)
            #expect(isAdded)
            #expect(total.sum == DecimalText.canonical(number))
            #expect(
                total.quotient(by: 1, places: DecimalTotal.maximumPlaces) == DecimalText.canonical(number))
            let isTaken = total.add(-number)
            #expect(isTaken)
            #expect(total.sum == "0")
        }
    }

    /// A comparison of optional integers in `#expect` reads a byte too many under the address sanitizer.
    private static func text(_ sum: IntegerSum) -> String { sum.value.map(String.init) ?? "none" }

    private static func sum(_ numbers: [Double]) -> Double {
        var sum = ExactSum()
        for number in numbers { sum.add(number) }
        return sum.rounded
    }

    private static func number(
        _ exponents: ClosedRange<Int>, using random: inout Seed
    ) -> Double {
        let field = UInt64(Int.random(in: exponents, using: &random)) << 52
        let sign = UInt64.random(in: 0...1, using: &random) << 63
        return Double(bitPattern: sign | field | UInt64.random(in: 0..<(1 << 52), using: &random))
    }

    private static func shewchuk(_ values: [Double]) -> Double {
        var partials: [Double] = []
        for value in values {
            var x = value
            var kept: [Double] = []
            for var y in partials {
                if abs(x) < abs(y) { swap(&x, &y) }
                let high = x + y
                let low = y - (high - x)
                if low != 0 { kept.append(low) }
                x = high
            }
            partials = kept + [x]
        }
        guard var sum = partials.popLast() else { return 0 }
        var low = 0.0
        while let y = partials.popLast() {
            let x = sum
            sum = x + y
            low = y - (sum - x)
            if low != 0 { break }
        }
        if let next = partials.last, low != 0, (low < 0) == (next < 0) {
            let twice = low * 2
            let rounded = sum + twice
            if twice == rounded - sum { sum = rounded }
        }
        return sum
    }
}

extension DecimalTotal {
    fileprivate mutating func add(_ number: Decimal) -> Bool {
        let bytes = Array(DecimalText.canonical(number).utf8)
        return bytes.withUnsafeBytes { add($0) }
    }
}
