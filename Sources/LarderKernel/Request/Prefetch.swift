extension DataStoreRequest {
    /// Returns a request that also reads the items at the other end of some relationships.
    ///
    ///     let books = try store.read { accessor in
    ///         try accessor.items(for: Book.where(\.year > 1990).prefetching(\.author, \.labels))
    ///     }
    ///     books[0].author.item?.name                    // without the store
    ///     books[0].labels.items?.map(\.id)
    ///
    /// A path may lead through references, and reads those too: `\.author.books`. The items show the state of
    /// the same moment as the items of the request. *Rule:* has an effect on whole items only: `items(for:)`,
    /// `firstItem(for:)`, `forEachItem(for:_:)`, and on handles where they are made. *Cost:* one more plan for
    /// each relationship, or two if it is many-to-many, however many items there are; `forEachItem` runs them
    /// for each thousand items. Equal references share one item's memory.
    // The type of each path says whose relationship it is; packs cannot require the same item of each yet.
    public func prefetching<each Relationship: PrefetchableRelationship>(
        _ relationship: repeat KeyPath<Item.Attributes, each Relationship>
    ) -> DataStoreRequest {
        var copy = self
        repeat copy.add(Item.attributes[keyPath: each relationship], RequestCore())
        return copy
    }

    /// Returns a request that also reads the items at the other end of a relationship, by another request.
    ///
    ///     Person.all.prefetching(\.books) { books in
    ///         books.filter(\.year > 1990).sorted(by: \.title).limit(3).prefetching(\.labels)
    ///     }
    ///
    /// The filter, order, offset and limit apply to each item's own list. *Rule:* a ``ToOne`` takes none
    /// of them, as it always leads to its one item. Prefetches nest up to 200 levels deep; deeper ones throw
    /// `.invalidRequest`.
    public func prefetching<Relationship: PrefetchableRelationship<Item>>(
        _ relationship: KeyPath<Item.Attributes, Relationship>,
        _ refine: (DataStoreRequest<Relationship.Target>) -> DataStoreRequest<Relationship.Target>
    ) -> DataStoreRequest {
        var copy = self
        copy.add(Item.attributes[keyPath: relationship], refine(DataStoreRequest<Relationship.Target>()).core)
        return copy
    }

    private mutating func add<Relationship: PrefetchableRelationship>(
        _ relationship: Relationship, _ request: RequestCore
    ) {
        let steps = relationship.steps
        guard let last = steps.last else { return }
        var prefetch = Prefetch(relationship: last.relationship, target: last.target, core: request)
        for step in steps.dropLast().reversed() {
            var core = RequestCore()
            core.add(prefetch)
            prefetch = Prefetch(relationship: step.relationship, target: step.target, core: core)
        }
        core.add(prefetch)
    }
}

/// A relationship in code, `\.author` or `\.author.books`, for ``DataStoreRequest/prefetching(_:)``.
///
/// *Rule:* only the library's own types conform.
public protocol PrefetchableRelationship<Item>: Sendable {
    associatedtype Item: DataStoreItem
    associatedtype Target: DataStoreItem

    /// The relationships to read, one after the other.
    var steps: [RelationshipStep] { get }
}

/// One relationship on the way from an item to others.
public struct RelationshipStep: Sendable {
    let relationship: RelationshipReference
    let target: any DataStoreItem.Type
}

extension RelationshipStep {
    /// The relationships of a path, each of the item type that the one before leads to.
    fileprivate static func steps(
        _ path: [RelationshipReference], from type: any DataStoreItem.Type
    ) -> [RelationshipStep] {
        var (steps, type) = ([RelationshipStep](), type)
        for relationship in path {
            let schema = type.schema
            let found = schema.position(of: relationship).map { schema.relationships[$0].target }
            guard case .type(let target)? = found else { break }
            steps.append(RelationshipStep(relationship: relationship, target: target))
            type = target
        }
        return steps
    }
}

extension Attribute: PrefetchableRelationship where Value: ItemReference {
    public typealias Target = Value.Target

    public var steps: [RelationshipStep] { RelationshipStep.steps([.column(column)], from: Item.self) }
}

extension RelatedAttribute: PrefetchableRelationship where Value: ItemReference {
    public typealias Target = Value.Target

    public var steps: [RelationshipStep] { RelationshipStep.steps(path + [.column(column)], from: Item.self) }
}

extension RelationshipAttribute: PrefetchableRelationship {
    public typealias Target = Value.Target

    public var steps: [RelationshipStep] {
        RelationshipStep.steps(path + [.number(number)], from: Item.self)
    }
}
