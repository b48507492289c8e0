/// All rows of the table, in its order.
enum Workloads {
    static let all: [any Workload] = [
        BulkInsert(isIndexed: false),
        BulkInsert(isIndexed: true),
        InsertEach(durability: .normal),
        InsertEach(durability: .full),
        GroupCommit(),
        ReadInOneTransaction(),
        ReadEach(),
        ReadFromAsyncCode(),
        Scan(),
        FindByRating(isIndexed: true),
        FindByRating(isIndexed: false),
        CountByRating(),
        Aggregates(question: .sum),
        Aggregates(question: .average),
        Aggregates(question: .extremes),
        Aggregates(question: .names),
        ShowPage(isIndexed: true, isDescending: false),
        ShowPage(isIndexed: true, isDescending: true),
        ShowPage(isIndexed: false, isDescending: true),
        LookUpName(),
        Update(),
        Delete(),
        Open(),
        OpenInMemory(),
        ReadBesideWriter(figure: .time),
        ReadBesideWriter(figure: .slowdown),
        FileSize(),
        PeakMemory(),
        InsertWithLinks(),
        FetchFamilies(),
        AskGraph(question: .ingredient),
        AskGraph(question: .kind),
        AskGraph(question: .count),
        AskGraph(question: .page),
        ChangeLink(change: .add),
        ChangeLink(change: .remove),
        DeleteFamily(figure: .time),
        DeleteFamily(figure: .growth),
        DeletionMemory(),
    ]

    static func named(_ name: String) -> (any Workload)? {
        all.first { $0.name == name }
    }
}
