public import Foundation
public import LarderKernel
public import LarderPattern

// The order of a language needs the tables of Foundation. The kernel sorts by any order of texts, and knows no language.

extension TextCollation {
    /// The order in which people of a language expect texts: "apple", "Éclair", "Egg", "Zebra".
    ///
    ///     Recipe.all.sorted(by: \.name, .localized())
    ///     Recipe.all.sorted(by: \.name, .localized(Locale(identifier: "sv_SE"), comparingNumbers: true))
    ///
    /// Only the identifier of the locale counts, which may name another order of the language: `de@collation=phonebook`.
    /// Case and diacritics count if the letters are equal; texts that the language does not distinguish are ordered by
    /// their bytes.
    ///
    /// *Rule:* the order of this process's tables, which may change with the system. Nothing of it is stored.
    ///
    /// - Parameters:
    ///   - locale: The locale of the user. On a server it is seldom the current one: name it.
    ///   - comparesNumbers: True if digits are compared as numbers: "Room 9" before "Room 10".
    public static func localized(
        _ locale: Locale = .current, comparingNumbers comparesNumbers: Bool = false
    ) -> TextCollation {
        // Two locales with one identifier may differ in other settings, and the current one may change.
        let locale = Locale(identifier: locale.identifier)
        // If it is not literal, Foundation finds the first difference by rules of its own before it asks the language's,
        // and is inconsistent: in Swedish, "aå" and "å" each come after the other.
        let options: String.CompareOptions = comparesNumbers ? [.literal, .numeric] : .literal
        return TextCollation(named: locale.identifier + (comparesNumbers ? ", numbers" : "")) { left, right in
            left.compare(right, options: options, range: nil, locale: locale) == .orderedAscending
        }
    }
}

extension ItemOrder {
    /// An order by a text as a language orders it; see ``DataStoreRequest/sorted(by:_:_:)``.
    public static func by<Sorted: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Sorted>, _ collation: TextCollation,
        _ direction: SortDirection = .ascending
    ) -> ItemOrder where Sorted.Item == Item, Sorted.Value: TextAttributeValue {
        let place = Item.attributes[keyPath: attribute].place
        return ItemOrder(terms: [OrderTerm(place, isAscending: direction == .ascending, .exact, collation)])
    }
}

extension DataStoreRequest {
    /// Orders by a text as a language orders it.
    ///
    ///     Recipe.all.sorted(by: \.name, .localized()).limit(20)
    ///     Recipe.all.sorted(by: \.kind.name, .localized(), .descending)
    ///
    /// It is an order as any other, for all calls with a request and for lists; pages after an item and requests for
    /// several types do not have it.
    ///
    /// *Rule:* every engine gives the same order, but two processes or devices may differ in the system's tables.
    /// *Cost:* no index has it. Every item of the request is read for its text, whatever the limit, and the identifiers and
    /// texts of all are kept in memory; then each different text is compared with some 10 to 20 others. On Linux, Foundation
    /// takes some 8 µs for each.
    public func sorted<Sorted: SortableAttribute>(
        by attribute: KeyPath<Item.Attributes, Sorted>, _ collation: TextCollation,
        _ direction: SortDirection = .ascending
    ) -> DataStoreRequest where Sorted.Item == Item, Sorted.Value: TextAttributeValue {
        sorted(by: .by(attribute, collation, direction))
    }
}
