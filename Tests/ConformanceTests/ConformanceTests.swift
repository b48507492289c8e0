import Foundation
import LarderConformance
import Testing

@testable import AdapterTestSupport

/// Every adapter keeps every rule of the contract.
///
/// To run some cases only, give a part of their titles: `LARDER_CASE="NOT of" swift test`; for some subjects
/// only, a part of their names: `LARDER_SUBJECT="child of" swift test`.
struct ConformanceTests {
    @Test(arguments: chosenSubjects, chosenCases)
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

    private static let chosenCases = chosen(from: ConformanceSuite.allCases, by: "LARDER_CASE")
    private static let chosenSubjects = chosen(from: Subjects.all, by: "LARDER_SUBJECT")

    /// Those whose description contains the value of a variable; all where it is not set.
    private static func chosen<Element: CustomStringConvertible>(
        from all: [Element], by variable: String
    ) -> [Element] {
        guard let part = ProcessInfo.processInfo.environment[variable], !part.isEmpty else { return all }
        return all.filter { $0.description.contains(part) }
    }
}
