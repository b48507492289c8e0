import LarderEngine
public import LarderKernel

/// The attribute of an item type whose value names the part that keeps an item.
///
///     let recipes = [Recipe.self]
///     let store = RoutedDataStore(
///         [
///             StorePart("Main", SQLiteDataStore(at: url, storing: recipes)),
///             StorePart("Archive", LMDBDataStore(at: url.appendingPathExtension("old"), storing: recipes)),
///         ],
///         partitionedBy: [PartKey(of: Recipe.self, \.shelf)])
///
/// The item goes into that part when it is inserted, and moves when the value changes. A request that tests the
/// attribute with `==` or `isIn` asks only the parts that are named.
///
/// *Rule:* an attribute stored as text: a string, or an enum with strings as raw values. If it is optional, nil stands for
/// the first part that keeps the type. All programs that open the store give the same keys.
public struct PartKey: Sendable {
    let itemType: any DataStoreItem.Type
    let column: Int
    /// False if the attribute cannot name a part.
    let isText: Bool
    /// The name in a value of the attribute; nil for the first part.
    let name: @Sendable (Cell) -> String?

    /// The key of an item type.
    public init<Item: DataStoreItem, Value: AttributeStorable>(
        of itemType: Item.Type, _ attribute: AttributePath<Item, Value>
    ) {
        self.itemType = itemType
        column = Item.attributes[keyPath: attribute].column
        isText = Value.attributeType.storage == .text
        name = { $0.isNull ? nil : $0.string }
    }

    /// A key that is computed from a column, for tests that deal out items without such an attribute.
    ///
    /// *Rule:* equal values have equal names.
    package init(
        of itemType: any DataStoreItem.Type, column: Int, name: @escaping @Sendable (Cell) -> String?
    ) {
        self.itemType = itemType
        self.column = column
        isText = true
        self.name = name
    }
}

/// The parts that keep one item type, and the attribute that decides which of them keeps an item.
struct Partition: Sendable {
    /// The column of the attribute.
    let column: Int
    private let itemType: String
    private let attribute: AttributeSchema
    /// The names of the parts, in their order.
    private let names: [String]
    private let name: @Sendable (Cell) -> String?

    init(_ key: PartKey, of entity: EntitySchema, among names: [String]) {
        column = key.column
        itemType = entity.name
        attribute = entity.attributes[key.column]
        self.names = names
        name = key.name
    }

    /// The position of the part that an item with this value belongs to.
    ///
    /// - Throws: `.invalidValue` when no part has the name.
    func position(of value: Cell) throws(DataStoreError) -> Int {
        let name = name(value)
        if let position = position(named: name) { return position }
        throw unknown(name, .invalidValue, "An item of \(itemType)")
    }

    /// The positions of the parts that can have rows which pass a filter.
    ///
    /// - Parameter isLookUp: True if a part that does not exist is only a part without rows.
    /// - Throws: `.invalidRequest` when it asks for a part that does not exist.
    func positions(passing filter: RowPredicate, isLookUp: Bool) throws(DataStoreError) -> Set<Int> {
        switch filter {
        case .always(false): return []
        case .column(column, .compare(.equal, let value)): return try positions(asked: [value], isLookUp)
        case .column(column, .isNull): return try positions(asked: [.null], isLookUp)
        case .column(column, .isIn(let values, negated: false)):
            return try positions(asked: values, isLookUp)
        case .all(let parts):
            var positions = Set(names.indices)
            for part in parts {
                positions.formIntersection(try self.positions(passing: part, isLookUp: isLookUp))
            }
            return positions
        case .any(let parts):
            var positions: Set<Int> = []
            for part in parts { positions.formUnion(try self.positions(passing: part, isLookUp: isLookUp)) }
            return positions
        case .always, .column, .expression, .related: return Set(names.indices)
        }
    }

    /// The plan of all rows of the type: the identifier, and the value that names the part.
    func plan(of entity: EntitySchema, _ number: Int) -> RequestPlan {
        RequestPlan(entity: number, schema: entity, columns: .some(column == 0 ? [0] : [0, column]))
    }

    /// The position of the part that a row of this plan belongs to.
    ///
    /// - Throws: `.invalidValue` when no part has the name.
    func position(ofRow row: UnsafePointer<Cell>) throws(DataStoreError) -> Int {
        try position(of: row[column == 0 ? 0 : 1])
    }

    /// The text that is stored of it: what the places of items, and the values that are unique, depend on.
    ///
    /// Texts of two parts may be the same without regard to case by other Unicode tables, which each part folds by itself.
    func description(of entity: EntitySchema) -> String {
        let unique = entity.uniqueColumns.map { columns in
            columns.map { column in
                let attribute = entity.attributes[column]
                return attribute.name + (attribute.folded == nil ? "" : StoredSchema.Folding.ownTables)
            }.joined(separator: ", ")
        }
        return ([attribute.name] + names + [""] + unique).joined(separator: "\n")
    }

    private func position(named name: String?) -> Int? {
        guard let name else { return 0 }
        return names.firstIndex { UTF8Text.areEqual($0, name) }
    }

    private func positions(asked values: [Constant], _ isLookUp: Bool) throws(DataStoreError) -> Set<Int> {
        var positions: Set<Int> = []
        for value in values {
            let name = value.withCell { self.name($0) }
            if let position = position(named: name) {
                positions.insert(position)
            } else if !isLookUp {
                throw unknown(name, .invalidRequest, "A request for \(itemType)")
            }
        }
        return positions
    }

    private func unknown(
        _ name: String?, _ code: DataStoreError.Code, _ subject: String
    ) -> DataStoreError {
        let known = names.map { "\"\($0)\"" }.joined(separator: ", ")
        return DataStoreError(
            code,
            """
            \(subject) names the part "\(name ?? "nil")" in \(attribute.propertyName), and no part of that name \
            keeps the type.
            """,
            advice: "Use the name of a part that keeps it: \(known).", itemType: itemType,
            attribute: attribute.propertyName)
    }
}
