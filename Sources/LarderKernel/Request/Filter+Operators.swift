// One generic function per operator, for attributes of every kind, keeps overload resolution fast; Swift's own
// promotion lets optional attributes take plain values.

public func == <Item, Compared: FilterableAttribute>(
    attribute: KeyPath<Item.Attributes, Compared>, value: Compared.Value
) -> Filter<Item> where Compared.Item == Item, Compared.Value: AttributeValue {
    Filter(attribute, .equal, value)
}

public func != <Item, Compared: FilterableAttribute>(
    attribute: KeyPath<Item.Attributes, Compared>, value: Compared.Value
) -> Filter<Item> where Compared.Item == Item, Compared.Value: AttributeValue {
    Filter(attribute, .notEqual, value)
}

public func < <Item, Compared: FilterableAttribute>(
    attribute: KeyPath<Item.Attributes, Compared>, value: Compared.Value
) -> Filter<Item> where Compared.Item == Item, Compared.Value: AttributeValue {
    Filter(attribute, .less, value)
}

public func <= <Item, Compared: FilterableAttribute>(
    attribute: KeyPath<Item.Attributes, Compared>, value: Compared.Value
) -> Filter<Item> where Compared.Item == Item, Compared.Value: AttributeValue {
    Filter(attribute, .lessOrEqual, value)
}

public func > <Item, Compared: FilterableAttribute>(
    attribute: KeyPath<Item.Attributes, Compared>, value: Compared.Value
) -> Filter<Item> where Compared.Item == Item, Compared.Value: AttributeValue {
    Filter(attribute, .greater, value)
}

public func >= <Item, Compared: FilterableAttribute>(
    attribute: KeyPath<Item.Attributes, Compared>, value: Compared.Value
) -> Filter<Item> where Compared.Item == Item, Compared.Value: AttributeValue {
    Filter(attribute, .greaterOrEqual, value)
}

/// Items that pass both; copies the list of a chain, so that `combinedByAnd()` of a sequence is faster for many.
public func && <Item>(left: Filter<Item>, right: Filter<Item>) -> Filter<Item> {
    let depth = max(left.depthInConjunction, right.depthInConjunction)
    return Filter(left.node && right.node, depth: depth)
}

/// Items that pass one; copies the list of a chain, so that `combinedByOr()` of a sequence is faster for many.
public func || <Item>(left: Filter<Item>, right: Filter<Item>) -> Filter<Item> {
    let depth = max(left.depthInDisjunction, right.depthInDisjunction)
    return Filter(left.node || right.node, depth: depth)
}

public prefix func ! <Item>(filter: Filter<Item>) -> Filter<Item> {
    Filter(.not(filter.node), depth: filter.depth + 1)
}

extension Filter {
    init<Compared: FilterableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Compared>, _ comparison: Comparison, _ value: Compared.Value
    ) where Compared.Item == Item, Compared.Value: AttributeValue {
        let operand = Item.attributes[keyPath: attribute].operand
        self.init(operand.through(operand.comparing(comparison, value)))
    }

    /// The depth of a conjunction of which this is a part; the parts of an existing conjunction join the new
    /// one.
    fileprivate var depthInConjunction: Int {
        if case .all = node { depth } else { depth + 1 }
    }

    /// The depth of a disjunction of which this is a part.
    fileprivate var depthInDisjunction: Int {
        if case .any = node { depth } else { depth + 1 }
    }
}

// A Boolean attribute is a filter by itself: `\.isOpen && !\.isClosed`.

@_disfavoredOverload
public prefix func ! <Item, Compared: FilterableAttribute>(
    attribute: KeyPath<Item.Attributes, Compared>
) -> Filter<Item> where Compared.Item == Item, Compared.Value == Bool {
    if Item.attributes[keyPath: attribute].operand.path.isEmpty { return attribute == false }
    // After a reference the attribute may be nil, which is not true either (contract rule 6).
    return attribute != true
}

@_disfavoredOverload
public func && <Item, Compared: FilterableAttribute>(
    left: Filter<Item>, right: KeyPath<Item.Attributes, Compared>
) -> Filter<Item> where Compared.Item == Item, Compared.Value == Bool {
    left && (right == true)
}

@_disfavoredOverload
public func && <Item, Compared: FilterableAttribute>(
    left: KeyPath<Item.Attributes, Compared>, right: Filter<Item>
) -> Filter<Item> where Compared.Item == Item, Compared.Value == Bool {
    (left == true) && right
}

@_disfavoredOverload
public func && <Item, Left: FilterableAttribute, Right: FilterableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: KeyPath<Item.Attributes, Right>
) -> Filter<Item> where Left.Item == Item, Left.Value == Bool, Right.Item == Item, Right.Value == Bool {
    (left == true) && (right == true)
}

@_disfavoredOverload
public func || <Item, Compared: FilterableAttribute>(
    left: Filter<Item>, right: KeyPath<Item.Attributes, Compared>
) -> Filter<Item> where Compared.Item == Item, Compared.Value == Bool {
    left || (right == true)
}

@_disfavoredOverload
public func || <Item, Compared: FilterableAttribute>(
    left: KeyPath<Item.Attributes, Compared>, right: Filter<Item>
) -> Filter<Item> where Compared.Item == Item, Compared.Value == Bool {
    (left == true) || right
}

@_disfavoredOverload
public func || <Item, Left: FilterableAttribute, Right: FilterableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: KeyPath<Item.Attributes, Right>
) -> Filter<Item> where Left.Item == Item, Left.Value == Bool, Right.Item == Item, Right.Value == Bool {
    (left == true) || (right == true)
}
