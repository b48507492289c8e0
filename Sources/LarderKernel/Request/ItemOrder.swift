public import LarderPattern

/// An order of items, as a value: attributes with a direction, most significant first.
///
///     let newest: ItemOrder<Recipe> = .by(\.cookedAt, .descending)
///     let request = Recipe.all.sorted(by: newest + .by(\.kind.name))
///
/// Two orders are equal if they have the same terms in the same order.
///
/// *Rule:* a value; may be kept, compared and sent anywhere.
public struct ItemOrder<Item: DataStoreItem>: Sendable, Hashable {
    package var terms: [OrderTerm]

    package init(terms: [OrderTerm]) {
        self.terms = terms
    }

    /// Creates an order by an attribute; see ``DataStoreRequest/sorted(by:_:)``.
    public init<Sorted: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Sorted>, _ direction: SortDirection = .ascending
    ) where Sorted.Item == Item {
        terms = [OrderTerm(Item.attributes[keyPath: attribute].place, isAscending: direction == .ascending)]
    }

    /// An order by an attribute.
    public static func by<Sorted: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Sorted>, _ direction: SortDirection = .ascending
    ) -> ItemOrder where Sorted.Item == Item {
        ItemOrder(attribute, direction)
    }

    /// An order by a text without regard to case, diacritics, or both; see
    /// ``DataStoreRequest/sorted(by:_:_:)``.
    public static func by<Sorted: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Sorted>, _ matching: TextMatching,
        _ direction: SortDirection = .ascending
    ) -> ItemOrder where Sorted.Item == Item, Sorted.Value: TextAttributeValue {
        let place = Item.attributes[keyPath: attribute].place
        return ItemOrder(terms: [OrderTerm(place, isAscending: direction == .ascending, matching)])
    }

    /// The order without an attribute: the order of the identifiers.
    public static var none: ItemOrder { ItemOrder(terms: []) }

    /// The order with every direction turned around.
    public var reversed: ItemOrder { ItemOrder(terms: terms.map(\.reversed)) }

    /// The first order; the second one decides among the items that it leaves equal.
    public static func + (left: ItemOrder, right: ItemOrder) -> ItemOrder {
        ItemOrder(terms: left.terms + right.terms)
    }

    public static func += (left: inout ItemOrder, right: ItemOrder) { left.terms += right.terms }
}

extension ItemOrder: CustomStringConvertible {
    /// The request for all items in this order, in words.
    public var description: String { Item.all.sorted(by: self).description }
}
