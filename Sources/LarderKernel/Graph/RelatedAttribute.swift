/// An attribute of another item, reached through one or more references: `\.kind.name`.
///
///     Recipe.where(\.kind.name == "Dessert").sorted(by: \.kind.name)
///
/// If a reference on the way is nil, the attribute is nil too. `\.kind.id` is the identifier that the
/// reference itself holds, so that no other item is read.
@dynamicMemberLookup
public struct RelatedAttribute<Item: DataStoreItem, Value>: Sendable {
    /// The references that lead to it, each of the type that the one before refers to.
    let path: [RelationshipReference]
    /// The number of the attribute's column in the last type.
    let column: Int
}

/// The number of items of a relationship: `\.ingredients.count`.
///
///     Recipe.where(\.ingredients.count > 3)
///
/// If a reference on the way is nil, it is 0.
public struct RelatedCount<Item: DataStoreItem>: Sendable {
    let path: [RelationshipReference]
    let relationship: RelationshipReference
}

/// The path that names an attribute of a related item in code: `\.kind.name`.
public typealias RelatedAttributePath<Item: DataStoreItem, Value: AttributeStorable> =
    KeyPath<Item.Attributes, RelatedAttribute<Item, Value>>

/// The path that names a relationship without a column in code: `\.ingredients`.
public typealias RelationshipPath<Item: DataStoreItem, Value: RelationshipValue> =
    KeyPath<Item.Attributes, RelationshipAttribute<Item, Value>>

// MARK: Through a reference

extension Attribute {
    /// An attribute of the item that this one refers to.
    public subscript<Target: DataStoreItem, Member>(
        dynamicMember path: KeyPath<Target.Attributes, Attribute<Target, Member>>
    ) -> RelatedAttribute<Item, Member> where Value == ToOne<Target> {
        RelatedAttribute(path: [.column(column)], to: path)
    }

    /// An attribute of the item that this one may refer to.
    public subscript<Target: DataStoreItem, Member>(
        dynamicMember path: KeyPath<Target.Attributes, Attribute<Target, Member>>
    ) -> RelatedAttribute<Item, Member> where Value == ToOne<Target>? {
        RelatedAttribute(path: [.column(column)], to: path)
    }

    /// A relationship of the item that this one refers to.
    public subscript<Target: DataStoreItem, Member: RelationshipValue>(
        dynamicMember path: KeyPath<Target.Attributes, RelationshipAttribute<Target, Member>>
    ) -> RelationshipAttribute<Item, Member> where Value == ToOne<Target> {
        RelationshipAttribute(path: [.column(column)], to: path)
    }

    /// A relationship of the item that this one may refer to.
    public subscript<Target: DataStoreItem, Member: RelationshipValue>(
        dynamicMember path: KeyPath<Target.Attributes, RelationshipAttribute<Target, Member>>
    ) -> RelationshipAttribute<Item, Member> where Value == ToOne<Target>? {
        RelationshipAttribute(path: [.column(column)], to: path)
    }

    /// The result of a path whose name is misspelled; no function accepts it.
    public subscript(dynamicMember name: String) -> NotAStoredProperty { NotAStoredProperty() }
}

extension RelatedAttribute {
    /// An attribute of the item that this one refers to.
    public subscript<Target: DataStoreItem, Member>(
        dynamicMember path: KeyPath<Target.Attributes, Attribute<Target, Member>>
    ) -> RelatedAttribute<Item, Member> where Value == ToOne<Target> {
        RelatedAttribute<Item, Member>(path: self.path + [.column(column)], to: path)
    }

    /// An attribute of the item that this one may refer to.
    public subscript<Target: DataStoreItem, Member>(
        dynamicMember path: KeyPath<Target.Attributes, Attribute<Target, Member>>
    ) -> RelatedAttribute<Item, Member> where Value == ToOne<Target>? {
        RelatedAttribute<Item, Member>(path: self.path + [.column(column)], to: path)
    }

    /// A relationship of the item that this one refers to.
    public subscript<Target: DataStoreItem, Member: RelationshipValue>(
        dynamicMember path: KeyPath<Target.Attributes, RelationshipAttribute<Target, Member>>
    ) -> RelationshipAttribute<Item, Member> where Value == ToOne<Target> {
        RelationshipAttribute(path: self.path + [.column(column)], to: path)
    }

    /// A relationship of the item that this one may refer to.
    public subscript<Target: DataStoreItem, Member: RelationshipValue>(
        dynamicMember path: KeyPath<Target.Attributes, RelationshipAttribute<Target, Member>>
    ) -> RelationshipAttribute<Item, Member> where Value == ToOne<Target>? {
        RelationshipAttribute(path: self.path + [.column(column)], to: path)
    }

    /// The result of a path whose name is misspelled; no function accepts it.
    public subscript(dynamicMember name: String) -> NotAStoredProperty { NotAStoredProperty() }

    fileprivate init<Target>(
        path: [RelationshipReference], to attribute: KeyPath<Target.Attributes, Attribute<Target, Value>>
    ) {
        self.init(path: path, column: Target.attributes[keyPath: attribute].column)
    }
}

// MARK: Through the other side of a one-to-one relationship

extension RelationshipAttribute {
    /// An attribute of the item that refers to this one.
    public subscript<Target: DataStoreItem, Member>(
        dynamicMember path: KeyPath<Target.Attributes, Attribute<Target, Member>>
    ) -> RelatedAttribute<Item, Member> where Value == ToOneInverse<Target> {
        RelatedAttribute(path: self.path + [.number(number)], to: path)
    }

    /// A relationship of the item that refers to this one.
    public subscript<Target: DataStoreItem, Member: RelationshipValue>(
        dynamicMember path: KeyPath<Target.Attributes, RelationshipAttribute<Target, Member>>
    ) -> RelationshipAttribute<Item, Member> where Value == ToOneInverse<Target> {
        RelationshipAttribute<Item, Member>(path: self.path + [.number(number)], to: path)
    }

    /// The result of a path whose name is misspelled; no function accepts it.
    public subscript(dynamicMember name: String) -> NotAStoredProperty { NotAStoredProperty() }

    fileprivate init<Target>(
        path: [RelationshipReference],
        to other: KeyPath<Target.Attributes, RelationshipAttribute<Target, Value>>
    ) {
        self.init(path: path, number: Target.attributes[keyPath: other].number)
    }
}

extension RelationshipAttribute where Value: ToManyRelationship {
    /// The number of items at the other end.
    public var count: RelatedCount<Item> { RelatedCount(path: path, relationship: .number(number)) }
}
