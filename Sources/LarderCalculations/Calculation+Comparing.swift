public import LarderKernel

// Comparisons of two attributes, of calculations and attributes or numbers, and of two calculations.

@_disfavoredOverload
public func == <Item, Left: SortableAttribute, Right: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: KeyPath<Item.Attributes, Right>
) -> Filter<Item>
where
    Left.Item == Item, Right.Item == Item, Left.Value: AttributeValue, Right.Value: AttributeValue,
    Left.Value.Unwrapped == Right.Value.Unwrapped
{ Filter(left, .equal, right) }

@_disfavoredOverload
public func == <Item, Number>(left: Calculation<Item, Number>, right: Number) -> Filter<Item> {
    Filter(left, .equal, Calculation(right))
}

@_disfavoredOverload
public func == <Item, Number>(
    left: Calculation<Item, Number>, right: Calculation<Item, Number>
) -> Filter<Item> {
    Filter(left, .equal, right)
}

@_disfavoredOverload
public func == <Item, Number, Right: SortableAttribute>(
    left: Calculation<Item, Number>, right: KeyPath<Item.Attributes, Right>
) -> Filter<Item>
where Right.Item == Item, Right.Value: CalculableValue, Right.Value.Number == Number {
    Filter(left, .equal, Calculation<Item, Number>(right))
}

@_disfavoredOverload
public func == <Item, Number, Left: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: Calculation<Item, Number>
) -> Filter<Item>
where Left.Item == Item, Left.Value: CalculableValue, Left.Value.Number == Number {
    Filter(Calculation<Item, Number>(left), .equal, right)
}

@_disfavoredOverload
public func != <Item, Left: SortableAttribute, Right: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: KeyPath<Item.Attributes, Right>
) -> Filter<Item>
where
    Left.Item == Item, Right.Item == Item, Left.Value: AttributeValue, Right.Value: AttributeValue,
    Left.Value.Unwrapped == Right.Value.Unwrapped
{ Filter(left, .notEqual, right) }

@_disfavoredOverload
public func != <Item, Number>(left: Calculation<Item, Number>, right: Number) -> Filter<Item> {
    Filter(left, .notEqual, Calculation(right))
}

@_disfavoredOverload
public func != <Item, Number>(
    left: Calculation<Item, Number>, right: Calculation<Item, Number>
) -> Filter<Item> {
    Filter(left, .notEqual, right)
}

@_disfavoredOverload
public func != <Item, Number, Right: SortableAttribute>(
    left: Calculation<Item, Number>, right: KeyPath<Item.Attributes, Right>
) -> Filter<Item>
where Right.Item == Item, Right.Value: CalculableValue, Right.Value.Number == Number {
    Filter(left, .notEqual, Calculation<Item, Number>(right))
}

@_disfavoredOverload
public func != <Item, Number, Left: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: Calculation<Item, Number>
) -> Filter<Item>
where Left.Item == Item, Left.Value: CalculableValue, Left.Value.Number == Number {
    Filter(Calculation<Item, Number>(left), .notEqual, right)
}

@_disfavoredOverload
public func < <Item, Left: SortableAttribute, Right: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: KeyPath<Item.Attributes, Right>
) -> Filter<Item>
where
    Left.Item == Item, Right.Item == Item, Left.Value: AttributeValue, Right.Value: AttributeValue,
    Left.Value.Unwrapped == Right.Value.Unwrapped
{ Filter(left, .less, right) }

@_disfavoredOverload
public func < <Item, Number>(left: Calculation<Item, Number>, right: Number) -> Filter<Item> {
    Filter(left, .less, Calculation(right))
}

@_disfavoredOverload
public func < <Item, Number>(
    left: Calculation<Item, Number>, right: Calculation<Item, Number>
) -> Filter<Item> {
    Filter(left, .less, right)
}

@_disfavoredOverload
public func < <Item, Number, Right: SortableAttribute>(
    left: Calculation<Item, Number>, right: KeyPath<Item.Attributes, Right>
) -> Filter<Item>
where Right.Item == Item, Right.Value: CalculableValue, Right.Value.Number == Number {
    Filter(left, .less, Calculation<Item, Number>(right))
}

@_disfavoredOverload
public func < <Item, Number, Left: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: Calculation<Item, Number>
) -> Filter<Item>
where Left.Item == Item, Left.Value: CalculableValue, Left.Value.Number == Number {
    Filter(Calculation<Item, Number>(left), .less, right)
}

@_disfavoredOverload
public func <= <Item, Left: SortableAttribute, Right: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: KeyPath<Item.Attributes, Right>
) -> Filter<Item>
where
    Left.Item == Item, Right.Item == Item, Left.Value: AttributeValue, Right.Value: AttributeValue,
    Left.Value.Unwrapped == Right.Value.Unwrapped
{ Filter(left, .lessOrEqual, right) }

@_disfavoredOverload
public func <= <Item, Number>(left: Calculation<Item, Number>, right: Number) -> Filter<Item> {
    Filter(left, .lessOrEqual, Calculation(right))
}

@_disfavoredOverload
public func <= <Item, Number>(
    left: Calculation<Item, Number>, right: Calculation<Item, Number>
) -> Filter<Item> {
    Filter(left, .lessOrEqual, right)
}

@_disfavoredOverload
public func <= <Item, Number, Right: SortableAttribute>(
    left: Calculation<Item, Number>, right: KeyPath<Item.Attributes, Right>
) -> Filter<Item>
where Right.Item == Item, Right.Value: CalculableValue, Right.Value.Number == Number {
    Filter(left, .lessOrEqual, Calculation<Item, Number>(right))
}

@_disfavoredOverload
public func <= <Item, Number, Left: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: Calculation<Item, Number>
) -> Filter<Item>
where Left.Item == Item, Left.Value: CalculableValue, Left.Value.Number == Number {
    Filter(Calculation<Item, Number>(left), .lessOrEqual, right)
}

@_disfavoredOverload
public func > <Item, Left: SortableAttribute, Right: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: KeyPath<Item.Attributes, Right>
) -> Filter<Item>
where
    Left.Item == Item, Right.Item == Item, Left.Value: AttributeValue, Right.Value: AttributeValue,
    Left.Value.Unwrapped == Right.Value.Unwrapped
{ Filter(left, .greater, right) }

@_disfavoredOverload
public func > <Item, Number>(left: Calculation<Item, Number>, right: Number) -> Filter<Item> {
    Filter(left, .greater, Calculation(right))
}

@_disfavoredOverload
public func > <Item, Number>(
    left: Calculation<Item, Number>, right: Calculation<Item, Number>
) -> Filter<Item> {
    Filter(left, .greater, right)
}

@_disfavoredOverload
public func > <Item, Number, Right: SortableAttribute>(
    left: Calculation<Item, Number>, right: KeyPath<Item.Attributes, Right>
) -> Filter<Item>
where Right.Item == Item, Right.Value: CalculableValue, Right.Value.Number == Number {
    Filter(left, .greater, Calculation<Item, Number>(right))
}

@_disfavoredOverload
public func > <Item, Number, Left: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: Calculation<Item, Number>
) -> Filter<Item>
where Left.Item == Item, Left.Value: CalculableValue, Left.Value.Number == Number {
    Filter(Calculation<Item, Number>(left), .greater, right)
}

@_disfavoredOverload
public func >= <Item, Left: SortableAttribute, Right: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: KeyPath<Item.Attributes, Right>
) -> Filter<Item>
where
    Left.Item == Item, Right.Item == Item, Left.Value: AttributeValue, Right.Value: AttributeValue,
    Left.Value.Unwrapped == Right.Value.Unwrapped
{ Filter(left, .greaterOrEqual, right) }

@_disfavoredOverload
public func >= <Item, Number>(left: Calculation<Item, Number>, right: Number) -> Filter<Item> {
    Filter(left, .greaterOrEqual, Calculation(right))
}

@_disfavoredOverload
public func >= <Item, Number>(
    left: Calculation<Item, Number>, right: Calculation<Item, Number>
) -> Filter<Item> {
    Filter(left, .greaterOrEqual, right)
}

@_disfavoredOverload
public func >= <Item, Number, Right: SortableAttribute>(
    left: Calculation<Item, Number>, right: KeyPath<Item.Attributes, Right>
) -> Filter<Item>
where Right.Item == Item, Right.Value: CalculableValue, Right.Value.Number == Number {
    Filter(left, .greaterOrEqual, Calculation<Item, Number>(right))
}

@_disfavoredOverload
public func >= <Item, Number, Left: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: Calculation<Item, Number>
) -> Filter<Item>
where Left.Item == Item, Left.Value: CalculableValue, Left.Value.Number == Number {
    Filter(Calculation<Item, Number>(left), .greaterOrEqual, right)
}
