public import LarderKernel

// The operators of calculations. Each takes an attribute, a calculation or a number on either side, of which at
// least one is not a number; they are disfavored, so that expressions of numbers alone never consider them.

@_disfavoredOverload
public func + <Item, Left: SortableAttribute, Right: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: KeyPath<Item.Attributes, Right>
) -> Calculation<Item, Left.Value.Number>
where
    Left.Item == Item, Right.Item == Item, Left.Value: CalculableValue, Right.Value: CalculableValue,
    Left.Value.Number == Right.Value.Number
{ Calculation(Calculation(left), .plus, Calculation(right)) }

@_disfavoredOverload
public func + <Item, Left: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: Left.Value.Number
) -> Calculation<Item, Left.Value.Number> where Left.Item == Item, Left.Value: CalculableValue {
    Calculation(Calculation(left), .plus, Calculation(right))
}

@_disfavoredOverload
public func + <Item, Right: SortableAttribute>(
    left: Right.Value.Number, right: KeyPath<Item.Attributes, Right>
) -> Calculation<Item, Right.Value.Number> where Right.Item == Item, Right.Value: CalculableValue {
    Calculation(Calculation(left), .plus, Calculation(right))
}

@_disfavoredOverload
public func + <Item, Number, Right: SortableAttribute>(
    left: Calculation<Item, Number>, right: KeyPath<Item.Attributes, Right>
) -> Calculation<Item, Number>
where Right.Item == Item, Right.Value: CalculableValue, Right.Value.Number == Number {
    Calculation(left, .plus, Calculation(right))
}

@_disfavoredOverload
public func + <Item, Number, Left: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: Calculation<Item, Number>
) -> Calculation<Item, Number>
where Left.Item == Item, Left.Value: CalculableValue, Left.Value.Number == Number {
    Calculation(Calculation(left), .plus, right)
}

@_disfavoredOverload
public func + <Item, Number>(
    left: Calculation<Item, Number>, right: Number
) -> Calculation<Item, Number> {
    Calculation(left, .plus, Calculation(right))
}

@_disfavoredOverload
public func + <Item, Number>(
    left: Number, right: Calculation<Item, Number>
) -> Calculation<Item, Number> {
    Calculation(Calculation(left), .plus, right)
}

@_disfavoredOverload
public func + <Item, Number>(
    left: Calculation<Item, Number>, right: Calculation<Item, Number>
) -> Calculation<Item, Number> {
    Calculation(left, .plus, right)
}

@_disfavoredOverload
public func - <Item, Left: SortableAttribute, Right: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: KeyPath<Item.Attributes, Right>
) -> Calculation<Item, Left.Value.Number>
where
    Left.Item == Item, Right.Item == Item, Left.Value: CalculableValue, Right.Value: CalculableValue,
    Left.Value.Number == Right.Value.Number
{ Calculation(Calculation(left), .minus, Calculation(right)) }

@_disfavoredOverload
public func - <Item, Left: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: Left.Value.Number
) -> Calculation<Item, Left.Value.Number> where Left.Item == Item, Left.Value: CalculableValue {
    Calculation(Calculation(left), .minus, Calculation(right))
}

@_disfavoredOverload
public func - <Item, Right: SortableAttribute>(
    left: Right.Value.Number, right: KeyPath<Item.Attributes, Right>
) -> Calculation<Item, Right.Value.Number> where Right.Item == Item, Right.Value: CalculableValue {
    Calculation(Calculation(left), .minus, Calculation(right))
}

@_disfavoredOverload
public func - <Item, Number, Right: SortableAttribute>(
    left: Calculation<Item, Number>, right: KeyPath<Item.Attributes, Right>
) -> Calculation<Item, Number>
where Right.Item == Item, Right.Value: CalculableValue, Right.Value.Number == Number {
    Calculation(left, .minus, Calculation(right))
}

@_disfavoredOverload
public func - <Item, Number, Left: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: Calculation<Item, Number>
) -> Calculation<Item, Number>
where Left.Item == Item, Left.Value: CalculableValue, Left.Value.Number == Number {
    Calculation(Calculation(left), .minus, right)
}

@_disfavoredOverload
public func - <Item, Number>(
    left: Calculation<Item, Number>, right: Number
) -> Calculation<Item, Number> {
    Calculation(left, .minus, Calculation(right))
}

@_disfavoredOverload
public func - <Item, Number>(
    left: Number, right: Calculation<Item, Number>
) -> Calculation<Item, Number> {
    Calculation(Calculation(left), .minus, right)
}

@_disfavoredOverload
public func - <Item, Number>(
    left: Calculation<Item, Number>, right: Calculation<Item, Number>
) -> Calculation<Item, Number> {
    Calculation(left, .minus, right)
}

@_disfavoredOverload
public func * <Item, Left: SortableAttribute, Right: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: KeyPath<Item.Attributes, Right>
) -> Calculation<Item, Left.Value.Number>
where
    Left.Item == Item, Right.Item == Item, Left.Value: CalculableValue, Right.Value: CalculableValue,
    Left.Value.Number == Right.Value.Number
{ Calculation(Calculation(left), .times, Calculation(right)) }

@_disfavoredOverload
public func * <Item, Left: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: Left.Value.Number
) -> Calculation<Item, Left.Value.Number> where Left.Item == Item, Left.Value: CalculableValue {
    Calculation(Calculation(left), .times, Calculation(right))
}

@_disfavoredOverload
public func * <Item, Right: SortableAttribute>(
    left: Right.Value.Number, right: KeyPath<Item.Attributes, Right>
) -> Calculation<Item, Right.Value.Number> where Right.Item == Item, Right.Value: CalculableValue {
    Calculation(Calculation(left), .times, Calculation(right))
}

@_disfavoredOverload
public func * <Item, Number, Right: SortableAttribute>(
    left: Calculation<Item, Number>, right: KeyPath<Item.Attributes, Right>
) -> Calculation<Item, Number>
where Right.Item == Item, Right.Value: CalculableValue, Right.Value.Number == Number {
    Calculation(left, .times, Calculation(right))
}

@_disfavoredOverload
public func * <Item, Number, Left: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: Calculation<Item, Number>
) -> Calculation<Item, Number>
where Left.Item == Item, Left.Value: CalculableValue, Left.Value.Number == Number {
    Calculation(Calculation(left), .times, right)
}

@_disfavoredOverload
public func * <Item, Number>(
    left: Calculation<Item, Number>, right: Number
) -> Calculation<Item, Number> {
    Calculation(left, .times, Calculation(right))
}

@_disfavoredOverload
public func * <Item, Number>(
    left: Number, right: Calculation<Item, Number>
) -> Calculation<Item, Number> {
    Calculation(Calculation(left), .times, right)
}

@_disfavoredOverload
public func * <Item, Number>(
    left: Calculation<Item, Number>, right: Calculation<Item, Number>
) -> Calculation<Item, Number> {
    Calculation(left, .times, right)
}

@_disfavoredOverload
public func / <Item, Left: SortableAttribute, Right: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: KeyPath<Item.Attributes, Right>
) -> Calculation<Item, Left.Value.Number>
where
    Left.Item == Item, Right.Item == Item, Left.Value: CalculableValue, Right.Value: CalculableValue,
    Left.Value.Number == Right.Value.Number
{ Calculation(Calculation(left), .divided, Calculation(right)) }

@_disfavoredOverload
public func / <Item, Left: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: Left.Value.Number
) -> Calculation<Item, Left.Value.Number> where Left.Item == Item, Left.Value: CalculableValue {
    Calculation(Calculation(left), .divided, Calculation(right))
}

@_disfavoredOverload
public func / <Item, Right: SortableAttribute>(
    left: Right.Value.Number, right: KeyPath<Item.Attributes, Right>
) -> Calculation<Item, Right.Value.Number> where Right.Item == Item, Right.Value: CalculableValue {
    Calculation(Calculation(left), .divided, Calculation(right))
}

@_disfavoredOverload
public func / <Item, Number, Right: SortableAttribute>(
    left: Calculation<Item, Number>, right: KeyPath<Item.Attributes, Right>
) -> Calculation<Item, Number>
where Right.Item == Item, Right.Value: CalculableValue, Right.Value.Number == Number {
    Calculation(left, .divided, Calculation(right))
}

@_disfavoredOverload
public func / <Item, Number, Left: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: Calculation<Item, Number>
) -> Calculation<Item, Number>
where Left.Item == Item, Left.Value: CalculableValue, Left.Value.Number == Number {
    Calculation(Calculation(left), .divided, right)
}

@_disfavoredOverload
public func / <Item, Number>(
    left: Calculation<Item, Number>, right: Number
) -> Calculation<Item, Number> {
    Calculation(left, .divided, Calculation(right))
}

@_disfavoredOverload
public func / <Item, Number>(
    left: Number, right: Calculation<Item, Number>
) -> Calculation<Item, Number> {
    Calculation(Calculation(left), .divided, right)
}

@_disfavoredOverload
public func / <Item, Number>(
    left: Calculation<Item, Number>, right: Calculation<Item, Number>
) -> Calculation<Item, Number> {
    Calculation(left, .divided, right)
}

@_disfavoredOverload
public func % <Item, Left: SortableAttribute, Right: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: KeyPath<Item.Attributes, Right>
) -> Calculation<Item, Left.Value.Number>
where
    Left.Item == Item, Right.Item == Item, Left.Value: CalculableValue, Right.Value: CalculableValue,
    Left.Value.Number == Right.Value.Number
{ Calculation(Calculation(left), .remainder, Calculation(right)) }

@_disfavoredOverload
public func % <Item, Left: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: Left.Value.Number
) -> Calculation<Item, Left.Value.Number> where Left.Item == Item, Left.Value: CalculableValue {
    Calculation(Calculation(left), .remainder, Calculation(right))
}

@_disfavoredOverload
public func % <Item, Right: SortableAttribute>(
    left: Right.Value.Number, right: KeyPath<Item.Attributes, Right>
) -> Calculation<Item, Right.Value.Number> where Right.Item == Item, Right.Value: CalculableValue {
    Calculation(Calculation(left), .remainder, Calculation(right))
}

@_disfavoredOverload
public func % <Item, Number, Right: SortableAttribute>(
    left: Calculation<Item, Number>, right: KeyPath<Item.Attributes, Right>
) -> Calculation<Item, Number>
where Right.Item == Item, Right.Value: CalculableValue, Right.Value.Number == Number {
    Calculation(left, .remainder, Calculation(right))
}

@_disfavoredOverload
public func % <Item, Number, Left: SortableAttribute>(
    left: KeyPath<Item.Attributes, Left>, right: Calculation<Item, Number>
) -> Calculation<Item, Number>
where Left.Item == Item, Left.Value: CalculableValue, Left.Value.Number == Number {
    Calculation(Calculation(left), .remainder, right)
}

@_disfavoredOverload
public func % <Item, Number>(
    left: Calculation<Item, Number>, right: Number
) -> Calculation<Item, Number> {
    Calculation(left, .remainder, Calculation(right))
}

@_disfavoredOverload
public func % <Item, Number>(
    left: Number, right: Calculation<Item, Number>
) -> Calculation<Item, Number> {
    Calculation(Calculation(left), .remainder, right)
}

@_disfavoredOverload
public func % <Item, Number>(
    left: Calculation<Item, Number>, right: Calculation<Item, Number>
) -> Calculation<Item, Number> {
    Calculation(left, .remainder, right)
}

@_disfavoredOverload
public prefix func - <Item, Negated: SortableAttribute>(
    attribute: KeyPath<Item.Attributes, Negated>
) -> Calculation<Item, Negated.Value.Number> where Negated.Item == Item, Negated.Value: CalculableValue {
    Calculation(negative: Calculation(attribute))
}

@_disfavoredOverload
public prefix func - <Item, Number>(calculation: Calculation<Item, Number>) -> Calculation<Item, Number> {
    Calculation(negative: calculation)
}
