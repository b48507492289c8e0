import Foundation

/// Random numbers that can be had again: the seed is printed, and taken from `LARDER_SEED` when that is set.
struct Seed: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    static func fromEnvironment(_ test: String = #function) -> Seed {
        let given = ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap(UInt64.init)
        let seed = given ?? UInt64.random(in: 0...UInt64(UInt32.max))
        print("\(test): LARDER_SEED=\(seed)")
        return Seed(seed)
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
