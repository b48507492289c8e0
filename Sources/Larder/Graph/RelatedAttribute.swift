/// An attribute of another item, reached through one or more references: `\.kind.name`.
///
///     Recipe.where(\.kind.name == "Dessert").sorted(by: \.kind.name)
///
/// Where a reference on the way is nil, so is the attribute.
@dynamicMemberLookup
public struct RelatedAttribute<Item: DataStoreItem, Value>: Sendable {
    /// The columns of the references that lead to it, each in the type that the one before refers to.
    let path: [Int]
    /// The number of the attribute's column in the last type.
    let column: Int
}

/// The path that names an attribute of a related item in code: `\.kind.name`.
public typealias RelatedAttributePath<Item: DataStoreItem, Value: AttributeStorable> =
    KeyPath<Item.Attributes, RelatedAttribute<Item, Value>>

/// The path that names a relationship without a column in code: `\.ingredients`.
public typealias RelationshipPath<Item: DataStoreItem, Value: RelationshipValue> =
    KeyPath<Item.Attributes, RelationshipAttribute<Item, Value>>

extension Attribute {
    /// An attribute of the item that this one refers to.
    public subscript<Target: DataStoreItem, Member>(
        dynamicMember path: KeyPath<Target.Attributes, Attribute<Target, Member>>
    ) -> RelatedAttribute<Item, Member> where Value == ToOne<Target> {
        RelatedAttribute(path: [column], column: Target.attributes[keyPath: path].column)
    }

    /// An attribute of the item that this one may refer to.
    public subscript<Target: DataStoreItem, Member>(
        dynamicMember path: KeyPath<Target.Attributes, Attribute<Target, Member>>
    ) -> RelatedAttribute<Item, Member> where Value == ToOne<Target>? {
        RelatedAttribute(path: [column], column: Target.attributes[keyPath: path].column)
    }

    /// A relationship of the item that this one refers to.
    public subscript<Target: DataStoreItem, Member: RelationshipValue>(
        dynamicMember path: KeyPath<Target.Attributes, RelationshipAttribute<Target, Member>>
    ) -> RelationshipAttribute<Item, Member> where Value == ToOne<Target> {
        RelationshipAttribute(path: [column], number: Target.attributes[keyPath: path].number)
    }

    /// A relationship of the item that this one may refer to.
    public subscript<Target: DataStoreItem, Member: RelationshipValue>(
        dynamicMember path: KeyPath<Target.Attributes, RelationshipAttribute<Target, Member>>
    ) -> RelationshipAttribute<Item, Member> where Value == ToOne<Target>? {
        RelationshipAttribute(path: [column], number: Target.attributes[keyPath: path].number)
    }
}

extension RelatedAttribute {
    /// An attribute of the item that this one refers to.
    public subscript<Target: DataStoreItem, Member>(
        dynamicMember path: KeyPath<Target.Attributes, Attribute<Target, Member>>
    ) -> RelatedAttribute<Item, Member> where Value == ToOne<Target> {
        RelatedAttribute<Item, Member>(
            path: self.path + [column], column: Target.attributes[keyPath: path].column)
    }

    /// An attribute of the item that this one may refer to.
    public subscript<Target: DataStoreItem, Member>(
        dynamicMember path: KeyPath<Target.Attributes, Attribute<Target, Member>>
    ) -> RelatedAttribute<Item, Member> where Value == ToOne<Target>? {
        RelatedAttribute<Item, Member>(
            path: self.path + [column], column: Target.attributes[keyPath: path].column)
    }
}

extension FilterNode {
    /// A test at the end of a path of references.
    static func through(_ path: [Int], _ test: FilterNode) -> FilterNode {
        path.reversed().reduce(test) { .related(.column($1), .reference, $0) }
    }
}
