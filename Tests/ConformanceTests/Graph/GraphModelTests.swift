import LarderConformance
import Testing

@testable import AdapterTestSupport

/// Whatever is done to a graph with every rule, it holds what the rules say.
///
/// To repeat a failure, give its seed: `LARDER_SEED=123 swift test --filter GraphModelTests`. `LARDER_LONG=1`
/// runs a million operations on each subject.
struct GraphModelTests {
    @Test(arguments: Subjects.ofModels)
    func `every subject keeps the rules of the graph, whatever is done`(
        subject: ConformanceSubject
    ) async throws {
        let seed = Seed.ofProcess
        let runs = Repetitions.count(12, long: 2_000)
        print("Random graphs with LARDER_SEED=\(seed) on \(subject), \(runs) runs of 500 operations")
        for run in 0..<runs {
            if run > 0, run % 200 == 0 { print("\(subject): \(run) of \(runs) runs") }
            let runSeed = seed &+ UInt64(run) &* 1_000_003
            let testCase = ConformanceCase("Random graph \(run), seed \(runSeed)", proves: 3, 4, 11) {
                world in
                try GraphRun(seed: runSeed).run(500, in: world)
            }
            try await ConformanceSuite.run(
                testCase, on: subject, within: Repetitions.secondsForACase)
        }
    }
}
