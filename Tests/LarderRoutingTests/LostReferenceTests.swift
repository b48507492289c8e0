import Larder
import LarderMemory
import LarderRouting
import Testing

@testable import AdapterTestSupport

/// Steps that change the type of a reference to another part, or the types of the items that it leads to.
@Suite struct `References to other types in steps over several parts` {
    private let first = MemoryStorage()
    private let second = MemoryStorage()

    /// The types of a version: those that orders refer to, in the first part, and orders, in the second.
    private struct Types {
        let cooks: [any DataStoreItem.Type]
        let orders: [any DataStoreItem.Type]

        init(_ cooks: [any DataStoreItem.Type], _ orders: any DataStoreItem.Type...) {
            (self.cooks, self.orders) = (cooks, orders)
        }

        func version(_ name: String) -> SchemaVersion { SchemaVersion(name, storing: cooks + orders) }
    }

    private func store(of types: Types, _ history: SchemaHistory) -> RoutedDataStore {
        RoutedDataStore(
            [
                StorePart("cooks", MemoryDataStore(storing: types.cooks, in: first)),
                StorePart("orders", MemoryDataStore(storing: types.orders, in: second)),
            ], storing: history)
    }

    /// Leaves a store of the first version, with a cook, a kind, and an order that refers to one of them.
    private func fill(_ types: Types, with order: some DataStoreItem) throws {
        let store = store(of: types, SchemaHistory([types.version("1")]))
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(Cook(1, name: "Ada"))
            try accessor.insert(Kind(1, "Soup"))
            try accessor.insert(order)
        }
        try store.tearDown()
    }

    /// The error of the opening with a second version.
    private func refusal(_ early: Types, _ late: Types, _ step: SchemaStep) throws -> DataStoreError? {
        try fill(early, with: Order(id: 1, cook: ToOne(id: 1)))
        let history = SchemaHistory([early.version("1"), late.version("2")], steps: [step])
        let error = thrown { try store(of: late, history).setup() }

        let old = store(of: early, SchemaHistory([early.version("1")]))
        try old.setup()
        #expect(try old.cooks() == ["Ada"])
        #expect(try old.read { try $0.items(for: Order.all).map(\.cook?.id) } == [1])
        try old.tearDown()
        return error
    }

    /// The references of the orders once a store is opened with a second version.
    private func references<Target: DataStoreItem>(
        to target: Target.Type, _ early: Types, _ late: Types, _ step: SchemaStep
    ) throws -> [Target.ID?] {
        let history = SchemaHistory([early.version("1"), late.version("2")], steps: [step])
        let store = store(of: late, history)
        try store.setup()
        defer { try? store.tearDown() }
        return try store.read { try $0.items(for: OrderOf<ToOne<Target>>.all).map(\.cook?.id) }
    }

    private static let transform = Transform("Order") { _, new in _ = try new.make() }.entityMapping
    private static let swap: [EntityMapping] = [
        Transform("Cook", to: "Kind") { _, new in _ = try new.make() }.entityMapping,
        Transform("Kind", to: "Cook") { _, new in _ = try new.make() }.entityMapping,
    ]

    @Test func `are refused if the reference has another name, too`() throws {
        let early = Types([Cook.self, Kind.self], Order.self)
        let late = Types([Cook.self, Kind.self], OrderOfKind.self)

        let error = try refusal(early, late, SchemaStep(from: "1", to: "2") { Self.transform })

        #expect(error?.code == .unsupported)
        #expect(error?.itemType == "Order")
        #expect(error?.attribute == "cook")
    }

    @Test func `are refused in rows that stay among those of another type`() throws {
        let early = Types([Cook.self, Kind.self], Order.self, OldOrder.self)
        let keeping = SchemaStep(from: "1", to: "2") {
            for mapping in Self.swap { mapping }
            Transform("OldOrder", to: "Order") { _, new in _ = try new.make() }
        }
        let renaming = SchemaStep(from: "1", to: "2") {
            for mapping in Self.swap { mapping }
            Rename("Order", to: "Bill")
            Transform("OldOrder", to: "Bill") { _, new in _ = try new.make() }
        }

        let kept = try refusal(early, Types([Cook.self, Kind.self], Order.self), keeping)

        #expect(kept?.code == .unsupported)
        #expect(kept?.itemType == "Order")
        #expect(kept?.attribute == "cook")
        let renamed = try Self().refusal(early, Types([Cook.self, Kind.self], Bill.self), renaming)
        #expect(renamed?.code == .unsupported)
        #expect(renamed?.itemType == "Order")
        #expect(renamed?.attribute == "cook")
    }

    @Test func `are refused if another part has taken the steps before`() throws {
        let types = Types([Cook.self, Kind.self], Order.self)
        try fill(types, with: Order(id: 1, cook: ToOne(id: 1)))
        let early = SchemaStep(from: "1", to: "2") { Self.transform }
        // As a process that is killed between the commits of the parts leaves them.
        let orders = ["1", "2"].map { SchemaVersion($0, storing: [OrderOf<Int64>.self]) }
        let part = MemoryDataStore(storing: SchemaHistory(orders, steps: [early]), in: second)
        try part.setup()
        try part.tearDown()
        let late = SchemaStep(from: "2", to: "3") {
            for mapping in Self.swap { mapping }
            Self.transform
        }

        let history = SchemaHistory(["1", "2", "3"].map { types.version($0) }, steps: [early, late])
        let error = thrown { try store(of: types, history).setup() }

        #expect(error?.code == .unsupported)
        #expect(error?.itemType == "Order")
        #expect(error?.attribute == "cook")
    }

    @Test func `stay if a split keeps the name of the type`() throws {
        let early = Types([Cook.self, Kind.self], Order.self)
        try fill(early, with: Order(id: 1, cook: ToOne(id: 1)))
        let split = SchemaStep(from: "1", to: "2") {
            Split("Cook", into: "Host", "Cook") { _, new in
                _ = try new.make("Host")
                _ = try new.make("Cook")
            }
            Self.transform
        }

        let late = Types([Host.self, Cook.self, Kind.self], Order.self)

        #expect(try references(to: Cook.self, early, late, split) == [1])
    }

    @Test func `stay if a new type takes the place of a deleted one`() throws {
        let early = Types([Cook.self, Kind.self], Order.self)
        try fill(early, with: Order(id: 1, cook: ToOne(id: 1)))
        let replacing = SchemaStep(from: "1", to: "2") {
            Delete("Cook")
            Insert("Host") { _, new in _ = try new.make(id: .integer(1)) }
            Self.transform
        }

        let late = Types([Host.self, Kind.self], OrderOf<ToOne<Host>>.self)

        #expect(try references(to: Host.self, early, late, replacing) == [1])
    }

    @Test func `stay if a join by identifiers makes the rows of the second type others`() throws {
        let early = Types([Cook.self, Kind.self], OrderOf<ToOne<Kind>>.self)
        try fill(early, with: OrderOf<ToOne<Kind>>(id: 1, cook: ToOne(id: 1)))
        let join = SchemaStep(from: "1", to: "2") {
            Join("Cook", "Kind", into: "Host") { _, _, new in _ = try new.make() }
            Self.transform
        }

        let late = Types([Host.self], OrderOf<ToOne<Host>>.self)

        #expect(try references(to: Host.self, early, late, join) == [1])
    }
}

private typealias Kind = Texts<FirstKind>
private typealias Order = OrderOf<ToOne<Cook>>

/// The order of a kind, under another name than the cook had.
private struct OrderOfKind: VersionedItem {
    static let schema = EntitySchema(
        "Order",
        attributes: [
            .attribute("id", Int64.self), .attribute("kind", ToOne<Kind>?.self, originalName: "cook"),
        ])
    var values: [Cell]
}

private struct OldOrder: VersionedItem {
    static let schema = EntitySchema("OldOrder", attributes: [.attribute("id", Int64.self)])
    var values: [Cell]
}

/// An order under another name.
private struct Bill: VersionedItem {
    static let schema = EntitySchema(
        "Bill", attributes: [.attribute("id", Int64.self), .attribute("cook", ToOne<Cook>?.self)])
    var values: [Cell]
}

private struct Host: VersionedItem {
    static let schema = EntitySchema("Host", attributes: [.attribute("id", Int64.self)])
    var values: [Cell]
}
