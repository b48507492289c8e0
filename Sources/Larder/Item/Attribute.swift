/// The place of one attribute of an item type: what filters, orders and selections are made of.
///
///     Recipe.where(\.rating > 4)       // \.rating is a path into Recipe.Attributes
///
/// `@StoredItem` writes one for each stored property.
public struct Attribute<Item: DataStoreItem, Value: AttributeStorable>: Sendable {
    /// The number of the attribute's column; 0 is `id`.
    public let column: Int

    @inlinable
    public init(column: Int) {
        self.column = column
    }
}

/// How an attribute is named in code: `\.rating`.
public typealias AttributePath<Item: DataStoreItem, Value: AttributeStorable> =
    KeyPath<Item.Attributes, Attribute<Item, Value>>
