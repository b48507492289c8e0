import Larder

/// The invariants that must hold after every case.
///
/// - Identifiers are unique and come in order; counts, items and look-ups agree.
/// - Every index agrees with the rows: in number, in order, and for each value.
/// - References and links keep what ``GraphCheck`` says.
/// - No transaction is left open: a read and a write work, and a write that fails leaves no trace.
struct InvariantCheck {
    let store: any DataStore
    let types: [any DataStoreItem.Type]

    init(_ opened: OpenedStore) {
        store = opened.store
        types = opened.types
    }

    /// Checks all of them, the indexes once: after the write that fails, as it goes through all of them.
    ///
    /// - Parameter isOpenedAgain: True for a store whose data was checked through another one: nothing is written, and
    ///   no index is asked.
    func run(isOpenedAgain: Bool = false) throws -> StoreContents {
        let contents = try contents()
        if !isOpenedAgain {
            try checkFailingWrite()
            try expect(
                try self.contents(), equals: contents, "what the store holds after a write that failed")
        }
        for type in types { try check(type, contents, asksIndexes: !isOpenedAgain) }
        try GraphCheck(schema: StoreSchema(storing: types), contents: contents).run()
        return contents
    }

    private func contents() throws -> StoreContents {
        var contents = StoreContents()
        for type in types { contents.rows[type.schema.name] = try rows(of: type) }
        try contents.addLinks(store)
        return contents
    }

    private func rows<Item: DataStoreItem>(of type: Item.Type) throws -> [StoredRow] {
        try store.read { try $0.items(for: Item.all).map { try StoredRow($0) } }
    }

    private func check<Item: DataStoreItem>(
        _ type: Item.Type, _ contents: StoreContents, asksIndexes: Bool
    ) throws {
        let rows = contents.rows[type.schema.name, default: []]
        try store.read { accessor in
            try checkIdentifiers(rows, of: type, accessor)
            guard asksIndexes else { return }
            for index in Item.schema.indexes { try IndexCheck<Item>(index, rows).run(accessor) }
        }
    }

    private func checkIdentifiers<Item: DataStoreItem>(
        _ rows: [StoredRow], of type: Item.Type, _ accessor: DataStoreReadAccessor
    ) throws {
        let schema = Item.schema
        for (row, next) in zip(rows, rows.dropFirst()) {
            try expect(row.precedes(next, by: [0], of: schema), "rising identifiers of \(schema.name)")
        }
        try expect(try accessor.countItems(for: Item.all), equals: rows.count, "count of \(schema.name)")
        let ids = try accessor.ids(for: Item.all)
        try expect(ids.count, equals: rows.count, "number of identifiers of \(schema.name)")
        let found = try accessor.items(ids: ids.prefix(100), of: type)
        for (number, row) in rows.prefix(found.count).enumerated() {
            let id = ids[number]
            let item = number < 10 ? try accessor.item(id: id, of: type) : found[number]
            try expect(
                try StoredRow(try require(item, "the \(schema.name) \(id)")), equals: row,
                "the \(schema.name) \(id) by its identifier")
        }
    }

    /// Runs a write that changes data and then fails.
    private func checkFailingWrite() throws {
        do {
            try store.writeSync { accessor in
                for type in types { try delete(type, accessor) }
                throw OwnError(number: 99)
            }
        } catch let error as OwnError where error.number == 99 {}
    }

    private func delete<Item: DataStoreItem>(
        _ type: Item.Type, _ accessor: DataStoreReadWriteAccessor
    ) throws {
        let count = try accessor.countItems(for: Item.all)
        try expect(try accessor.deleteAllItems(of: type), equals: count, "items deleted in the last check")
    }
}
