import Larder

/// A place that items are read from, for the questions of a case.
enum AskedPlace: String {
    case block = "a read block"
    case changedBlock = "a write block that has changed every second item, and back"
    case child = "a child"
    case changedChild = "a child that has changed every second item, and back"
    case openedAgain = "the store, opened again"

    /// True if a row is asked in every way here, and not by the calls alone.
    ///
    /// A block asks its engine in one way, whether it has changed items or not.
    var isForEveryWay: Bool { self != .changedBlock }
}

/// A filled store that cases ask and do not change.
///
/// The store is filled and opened once for a case. The questions are then asked in every place that items are read
/// from, so that one line of a case proves what it says for all of them.
struct AskedStore: Sendable {
    private let types: [any DataStoreItem.Type]
    private let fill: @Sendable (DataStoreReadWriteAccessor) throws -> Void
    /// Changes every second item of some of the types, and then changes it back.
    private let touch: @Sendable (DataStoreReadWriteAccessor) throws -> Void

    /// ``Fixture``: restaurants and dishes.
    static let restaurants = AskedStore(types: [Restaurant.self, Dish.self], fill: Fixture.fill) { accessor in
        try changeAndRestore(\Restaurant.seats, with: -1, in: accessor)
        try changeAndRestore(\Dish.cents, with: -1, in: accessor)
    }

    /// ``SmallLibrary``: books with their authors, labels and shelves.
    static let library = AskedStore(types: SmallLibrary.types, fill: SmallLibrary.fill) { accessor in
        try changeAndRestore(\Book.year, with: -1, in: accessor)
        try changeAndRestore(\Person.name, with: "", in: accessor)
        try changeAndRestore(\Label.rank, with: -1, in: accessor)
    }

    /// ``Shop``: products and sales.
    static let shop = AskedStore(types: Shop.types, fill: Shop.fill) { accessor in
        try changeAndRestore(\Sale.units, with: 1_000, in: accessor)
        try changeAndRestore(\Product.name, with: "", in: accessor)
    }

    /// Houses in towns, two of which have no code; one house is sold, and some have a neighbor.
    static let towns = AskedStore(types: [Town.self, House.self]) { accessor in
        try accessor.insert(contentsOf: [Town(1, "Bonn"), Town(2, "Aix"), Town(3, "Cork", code: "a")])
        try accessor.insert(contentsOf: [
            House(10, number: 1, in: 2, isSold: true), House(11, number: 1, in: 1, beside: 10),
            House(12, number: 1, in: 2, beside: 11), House(13, number: 1, in: 1, beside: 11),
            House(14, number: 1, in: 3),
        ])
    } touch: { accessor in
        try changeAndRestore(\House.number, with: -1, in: accessor)
        try changeAndRestore(\Town.code, with: nil, in: accessor)
    }

    /// Restaurants with long texts in the attributes that have an index.
    static let longNames = AskedStore(types: [Restaurant.self, Dish.self]) { accessor in
        try accessor.insert(contentsOf: LongText.restaurants)
    } touch: { accessor in
        try changeAndRestore(\Restaurant.seats, with: -1, in: accessor)
    }

    /// Sets an attribute of every second item of a type to a value, and then to what it was.
    private static func changeAndRestore<Item: DataStoreItem, Value>(
        _ attribute: WritableKeyPath<Item, Value>, with value: Value, in accessor: DataStoreReadWriteAccessor
    ) throws {
        let items = try accessor.items(for: Item.all)
        let chosen = items.indices.filter { $0.isMultiple(of: 2) }.map { items[$0] }
        for item in chosen {
            var changed = item
            changed[keyPath: attribute] = value
            try accessor.update(changed)
        }
        // A request writes the changes of handles and items that wait.
        try expect(try accessor.countItems(for: Item.all), equals: items.count)
        for item in chosen { try accessor.update(item) }
    }

    /// Fills a store, and asks it in every place.
    func ask(
        in world: ConformanceWorld, _ questions: (DataStoreReadAccessor, AskedPlace) throws -> Void
    ) throws {
        func ask(in place: AskedPlace, _ accessor: DataStoreReadAccessor) throws {
            do {
                try questions(accessor, place)
            } catch let failure as ConformanceFailure {
                throw ConformanceFailure(askedIn: place, failure)
            }
        }
        let store = try world.open(storing: types)
        try store.writeSync(fill)
        try store.read { try ask(in: .block, $0) }
        try store.writeSync { accessor in
            try touch(accessor)
            try ask(in: .changedBlock, accessor)
        }
        let child = try store.makeChildDataStore()
        try child.read { try ask(in: .child, $0) }
        try child.writeSync(touch)
        try child.read { try ask(in: .changedChild, $0) }
        try child.discard()
        try world.closeAll()
        try world.open(storing: types).read { try ask(in: .openedAgain, $0) }
    }
}
