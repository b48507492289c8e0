import Larder
import LarderMemory
import Testing

@StoredItem
struct Contact: Equatable {
    var name: String
    @Indexed var city: String
    var age: Int = 0
}

/// The code of the section on lists on a screen in the migration guide.
@MainActor
struct ListGuideTests {
    private static func makeStore() throws -> any DataStore {
        let store = MemoryDataStore(storing: [Contact.self])
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [
                Contact(name: "Bo", city: "Rome"), Contact(name: "Ada", city: "Rome"),
                Contact(name: "Cy", city: "Oslo"),
            ])
        }
        return store
    }

    @Test func `a table hears of each step`() async throws {
        let store = try Self.makeStore()
        let table = ContactTable(store)
        let contacts = table.contacts
        #expect(await table.next(1) == ["reload Oslo: Cy, Rome: Ada Bo"])

        try await store.writeAsync { _ = try $0.insert(Contact(name: "Di", city: "Bonn")) }
        #expect(
            await table.next(4) == [
                "begin", "insert section 0", "insert row 0.0", "end Bonn: Di, Oslo: Cy, Rome: Ada Bo",
            ])

        let text = "A"
        try contacts.refetch(Contact.where(.contains(\.name, text, .caseInsensitive)).sorted(by: \.name))
        #expect(await table.next(2) == ["begin", "end Rome: Ada"])
    }

    @Test func `snapshots of a diffable data source`() async throws {
        let store = try Self.makeStore()
        let contacts = store.list(Contact.all.sorted(by: \.name), sectionedBy: \.city)
        let dataSource = DataSource()
        let observation: StoreObservation

        observation = contacts.observe { update in
            var snapshot = Snapshot<ListSection<Contact>.ID, Contact.ID>()
            for section in update.list.sections {
                snapshot.appendSection(section.id, section.map(\.id))
            }
            snapshot.reconfigureItems(update.change?.updatedIDs ?? [])
            dataSource.apply(snapshot)
        }

        let first = await dataSource.next()
        #expect(first.sections.map(\.items.count) == [1, 2])
        #expect(first.changed.isEmpty)
        try await store.writeAsync { _ = try $0.update(Contact.where(\.name == "Ada"), .set(\.age, to: 40)) }
        let second = await dataSource.next()
        #expect(second.sections.map(\.id) == first.sections.map(\.id))
        #expect(second.changed == [second.sections[1].items[0]])
        withExtendedLifetime(observation) {}
    }

    @Test func `batch updates of a collection view`() async throws {
        let store = try Self.makeStore()
        let contacts = store.list(Contact.all.sorted(by: \.name), sectionedBy: \.city)
        let view = CollectionView()
        let observation: StoreObservation

        observation = contacts.observe { update in
            guard let change = update.change?.withoutImpliedItems else { return view.reload(update.list) }
            view.performBatchUpdates(showing: update.list) {
                view.deleteSections(change.deletedSections)
                view.insertSections(change.insertedSections)
                view.deleteItems(change.deletedItems)
                view.insertItems(change.insertedItems)
                for move in change.movedItems { view.moveItem(from: move.from, to: move.to) }
            }
            view.reconfigureItems(
                change.updatedItems.map(\.to) + change.movedItems.filter(\.isUpdated).map(\.to))
        }

        #expect(await view.next(1) == ["reload Oslo: Cy, Rome: Ada Bo"])
        try await store.writeAsync {
            _ = try $0.update(Contact.where(\.name == "Cy"), .set(\.city, to: "Rome"))
        }
        #expect(
            await view.next(6) == [
                "delete sections [0]", "insert sections []", "delete []", "insert [0.2]",
                "end Rome: Ada Bo Cy",
                "reconfigure []",
            ])
        withExtendedLifetime(observation) {}
    }
}

/// A view that writes down what it is told.
@MainActor
class Table {
    private let lines: AsyncStream<String>
    private let told: AsyncStream<String>.Continuation

    init() { (lines, told) = AsyncStream.makeStream() }

    func next(_ count: Int) async -> [String] {
        var iterator = lines.makeAsyncIterator()
        var next: [String] = []
        while next.count < count, let line = await iterator.next() { next.append(line) }
        return next
    }

    final func tell(_ line: String, _ list: ItemList<Contact>? = nil) {
        let sections = list?.sections.map { section in
            ([section.name + ":"] + section.map(\.name)).joined(separator: " ")
        }
        told.yield(([line] + (sections.map { [$0.joined(separator: ", ")] } ?? [])).joined(separator: " "))
    }

    func reload(_ list: ItemList<Contact>) { tell("reload", list) }
    func beginUpdates() { tell("begin") }
    func insertSection(_ number: Int) { tell("insert section \(number)") }
    func insertRow(at position: ListPosition) { tell("insert row \(position)") }
    func endUpdates(showing list: ItemList<Contact>) { tell("end", list) }
}

final class ContactTable: Table, ListObserver {
    let contacts: StoreList<Contact>
    private var observation: StoreObservation?

    init(_ store: any DataStore) {
        contacts = store.list(Contact.all.sorted(by: \.name), sectionedBy: \.city)
        super.init()
        observation = contacts.observe(with: self)
    }

    func listDidLoad(_ list: ItemList<Contact>) { reload(list) }

    func listWillChange(_ list: ItemList<Contact>) { beginUpdates() }

    func list(_ change: ListChange<Contact>, didInsert section: ListSection<Contact>, at number: Int) {
        insertSection(number)
    }

    func list(_ change: ListChange<Contact>, didInsert contact: Contact, at position: ListPosition) {
        insertRow(at: position)
    }

    func listDidChange(_ list: ItemList<Contact>) { endUpdates(showing: list) }
}

private final class CollectionView: Table {
    func performBatchUpdates(showing list: ItemList<Contact>, _ body: () -> Void) {
        body()
        tell("end", list)
    }

    func deleteSections(_ sections: [Int]) { tell("delete sections \(sections)") }
    func insertSections(_ sections: [Int]) { tell("insert sections \(sections)") }
    func deleteItems(_ positions: [ListPosition]) { tell("delete \(positions)") }
    func insertItems(_ positions: [ListPosition]) { tell("insert \(positions)") }
    func moveItem(from: ListPosition, to: ListPosition) { tell("move \(from) to \(to)") }
    func reconfigureItems(_ positions: [ListPosition]) { tell("reconfigure \(positions)") }
}

/// A snapshot as diffable data sources take it.
private struct Snapshot<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
    private(set) var sections: [(id: SectionID, items: [ItemID])] = []
    private(set) var changed: [ItemID] = []

    mutating func appendSection(_ id: SectionID, _ items: [ItemID]) { sections.append((id, items)) }

    mutating func reconfigureItems(_ items: [ItemID]) { changed = items }
}

@MainActor
private final class DataSource {
    typealias ContactSnapshot = Snapshot<ListSection<Contact>.ID, Contact.ID>

    private let snapshots: AsyncStream<ContactSnapshot>
    private let applied: AsyncStream<ContactSnapshot>.Continuation

    init() { (snapshots, applied) = AsyncStream.makeStream() }

    func apply(_ snapshot: ContactSnapshot) { applied.yield(snapshot) }

    func next() async -> ContactSnapshot {
        var iterator = snapshots.makeAsyncIterator()
        return await iterator.next() ?? ContactSnapshot()
    }
}
