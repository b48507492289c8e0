public import LarderKernel

/// One item type of an ``ItemUnion``.
///
///     let members: [UnionMember<Medium>] = [
///         .type(Recipe.self, Medium.recipe), .type(Song.self, Medium.song),
///     ]
public struct UnionMember<Union: ItemUnion>: Sendable {
    let type: any MemberType<Union>

    /// The member of a type, and the case that its items are given to.
    ///
    /// - Parameter name: The name of the type in stored references (``ToAny``); by default the one under which its items
    ///   are stored. *Rule:* stays the same for as long as references are stored, even if the type gets another name.
    public static func type<Item: DataStoreItem>(
        _ type: Item.Type, named name: String? = nil, _ wrap: @escaping @Sendable (Item) -> Union
    ) -> UnionMember {
        UnionMember(type: TypedMember(name: name ?? Item.schema.name, wrap: wrap))
    }
}

/// A member without the Swift type of its items.
protocol MemberType<Union>: Sendable {
    associatedtype Union: ItemUnion

    /// The name in stored references.
    var name: String { get }
    var itemType: any DataStoreItem.Type { get }

    func description(of core: RequestCore) -> String

    func validate(_ core: RequestCore) throws(DataStoreError)

    /// - Parameter runsCode: True if code of the app runs between the rows; all columns are read then.
    func rows(
        of core: RequestCore, columns: RequestPlan.Columns, runsCode: Bool, in context: BlockContext
    ) throws(DataStoreError) -> RowScan

    /// The value in the current row of a scan of all columns.
    func value(in scan: RowScan) throws(DataStoreError) -> Union

    func count(_ core: RequestCore, in accessor: DataStoreReadAccessor) throws(DataStoreError) -> Int

    func explain(_ core: RequestCore, in accessor: DataStoreReadAccessor) throws(DataStoreError) -> [String]

    /// The stored items with some identifiers; nil for one of another kind, too.
    func values(
        at identifiers: [AnyItemID], in accessor: DataStoreReadAccessor
    ) throws(DataStoreError) -> [Union?]

    func delete(
        _ identifiers: [AnyItemID], in accessor: DataStoreReadWriteAccessor
    ) throws(DataStoreError)

    /// Runs a body during which a write block refuses to change items of the type.
    func iterating(in accessor: DataStoreReadAccessor, _ body: () throws -> Void) throws
}

extension MemberType {
    /// True for the name of the member, byte by byte as in the store.
    func isNamed(_ name: String) -> Bool { UTF8Text.areEqual(self.name, name) }

    var schema: EntitySchema { itemType.schema }
}

private struct TypedMember<Item: DataStoreItem, Union: ItemUnion>: MemberType {
    let name: String
    let wrap: @Sendable (Item) -> Union

    var itemType: any DataStoreItem.Type { Item.self }

    func description(of core: RequestCore) -> String { DataStoreRequest<Item>(core).description }

    func validate(_ core: RequestCore) throws(DataStoreError) {
        try DataStoreRequest<Item>(core).validate()
    }

    func rows(
        of core: RequestCore, columns: RequestPlan.Columns, runsCode: Bool, in context: BlockContext
    ) throws(DataStoreError) -> RowScan {
        let request = DataStoreRequest<Item>(core)
        if runsCode { return try context.rows(ofWalkOver: request) }
        return try context.rows(of: request, columns: columns)
    }

    func value(in scan: RowScan) throws(DataStoreError) -> Union {
        wrap(try Item(row: scan.row))
    }

    func count(_ core: RequestCore, in accessor: DataStoreReadAccessor) throws(DataStoreError) -> Int {
        try accessor.countItems(for: DataStoreRequest<Item>(core))
    }

    func explain(
        _ core: RequestCore, in accessor: DataStoreReadAccessor
    ) throws(DataStoreError) -> [String] {
        try accessor.explain(DataStoreRequest<Item>(core))
    }

    func values(
        at identifiers: [AnyItemID], in accessor: DataStoreReadAccessor
    ) throws(DataStoreError) -> [Union?] {
        let ids = identifiers.map { Item.ID($0) }
        var found = try accessor.items(ids: ids.compactMap { $0 }, of: Item.self)[...]
        var values: [Union?] = []
        for id in ids { values.append(id == nil ? nil : found.popFirst().flatMap { $0 }.map(wrap)) }
        return values
    }

    func delete(
        _ identifiers: [AnyItemID], in accessor: DataStoreReadWriteAccessor
    ) throws(DataStoreError) {
        try accessor.delete(ids: identifiers.compactMap { Item.ID($0) }, of: Item.self)
    }

    func iterating(in accessor: DataStoreReadAccessor, _ body: () throws -> Void) throws {
        try accessor.iterating(Item.self, body)
    }
}
