import Larder
import LarderMemory
import Testing

@testable import LarderConformance

/// Comparisons across references, which the core runs in steps.
struct RelatedComparisonTests {
    @Test func `a comparison across references reads the items that pass the other conditions`() throws {
        let store = MemoryDataStore(storing: SmallLibrary.types)
        try store.setup()
        try store.writeSync(SmallLibrary.fill)
        let ada = ToOne(SmallLibrary.people[0])
        let requests: [(DataStoreRequest<Book>, ids: [Int64], lines: [String])] = [
            (
                Book.where(\.id == 10 && \.author.name < \.editor.name), [10],
                ["by id", "filter", "comparison: by id"]
            ),
            (Book.where(\.author.name < \.editor.name && \.id == 20), [], ["nothing", "comparison: by id"]),
            (
                Book.where(\.author == ada && \.author.name < \.editor.name), [10],
                ["by id", "filter", "comparison: index Book(author) where author == ?"]
            ),
            (Book.where(\.author.name < \.editor.name), [10], ["by id", "comparison: scan"]),
        ]

        try store.read { accessor in
            for (request, ids, lines) in requests {
                let (found, plan) = (try accessor.ids(for: request), try accessor.explain(request))
                #expect(found == ids, "\(request)")
                #expect(plan == lines, "\(request)")
            }
        }
    }

    @Test func `a comparison across references is not run if no item passes the other conditions`() throws {
        let store = MemoryDataStore(storing: SmallLibrary.types)
        try store.setup()
        try store.writeSync(SmallLibrary.fill)
        let isLabeled: Filter<Book> = .any(\.labels, \.id == "none")
        let request = Book.where(\.author.name < \.editor.name).filter(isLabeled)

        try store.read { accessor in
            let lines = try accessor.explain(request)
            #expect(lines.first == "nothing")
            #expect(!lines.contains { $0.hasPrefix("comparison") })
            #expect(try accessor.ids(for: request) == [])
        }
    }
}
