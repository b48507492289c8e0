import Larder
import LarderTesting
import Testing

/// Filters of groups of any length, and of a bounded depth.
struct GroupFilterTests {
    private let one = GroupTerm<RankedNote, Int>.count == 1

    private func groups(having filter: GroupFilter<RankedNote>) throws -> Int {
        let store = try TemporaryStore(storing: [RankedNote.self])
        try store.writeSync { try $0.insert(contentsOf: (0..<3).map { RankedNote($0) }) }
        return try store.read { try $0.countGroups(for: RankedNote.all.grouped(by: \.rank).having(filter)) }
    }

    @Test func `a chain of one operator is flat`() throws {
        var any = one
        var all = one
        for _ in 0..<2000 {
            any = any || one
            all = all && one
        }
        #expect(try groups(having: any) == 3)
        #expect(try groups(having: !all) == 0)
    }

    @Test func `a filter that is nested too deeply is refused`() throws {
        var filter = one
        for _ in 0..<200 { filter = !filter }
        #expect(try groups(having: filter) == 3)
        for _ in 0..<20_000 { filter = !filter }
        let error = #expect(throws: DataStoreError.self) { try groups(having: filter) }
        #expect(error?.code == .invalidRequest)
    }
}
