/// One thing that an adapter may get wrong; the cases must notice each of them.
enum Fault: CaseIterable, Sendable {
    // Requests.
    case limitIsIgnored
    case zeroMeansNoLimit
    case offsetIsIgnored
    case nilSortsLast
    case tieBreakIsAlwaysAscending
    case onlyTheFirstSortKeyCounts
    case countIgnoresTheFilter
    case countIgnoresTheWindow
    case textEqualityIgnoresCase
    case ignoringCaseStopsAtASCII
    case containsIsPrefix
    case prefixesMatchInTheMiddle
    case listsLoseTheirLastValue
    case differingExcludesNil
    case lessIncludesNil
    case negatedListsExcludeNil
    case unsignedNumbersAreSigned
    case indexesMissTheNewestRow
    case rowsAreNotFoundByTheirIdentifier

    // Mutations.
    case lastMutationOfABatchIsLost
    case updatesWriteNothing
    case updatesWriteOneColumn
    case duplicatesOverwriteSilently
    case duplicatesAreIgnoredSilently
    case deletionsDoNothing
    case deletingAllLeavesOneRow
    case deletingAllCountsNothing
    case missingRowsAreCountedAsDeleted

    // Values.
    case textEndsAtNUL
    case emptyTextBecomesNil
    case numbersAreRounded
    case textIsComposed

    // Transactions.
    case rollbackKeepsChanges
    case savepointRollbackKeepsChanges
    case savepointReleaseUndoesChanges
    case commitLosesTheLastRow
    case commitLosesEverything
    case snapshotsSeeLaterCommits
    case closingLosesEverything
}

extension Fault {
    /// The rules of the contract it breaks: their cases are the first to run.
    var rules: Set<Int> {
        switch self {
        case .limitIsIgnored, .zeroMeansNoLimit, .offsetIsIgnored, .countIgnoresTheFilter,
            .countIgnoresTheWindow,
            .rowsAreNotFoundByTheirIdentifier, .indexesMissTheNewestRow:
            [13]
        case .nilSortsLast, .tieBreakIsAlwaysAscending, .onlyTheFirstSortKeyCounts: [8]
        case .textEqualityIgnoresCase, .ignoringCaseStopsAtASCII, .containsIsPrefix,
            .prefixesMatchInTheMiddle:
            [7]
        case .listsLoseTheirLastValue, .differingExcludesNil, .lessIncludesNil, .negatedListsExcludeNil: [6]
        case .unsignedNumbersAreSigned, .textEndsAtNUL, .emptyTextBecomesNil, .numbersAreRounded,
            .textIsComposed:
            [9]
        case .updatesWriteNothing, .updatesWriteOneColumn: [4]
        case .snapshotsSeeLaterCommits: [1]
        case .closingLosesEverything: [11]
        case .lastMutationOfABatchIsLost, .duplicatesOverwriteSilently, .duplicatesAreIgnoredSilently,
            .deletionsDoNothing, .deletingAllLeavesOneRow, .deletingAllCountsNothing,
            .missingRowsAreCountedAsDeleted, .rollbackKeepsChanges, .savepointRollbackKeepsChanges,
            .savepointReleaseUndoesChanges, .commitLosesTheLastRow, .commitLosesEverything:
            [3]
        }
    }
}
