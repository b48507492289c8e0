import Larder
import LarderMemory
import LarderRouting
import Testing

@testable import AdapterTestSupport

/// Stores whose parts were changed by a process that was killed before it named their relationships again.
@Suite struct `Relationships that an earlier version has named` {
    private let first = MemoryStorage()
    private let second = MemoryStorage()

    /// The text of the row that names the relationships, which becomes another one.
    private func relationships(replacedBy text: String? = nil) throws -> String {
        try withRecords(of: first) { writing, records in
            let arena = RowArena()
            let name = try "\trelationships".encode(in: arena)
            let cells = CellBuffer(count: 4)
            defer { withExtendedLifetime((arena, cells)) {} }
            try #require(try writing.row(at: name, of: records, into: cells.start))
            let known = cells.start[1].string
            if let text {
                cells.start[0] = name
                cells.start[1] = try text.encode(in: arena)
                let mutation = RowMutation(
                    .update, entity: records, cells: cells.start, columns: ColumnSet([1]))
                _ = try writing.apply(mutation)
                try writing.commit()
            }
            return known
        }
    }

    @Test func `do not keep links from a type that has another name now`() throws {
        let store = RoutedDataStore([
            StorePart("first", MemoryDataStore(storing: [Cook.self], in: first)),
            StorePart("second", MemoryDataStore(storing: [Team.self], in: second)),
        ])
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: (1...3).map { Cook($0, name: "cook \($0)") })
            try accessor.insert(Team(1)).cooks.add(ids: [1, 3])
        }
        try store.tearDown()
        let part = MemoryDataStore(storing: [Chef.self], in: first)
        try part.setup()
        try part.tearDown()

        let renamed = RoutedDataStore([
            StorePart("first", MemoryDataStore(storing: [Chef.self], in: first)),
            StorePart("second", MemoryDataStore(storing: [TeamOfChefs.self], in: second)),
        ])
        try renamed.setup()
        let chefs = try renamed.writeSync {
            try #require(try $0.mutableItem(id: 1, of: TeamOfChefs.self)).cooks.ids()
        }
        try renamed.tearDown()

        #expect(chefs == [1, 3])
    }

    @Test func `do not keep references from the type that a step has led them to`() throws {
        let versions = [
            SchemaVersion("1", storing: [Kind.self, Cook.self, Order.self]),
            SchemaVersion("2", storing: [Kind.self, Cook.self, OrderOfKind.self]),
        ]
        let early = store(of: Order.self, SchemaHistory([versions[0]]))
        try early.setup()
        try early.writeSync { accessor in
            try accessor.insert(Kind(1, "Soup"))
            try accessor.insert(Cook(1, name: "Ada"))
            try accessor.insert(Order(id: 1, cook: ToOne(id: 1)))
        }
        try early.tearDown()
        let before = try relationships()
        let step = SchemaStep(from: "1", to: "2") {
            Transform("Order") { _, new in try new.make()["cook"] = .identifier(.integer(1)) }
        }
        let late = store(of: OrderOfKind.self, SchemaHistory(versions, steps: [step]))
        try late.setup()
        try late.tearDown()
        let after = try relationships(replacedBy: before)

        try late.setup()
        let orders = try late.read { try $0.items(for: OrderOfKind.all).map(\.cook?.id) }
        try late.tearDown()

        #expect(orders == [1])
        #expect(before != after)
        #expect(try relationships() == after)
    }

    private func store(
        of order: any DataStoreItem.Type, _ history: SchemaHistory
    ) -> RoutedDataStore {
        RoutedDataStore(
            [
                StorePart("first", MemoryDataStore(storing: [Kind.self, Cook.self, order], in: first)),
                StorePart("second", MemoryDataStore(storing: [], in: second)),
            ], storing: history)
    }
}

private typealias Kind = Texts<FirstKind>
private typealias Order = OrderOf<ToOne<Cook>>
private typealias OrderOfKind = OrderOf<ToOne<Kind>>

/// The team of the same cooks.
private typealias TeamOfChefs = TeamOf<Chef>

/// A cook whose type has another name.
private struct Chef: VersionedItem {
    static let schema = EntitySchema(
        "Chef", originalName: "Cook", attributes: [.attribute("id", Int64.self)])
    var values: [Cell]
}
