/// One attribute of an item type, as filters, orders and selections use it.
///
///     Recipe.where(\.rating > 4)       // \.rating is a path into Recipe.Attributes
///
/// `@StoredItem` writes one for each stored property.
///
/// *Rule:* the value's type conforms to ``AttributeValue`` or ``CodableAttribute``. For any other type the
/// compiler reports here which protocol to conform to.
@dynamicMemberLookup
public struct Attribute<Item: DataStoreItem, Value>: Sendable {
    /// The number of the attribute's column; 0 is `id`.
    public let column: Int

    @inlinable
    init(number: Int) {
        column = number
    }
}

extension Attribute where Value: AttributeStorable {
    /// The attribute in a column.
    @inlinable
    public init(column: Int) {
        self.init(number: column)
    }

    /// The attribute in a column that has an index.
    @inlinable
    public init(indexedColumn: Int) where Value: AttributeValue {
        self.init(number: indexedColumn)
    }
}

/// The path that names an attribute in code: `\.rating`.
public typealias AttributePath<Item: DataStoreItem, Value: AttributeStorable> =
    KeyPath<Item.Attributes, Attribute<Item, Value>>

/// The attributes of an item type, as `@StoredItem` declares them.
///
/// A path to another name leads to ``NotAStoredProperty``, so that the compiler reports the name itself and
/// not the operator after it.
@dynamicMemberLookup
public protocol StoredAttributes: Sendable {}

extension StoredAttributes {
    /// The result of a path whose name is misspelled or names a computed property; no function accepts
    /// it.
    public subscript(dynamicMember name: String) -> NotAStoredProperty { NotAStoredProperty() }
}

/// The type of a path that does not name a stored property of its item type.
///
/// If the compiler mentions it, check the spelling of the name. A computed property is not stored, so filters
/// and orders cannot use it; store its value in a property of its own.
public struct NotAStoredProperty: Sendable {}
