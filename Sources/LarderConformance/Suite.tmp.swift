extension ConformanceSuite {
    public static let allCases: [ConformanceCase] =
        ReadingCases.all + FilteringCases.all + TextCases.all + OrderCases.all + WindowCases.all
        + ValueTypeCases.all + ValueCases.all + StoredFormCases.all + IdentifierCases.all
        + InsertingCases.all + UpsertingCases.all + HandleCases.all + UpdatingCases.all + DeletingCases.all
        + UniquenessCases.all + TransactionCases.all + SavepointCases.all + IsolationCases.all
        + BlockCases.all + WalkingCases.all + WritingAsyncCases.all
}
