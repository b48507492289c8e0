extension Filter {
    /// Items with at least one related item that passes a filter.
    ///
    ///     Recipe.where(.any(\.ingredients, \.name == "Egg" && \.amount > 2))
    ///
    /// If a reference on the way to the relationship is nil, there are no related items.
    public static func any<Value: RelationshipValue>(
        _ relationship: RelationshipPath<Item, Value>, _ filter: Filter<Value.Target>
    ) -> Filter {
        related(relationship, .any, filter)
    }

    /// Items all of whose related items pass a filter; also those that have none.
    public static func all<Value: RelationshipValue>(
        _ relationship: RelationshipPath<Item, Value>, _ filter: Filter<Value.Target>
    ) -> Filter {
        related(relationship, .all, filter)
    }

    /// Items none of whose related items passes a filter; also those that have none.
    public static func none<Value: RelationshipValue>(
        _ relationship: RelationshipPath<Item, Value>, _ filter: Filter<Value.Target>
    ) -> Filter {
        related(relationship, .none, filter)
    }

    /// Items with at least one related item.
    public static func any<Value: RelationshipValue>(_ relationship: RelationshipPath<Item, Value>) -> Filter
    {
        related(relationship, .any, .always(true))
    }

    /// Items without a related item.
    public static func none<Value: RelationshipValue>(
        _ relationship: RelationshipPath<Item, Value>
    ) -> Filter {
        related(relationship, .none, .always(true))
    }

    private static func related<Value: RelationshipValue>(
        _ path: RelationshipPath<Item, Value>, _ quantifier: FilterNode.Quantifier,
        _ filter: Filter<Value.Target>
    ) -> Filter {
        let relationship = Item.attributes[keyPath: path]
        let test = FilterNode.related(.number(relationship.number), quantifier, filter.node)
        return Filter(.through(relationship.path, test), depth: filter.depth + 1 + relationship.path.count)
    }
}
