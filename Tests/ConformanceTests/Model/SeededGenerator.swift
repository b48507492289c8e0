import Foundation

/// Random numbers that are the same for the same seed, on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
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

extension SeededGenerator {
    /// The seed of this process: from `LARDER_SEED`, or a new one.
    static let processSeed: UInt64 = {
        ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap { UInt64($0) }
            ?? UInt64.random(in: 0...999_999_999)
    }()
}
