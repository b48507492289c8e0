// Filters that may be missing, and lists of filters.

infix operator &&? : LogicalConjunctionPrecedence
infix operator ||? : LogicalDisjunctionPrecedence

/// The filters joined by AND if there are both, and else the one that there is.
public func &&? <Item>(left: Filter<Item>, right: Filter<Item>?) -> Filter<Item> {
    right.map { left && $0 } ?? left
}

/// The filters joined by AND if there are both, and else the one that there is.
public func &&? <Item>(left: Filter<Item>?, right: Filter<Item>) -> Filter<Item> {
    left.map { $0 && right } ?? right
}

/// The filters joined by AND if there are both, and else the one that there is, or nil.
@_disfavoredOverload
public func &&? <Item>(left: Filter<Item>?, right: Filter<Item>?) -> Filter<Item>? {
    left.map { $0 &&? right } ?? right
}

/// The filters joined by OR if there are both, and else the one that there is.
public func ||? <Item>(left: Filter<Item>, right: Filter<Item>?) -> Filter<Item> {
    right.map { left || $0 } ?? left
}

/// The filters joined by OR if there are both, and else the one that there is.
public func ||? <Item>(left: Filter<Item>?, right: Filter<Item>) -> Filter<Item> {
    left.map { $0 || right } ?? right
}

/// The filters joined by OR if there are both, and else the one that there is, or nil.
@_disfavoredOverload
public func ||? <Item>(left: Filter<Item>?, right: Filter<Item>?) -> Filter<Item>? {
    left.map { $0 ||? right } ?? right
}

extension Sequence {
    /// The filter that an item passes if it passes all of these; every item passes if there is none.
    ///
    ///     let filter = words.map { .contains(\Recipe.Attributes.name, $0) }.combinedByAnd()
    public func combinedByAnd<Item>() -> Filter<Item> where Element == Filter<Item> {
        let parts = Array(self)
        return parts.count == 1 ? parts[0] : Filter(.all(parts.map(\.node)), depth: Filter.depth(of: parts))
    }

    /// The filter that an item passes if it passes one of these; no item passes if there is none.
    ///
    /// *Cost:* engines may test more than 32 on each item, even if an index has their values; `isIn` has no such limit.
    public func combinedByOr<Item>() -> Filter<Item> where Element == Filter<Item> {
        let parts = Array(self)
        return parts.count == 1 ? parts[0] : Filter(.any(parts.map(\.node)), depth: Filter.depth(of: parts))
    }
}

extension Filter {
    fileprivate static func depth(of parts: [Filter]) -> Int { (parts.map(\.depth).max() ?? 0) + 1 }
}
