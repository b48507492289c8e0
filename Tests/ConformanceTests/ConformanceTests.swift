import Foundation
import LarderConformance
import Testing

@testable import AdapterTestSupport

/// Every adapter keeps every rule of the contract.
///
/// To run some cases only, give a part of their titles: `LARDER_CASE="NOT of" swift test`.
struct ConformanceTests {
    @Test(arguments: Subjects.all, chosenCases)
    func `every subject keeps the contract`(
        subject: ConformanceSubject, testCase: ConformanceCase
    ) async throws {
        try await Self.lanes.run {
            try await ConformanceSuite.run(testCase, on: subject, within: Self.secondsForACase)
        }
    }

    private static let secondsForACase = Repetitions.sanitizer == nil ? 60.0 : 600

    /// The test library would start all cases at once, each with its stores and threads.
    private static let lanes = Lanes(ProcessInfo.processInfo.activeProcessorCount)

    private static let chosenCases: [ConformanceCase] = {
        guard let part = ProcessInfo.processInfo.environment["LARDER_CASE"], !part.isEmpty else {
            return ConformanceSuite.allCases
        }
        return ConformanceSuite.allCases.filter { $0.title.contains(part) }
    }()
}
