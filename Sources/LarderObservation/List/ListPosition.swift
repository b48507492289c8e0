import LarderKernel

/// The place of an item in a list: the section, and the item within it, both from 0.
///
///     let item = list[ListPosition(section: 2, item: 0)]
///
/// The same as `IndexPath(item:section:)` of a table or collection view.
public struct ListPosition: Sendable, Hashable {
    public var section: Int
    public var item: Int

    @inlinable
    public init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }
}

extension ListPosition: Comparable {
    @inlinable
    public static func < (left: ListPosition, right: ListPosition) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}

extension ListPosition: CustomStringConvertible {
    public var description: String { "\(section).\(item)" }
}
