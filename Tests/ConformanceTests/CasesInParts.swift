@testable import LarderConformance

/// The cases that a store over several parts runs: all but those that are named here, with the reason.
///
/// Cases about files end at once, as such a store has no file of its own, and so do cases about SQL once it is refused.
enum CasesInParts {
    static func contain(_ testCase: ConformanceCase, on subject: ConformanceSubject) -> Bool {
        let dealsOutItems = Subjects.dealingOutItems.contains { $0.name == subject.name }
        return !leftOut.contains(testCase.title)
            && !(dealsOutItems && leftOutForItems.contains(testCase.title))
    }

    /// The cases whose steps use a few types, which ``Subjects/routedBeside`` has in parts that fit.
    static let steps: [ConformanceCase] = [
        StepCases.all, StepTypeCases.all, StepRefusalCases.all, StepLinkCases.all, StepReferenceCases.all,
        StepEndCases.all, StepLinkNameCases.all, StepWalkCases.all, StepRenamingCases.all,
        HistoryCases.all, LeftoverCases.all, FoldedEvolutionCases.all,
    ].flatMap { $0 }.filter { !acrossParts.contains($0.title) }

    static let leftOut = Set(titles(of: onlyBeside)).union(titles(of: UpgradeCases.all)).union([
        // The steps are counted, and if both parts take one, there are twice as many.
        "The steps of a way report their progress", "Steps, small changes and a closing are reported",
        // Their steps use types that are in two parts here.
        "Steps fold the texts that they write and rename",
        "A step to texts that differ in case alone changes nothing",
        // The generation of the store is the sum of those of the parts.
        "A name may change in the bytes of a letter alone",
        // A part stores no relationships, so a step that does not know of links leaves them.
        "The description of a store has the names of the store",
        "Links that the current version keeps are not dropped on the way to a store's own version",
        "Values and links that get new names are not dropped on the way to a store's own version",
        // A transfer, and a tool without the app's types, open a part and not the whole.
        "A store opened by its stored schema does not change",
        "A store that is being filled is refused until it is complete",
    ])

    /// Each part names the first clash among its own items.
    static let leftOutForItems: Set = [
        "Uniqueness over duplicates is refused, naming the first two items",
        "Uniqueness of several attributes over duplicates is refused",
        "Uniqueness over duplicates of texts too long for an index is refused",
    ]

    /// Most of their steps use types that two parts have.
    private static let onlyBeside: [ConformanceCase] = [
        StepCases.all, StepTypeCases.all, StepRefusalCases.all, StepLinkCases.all, StepReferenceCases.all,
        StepEndCases.all, StepLinkNameCases.all, StepWalkCases.all, StepRenamingCases.all,
    ].flatMap { $0 }

    /// Their steps use rows of both parts, which a routed store refuses.
    static let acrossParts: Set = [
        "Rows of two types come together in one",
        "More rows than a batch has are joined, and larger ones",
        "Links that cannot stay go only from rows that get others",
        "Links of rows that stay do not go to rows of another type that come among them",
        "Links that one row of a call was given are not given to another that continues the old row",
        "Links that cannot stay do not go unless others are made",
        "Other identifiers of rows that come from several types are refused if references lead to them",
        "References to a deleted type do not lead to another one that takes its name",
        "References to a renamed type do not lead to another one that takes its name",
        "A reference that leads to another type from now on is not copied to a new row",
        "A walk over rows visits those that were there when it began, whatever its closure inserts",
    ]

    private static func titles(of cases: [ConformanceCase]) -> [String] { cases.map(\.title) }
}
