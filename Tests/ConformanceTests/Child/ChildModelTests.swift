import LarderConformance
import Testing

@testable import AdapterTestSupport

/// Whatever is done to a store, its children and their children, and in whatever order they are merged, they
/// hold what dictionaries of base, child and parent versions say.
///
/// To repeat a failure, give its seed: `LARDER_SEED=123 swift test --filter ChildModelTests`. `LARDER_LONG=1`
/// runs a million operations on each subject.
struct ChildModelTests {
    @Test(arguments: Subjects.ofModels)
    func `children of every subject keep and merge what the model says`(
        subject: ConformanceSubject
    ) async throws {
        let seed = Seed.ofProcess
        let runs = Repetitions.count(3, long: 2_000)
        print("Random children with LARDER_SEED=\(seed) on \(subject), \(runs) runs of 500 operations")
        for run in 0..<runs {
            if run > 0, run % 200 == 0 { print("\(subject): \(run) of \(runs) runs") }
            let runSeed = seed &+ UInt64(run) &* 1_000_003
            let testCase = ConformanceCase(
                "Random children \(run), seed \(runSeed)", proves: 3, 4, 7, 8, 11, 16, 18, 19
            ) { world in
                try ChildRun("Random children, seed \(runSeed)", seed: runSeed).run(500, in: world)
            }
            try await ConformanceSuite.run(
                testCase, on: subject, within: Repetitions.secondsForACase)
        }
    }
}
