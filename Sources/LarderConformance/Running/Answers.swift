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

/// Fails unless every call that asks for the request gives exactly these items, in this order.
func expect<Item: DataStoreItem>(
    _ request: DataStoreRequest<Item>, gives expected: [AnyItemID], in accessor: DataStoreReadAccessor,
    file: StaticString = #fileID, line: Int = #line
) throws {
    try AnswerCheck(
        request: request, expected: expected, accessor: accessor, place: SourcePlace(file: file, line: line)
    ).checkCalls()
}

/// Fails unless every call that asks for the request gives exactly the items with these identifiers, in order.
func expect<Item: DataStoreItem>(
    _ request: DataStoreRequest<Item>, gives expected: [Int64], in accessor: DataStoreReadAccessor,
    file: StaticString = #fileID, line: Int = #line
) throws {
    try expect(
        request, gives: expected.map { AnyItemID.integer($0) }, in: accessor, file: file, line: line)
}

/// Fails unless every call that asks for the request gives exactly these items, in this order.
func expect<Item: DataStoreItem>(
    _ request: DataStoreRequest<Item>, gives expected: [AnyItemID], in store: any DataStore,
    file: StaticString = #fileID, line: Int = #line
) throws {
    try store.read { accessor in
        try expect(request, gives: expected, in: accessor, file: file, line: line)
    }
}

/// Fails unless every call that asks for the request gives exactly the items with these identifiers, in this order.
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
