public import LarderKernel

/// A query for groups of items: the items of a request that have the same keys.
///
///     let perMonth = Sale.where(\.isPaid)
///         .grouped(by: \.product.name, \.date[.month, in: .gmt])
///         .having(.count > 3 && .sum(\.price) >= 100)
///         .sorted(by: .sum(\.price), .descending)
///         .limit(10)
///     for ((name, month), count, total) in try accessor.groups(for: perMonth, .count, .sum(\.price)) { … }
///
/// Items whose key is nil are a group of their own. Groups come in the order of their keys, unless the request
/// sorts them; ties are broken by the keys, in the direction of the last term.
///
/// *Rule:* a value; may be kept, compared and sent anywhere.
public struct GroupRequest<Item: DataStoreItem, Key: Sendable>: Sendable {
    var core: GroupRequestCore
    let decodeKey: @Sendable (inout GroupRowReader) throws(DataStoreError) -> Key

    /// Returns a request for those groups that also pass another filter.
    ///
    ///     Sale.all.grouped(by: \.city).having(.count > 3 && .maximum(\.date) > lastYear)
    public func having(_ filter: GroupFilter<Item>) -> GroupRequest {
        changed { core in
            if let earlier = core.filter {
                core.filter = earlier && filter.node
            } else {
                core.filter = filter.node
            }
        }
    }

    /// Orders by an aggregate or a key; after an earlier order, it orders the groups that this leaves equal.
    ///
    /// Nil comes first ascending, then NaN, then all numbers.
    public func sorted<Value: AttributeValue>(
        by value: GroupTerm<Item, Value>, _ direction: SortDirection = .ascending
    ) -> GroupRequest {
        changed {
            $0.order.append(GroupOrderTerm(value: value.node, isAscending: direction == .ascending))
        }
    }

    /// Orders by a key.
    public func sorted<Grouped: GroupableAttribute>(
        by key: KeyPath<Item.Attributes, Grouped>, _ direction: SortDirection = .ascending
    ) -> GroupRequest where Grouped.Item == Item {
        sorted(by: .key(key), direction)
    }

    /// Skips the first groups.
    public func offset(_ count: Int) -> GroupRequest {
        changed { $0.offset = count }
    }

    /// Limits the number of groups.
    public func limit(_ count: Int?) -> GroupRequest {
        changed { $0.limit = count }
    }

    /// Checks the values that the compiler cannot check.
    ///
    /// - Throws: `.invalidRequest` for a negative limit or offset, for a key that the groups do not have, and for a
    ///   value that cannot be stored.
    public func validate() throws(DataStoreError) {
        try DataStoreRequest<Item>(core.rows).validate()
        _ = try GroupSelection(core, [], of: Item.schema)
    }

    private func changed(_ change: (inout GroupRequestCore) -> Void) -> GroupRequest {
        var copy = self
        change(&copy.core)
        return copy
    }
}

extension GroupRequest: Hashable {
    public static func == (left: GroupRequest, right: GroupRequest) -> Bool { left.core == right.core }

    public func hash(into hasher: inout Hasher) { hasher.combine(core) }
}

extension GroupRequest: CustomStringConvertible {
    /// The request for the items and their groups, in words; the error's message for one that cannot be used.
    public var description: String {
        do {
            try validate()
            let groups = try core.description(in: StoreSchema(reachableFrom: Item.self))
            return "\(DataStoreRequest<Item>(core.rows)) \(groups)"
        } catch {
            return "\(Item.schema.name) (\(error.message))"
        }
    }
}

extension GroupRequestCore {
    fileprivate func description(in store: StoreSchema) throws(DataStoreError) -> String {
        let names = try keys.map { key throws(DataStoreError) in try key.description(in: store) }
        var text = "group by " + names.joined(separator: ", ")
        if let filter { text += try " having " + filter.description(in: store) }
        for (position, term) in order.enumerated() {
            text += try (position == 0 ? " order " : ", ") + term.value.description(in: store)
            text += term.isAscending ? " ascending" : " descending"
        }
        if offset > 0 { text += " offset \(offset)" }
        if let limit { text += " limit \(limit)" }
        return text
    }
}

extension GroupFilterNode {
    fileprivate func description(in store: StoreSchema) throws(DataStoreError) -> String {
        func joined(_ parts: [GroupFilterNode], by word: String) throws(DataStoreError) -> String {
            let texts = try parts.map { part throws(DataStoreError) in try part.description(in: store) }
            return "(" + texts.joined(separator: word) + ")"
        }
        switch self {
        case .compare(let value, let comparison, let constant, _):
            return try value.description(in: store) + " \(comparison.rawValue) \(constant)"
        case .all(let parts): return try joined(parts, by: " and ")
        case .any(let parts): return try joined(parts, by: " or ")
        case .not(let inner): return try "not " + inner.description(in: store)
        case .mistake: return "<mistake>"
        }
    }
}

extension GroupValueNode {
    fileprivate func description(in store: StoreSchema) throws(DataStoreError) -> String {
        switch self {
        case .key(let place): return try place.description(in: store)
        case .aggregate(let term):
            guard let place = term.place else { return term.function.description }
            return try term.function.description + "(" + place.description(in: store) + ")"
        }
    }
}

extension AttributePlace {
    fileprivate func description(in store: StoreSchema) throws(DataStoreError) -> String {
        let term = OrderTerm(self, isAscending: true)
        let value = try RelatedOrder.Term(term, of: 0, in: store, through: "A group")
        let name = value.name(in: store.entities[0])
        return part.map { "\($0.part) of \(name)" } ?? name
    }
}

extension DataStoreRequest {
    /// Returns a request for the groups of these items that have the same value.
    ///
    ///     Sale.all.grouped(by: \.city)
    ///
    /// The key is an attribute of the items or of related ones, or a part of a date. Exactly the items of this
    /// request are grouped, its offset and limit included.
    // Beside the form for several, as Swift 6.3 does not see that a tuple of one such type is the type.
    public func grouped<Grouped: GroupableAttribute>(
        by attribute: KeyPath<Item.Attributes, Grouped>
    ) -> GroupRequest<Item, Grouped.Key> where Grouped.Item == Item {
        let key = Item.attributes[keyPath: attribute].groupPlace
        return GroupRequest(core: GroupRequestCore(rows: core, keys: [key])) {
            reader throws(DataStoreError) in
            try reader.next(as: Grouped.Key.self)
        }
    }

    /// Returns a request for the groups of these items that have the same values.
    ///
    ///     Sale.all.grouped(by: \.product.name, \.date[.year, in: .gmt])
    ///
    /// The keys are attributes of the items or of related ones, and parts of dates. Exactly the items of this
    /// request are grouped, its offset and limit included.
    public func grouped<each Grouped: GroupableAttribute>(
        by attribute: repeat KeyPath<Item.Attributes, each Grouped>
    ) -> GroupRequest<Item, (repeat (each Grouped).Key)> {
        var keys: [AttributePlace] = []
        repeat keys.append(Item.attributes[keyPath: each attribute].groupPlace)
        return GroupRequest(core: GroupRequestCore(rows: core, keys: keys)) {
            reader throws(DataStoreError) in
            (repeat try reader.next(as: (each Grouped).Key.self))
        }
    }
}

/// A value of a group that filters and orders use: a key or an aggregate.
public struct GroupTerm<Item: DataStoreItem, Value>: Sendable, Hashable {
    let node: GroupValueNode

    private init(_ aggregate: Aggregate<Item, Value>) where Value: AttributeStorable {
        node = .aggregate(aggregate.term)
    }
}

extension GroupTerm where Value == Int {
    /// The number of items of the group.
    public static var count: GroupTerm { GroupTerm(.count) }

    /// The number of items of the group whose value is not nil.
    public static func countValues<Counted: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Counted>
    ) -> GroupTerm where Counted.Item == Item { GroupTerm(.countValues(attribute)) }

    /// The number of different values in the group that are not nil.
    public static func countDistinct<Counted: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Counted>
    ) -> GroupTerm where Counted.Item == Item { GroupTerm(.countDistinct(attribute)) }
}

extension GroupTerm {
    /// A key of the group, which the request groups by.
    public static func key<Grouped: GroupableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Grouped>
    ) -> GroupTerm where Grouped.Item == Item, Value == Grouped.Key {
        GroupTerm(node: .key(Item.attributes[keyPath: attribute].groupPlace))
    }

    /// The sum of the values of the group.
    public static func sum<Summed: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Summed>
    ) -> GroupTerm
    where Summed.Item == Item, Summed.Value: SummableAttributeValue, Value == Summed.Value.Sum {
        GroupTerm(.sum(attribute))
    }

    /// The average of the values of the group; nil if there is none.
    public static func average<Summed: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Summed>
    ) -> GroupTerm
    where Summed.Item == Item, Summed.Value: SummableAttributeValue, Value == Summed.Value.Average? {
        GroupTerm(.average(attribute))
    }

    /// The smallest value of the group; nil if there is none.
    public static func minimum<Compared: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Compared>
    ) -> GroupTerm
    where Compared.Item == Item, Compared.Value: AttributeValue, Value == Compared.Value.Unwrapped? {
        GroupTerm(.minimum(attribute))
    }

    /// The greatest value of the group; nil if there is none.
    public static func maximum<Compared: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Compared>
    ) -> GroupTerm
    where Compared.Item == Item, Compared.Value: AttributeValue, Value == Compared.Value.Unwrapped? {
        GroupTerm(.maximum(attribute))
    }

    private init(node: GroupValueNode) {
        self.node = node
    }
}
