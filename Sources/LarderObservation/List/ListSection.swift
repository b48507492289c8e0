public import LarderKernel

/// One section of an ``ItemList``: the items that have the same value, and the name to show for it.
///
///     section.name                         // "Dessert"
///     section.value(as: String.self)       // the value of the attribute; nil if it is nil
///     section[0]                           // its first item
///
/// *Rule:* an immutable value, as its list.
public struct ListSection<Item: DataStoreItem>: Sendable, Identifiable {
    /// The identity of a section, which stays the same while its name and its items change: its value.
    public struct ID: Sendable, Hashable {
        let value: Constant
    }

    /// The list that it is part of.
    let list: ItemList<Item>
    /// The place of the section in its list, from 0.
    public let number: Int

    public var id: ID { ID(value: section.value) }

    /// The text to show for the section; empty if the value is nil, unless the app names it.
    public var name: String { section.name }

    /// The title in the index of sections, or nil if it is not in it.
    public var indexTitle: String? { section.indexTitle }

    /// The value that the items have in common, or nil if it is nil or of another type.
    public func value<Value: AttributeValue>(as type: Value.Type = Value.self) -> Value? {
        section.value.isNull ? nil : section.value.withCell { Value.decode($0) }
    }

    /// The items of the section, without copying them.
    public var items: ArraySlice<Item> { list.items[indices(in: list)] }

    private var section: ListShape.Section { list.shape.sections[number] }

    private func indices(in list: ItemList<Item>) -> Range<Int> { list.shape.range(ofSection: number) }
}

extension ListSection: RandomAccessCollection {
    public var startIndex: Int { 0 }

    public var endIndex: Int { indices(in: list).count }

    public subscript(index: Int) -> Item {
        list[ListPosition(section: number, item: index)]
    }

    /// The item at an index of the section, or nil if there is none.
    public subscript(safe index: Int) -> Item? {
        list[safe: ListPosition(section: number, item: index)]
    }
}

/// The sections of an ``ItemList``, in their order.
public struct ListSections<Item: DataStoreItem>: RandomAccessCollection, Sendable {
    let list: ItemList<Item>

    public var startIndex: Int { 0 }

    public var endIndex: Int { list.shape.sections.count }

    public subscript(number: Int) -> ListSection<Item> {
        precondition(indices.contains(number), "Section \(number) of \(count)")
        return ListSection(list: list, number: number)
    }

    /// The section with a number, or nil if there is none.
    public subscript(safe number: Int) -> ListSection<Item>? {
        indices.contains(number) ? ListSection(list: list, number: number) : nil
    }

    /// The section with an identity, or nil.
    public subscript(id id: ListSection<Item>.ID) -> ListSection<Item>? {
        first { $0.id == id }
    }
}

extension ItemList {
    /// The sections; one if the list was asked for without.
    public var sections: ListSections<Item> { ListSections(list: self) }

    /// The titles for an index beside the list, each once, in the order of the sections.
    ///
    /// By default the first letter of each section's name in upper case; see
    /// ``ListSectioning/by(_:indexTitle:name:)``.
    public var sectionIndexTitles: [String] {
        var titles: [String] = []
        var known: Set<UTF8Key> = []
        for title in shape.sections.lazy.compactMap(\.indexTitle) where known.insert(UTF8Key(title)).inserted
        {
            titles.append(title)
        }
        return titles
    }

    /// The number of the first section with a title of the index, or nil.
    public func section(forIndexTitle title: String) -> Int? {
        shape.sections.firstIndex { section in
            section.indexTitle.map { UTF8Text.areEqual($0, title) } ?? false
        }
    }
}
