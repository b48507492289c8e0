import Larder

extension DataStore {
    func items<Item: DataStoreItem>(_ request: DataStoreRequest<Item>) throws -> [Item] {
        try read { try $0.items(for: request) }
    }

    func item<Item: DataStoreItem>(_ id: Item.ID, of type: Item.Type) throws -> Item? {
        try read { try $0.item(id: id, of: type) }
    }

    func count<Item: DataStoreItem>(_ request: DataStoreRequest<Item>) throws -> Int {
        try read { try $0.countItems(for: request) }
    }

    func ids<Item: DataStoreItem>(_ request: DataStoreRequest<Item>) throws -> [AnyItemID] {
        try read { try $0.ids(for: request).map(\.anyItemID) }
    }

    /// The stored restaurant of this identifier.
    func restaurant(_ id: Int64) throws -> Restaurant? {
        try item(ItemID(rawValue: id), of: Restaurant.self)
    }

    /// The stored dish of this identifier.
    func dish(_ id: Int64) throws -> Dish? {
        try item(ItemID(rawValue: id), of: Dish.self)
    }
}

extension DataStoreReadWriteAccessor {
    /// The handle of the restaurant with this identifier.
    func mutableRestaurant(_ id: Int64) throws -> Mutable<Restaurant> {
        try require(try mutableItem(id: ItemID(rawValue: id), of: Restaurant.self), "the restaurant \(id)")
    }

    /// The handle of the dish with this identifier.
    func mutableDish(_ id: Int64) throws -> Mutable<Dish> {
        try require(try mutableItem(id: ItemID(rawValue: id), of: Dish.self), "the dish \(id)")
    }
}

extension DataStoreReadAccessor {
    /// The stored restaurant of this identifier.
    func restaurant(_ id: Int64) throws -> Restaurant? {
        try item(id: ItemID(rawValue: id), of: Restaurant.self)
    }

    /// The stored dish of this identifier.
    func dish(_ id: Int64) throws -> Dish? {
        try item(id: ItemID(rawValue: id), of: Dish.self)
    }
}

/// Fails unless every kind of request returns exactly these items, in this order.
func expect<Item: DataStoreItem>(
    _ request: DataStoreRequest<Item>, gives expected: [AnyItemID], in store: any DataStore,
    file: StaticString = #fileID, line: Int = #line
) throws {
    try store.read { accessor in
        func expectSame(_ actual: [AnyItemID], _ call: String) throws {
            try expect(actual, equals: expected, "\(call) for \(request)", file: file, line: line)
        }
        try expectSame(try accessor.items(for: request).map(\.id.anyItemID), "items")
        try expectSame(try accessor.ids(for: request).map(\.anyItemID), "ids")
        var walked: [AnyItemID] = []
        try accessor.forEachItem(for: request) { walked.append($0.id.anyItemID) }
        try expectSame(walked, "forEachItem")
        let first = try accessor.firstItem(for: request)?.id.anyItemID
        try expect(first, equals: expected.first, "the first for \(request)", file: file, line: line)
        let count = try accessor.countItems(for: request)
        try expect(count, equals: expected.count, "the count for \(request)", file: file, line: line)
        let contains = try accessor.contains(request)
        try expect(contains, equals: !expected.isEmpty, "contains for \(request)", file: file, line: line)
    }
}

/// Fails unless every kind of request returns exactly the items with these identifiers, in this order.
func expect<Item: DataStoreItem>(
    _ request: DataStoreRequest<Item>, gives expected: [Int64], in store: any DataStore,
    file: StaticString = #fileID, line: Int = #line
) throws {
    try expect(request, gives: expected.map { AnyItemID.integer($0) }, in: store, file: file, line: line)
}

/// Fails unless each filter passes exactly the items with these identifiers.
func expect<Item: DataStoreItem>(
    _ filters: [(Filter<Item>, [Int64])], in store: any DataStore, file: StaticString = #fileID,
    line: Int = #line
) throws {
    for (filter, expected) in filters {
        try expect(Item.where(filter), gives: expected, in: store, file: file, line: line)
    }
}
