import Foundation

/// The seed of a random test: printed, and settable by `LARDER_SEED`.
struct Seed: CustomStringConvertible {
    let value: UInt64

    static func fromEnvironment() -> Seed {
        let given = ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap(UInt64.init)
        let seed = Seed(value: given ?? .random(in: 0...UInt64.max))
        print(seed)
        return seed
    }

    var generator: Generator { Generator(state: value) }
    var description: String { "LARDER_SEED=\(value)" }

    /// SplitMix64 (Steele, Lea and Flood, 2014).
    struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return bits ^ (bits >> 31)
        }
    }
}
