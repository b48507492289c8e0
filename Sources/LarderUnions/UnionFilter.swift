public import LarderKernel

/// A condition on the items of a ``UnionRequest``.
///
///     let filter: UnionFilter<Medium> = Medium.attributes.title < "K" || .only(Song.self, \.title == "Zoo")
///     let media = try store.read { try $0.items(for: Medium.where(filter)) }
///
/// Built of a ``UnionAttribute`` and a value, and of filters on one member, with `&&`, `||` and `!`. The logic is
/// ``LarderKernel/Filter``'s.
///
/// *Rule:* a value; may be kept and sent anywhere.
public struct UnionFilter<Union: ItemUnion>: Sendable, Hashable {
    /// One for each member, in the order of the members.
    let nodes: [FilterNode]

    init(_ nodes: [FilterNode]) {
        self.nodes = nodes.map { node in
            let depth = node.depth
            return depth > FilterNode.maximumDepth ? .mistake(RequestMistake(depth: depth)) : node
        }
    }

    /// Items of one member that pass a filter of their own; no item of another member passes.
    ///
    ///     let sweet = Medium.where(.only(Recipe.self, \.kind.name == "Dessert") || .only(Song.self))
    public static func only<Item: DataStoreItem>(
        _ type: Item.Type, _ filter: Filter<Item> = .always(true)
    ) -> UnionFilter {
        guard Union.member(of: type) != nil else {
            let mistake = RequestMistake("\(Item.schema.name) is not a member of \(Union.self).")
            return UnionFilter(Union.members.map { _ in .mistake(mistake) })
        }
        return UnionFilter(
            Union.members.map { $0.type.itemType == type ? filter.node : .always(false) })
    }
}

public func && <Union>(left: UnionFilter<Union>, right: UnionFilter<Union>) -> UnionFilter<Union> {
    UnionFilter(zip(left.nodes, right.nodes).map { $0 && $1 })
}

public func || <Union>(left: UnionFilter<Union>, right: UnionFilter<Union>) -> UnionFilter<Union> {
    UnionFilter(zip(left.nodes, right.nodes).map { $0 || $1 })
}

public prefix func ! <Union>(filter: UnionFilter<Union>) -> UnionFilter<Union> {
    UnionFilter(filter.nodes.map { .not($0) })
}
