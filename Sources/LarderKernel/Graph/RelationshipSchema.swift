/// The description of one relationship for a store.
///
/// A ``ToOne`` attribute has one of the same name; the other kinds are listed in the type's declaration.
public struct RelationshipSchema: Sendable {
    /// The name in the store.
    public let name: String
    /// The name of the Swift property, by which the app names the relationship.
    public let propertyName: String
    public let kind: Kind
    public let deleteRule: DeleteRule
    /// The column of a ``Kind/toOne``; nil for all others.
    public let column: Int?
    /// The name it had in earlier versions of the app.
    public let originalName: String?
    package let target: Target
    let inverse: Inverse

    /// The kinds of relationships.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A ``ToOne``: a column of its own item.
        case toOne
        /// A ``ToOneInverse``.
        case toOneInverse
        case toMany
        case orderedToMany

        /// True if an item may have several items at the other end.
        public var isToMany: Bool { self == .toMany || self == .orderedToMany }
    }

    /// The item type at the other end.
    package enum Target: Sendable {
        case type(any DataStoreItem.Type)
        /// In the schema of a store that is open without the app's types.
        case named(String)
    }

    /// The relationship that shows the same from the other end.
    enum Inverse: Sendable {
        /// Nothing is said.
        case unnamed
        /// There is none, although a ``ToOne`` of the other type may refer back.
        case none
        // Asked once a store resolves it: two types may name each other.
        case declared(@Sendable () -> RelationshipReference)
        case named(String)

        var isNamed: Bool {
            switch self {
            case .unnamed, .none: false
            case .declared, .named: true
            }
        }
    }
}

/// A relationship of an item type, as its declaration knows it.
package enum RelationshipReference: Sendable, Hashable {
    /// The ``ToOne`` in a column.
    case column(Int)
    /// By its number among the relationships that have no column.
    case number(Int)
}

/// A relationship as an item type declares it.
///
///     static let schema = EntitySchema(
///         "Recipe",
///         attributes: [.attribute("id", ItemID<Recipe>.self), .attribute("kind", ToOne<RecipeKind>?.self)],
///         relationships: [
///             .relationship(
///                 "ingredients", ToMany<Ingredient>.self, of: Recipe.self,
///                 inverse: Ingredient.attributes.recipe, deleteRule: .cascade),
///             .relationship("tags", ToMany<Tag>.self),
///             .reference("kind", deleteRule: .deny),
///         ])
///
/// `@StoredItem` writes it. A ``ToOne`` attribute is a relationship without being listed.
public struct RelationshipDeclaration: Sendable {
    let name: String
    var propertyName: String
    /// Nil for a ``ToOne``, whose attribute knows the rest.
    let kind: RelationshipSchema.Kind?
    let deleteRule: DeleteRule
    let originalName: String?
    let target: (any DataStoreItem.Type)?
    let inverse: RelationshipSchema.Inverse

    /// The delete rule of a ``ToOne`` attribute.
    public static func reference(_ name: String, deleteRule: DeleteRule) -> RelationshipDeclaration {
        RelationshipDeclaration(name: name, kind: nil, deleteRule: deleteRule, target: nil, inverse: .unnamed)
    }

    /// A many-to-many relationship, kept as a link for each pair.
    ///
    /// - Parameters:
    ///   - name: The name in the store.
    ///   - property: The name of the Swift property; nil if it is the same.
    ///   - originalName: The name of the relationship in earlier versions of the app, so that its
    ///     links are kept when it is renamed.
    public static func relationship<Value: RelationshipValue>(
        _ name: String, _ type: Value.Type, property: String? = nil, originalName: String? = nil,
        deleteRule: DeleteRule = .nullify
    ) -> RelationshipDeclaration {
        RelationshipDeclaration(
            name, type, deleteRule, property: property, originalName: originalName, inverse: .unnamed)
    }

    /// A many-to-many relationship beside a ``ToOne`` that refers back and has no inverse.
    ///
    /// A store takes a forgotten inverse for a mistake; `inverse: nil` says that the links are meant.
    public static func relationship<Value: ToManyRelationship>(
        _ name: String, _ type: Value.Type, property: String? = nil, originalName: String? = nil,
        inverse: Never?, deleteRule: DeleteRule = .nullify
    ) -> RelationshipDeclaration {
        RelationshipDeclaration(
            name, type, deleteRule, property: property, originalName: originalName, inverse: .none)
    }

    /// The inverse of a required ``ToOne``, which `.nullify` could not make nil.
    public static func relationship<Owner, Value: RelationshipValue>(
        _ name: String, _ type: Value.Type, of owner: Owner.Type,
        inverse: @autoclosure @escaping @Sendable () -> Attribute<Value.Target, ToOne<Owner>>,
        deleteRule: DeleteRule
    ) -> RelationshipDeclaration {
        RelationshipDeclaration(name, type, deleteRule, inverse: .declared { .column(inverse().column) })
    }

    /// The inverse of an optional ``ToOne``.
    public static func relationship<Owner, Value: RelationshipValue>(
        _ name: String, _ type: Value.Type, of owner: Owner.Type,
        inverse: @autoclosure @escaping @Sendable () -> Attribute<Value.Target, ToOne<Owner>?>,
        deleteRule: DeleteRule = .nullify
    ) -> RelationshipDeclaration {
        RelationshipDeclaration(name, type, deleteRule, inverse: .declared { .column(inverse().column) })
    }

    /// The inverse of a many-to-many relationship.
    public static func relationship<Owner, Target, Back: RelationshipValue>(
        _ name: String, _ type: ToMany<Target>.Type, of owner: Owner.Type,
        inverse: @autoclosure @escaping @Sendable () -> RelationshipAttribute<Target, Back>,
        deleteRule: DeleteRule = .nullify
    ) -> RelationshipDeclaration where Back.Target == Owner {
        RelationshipDeclaration(name, type, deleteRule, inverse: .declared { .number(inverse().number) })
    }

    /// Refuses `.nullify`, the default, if it would have to make a required ``ToOne`` nil.
    @available(
        *, unavailable,
        message: """
            the ToOne at the other end is required, so no delete rule can make it nil. Give the rule .cascade, .deny \
            or .noAction: @Relationship(deleteRule: .cascade, inverse: …), or make the ToOne optional
            """
    )
    public static func relationship<Owner, Value: RelationshipValue>(
        _ name: String, _ type: Value.Type, of owner: Owner.Type,
        inverse: @autoclosure () -> Attribute<Value.Target, ToOne<Owner>>
    ) -> RelationshipDeclaration {
        RelationshipDeclaration(name, type, .nullify, inverse: .unnamed)
    }

    /// Refuses an inverse that no other overload accepts.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: """
            this is not the inverse. Name a property of the type in angle brackets that refers back to this type: \
            a ToOne<ThisType>, or for a ToMany also a ToMany<ThisType> that names no inverse itself
            """
    )
    public static func relationship<Owner, Value: RelationshipValue, Other>(
        _ name: String, _ type: Value.Type, of owner: Owner.Type, inverse: @autoclosure () -> Other,
        deleteRule: DeleteRule = .nullify
    ) -> RelationshipDeclaration {
        RelationshipDeclaration(name, type, deleteRule, inverse: .none)
    }

    private init<Value: RelationshipValue>(
        _ name: String, _ type: Value.Type, _ deleteRule: DeleteRule, property: String? = nil,
        originalName: String? = nil, inverse: RelationshipSchema.Inverse
    ) {
        self.init(
            name: name, kind: Value.kind, deleteRule: deleteRule, originalName: originalName,
            target: Value.Target.self, inverse: inverse)
        if let property { propertyName = property }
    }

    private init(
        name: String, kind: RelationshipSchema.Kind?, deleteRule: DeleteRule, originalName: String? = nil,
        target: (any DataStoreItem.Type)?, inverse: RelationshipSchema.Inverse
    ) {
        self.name = name
        propertyName = name
        self.kind = kind
        self.deleteRule = deleteRule
        self.originalName = originalName
        self.target = target
        self.inverse = inverse
    }
}

/// A relationship without a column, as filters use it: `\.ingredients`.
///
/// `@StoredItem` writes one for each. Like ``Attribute``, it may be reached through references:
/// `\.recipe.ingredients`.
@dynamicMemberLookup
public struct RelationshipAttribute<Item: DataStoreItem, Value: RelationshipValue>: Sendable {
    /// The references that lead to its owner; none for a relationship of the item itself.
    let path: [RelationshipReference]
    /// The number among the relationships of its owner that have no column.
    let number: Int
    /// The same for other targets, whose items may have a `number`, which this type would hide.
    package var relationshipNumber: Int { number }
    /// The same for a relationship of the item itself; nil for one of a related item.
    package var ownRelationshipNumber: Int? { path.isEmpty ? number : nil }

    /// The relationship with a number.
    public init(number: Int) {
        self.init(path: [], number: number)
    }

    init(path: [RelationshipReference], number: Int) {
        self.path = path
        self.number = number
    }
}
