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
        let runs = Repetitions.count(3, long: 2_000)
        try await RandomRuns.run("Random children", runs, of: "500 operations", on: subject) { title, seed in
            ConformanceCase(title, proves: 3, 4, 7, 8, 11, 16, 18, 19) { world in
                try ChildRun("Random children, seed \(seed)", seed: seed).run(500, in: world)
            }
        }
    }
}
