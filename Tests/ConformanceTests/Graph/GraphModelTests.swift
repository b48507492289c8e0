import LarderConformance
import Testing

@testable import AdapterTestSupport

/// Whatever is done to a graph with every rule, it holds what the rules say.
///
/// To repeat a failure, give its seed: `LARDER_SEED=123 swift test --filter GraphModelTests`. `LARDER_LONG=5`
/// runs for five minutes on each subject, or until a million operations are done.
struct GraphModelTests {
    @Test(arguments: Subjects.ofModels)
    func `every subject keeps the rules of the graph, whatever is done`(
        subject: ConformanceSubject
    ) async throws {
        try await RandomRuns.run(
            "Random graph", 12, long: 2_000, of: "500 operations", on: subject
        ) { title, seed in
            ConformanceCase(title, proves: 3, 4, 11) { world in
                try GraphRun(seed: seed).run(500, in: world)
            }
        }
    }
}
