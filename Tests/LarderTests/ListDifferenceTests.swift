import Larder
import Testing

@testable import AdapterTestSupport
@testable import LarderKernel
@testable import LarderObservation

/// Differences between lists, beside plain models.
struct ListDifferenceTests {
    @Test func `what stays is a longest increasing run`() {
        var random = Seed.ofProcess()
        for _ in Repetitions.rounds(2000, long: 50_000) {
            let numbers = Array(0..<random.number(below: 9)).shuffled(using: &random)

            let run = LongestRun.indices(in: numbers).map { numbers[$0] }

            #expect(run == run.sorted(), "\(random)")
            #expect(Set(run).count == run.count, "\(random)")
            #expect(run.count == longestRun(numbers), "\(numbers), \(random)")
        }
    }

    @Test func `a change turns one list into the other, with as few moves as possible`() {
        var random = Seed.ofProcess()
        for _ in Repetitions.rounds(3000, long: 60_000) {
            let old = ListModel(using: &random)
            let new = random.oneIn(3) ? ListModel(using: &random) : old.edited(using: &random)
            let change = ListChange(from: old.list, to: new.list)

            let text = "\(old) → \(new): \(change), \(random)"
            #expect(ListModel(old.list.applying(change)) == new, "\(text)")
            #expect(new.list.sections.map(\.name) == new.names, "\(text)")
            #expect(change.isEmpty == (old == new), "\(text)")
            var rows = old.rows
            #expect(change.apply(to: &rows) { $0.rank }, "\(text)")
            #expect(rows == new.rows, "\(text)")
            // What is left out of what is shown is applied all the same.
            let explicit = change.withoutImpliedItems
            #expect(ListModel(old.list.applying(explicit)) == new, "\(text)")
            rows = old.rows
            #expect(explicit.apply(to: &rows) { $0.rank }, "\(text)")
            #expect(rows == new.rows, "\(text)")
            #expect(explicit.updatedIDs == change.updatedIDs, "\(text)")
            #expect(Set(change.updatedIDs) == old.changed(in: new), "\(text)")
            #expect(change.movedItems.count == old.fewestMoves(to: new), "\(text)")
            #expect(change.movedSections.count == old.fewestSectionMoves(to: new), "\(text)")
            expectEachOnce(change, text)
        }
    }

    @Test func `carrying out the steps as a table view does gives the new list`() {
        var random = Seed.ofProcess()
        for _ in Repetitions.rounds(3000, long: 60_000) {
            let old = ListModel(using: &random)
            let new = random.oneIn(3) ? ListModel(using: &random) : old.edited(using: &random)
            let change = ListChange(from: old.list, to: new.list)

            for change in [change, change.withoutImpliedItems] {
                var table = TableModel(old.rows)
                for step in change { table.note(step) }
                table.performUpdates(reading: new.rows)
                #expect(table.rows == new.rows, "\(old) → \(new): \(change), \(random)")
            }
        }
    }

    @Test func `the batches of a change are those that a collection view takes`() throws {
        var random = Seed.ofProcess()
        var (refused, moved) = (0, 0)
        for _ in Repetitions.rounds(3000, long: 60_000) {
            let old = ListModel(using: &random)
            var new = random.oneIn(2) ? ListModel(using: &random) : old.edited(using: &random)
            if random.oneIn(3) { new.sections.reverse() }
            let change = ListChange(from: old.list, to: new.list)

            let text: Comment = "\(old) → \(new): \(change), \(random)"
            var view = CollectionModel(old.list)
            var rows = old.rows
            var shown = old.list
            for batch in change.batches {
                #expect(!batch.isEmpty, text)
                moved += batch.movedSections.count
                do { try view.perform(batch, reading: new.list) } catch { Issue.record("\(error): \(text)") }
                #expect(batch.apply(to: &rows) { $0.rank }, text)
                shown = try #require(shown.applying(batch), text)
            }
            #expect(view.sections == CollectionModel(new.list).sections, text)
            #expect(rows == new.rows, text)
            #expect(ListModel(shown) == new, text)
            // In one batch, the view would refuse many of them.
            var single = CollectionModel(old.list)
            do { try single.perform(change, reading: new.list) } catch { refused += 1 }
        }
        #expect(refused > 0 && moved > 0)
    }

    @Test func `a change is not applied to another list`() {
        let old = ListModel([(1, [RankedNote(1), RankedNote(2)])])
        let new = ListModel([(1, [RankedNote(2)])])
        let change = ListChange(from: old.list, to: new.list)
        var rows = [[7]]

        #expect(ListModel(new.list.applying(change)) == nil)
        #expect(!change.apply(to: &rows) { Int($0.rank) })
        #expect(rows == [[7]])
    }

    @Test func `an item in ten thousand is found with one step`() {
        let old = ListModel(
            (0..<100).map { section in (section, (0..<100).map { RankedNote(Int64(100 * section + $0)) }) })
        var new = old
        new.sections[50].notes[50].rank = -1

        #expect(ListChange(from: old.list, to: new.list).description == "update 50.50→50.50")
        new.sections[50].notes.remove(at: 50)
        #expect(ListChange(from: old.list, to: new.list).description == "delete 50.50")
    }

    @Test func `a list finds its items by index, position and identifier`() throws {
        let list = ListModel([(1, [RankedNote(5), RankedNote(6)]), (3, [RankedNote(9)])]).list

        #expect(list.map(\.id) == [5, 6, 9])
        #expect(list[2].id == 9)
        #expect(list[section: 0, item: 1].id == 6)
        #expect(list[safe: 2]?.id == 9)
        #expect([-1, 3].map { list[safe: $0]?.id } == [nil, nil])
        let wrong = [(-1, 0), (0, -1), (0, 2), (1, 1), (2, 0)].map { ListPosition(section: $0, item: $1) }
        #expect(wrong.compactMap { list[safe: $0]?.id } == [])
        #expect(list.index(of: 9) == 2)
        #expect(list.position(of: 6) == ListPosition(section: 0, item: 1))
        #expect(list.item(id: 5)?.rank == 5)
        #expect(!list.contains(id: 7))
        #expect(list.position(at: 2) == ListPosition(section: 1, item: 0))
        #expect(list.position(at: 3) == nil)
        #expect(list.sections.map(\.count) == [2, 1])
        #expect(list.sections[1].value(as: Int64.self) == 3)
        #expect(list.sections[1].value(as: String.self) == nil)
        #expect(list.sections[safe: 2]?.name == nil)
        #expect(list.sections[id: list.sections[1].id]?.number == 1)
        #expect(list.sections[0][safe: 2]?.id == nil)
        #expect(list.sectionIndexTitles == ["A"])
        #expect(list.section(forIndexTitle: "A") == 0)
        #expect(list.section(forIndexTitle: "B") == nil)
        #expect(ItemList<RankedNote>().sections.map(\.count) == [0])
    }

    /// The length of the longest increasing subsequence, by trying all.
    private func longestRun(_ numbers: [Int]) -> Int { ListModel.longestRun(numbers) }

    private func expectEachOnce(_ change: ListChange<RankedNote>, _ text: String) {
        var old: [ListPosition] = change.deletedItems
        var new: [ListPosition] = change.insertedItems
        for move in change.movedItems + change.updatedItems {
            old.append(move.from)
            new.append(move.to)
        }
        #expect(Set(old).count == old.count, "\(text)")
        #expect(Set(new).count == new.count, "\(text)")
    }
}
