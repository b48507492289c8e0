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
    case compoundValuesAreNotFound
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
    case touchedRowsAreReportedBackwards
    case conditionsIgnoreSharedValues
    case conditionsIgnoreReferences

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
    /// How the titles of cases begin that should notice it; they are the first to run.
    var clue: String {
        switch self {
        case .limitIsIgnored, .zeroMeansNoLimit: "A limit ends"
        case .offsetIsIgnored: "An offset leaves out"
        case .nilSortsLast: "nil comes first"
        case .tieBreakIsAlwaysAscending: "Ties are broken"
        case .onlyTheFirstSortKeyCounts: "Several keys"
        case .countIgnoresTheFilter: "Numbers are compared"
        case .countIgnoresTheWindow: "A limit ends"
        case .textEqualityIgnoresCase: "Case is told apart"
        case .ignoringCaseStopsAtASCII: "Ignoring case"
        case .containsIsPrefix, .prefixesMatchInTheMiddle: "contains, hasPrefix"
        case .listsLoseTheirLastValue: "isIn passes"
        case .negatedListsExcludeNil: "NOT of every filter"
        case .differingExcludesNil: "nil differs"
        case .lessIncludesNil: "nil is not less"
        case .unsignedNumbersAreSigned: "UInt64"
        case .indexesMissTheNewestRow: "A filter sees every change"
        case .compoundValuesAreNotFound: "An item added to an owner"
        case .rowsAreNotFoundByTheirIdentifier: "An item is found"
        case .lastMutationOfABatchIsLost: "Sets are stored"
        case .updatesWriteNothing: "A filter sees every change"
        case .updatesWriteOneColumn: "An update sets several"
        case .duplicatesOverwriteSilently, .duplicatesAreIgnoredSilently: "A second item"
        case .deletionsDoNothing: "An item is deleted"
        case .deletingAllLeavesOneRow, .deletingAllCountsNothing: "Deleting all"
        case .missingRowsAreCountedAsDeleted: "Items are kept under an ItemID"
        case .touchedRowsAreReportedBackwards: "A change set names the rows that a rule"
        case .conditionsIgnoreSharedValues: "A second item with a unique value"
        case .conditionsIgnoreReferences: "A reference to an item"
        case .textEndsAtNUL: "NUL"
        case .emptyTextBecomesNil: "Empty text"
        case .numbersAreRounded: "Double"
        case .textIsComposed: "Both ways to compose"
        case .rollbackKeepsChanges: "A block that throws"
        case .savepointRollbackKeepsChanges: "A savepoint that throws"
        case .savepointReleaseUndoesChanges: "Walks inside walks"
        case .commitLosesTheLastRow, .commitLosesEverything: "An inserted item"
        case .snapshotsSeeLaterCommits: "A read sees the state"
        case .closingLosesEverything: "Uniqueness holds after reopening"
        }
    }
}
