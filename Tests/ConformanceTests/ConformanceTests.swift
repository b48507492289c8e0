import LarderConformance
import Testing

/// Every adapter keeps every rule of the contract.
@Suite(.serialized)
struct ConformanceTests {
    @Test(arguments: Subjects.all, ConformanceSuite.allCases)
    func `every subject keeps the contract`(
        subject: ConformanceSubject, testCase: ConformanceCase
    ) async throws {
        try await ConformanceSuite.run(testCase, on: subject)
    }
}
