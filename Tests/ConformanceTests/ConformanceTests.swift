import Foundation
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// Every adapter keeps every rule of the contract.
///
/// To run some cases only, give a part of their titles: `LARDER_CASE="NOT of" swift test`; for some subjects
/// only, a part of their names: `LARDER_SUBJECT="child of" swift test`.
struct ConformanceTests {
    @Test(arguments: trials)
    func `every subject keeps the contract`(_ trial: Trial) async throws {
        try await Self.lanes.run {
            try await ConformanceSuite.run(
                trial.testCase, on: trial.subject, within: Repetitions.secondsForACase)
        }
    }

    /// The trials share all cases; these are the ones that the subjects are about.
    @Test(
        arguments: [Subjects.copying, Subjects.copyingLMDB],
        StepCases.all + StepTypeCases.all + StepRefusalCases.all + HistoryCases.all + UpgradeCases.all)
    func `steps in a copy keep the contract`(
        _ subject: ConformanceSubject, _ testCase: ConformanceCase
    ) async throws {
        try await Self.lanes.run {
            try await ConformanceSuite.run(testCase, on: subject, within: Repetitions.secondsForACase)
        }
    }

    /// As above, for a subject that differs in how it answers requests.
    @Test(
        arguments: FilteringCases.all + FilterDepthCases.all + FilterTextCases.all + TextCases.all
            + PatternCases.all + CalculationCases.all + OrderCases.all + FoldedOrderCases.all
            + LocalizedOrderCases.all + PageCases.all + WindowCases.all + DistinctCases.all
            + AggregateCases.all
            + AggregateRequestCases.all + GroupCases.all
            + GroupRequestCases.all + RelatedFilterCases.all + RelatedOrderCases.all
            + RelatedRandomCases.all + PredicateCases.all + ValueCases.all)
    func `requests that SQL has no words for keep the contract`(_ testCase: ConformanceCase) async throws {
        try await Self.lanes.run {
            try await ConformanceSuite.run(
                testCase, on: Subjects.withoutFunctions, within: Repetitions.secondsForACase)
        }
    }

    /// Every case but those that ``CasesInParts`` leaves out.
    @Test(arguments: trialsInParts)
    func `several engines behind one store keep the contract`(_ trial: Trial) async throws {
        try await Self.lanes.run {
            try await ConformanceSuite.run(
                trial.testCase, on: trial.subject, within: Repetitions.secondsForACase)
        }
    }

    @Test(arguments: CasesInParts.steps)
    func `steps of two engines behind one store keep the contract`(
        _ testCase: ConformanceCase
    ) async throws {
        try await Self.lanes.run {
            try await ConformanceSuite.run(
                testCase, on: Subjects.routedBeside, within: Repetitions.secondsForACase)
        }
    }

    /// A case on a subject.
    struct Trial: Sendable, CustomTestStringConvertible {
        let subject: ConformanceSubject
        let testCase: ConformanceCase

        var testDescription: String { "\(subject): \(testCase)" }
    }

    /// Every case on every engine and on a child.
    ///
    /// Further subjects share the cases among them, as each takes a minute for all; they run all of them when
    /// they are chosen by name, and in the long runs. A case is run on all its subjects in turn, so that one that
    /// waits for a server has one beside it that computes.
    private static let trials = makeTrials(on: Subjects.all, sharing: Subjects.sharing)

    /// The subjects over several parts share the cases in the same way.
    private static let trialsInParts = makeTrials(on: Subjects.inParts, sharing: Subjects.inParts).filter {
        CasesInParts.contain($0.testCase, on: $0.subject)
    }

    private static func makeTrials(
        on all: [ConformanceSubject], sharing: [ConformanceSubject]
    ) -> [Trial] {
        let sharesCases = !Repetitions.isLong && !Chosen.isSet("LARDER_SUBJECT")
        let subjects = Subjects.chosen(from: all).map { subject in
            (subject, turn: sharing.firstIndex { $0.name == subject.name })
        }
        return chosenCases.enumerated().flatMap { position, testCase in
            subjects.filter { _, turn in
                !sharesCases || turn == nil || position % sharing.count == turn
            }.map { Trial(subject: $0.0, testCase: testCase) }
        }
    }

    /// The test library would start all cases at once, each with its stores and threads.
    private static let lanes = Lanes(2 * ProcessInfo.processInfo.activeProcessorCount)

    private static let chosenCases = Chosen.elements(of: ConformanceSuite.allCases, by: "LARDER_CASE")
}
