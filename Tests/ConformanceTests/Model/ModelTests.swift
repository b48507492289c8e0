import Foundation
import LarderConformance
import Testing

@testable import AdapterTestSupport

/// Whatever is done to a store, it holds and answers what a dictionary of structs does.
///
/// To repeat a failure, give its seed: `LARDER_SEED=123 swift test --filter ModelTests`. `LARDER_LONG=1` runs
/// a million operations on each subject.
struct ModelTests {
    @Test(arguments: Subjects.modelled, Scale.all)
    func `every subject agrees with a plain model, whatever is done`(
        subject: ConformanceSubject, scale: Scale
    ) async throws {
        let seed = Seed.ofProcess
        print("Random operations with LARDER_SEED=\(seed) on \(subject), \(scale)")
        for run in 0..<scale.runs {
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

    var description: String { "\(operations) operations, \(runs) runs" }
    var testDescription: String { description }

    static let all: [Scale] = {
        let scales = [
            (10, Repetitions.count(50, long: 1500)), (300, Repetitions.count(6, long: 300)),
            (3_000, Repetitions.count(1, long: 300)),
        ]
        return scales.map { Scale(operations: $0.0, runs: $0.1) }
    }()
}
