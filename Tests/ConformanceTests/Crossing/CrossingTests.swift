import LarderConformance
import Testing

@testable import AdapterTestSupport

/// Whatever is done to a store, its children and their children, by whatever spelling, they hold and merge
/// what the rules say on dictionaries.
///
/// To repeat a failure, give its seed: `LARDER_SEED=123 swift test --filter CrossingTests`. `LARDER_LONG=5`
/// runs for five minutes on each subject, or until a million operations are done.
struct CrossingTests {
    @Test(arguments: Subjects.ofModels)
    func `every subject keeps the rules where features cross, whatever is done`(
        subject: ConformanceSubject
    ) async throws {
        // The engine without files has done five times as many in the same time.
        let runs = subject.name == Subjects.memory.name ? 50 : 10
        try await RandomRuns.run(
            "Crossing features", runs, long: 4_000, of: "250 operations", on: subject
        ) { title, seed in
            ConformanceCase(title, proves: 3, 4, 11, 15, 16, 17, 18, 19) { world in
                try CrossingRun("Crossing features, seed \(seed)", seed: seed).run(250, in: world)
            }
        }
    }
}
