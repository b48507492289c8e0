import Foundation
import LarderConformance
import Testing

@testable import AdapterTestSupport

/// Whatever is done to a store, it holds and answers what a dictionary of structs does.
///
/// To repeat a failure, give its seed: `LARDER_SEED=123 swift test --filter ModelTests`. `LARDER_LONG=5` runs
/// for five minutes on each subject and scale, or until a million operations are done.
struct ModelTests {
    @Test(arguments: Subjects.modelled, Scale.all)
    func `every subject agrees with a plain model, whatever is done`(
        subject: ConformanceSubject, scale: Scale
    ) async throws {
        let seed = Seed.ofProcess
        print("Random operations with LARDER_SEED=\(seed) on \(subject), \(scale)")
        for run in Repetitions.rounds(scale.runs, long: scale.longRuns, "\(scale) on \(subject)") {
            let title = "Seed \(seed), run \(run) of \(scale)"
            let runSeed = seed &+ UInt64(run) &* 1_000_003 &+ UInt64(scale.operations)
            let testCase = ConformanceCase("Random operations", proves: 3, 4, 6, 7, 8, 9, 11) { world in
                if (seed &+ UInt64(run)) % 2 == 0 {
                    try RandomRun<Int64>(title, seed: runSeed).run(scale.operations, in: world)
                } else {
                    try RandomRun<String>(title, seed: runSeed).run(scale.operations, in: world)
                }
            }
            try await ConformanceSuite.run(
                testCase, on: subject, within: Repetitions.secondsForACase)
        }
    }
}

/// How long and how often.
struct Scale: Sendable, CustomTestStringConvertible, CustomStringConvertible {
    let operations: Int
    let runs: Int
    let longRuns: Int

    var description: String { "\(operations) operations" }
    var testDescription: String { description }

    static let all = [
        Scale(operations: 10, runs: 50, longRuns: 1500), Scale(operations: 300, runs: 6, longRuns: 300),
        Scale(operations: 3_000, runs: 1, longRuns: 300),
    ]
}
