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

    /// The cases about changes of types that the app declares no steps for, and about files, are left out.
    @Test(
        arguments: [Subjects.routed, Subjects.partitioned],
        [
            ReadingCases.all, FilteringCases.all, CombiningCases.all, DanglingCases.all, OrderCases.all,
            LocalizedOrderCases.all, FoldedIndexCases.all, FoldedCompoundCases.all, WindowCases.all,
            PageCases.all,
            RequestCases.all, ValueCases.all, IdentifierCases.all,
            InsertingCases.all, UpsertingCases.all, SeveralCases.all, ImportCases.all, ImportGraphCases.all,
            HandleCases.all, UpdatingCases.all, RelatedFilterCases.all, RelatedOrderCases.all,
            RelatedRandomCases.all, AggregateCases.all, GroupCases.all, DistinctCases.all, DeletingCases.all,
            UniquenessCases.all, RuleCases.all, GraphRuleCases.all, DeleteRuleCases.all,
            DeleteRuleBlockCases.all, GraphChangeCases.all, TransactionCases.all, SavepointCases.all,
            RefusedSetCases.all, IsolationCases.all, RelatedReadingCases.all, PrefetchCases.all,
            LinkCases.all,
            OrderedLinkCases.all, RelationshipChangeCases.all, GivenItemCases.all, ChildCases.all,
            ChildPlaceCases.all, MergeCases.all, MergeGraphCases.all, MergeResultCases.all, BlockCases.all,
            DeadlockCases.all, WalkingCases.all, WritingAsyncCases.all, WaitingWriteCases.all,
            ObservationCases.all, ChangeSetCases.all, OriginCases.all, ObservedValueCases.all,
            ItemChangeCases.all, ListCases.all, ListFollowingCases.all, ObserverLifeCases.all,
            LifeCycleCases.all, historyCases, HistorySetupCases.all, AllowedMigrationCases.all,
        ].flatMap { $0 })
    func `two engines behind one store keep the contract`(
        _ subject: ConformanceSubject, _ testCase: ConformanceCase
    ) async throws {
        try await Self.lanes.run {
            try await ConformanceSuite.run(testCase, on: subject, within: Repetitions.secondsForACase)
        }
    }

    /// All but the case that counts the steps: if both parts take one, there are twice as many.
    private static let historyCases = HistoryCases.all.filter {
        $0.title != "The steps of a way report their progress"
    }

    /// Their steps use rows of both parts, which a routed store refuses.
    private static let casesAcrossParts: Set = [
        "Rows of two types come together in one",
        "Links that cannot stay go only from rows that get others",
        "Links that one row of a call was given are not given to another that continues the old row",
        "Links that cannot stay do not go unless others are made",
        "Other identifiers of rows that come from several types are refused if references lead to them",
        "References to a deleted type do not lead to another one that takes its name",
        "A walk over rows visits those that were there when it began, whatever its closure inserts",
    ]

    @Test(
        arguments: [
            StepCases.all, StepTypeCases.all, StepRefusalCases.all, StepLinkCases.all,
            StepReferenceCases.all, StepWalkCases.all, HistoryCases.all,
        ].flatMap { $0 }.filter { !casesAcrossParts.contains($0.title) })
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
    private static let trials: [Trial] = {
        let sharesCases = !Repetitions.isLong && !Chosen.isSet("LARDER_SUBJECT")
        let subjects = chosenSubjects.map { subject in
            (subject, turn: Subjects.sharing.firstIndex { $0.name == subject.name })
        }
        return chosenCases.enumerated().flatMap { position, testCase in
            subjects.filter { _, turn in
                !sharesCases || turn == nil || position % Subjects.sharing.count == turn
            }.map { Trial(subject: $0.0, testCase: testCase) }
        }
    }()

    /// The test library would start all cases at once, each with its stores and threads.
    private static let lanes = Lanes(2 * ProcessInfo.processInfo.activeProcessorCount)

    private static let chosenCases = Chosen.elements(of: ConformanceSuite.allCases, by: "LARDER_CASE")
    private static let chosenSubjects = Subjects.chosen(from: Subjects.all)
}
