public import LarderKernel

/// The division of a list into sections: the attribute whose value the items of a section have in common.
///
///     let byKind: ListSectioning<Recipe> = .by(\.kind.name)
///     let byAge: ListSectioning<Person> = .by(\.age) { "\($0) years old" }
///
/// Items are sorted by the attribute first, in the direction in which the request sorts by it, else
/// ascending: the order need not be repeated in the request. Items whose value is nil are a section too. With
/// sections, the items of an ``OrderedToMany`` are not in its order; sort the request.
///
/// *Rule:* a value; may be kept and sent anywhere. *Cost:* the value is read with the items. A value of
/// related items is looked up in batches, once for all consecutive items with the same reference.
public struct ListSectioning<Item: DataStoreItem>: Sendable {
    let place: AttributePlace
    let name: @Sendable (Constant) -> String
    let indexTitle: @Sendable (String) -> String?

    /// Sections by the value of an attribute, named by its text.
    ///
    /// - Parameters:
    ///   - attribute: The attribute, of the item or of a related item.
    ///   - indexTitle: The title of a section in the index, made of its name; nil leaves the section out. By
    ///     default the first letter in upper case.
    public static func by<Section: SortableAttribute & GroupableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Section>, indexTitle: (@Sendable (String) -> String?)? = nil
    ) -> ListSectioning where Section.Item == Item {
        ListSectioning(
            place: Item.attributes[keyPath: attribute].place,
            name: { $0.sectionName(of: Section.Key.attributeType) }, indexTitle: indexTitle ?? firstLetter)
    }

    /// Sections by the value of an attribute, named by a function of it.
    ///
    ///     let byAge: ListSectioning<Person> = .by(\.age) { "\($0) years old" }
    ///
    /// - Parameters:
    ///   - name: The name of the section, made of its value. It must give the same name for the same value;
    ///     another function may come with a refetch.
    public static func by<Section: SortableAttribute & GroupableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Section>, indexTitle: (@Sendable (String) -> String?)? = nil,
        name: @escaping @Sendable (Section.Key) -> String
    ) -> ListSectioning where Section.Item == Item {
        ListSectioning(
            place: Item.attributes[keyPath: attribute].place,
            name: { value in
                guard let key = value.withCell({ Section.Key.decode($0) }) else {
                    return value.sectionName(of: Section.Key.attributeType)
                }
                return name(key)
            }, indexTitle: indexTitle ?? firstLetter)
    }

    private static var firstLetter: @Sendable (String) -> String? {
        { name in name.first.map { String($0).uppercased() } }
    }
}

extension AttributePlace {
    /// The order of a request with the value that divides a list before all else.
    func leading(_ order: [OrderTerm]) -> [OrderTerm] {
        let term = order.first { $0.place == self } ?? OrderTerm(self, isAscending: true)
        // Each text is a section, even if the order of the request leaves some of them equal.
        return [term, OrderTerm(self, isAscending: term.isAscending)] + order
    }
}

extension Constant {
    /// The value as the name of a section; empty for nil.
    fileprivate func sectionName(of type: AttributeType) -> String {
        if case .text(let text) = self { return text }
        if case .integer(let number) = self, type == .itemID { return ItemIDText.text(of: number) }
        return withCell { cell in cell.value(of: type).map { "\($0)" } ?? "" }
    }
}
