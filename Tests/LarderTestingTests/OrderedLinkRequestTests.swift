import Larder
import LarderTesting
import Testing

/// The requests by which one item of an ordered relationship is found, added and removed.
@Suite struct `One item of an ordered relationship` {
    @Test(arguments: TestEngine.all)
    func `is looked up without the order of the others`(engine: TestEngine) throws {
        try withTemporaryStore(engine, storing: [Menu.self, Meal.self]) { store in
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Meal(1), Meal(2)])
                try accessor.insert(Menu(1))
            }
            let recording = try store.record {
                try store.writeSync { accessor in
                    let menu = try #require(try accessor.mutableItem(id: 1, of: Menu.self))
                    #expect(try menu.meals.add(id: 2))
                    #expect(try menu.meals.contains(id: 2))
                    #expect(try menu.meals.remove(id: 2))
                }
            }

            let lookUps = recording.requests.map(\.description).filter { $0.contains("target == 2") }
            #expect(
                lookUps
                    == Array(
                        repeating: """
                            Menu.meals select id, target, rank where (source == 1 and target == 2) \
                            order target ascending, id ascending
                            """, count: 3))
        }
    }
}

/// A menu with its meals in order.
private struct Menu: DataStoreItem {
    let id: Int64
    var meals: OrderedToMany<Meal>

    struct Attributes: StoredAttributes {
        let id = Attribute<Menu, Int64>(column: 0)
        let meals = RelationshipAttribute<Menu, OrderedToMany<Meal>>(number: 0)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Menu", attributes: [.attribute("id", Int64.self)],
        relationships: [.relationship("meals", OrderedToMany<Meal>.self)])

    init(_ id: Int64) {
        self.id = id
        meals = []
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        meals = try row.value(atRelationship: 0, of: Menu.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(meals, atRelationship: 0)
    }
}
