#if PostgreSQL
    import Foundation
    import LarderConformance
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderConformance

    /// The conformance kit on a server.
    ///
    /// To run some cases only, give a part of their titles: `LARDER_CASE="NOT of" swift test`.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct PostgreSQLContractTests {
        @Test(arguments: chosenCases)
        func `PostgreSQL keeps the contract`(_ testCase: ConformanceCase) async throws {
            let server = try #require(TestServer.shared)
            try await ConformanceSuite.run(
                testCase, on: ConformanceSubject("PostgreSQL") { PostgreSQLWorld(on: server) },
                within: Repetitions.secondsForACase)
        }

        private static let chosenCases: [ConformanceCase] = {
            let part = ProcessInfo.processInfo.environment["LARDER_CASE"] ?? ""
            return part.isEmpty
                ? ConformanceSuite.allCases : ConformanceSuite.allCases.filter { $0.title.contains(part) }
        }()
    }
#endif
