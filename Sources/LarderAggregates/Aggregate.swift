public import LarderKernel

/// One value computed from the items of a request, or of each of its groups: a count, a sum, a maximum.
///
///     let (count, total, latest) = try accessor.aggregate(
///         Sale.where(\.isPaid), .count, .sum(\.price), .maximum(\.date))
///
/// Attributes of related items are reached as in orders: `.sum(\.product.price)`. Nil is left out: if all
/// values are nil, or no item is found, a sum is 0, and an average, minimum and maximum are nil.
///
/// The answer is the same on every engine, to the last bit:
///
/// - Sums of integers are exact `Int64`s; one that does not fit throws `.overflow`, naming the attribute.
/// - Sums and averages of `Double` and `Float`, and averages of integers, are the exact result, rounded once to
///   the nearest `Double`. The order of the items does not matter. A sum that is too large is infinite, and the
///   sum of both infinities is NaN.
/// - Sums of `Decimal` are exact; one that a `Decimal` cannot hold throws `.overflow`. An average that has no
///   end, or too many digits, is rounded once, to 38 digits and at most 127 places.
/// - Sums of `Duration` are exact, and averages rounded to the attosecond.
/// - Minimum and maximum follow the order of the store: text by its UTF-8 bytes, false before true.
///
/// *Rule:* a value; may be kept and sent anywhere.
public struct Aggregate<Item: DataStoreItem, Value: AttributeStorable>: Sendable, Hashable {
    let term: AggregateTerm
}

extension Aggregate where Value == Int {
    /// The number of items.
    public static var count: Aggregate { Aggregate(term: AggregateTerm(.count)) }

    /// The number of items whose value is not nil.
    public static func countValues<Counted: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Counted>
    ) -> Aggregate where Counted.Item == Item {
        Aggregate(term: AggregateTerm(.countValues, attribute))
    }

    /// The number of different values that are not nil.
    ///
    /// *Cost:* keeps each of the values in memory once.
    public static func countDistinct<Counted: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Counted>
    ) -> Aggregate where Counted.Item == Item {
        Aggregate(term: AggregateTerm(.countDistinct, attribute))
    }
}

extension Aggregate {
    /// The sum of the values.
    public static func sum<Summed: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Summed>
    ) -> Aggregate
    where Summed.Item == Item, Summed.Value: SummableAttributeValue, Value == Summed.Value.Sum {
        Aggregate(term: AggregateTerm(.sum, attribute))
    }

    /// The average of the values; nil if there is none.
    public static func average<Summed: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Summed>
    ) -> Aggregate
    where Summed.Item == Item, Summed.Value: SummableAttributeValue, Value == Summed.Value.Average? {
        Aggregate(term: AggregateTerm(.average(places: Summed.Value.averagePlaces), attribute))
    }

    /// The smallest value; nil if there is none.
    public static func minimum<Compared: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Compared>
    ) -> Aggregate
    where Compared.Item == Item, Compared.Value: AttributeValue, Value == Compared.Value.Unwrapped? {
        Aggregate(term: AggregateTerm(.minimum, attribute))
    }

    /// The greatest value; nil if there is none.
    public static func maximum<Compared: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Compared>
    ) -> Aggregate
    where Compared.Item == Item, Compared.Value: AttributeValue, Value == Compared.Value.Unwrapped? {
        Aggregate(term: AggregateTerm(.maximum, attribute))
    }
}

/// An aggregate before it is lowered.
struct AggregateTerm: Sendable, Hashable {
    let function: AggregateFunction
    /// Nil if rows are counted.
    let place: AttributePlace?

    init(_ function: AggregateFunction) {
        self.function = function
        place = nil
    }

    init<Item: DataStoreItem, Aggregated: SortableAttribute>(
        _ function: AggregateFunction, _ attribute: KeyPath<Item.Attributes, Aggregated>
    ) where Aggregated.Item == Item {
        self.function = function
        place = Item.attributes[keyPath: attribute].place
    }
}
