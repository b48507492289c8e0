import LarderConformance

@testable import AdapterTestSupport

/// Runs of a random model on a subject, each with a seed of its own.
enum RandomRuns {
    /// - Parameters:
    ///   - title: What is done at random; the output names it with the seed that repeats the runs.
    ///   - usual: How many runs there are in `make test`.
    ///   - long: How many there are at most in `make test-long`.
    ///   - extent: How much one run does.
    ///   - testCase: Makes the case of a run, from its title and seed.
    static func run(
        _ title: String, _ usual: Int, long: Int, of extent: String, on subject: ConformanceSubject,
        _ testCase: (_ title: String, _ seed: UInt64) -> ConformanceCase
    ) async throws {
        let seed = Seed.ofProcess
        print("\(title) with LARDER_SEED=\(seed) on \(subject), runs of \(extent)")
        for run in Repetitions.rounds(usual, long: long, "\(title) on \(subject)") {
            let runSeed = seed &+ UInt64(run) &* 1_000_003
            let testCase = testCase("\(title) \(run), seed \(runSeed)", runSeed)
            try await ConformanceSuite.run(testCase, on: subject, within: Repetitions.secondsForACase)
        }
    }
}
