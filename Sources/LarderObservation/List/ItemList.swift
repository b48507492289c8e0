public import LarderKernel

/// The items of a request at one moment, with their sections.
///
///     let list = try store.read { try $0.list(for: Recipe.all, sectionedBy: .by(\.kind.name)) }
///     list[0]                              // the first item
///     list[section: 1, item: 2]            // the third item of the second section
///     list.position(of: recipe.id)         // its section, and its place in the section
///     for section in list.sections { print(section.name, section.count) }
///
/// A collection of all items, one section after the other. A list without sections has exactly one,
/// with an empty name; a list with sections has one for each value that its items have, and no empty ones.
///
/// *Rule:* an immutable value; copies share their items, and may be sent anywhere. Subscripts with `safe`
/// return nil for an index out of bounds; the others stop the program, like an index of an `Array`. *Cost:*
/// an index is one load; the first look-up by identifier makes a table of all, each later one is a look-up in
/// the table.
public struct ItemList<Item: DataStoreItem>: Sendable {
    /// The items, section by section, and in each in the order of the request.
    public let items: [Item]
    @usableFromInline let shape: ListShape

    @usableFromInline
    init(items: [Item], shape: ListShape) {
        self.items = items
        self.shape = shape
    }

    /// Creates an empty list without sections.
    public init() {
        self.init(items: [], shape: .empty)
    }
}

extension ItemList: RandomAccessCollection {
    @inlinable public var startIndex: Int { 0 }

    @inlinable public var endIndex: Int { items.count }

    @inlinable public subscript(index: Int) -> Item { items[index] }
}

extension ItemList: Equatable where Item: Equatable {
    /// True if both have the same sections with equal items, in the same order.
    public static func == (left: ItemList, right: ItemList) -> Bool {
        if left.shape === right.shape { return true }
        let areSectionsEqual = left.shape.sections.elementsEqual(right.shape.sections) { left, right in
            left.start == right.start && left.value == right.value && left.isNamed(as: right)
        }
        return areSectionsEqual && left.items == right.items
    }
}

// MARK: By position

extension ItemList {
    /// The item at a position.
    @inlinable
    public subscript(position: ListPosition) -> Item {
        let range = shape.range(ofSection: position.section)
        return items[range][range.lowerBound + position.item]
    }

    /// The item at a place within a section.
    @inlinable
    public subscript(section section: Int, item item: Int) -> Item {
        self[ListPosition(section: section, item: item)]
    }

    /// The item at an index, or nil if there is none.
    @inlinable
    public subscript(safe index: Int) -> Item? {
        items.indices.contains(index) ? items[index] : nil
    }

    /// The item at a position, or nil if there is none.
    @inlinable
    public subscript(safe position: ListPosition) -> Item? {
        guard let index = index(at: position) else { return nil }
        return items[index]
    }

    /// The index of the item at a position, or nil if there is none.
    @inlinable
    public func index(at position: ListPosition) -> Int? {
        guard position.section >= 0, position.section < shape.sectionCount else { return nil }
        let range = shape.range(ofSection: position.section)
        guard position.item >= 0, position.item < range.count else { return nil }
        return range.lowerBound + position.item
    }

    /// The position of the item at an index, or nil if there is none.
    public func position(at index: Int) -> ListPosition? {
        items.indices.contains(index) ? shape.position(of: index) : nil
    }
}

// MARK: By identifier

extension ItemList {
    /// The index of the item with an identifier, or nil.
    public func index(of id: Item.ID) -> Int? { shape.index(of: id.anyItemID) }

    /// The position of the item with an identifier, or nil.
    public func position(of id: Item.ID) -> ListPosition? { index(of: id).map(shape.position) }

    /// The item with an identifier, or nil.
    public func item(id: Item.ID) -> Item? { index(of: id).map { items[$0] } }

    /// True if there is an item with an identifier.
    public func contains(id: Item.ID) -> Bool { index(of: id) != nil }

    /// The identifiers of the items, in their order.
    public var ids: [Item.ID] { items.map(\.id) }
}
