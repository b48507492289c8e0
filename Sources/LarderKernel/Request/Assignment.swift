/// A new value for an attribute of all items of a request.
///
///     try accessor.update(Recipe.where(\.cookedAt < lastYear), .set(\.rating, to: 0), .set(\.note, to: nil))
///     try accessor.update(Article.all, .set(\.price, to: \.listPrice))         // each item's own value
///
/// *Rule:* values of other attributes and items are those before the call, so two attributes may be exchanged.
public struct Assignment<Item: DataStoreItem>: Sendable {
    let column: Int
    let value: Value

    enum Value: Sendable {
        case constant(@Sendable (RowArena) throws(DataStoreError) -> Cell)
        /// The value of another attribute of the same item.
        case column(Int)
        /// The value of an attribute of a related item.
        case related([RelationshipReference], column: Int)
    }

    /// Sets an attribute to a value.
    public static func set<Value: AttributeStorable>(
        _ attribute: AttributePath<Item, Value>, to value: Value
    ) -> Assignment {
        Assignment(
            attribute,
            .constant { arena throws(DataStoreError) in try value.encode(in: arena) })
    }

    /// Sets an attribute to the value of another attribute of the same item.
    public static func set<Value: AttributeStorable>(
        _ attribute: AttributePath<Item, Value>, to other: AttributePath<Item, Value>
    ) -> Assignment {
        Assignment(attribute, .column(Item.attributes[keyPath: other].column))
    }

    /// Sets an attribute that may be nil to the value of another attribute of the same item.
    public static func set<Value: AttributeStorable>(
        _ attribute: AttributePath<Item, Value?>, to other: AttributePath<Item, Value>
    ) -> Assignment {
        Assignment(attribute, .column(Item.attributes[keyPath: other].column))
    }

    /// Sets an attribute to an attribute of the item that a reference leads to:
    /// `.set(\.currency, to: \.shop.currency)`.
    ///
    /// *Rule:* if a reference on the way is nil, the value is nil, and an attribute that must not be nil
    /// refuses it with `.invalidValue`. *Cost:* one look-up by key for each item and reference, some hundred by one
    /// call of the engine.
    public static func set<Value: AttributeStorable>(
        _ attribute: AttributePath<Item, Value>, to other: RelatedAttributePath<Item, Value>
    ) -> Assignment {
        Assignment(attribute, Item.attributes[keyPath: other])
    }

    /// Sets an attribute that may be nil to an attribute of the item that a reference leads to.
    public static func set<Value: AttributeStorable>(
        _ attribute: AttributePath<Item, Value?>, to other: RelatedAttributePath<Item, Value>
    ) -> Assignment {
        Assignment(attribute, Item.attributes[keyPath: other])
    }

    private init<Set>(_ attribute: AttributePath<Item, Set>, _ value: Value) {
        column = Item.attributes[keyPath: attribute].column
        self.value = value
    }

    private init<Set, Other>(_ attribute: AttributePath<Item, Set>, _ other: RelatedAttribute<Item, Other>) {
        self.init(attribute, .related(other.path, column: other.column))
    }

    /// True if the references to the value lead through items of the type that gets it, which has this number.
    func mayReadItems(of number: Int, in schema: StoreSchema) throws(DataStoreError) -> Bool {
        guard case .related(let path, _) = value else { return false }
        return try schema.path(along: path, of: number).contains { $0.target == number }
    }
}
