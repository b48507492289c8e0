/// A new value for an attribute of all items of a request.
///
///     try accessor.update(Recipe.where(\.cookedAt < lastYear), .set(\.rating, to: 0), .set(\.note, to: nil))
public struct Assignment<Item: DataStoreItem>: Sendable {
    let column: Int
    private let encode: @Sendable (RowArena) throws(DataStoreError) -> Cell

    /// Sets an attribute to a value.
    public static func set<Value: AttributeStorable>(
        _ attribute: AttributePath<Item, Value>, to value: Value
    ) -> Assignment {
        Assignment(column: Item.attributes[keyPath: attribute].column) { arena throws(DataStoreError) in
            try value.encode(in: arena)
        }
    }

    private init(column: Int, encode: @escaping @Sendable (RowArena) throws(DataStoreError) -> Cell) {
        self.column = column
        self.encode = encode
    }

    /// The value as a cell.
    ///
    /// - Throws: `.invalidValue`, also for the identifier, which is final.
    func cell(in arena: RowArena) throws(DataStoreError) -> Cell {
        let attribute = Item.schema.attributes[column]
        guard column > 0 else {
            throw DataStoreError(
                .invalidValue, "The identifier of an item cannot be changed.", itemType: Item.schema.name,
                attribute: attribute.name)
        }
        do {
            return try encode(arena)
        } catch {
            throw error.about(itemType: Item.schema.name, attribute: attribute.name)
        }
    }
}
