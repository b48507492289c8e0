// One generic function for each operator keeps overload resolution short; optional attributes take plain
// values by Swift's own promotion.

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
    Filter(left.node && right.node)
}

public func || <Item>(left: Filter<Item>, right: Filter<Item>) -> Filter<Item> {
    Filter(left.node || right.node)
}

public prefix func ! <Item>(filter: Filter<Item>) -> Filter<Item> {
    Filter(.not(filter.node))
}

// An attribute that is a Boolean is a filter by itself: `\.isOpen && !\.isClosed`.

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
