/// Random data that is the same for the same seed.
protocol SeededFixture: RandomNumberGenerator {
    var generator: SplitMix64 { get set }
}

extension SeededFixture {
    mutating func next() -> UInt64 { generator.next() }

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }

    mutating func isNow(oneIn count: Int) -> Bool { number(1...count) == 1 }
}

/// The generator SplitMix64.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
