import Foundation

/// The seed of random cases: always the same, or the number in `LARDER_SEED`.
enum ConformanceSeed {
    static let value: UInt64 = {
        let given = ProcessInfo.processInfo.environment["LARDER_SEED"]
        if given == "random" { return UInt64.random(in: 0..<1_000_000) }
        return given.flatMap { UInt64($0) } ?? 1
    }()
}

extension ConformanceFailure {
    /// The same failure with the seed of its random data.
    static func seeded(_ error: any Error, _ seed: UInt64) -> any Error {
        guard let failure = error as? ConformanceFailure else { return error }
        return ConformanceFailure(seed: seed, failure)
    }
}
