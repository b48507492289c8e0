import Larder

/// The contract as a list of cases, which any adapter can run.
///
///     @Test(arguments: ConformanceSuite.allCases)
///     func keepsTheContract(_ testCase: ConformanceCase) async throws {
///         try await ConformanceSuite.run(testCase, on: subject)
///     }
public enum ConformanceSuite {
    /// All cases, area by area.
    public static let allCases: [ConformanceCase] = [
        ReadingCases.all, FilteringCases.all, TextCases.all, PatternCases.all, CalculationCases.all,
        FilterTextCases.all, CombiningCases.all, DanglingCases.all, PredicateCases.all, OrderCases.all,
        FoldedOrderCases.all, LocalizedOrderCases.all, FoldedIndexCases.all, FoldedCompoundCases.all,
        FoldedEvolutionCases.all, WindowCases.all, UnionCases.all, ToAnyCases.all, ToAnyRuleCases.all,
        UnionPageCases.all, PageCases.all, RequestCases.all, FilterDepthCases.all,
        ValueTypeCases.all, ValueCases.all, ManyAttributesCases.all, IndexedTextCases.all,
        StoredFormCases.all, CollectionCases.all,
        IdentifierCases.all,
        NameCases.all, StoredNameCases.all, LinkedItemCases.all, ComputedPropertyCases.all,
        InsertingCases.all, UpsertingCases.all, SeveralCases.all,
        UpsertingSeveralCases.all, ImportCases.all, ImportGraphCases.all, ImportOrderCases.all,
        WaitingOwnerCases.all, WaitingRowCases.all, WaitingRuleCases.all, CompoundKeyCases.all,
        HandleCases.all, UpdatingCases.all,
        ItemUpdateCases.all,
        RelatedFilterCases.all, RelatedOrderCases.all, RelatedRandomCases.all,
        AggregateCases.all, AggregateRequestCases.all, GroupCases.all, GroupRequestCases.all,
        DistinctCases.all,
        DeletingCases.all, UniquenessCases.all, CompoundUniquenessCases.all, RuleCases.all,
        GraphRuleCases.all,
        DeleteRuleCases.all, DeleteRuleBlockCases.all, GraphChangeCases.all, TransactionCases.all,
        SavepointCases.all, RefusedSetCases.all,
        IsolationCases.all,
        RelatedReadingCases.all, PrefetchCases.all,
        LinkCases.all, OrderedLinkCases.all, RelationshipChangeCases.all, GivenItemCases.all,
        LaterPartCases.all, MutualLinkCases.all,
        ChildCases.all, ChildPlaceCases.all, MergeCases.all, MergeGraphCases.all, MergeResultCases.all,
        LeftDeletionCases.all, KeptItemCases.all,
        HookCases.all, HookedAttributeCases.all,
        BlockCases.all, DeadlockCases.all,
        WalkingCases.all, WritingAsyncCases.all, WaitingWriteCases.all,
        ObservationCases.all, ChangeSetCases.all, BlockStyleCases.all, OriginCases.all,
        IgnoredOriginCases.all,
        ObservedValueCases.all,
        ItemChangeCases.all, ListCases.all, ListFollowingCases.all, ListRandomCases.all,
        ObserverLifeCases.all,
        LifeCycleCases.all, AwaitedCallCases.all, DescriptionCases.all, FileCases.all, FilePlaceCases.all,
        FileReadingCases.all,
        FileDamageCases.all, FileLimitCases.all, FileToolCases.all, RecoveryCases.all,
        PrepopulatedCases.all,
        AttributeChangeCases.all, SchemaChangeCases.all, UniquenessChangeCases.all, SchemaMismatchCases.all,
        StepCases.all, StepWalkCases.all, StepTypeCases.all, StepReferenceCases.all, StepLinkCases.all,
        StepEndCases.all, StepLinkNameCases.all, StepRefusalCases.all, StepRenamingCases.all,
        LeftoverCases.all,
        HistoryCases.all, HistoryNameCases.all, HistorySetupCases.all, AllowedMigrationCases.all,
        UpgradeCases.all, GraphSchemaCases.all,
        GraphEvolutionCases.all, SQLCases.all, SQLRuleCases.all, DiagnosticCases.all,
    ].flatMap { $0 }

    /// Runs a case in a world of its own, then checks the invariants.
    ///
    /// - Parameter seconds: The time after which the case counts as hanging.
    /// - Throws: ``ConformanceFailure``.
    public static func run(
        _ testCase: ConformanceCase, on subject: ConformanceSubject, within seconds: Double = 60
    ) async throws {
        let world: ConformanceWorld
        do {
            world = try ConformanceWorld(on: subject)
        } catch {
            throw testCase.failure(error, on: subject)
        }
        do {
            try await testCase.run(in: world, within: seconds)
            try await Deadline.run(within: seconds, at: testCase.place) {
                try world.checkInvariants()
            }
        } catch {
            // The failed case may have left blocks open that keep the stores from closing; only its failure
            // is reported.
            try? await Deadline.run(within: 5, at: testCase.place) { try world.cleanUp() }
            throw testCase.failure(error, on: subject)
        }
        do {
            try await Deadline.run(within: seconds, at: testCase.place) { try world.cleanUp() }
        } catch {
            throw testCase.failure(error, on: subject)
        }
    }
}

extension ConformanceCase {
    fileprivate func run(in world: ConformanceWorld, within seconds: Double) async throws {
        switch body {
        case .blocking(let body):
            try await Deadline.run(within: seconds, at: place) {
                #if DEBUG
                    try WriteBlock.testedBatchSize.withValue(Self.batchSize) { try body(world) }
                #else
                    try body(world)
                #endif
            }
        case .awaiting(let body):
            try await Deadline.run(
                within: seconds, at: place,
                async: {
                    #if DEBUG
                        try await WriteBlock.testedBatchSize.withValue(Self.batchSize) {
                            try await body(world)
                        }
                    #else
                        try await body(world)
                    #endif
                })
        }
    }

    /// Smaller than the usual one, so that some hundred items cross its bounds.
    private static let batchSize = 256
}
