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
        let runs = Repetitions.count(12, long: 2_000)
        try await RandomRuns.run("Random graph", runs, of: "500 operations", on: subject) { title, seed in
            ConformanceCase(title, proves: 3, 4, 11) { world in
                try GraphRun(seed: seed).run(500, in: world)
            }
        }
    }
}
