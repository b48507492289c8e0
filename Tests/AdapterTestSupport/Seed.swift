import Foundation

/// Random numbers that can be repeated: the same seed gives the same numbers on every machine.
///
/// `make test` always starts from the same seed, so that the same code gives the same result. `LARDER_SEED=5`
/// starts from another one, and `LARDER_SEED=random` or `make test-long` from a new one in each run. The seed
/// is printed. A copy gives the same numbers as its original.
struct Seed: RandomNumberGenerator, CustomStringConvertible {
    /// The seed of this process.
    static let ofProcess: UInt64 = {
        let given = ProcessInfo.processInfo.environment["LARDER_SEED"]
        if let number = given.flatMap(UInt64.init) { return number }
        return given == "random" || Repetitions.isLong ? .random(in: 0...UInt64(UInt32.max)) : 20_261_122
    }()

    let seed: UInt64
    private var state: UInt64

    init(_ seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// Starts from the seed of this process, and prints it.
    static func ofProcess(for test: String = #function) -> Seed {
        let seed = Seed(ofProcess)
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

    /// A number from 0 up to and without the bound.
    mutating func number(below bound: Int) -> Int {
        Int(next() % UInt64(bound))
    }

    /// True once in so many times.
    mutating func oneIn(_ count: Int) -> Bool {
        number(below: count) == 0
    }

    /// One of the values, of which there must be at least one.
    mutating func pick<Value>(_ values: [Value]) -> Value {
        values[number(below: values.count)]
    }

    /// One of the values, or now and then nil.
    mutating func pickOrNil<Value>(_ values: [Value], nilOneIn count: Int = 4) -> Value? {
        oneIn(count) ? nil : pick(values)
    }
}
