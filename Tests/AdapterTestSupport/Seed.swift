import Foundation

/// Random numbers that can be had again: the seed is printed, and taken from `LARDER_SEED` when that is set.
///
/// A copy gives the same numbers as the one it was made of.
struct Seed: RandomNumberGenerator, CustomStringConvertible {
    private let seed: UInt64
    private var state: UInt64

    init(_ seed: UInt64) {
        self.seed = seed
        state = seed
    }

    static func fromEnvironment(_ test: String = #function) -> Seed {
        let given = ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap(UInt64.init)
        let seed = Seed(given ?? UInt64.random(in: 0...UInt64(UInt32.max)))
        print("\(test): \(seed)")
        return seed
    }

    var description: String { "LARDER_SEED=\(seed)" }

    /// SplitMix64 (Steele, Lea and Flood, 2014).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
