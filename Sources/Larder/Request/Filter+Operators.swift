// One generic function per operator keeps overload resolution fast; Swift's own promotion lets optional
// attributes take plain values.

public func == <Item, Value: AttributeValue>(
    attribute: AttributePath<Item, Value>, value: Value
) -> Filter<Item> {
    Filter(.compare(Filter<Item>.column(attribute), .equal, with: value))
}

public func != <Item, Value: AttributeValue>(
    attribute: AttributePath<Item, Value>, value: Value
) -> Filter<Item> {
    Filter(.compare(Filter<Item>.column(attribute), .notEqual, with: value))
}

public func < <Item, Value: AttributeValue>(
    attribute: AttributePath<Item, Value>, value: Value
) -> Filter<Item> {
    Filter(.compare(Filter<Item>.column(attribute), .less, with: value))
}

public func <= <Item, Value: AttributeValue>(
    attribute: AttributePath<Item, Value>, value: Value
) -> Filter<Item> {
    Filter(.compare(Filter<Item>.column(attribute), .lessOrEqual, with: value))
}

public func > <Item, Value: AttributeValue>(
    attribute: AttributePath<Item, Value>, value: Value
) -> Filter<Item> {
    Filter(.compare(Filter<Item>.column(attribute), .greater, with: value))
}

public func >= <Item, Value: AttributeValue>(
    attribute: AttributePath<Item, Value>, value: Value
) -> Filter<Item> {
    Filter(.compare(Filter<Item>.column(attribute), .greaterOrEqual, with: value))
}

public func && <Item>(left: Filter<Item>, right: Filter<Item>) -> Filter<Item> {
    let depth = max(left.depthInConjunction, right.depthInConjunction)
    return Filter(left.node && right.node, depth: depth)
}

public func || <Item>(left: Filter<Item>, right: Filter<Item>) -> Filter<Item> {
    let depth = max(left.depthInDisjunction, right.depthInDisjunction)
    return Filter(left.node || right.node, depth: depth)
}

public prefix func ! <Item>(filter: Filter<Item>) -> Filter<Item> {
    Filter(.not(filter.node), depth: filter.depth + 1)
}

extension Filter {
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
public prefix func ! <Item>(attribute: AttributePath<Item, Bool>) -> Filter<Item> {
    attribute == false
}

@_disfavoredOverload
public func && <Item>(left: Filter<Item>, right: AttributePath<Item, Bool>) -> Filter<Item> {
    left && (right == true)
}

@_disfavoredOverload
public func && <Item>(left: AttributePath<Item, Bool>, right: Filter<Item>) -> Filter<Item> {
    (left == true) && right
}

@_disfavoredOverload
public func && <Item>(left: AttributePath<Item, Bool>, right: AttributePath<Item, Bool>) -> Filter<Item> {
    (left == true) && (right == true)
}

@_disfavoredOverload
public func || <Item>(left: Filter<Item>, right: AttributePath<Item, Bool>) -> Filter<Item> {
    left || (right == true)
}

@_disfavoredOverload
public func || <Item>(left: AttributePath<Item, Bool>, right: Filter<Item>) -> Filter<Item> {
    (left == true) || right
}

@_disfavoredOverload
public func || <Item>(left: AttributePath<Item, Bool>, right: AttributePath<Item, Bool>) -> Filter<Item> {
    (left == true) || (right == true)
}
