import LarderConformance
import Testing

@testable import AdapterTestSupport

/// Whatever is done to a store, its children and their children, and in whatever order they are merged, they
/// hold what dictionaries of base, child and parent versions say.
///
/// To repeat a failure, give its seed: `LARDER_SEED=123 swift test --filter ChildModelTests`. `LARDER_LONG=5`
/// runs for five minutes on each subject, or until a million operations are done.
struct ChildModelTests {
    @Test(arguments: Subjects.ofModels)
    func `children of every subject keep and merge what the model says`(
        subject: ConformanceSubject
    ) async throws {
        try await RandomRuns.run(
            "Random children", 3, long: 2_000, of: "500 operations", on: subject
        ) { title, seed in
            ConformanceCase(title, proves: 3, 4, 7, 8, 11, 16, 18, 19) { world in
                try ChildRun("Random children, seed \(seed)", seed: seed).run(500, in: world)
            }
        }
    }
}
